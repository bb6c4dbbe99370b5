// swift-tools-version: 6.0
import PackageDescription

/// The rooms of the house, from the ground up: each imports only what stands below it
/// (see docs/architecture.md). The tidy tests hold the sources to this list.
let swift: [SwiftSetting] = [.swiftLanguageMode(.v6)]

func room(_ name: String, _ below: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: below, swiftSettings: swift)
}

func tests(_ name: String, _ rooms: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: rooms, resources: resources, swiftSettings: swift)
}

let package = Package(
    name: "moqspec",
    products: [.executable(name: "moqspec", targets: ["moqspec"])],
    targets: [
        // System libraries, from Debian's packages.
        .systemLibrary(
            name: "CNgtcp2", pkgConfig: "libngtcp2 libngtcp2_crypto_gnutls gnutls",
            providers: [.apt(["libngtcp2-dev", "libngtcp2-crypto-gnutls-dev", "libgnutls28-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CShim", dependencies: ["CNgtcp2", "COpenSSL"]),

        // Rooms.
        room("MoqBase"),
        room("MoqEvents", ["MoqBase", "CJansson"]),
        room("MoqQUIC", ["MoqBase", "CNgtcp2", "COpenSSL", "CShim"]),
        room("MoqWire", ["MoqBase"]),
        room("MoqScenario", ["MoqBase", "CYaml"]),
        room("MoqTransport", ["MoqBase", "MoqQUIC"]),
        room("MoqConformance", ["MoqBase", "MoqEvents", "MoqWire", "MoqScenario"]),
        room("MoqReport", ["MoqBase", "MoqEvents"]),
        room("MoqDrivers", ["MoqBase", "CShim"]),
        room("MoqLite", ["MoqBase", "MoqWire", "MoqTransport"]),
        room("MoqRelay", ["MoqBase", "MoqWire", "MoqQUIC", "MoqTransport", "MoqDrivers", "MoqLite"]),
        room(
            "MoqRunner",
            [
                "MoqBase", "MoqEvents", "MoqWire", "MoqScenario", "MoqQUIC", "MoqTransport",
                "MoqConformance", "MoqReport", "MoqDrivers", "MoqLite", "MoqRelay",
            ]),
        room(
            "MoqCommandLine",
            [
                "MoqBase", "MoqEvents", "MoqWire", "MoqScenario", "MoqTransport", "MoqReport", "MoqRunner",
            ]),
        .executableTarget(
            name: "moqspec",
            dependencies: [
                "MoqBase", "MoqEvents", "MoqWire", "MoqQUIC", "MoqTransport", "MoqScenario", "MoqReport",
                "MoqDrivers", "MoqRelay", "MoqRunner", "MoqCommandLine",
            ],
            swiftSettings: swift),
        .executableTarget(
            name: "moqspec-bench",
            dependencies: [
                "MoqBase", "MoqWire", "MoqQUIC", "MoqTransport", "MoqDrivers", "MoqLite", "MoqRelay", "MoqScenario",
                "MoqRunner", "MoqEvents",
            ],
            swiftSettings: swift),

        // Tests, one target a room.
        tests("MoqBaseTests", ["MoqBase"]),
        tests("MoqEventsTests", ["MoqEvents", "MoqBase"]),
        tests("MoqQUICTests", ["MoqQUIC", "MoqBase", "MoqDrivers"]),
        tests("MoqWireTests", ["MoqWire", "MoqBase"]),
        tests("MoqScenarioTests", ["MoqScenario", "MoqBase"]),
        tests("MoqTransportTests", ["MoqTransport", "MoqQUIC", "MoqBase", "MoqDrivers"]),
        tests("MoqConformanceTests", ["MoqConformance", "MoqEvents", "MoqWire", "MoqScenario", "MoqBase"]),
        tests(
            "MoqReportTests", ["MoqReport", "MoqEvents", "MoqBase"],
            resources: [.copy("junitparser_check.py"), .copy("Goldens")]),
        tests("MoqDriversTests", ["MoqDrivers", "MoqBase"]),
        tests("MoqLiteTests", ["MoqLite", "MoqWire", "MoqTransport", "MoqQUIC", "MoqDrivers", "MoqBase"]),
        tests(
            "MoqRelayTests", ["MoqRelay", "MoqLite", "MoqWire", "MoqTransport", "MoqQUIC", "MoqDrivers", "MoqBase"]),
        tests(
            "MoqRunnerTests",
            [
                "MoqRunner", "MoqScenario", "MoqConformance", "MoqReport", "MoqEvents", "MoqRelay", "MoqLite",
                "MoqWire", "MoqTransport", "MoqQUIC", "MoqDrivers", "MoqBase",
            ]),
        tests(
            "MoqCommandLineTests",
            [
                "MoqCommandLine", "MoqRunner", "MoqScenario", "MoqReport", "MoqEvents", "MoqTransport", "MoqWire",
                "MoqBase",
            ]),
        tests("HouseTests", []),
    ]
)
