// swift-tools-version: 6.0
import PackageDescription

/// The rooms of the house, from the ground up: each imports only what stands below it
/// (see docs/architecture.md). The tidy tests hold the sources to this list.
///
/// Release builds leave out the checks of exclusive access at run time: they take an eighth of the processor time of the
/// suites. The tests run with them.
let swift: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

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
        .systemLibrary(name: "CNghttp3", pkgConfig: "libnghttp3", providers: [.apt(["libnghttp3-dev"])]),
        .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // Only the headers: CMediaShim loads the libraries at their first use.
        .systemLibrary(
            name: "CFFmpeg", providers: [.apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev"])]),
        .target(name: "CShim", dependencies: ["CNgtcp2", "COpenSSL"]),
        .target(name: "CMediaShim", dependencies: ["CFFmpeg"]),

        // Rooms.
        room("MoqBase"),
        room("MoqJSON", ["MoqBase", "CJansson"]),
        room("MoqHang", ["MoqBase", "MoqJSON", "CZlib"]),
        room("MoqEvents", ["MoqBase", "MoqJSON"]),
        room("MoqQUIC", ["MoqBase", "CNgtcp2", "COpenSSL", "CShim"]),
        room("MoqTLS", ["MoqBase", "MoqQUIC", "COpenSSL"]),
        room("MoqHTTP3", ["MoqBase", "CNghttp3"]),
        room("MoqTokens", ["MoqBase", "MoqJSON", "COpenSSL"]),
        room("MoqWire", ["MoqBase"]),
        room("MoqMedia", ["MoqBase", "CFFmpeg", "CMediaShim"]),
        room("MoqScenario", ["MoqBase", "CYaml"]),
        room("MoqKit", ["MoqBase", "MoqJSON", "MoqScenario"]),
        room("MoqPlayback", ["MoqBase", "MoqJSON", "MoqKit", "MoqHang", "MoqMedia"]),
        room("MoqTransport", ["MoqBase", "MoqQUIC", "MoqHTTP3"]),
        room("MoqConformance", ["MoqBase", "MoqEvents", "MoqWire", "MoqScenario"]),
        room("MoqReport", ["MoqBase", "MoqJSON", "MoqEvents"]),
        room("MoqDrivers", ["MoqBase", "CShim"]),
        room("MoqLite", ["MoqBase", "MoqWire", "MoqTransport"]),
        room("MoqMonitor", ["MoqBase", "MoqWire", "MoqTransport"]),
        room("MoqDial", ["MoqBase", "MoqQUIC", "MoqTLS", "MoqTransport", "MoqDrivers"]),
        room(
            "MoqRelay",
            ["MoqBase", "MoqWire", "MoqQUIC", "MoqTLS", "MoqTokens", "MoqTransport", "MoqDrivers", "MoqLite"]),
        room(
            "MoqRunner",
            [
                "MoqBase", "MoqJSON", "MoqEvents", "MoqWire", "MoqScenario", "MoqQUIC", "MoqTLS", "MoqTokens",
                "MoqTransport", "MoqConformance", "MoqReport", "MoqDrivers", "MoqDial", "MoqLite", "MoqMonitor",
                "MoqRelay", "MoqKit",
                "MoqHang", "MoqMedia", "MoqPlayback",
            ]),
        room(
            "MoqProbe",
            [
                "MoqBase", "MoqJSON", "MoqEvents", "MoqWire", "MoqQUIC", "MoqHTTP3", "MoqTokens", "MoqTransport",
                "MoqReport", "MoqDrivers", "MoqDial", "MoqLite",
            ]),
        room(
            "MoqLive",
            [
                "MoqBase", "MoqWire", "MoqKit", "MoqHang", "MoqMedia", "MoqPlayback", "MoqQUIC", "MoqTokens",
                "MoqTransport", "MoqDrivers", "MoqDial", "MoqLite",
            ]),
        room(
            "MoqCommandLine",
            [
                "MoqBase", "MoqJSON", "MoqEvents", "MoqWire", "MoqScenario", "MoqKit", "MoqTokens", "MoqTransport",
                "MoqReport", "MoqRelay", "MoqRunner", "MoqMedia", "MoqPlayback", "MoqLive",
            ]),
        .executableTarget(
            name: "moqspec",
            dependencies: [
                "MoqBase", "MoqJSON", "MoqEvents", "MoqWire", "MoqQUIC", "MoqTLS", "MoqTokens", "MoqTransport",
                "MoqScenario", "MoqKit", "MoqReport", "MoqDrivers", "MoqDial", "MoqRelay", "MoqRunner", "MoqProbe",
                "MoqMedia", "MoqLite", "MoqLive", "MoqCommandLine",
            ],
            swiftSettings: swift),
        .executableTarget(
            name: "moqspec-bench",
            dependencies: [
                "MoqBase", "MoqJSON", "MoqWire", "MoqQUIC", "MoqTLS", "MoqTransport", "MoqDrivers", "MoqDial",
                "MoqLite", "MoqRelay", "MoqScenario", "MoqRunner", "MoqEvents", "MoqMedia", "MoqKit", "MoqLive",
            ],
            swiftSettings: swift),

        // Tests, one target a room.
        tests("MoqBaseTests", ["MoqBase"]),
        tests("MoqJSONTests", ["MoqJSON", "MoqBase"]),
        tests("MoqHangTests", ["MoqHang", "MoqJSON", "MoqBase"]),
        tests("MoqEventsTests", ["MoqEvents", "MoqJSON", "MoqBase"]),
        tests("MoqTLSTests", ["MoqTLS", "MoqQUIC", "MoqDrivers", "MoqBase", "COpenSSL"]),
        tests("MoqHTTP3Tests", ["MoqHTTP3", "MoqBase"]),
        tests("MoqTokensTests", ["MoqTokens", "MoqJSON", "MoqBase"]),
        tests(
            "MoqDialTests", ["MoqDial", "MoqTLS", "MoqTransport", "MoqQUIC", "MoqDrivers", "MoqBase"]),
        tests("MoqQUICTests", ["MoqQUIC", "MoqBase", "MoqDrivers"]),
        tests("MoqWireTests", ["MoqWire", "MoqBase"]),
        tests("MoqMediaTests", ["MoqMedia", "MoqBase"]),
        tests("MoqScenarioTests", ["MoqScenario", "MoqBase"]),
        tests("MoqKitTests", ["MoqKit", "MoqScenario", "MoqJSON", "MoqBase"]),
        tests("MoqPlaybackTests", ["MoqPlayback", "MoqKit", "MoqHang", "MoqMedia", "MoqBase"]),
        tests("MoqTransportTests", ["MoqTransport", "MoqHTTP3", "MoqTLS", "MoqQUIC", "MoqBase", "MoqDrivers"]),
        tests("MoqConformanceTests", ["MoqConformance", "MoqEvents", "MoqWire", "MoqScenario", "MoqBase"]),
        tests(
            "MoqReportTests", ["MoqReport", "MoqJSON", "MoqEvents", "MoqBase"],
            resources: [.copy("junitparser_check.py"), .copy("Goldens")]),
        tests("MoqMonitorTests", ["MoqMonitor", "MoqScenario", "MoqWire", "MoqTransport", "MoqBase"]),
        tests("MoqDriversTests", ["MoqDrivers", "MoqBase"]),
        tests("MoqLiteTests", ["MoqLite", "MoqWire", "MoqTransport", "MoqQUIC", "MoqDrivers", "MoqBase"]),
        tests(
            "MoqRelayTests",
            [
                "MoqRelay", "MoqLite", "MoqWire", "MoqTransport", "MoqTokens", "MoqTLS", "MoqQUIC", "MoqDrivers",
                "MoqBase",
            ]),
        tests(
            "MoqRunnerTests",
            [
                "MoqRunner", "MoqScenario", "MoqConformance", "MoqReport", "MoqEvents", "MoqRelay", "MoqLite",
                "MoqWire", "MoqTransport", "MoqTokens", "MoqTLS", "MoqQUIC", "MoqDial", "MoqDrivers", "MoqBase",
                "MoqKit",
            ]),
        tests(
            "MoqProbeTests",
            [
                "MoqProbe", "MoqRelay", "MoqLite", "MoqWire", "MoqTransport", "MoqTokens", "MoqJSON", "MoqTLS",
                "MoqQUIC", "MoqDial", "MoqDrivers", "MoqBase",
            ]),
        tests(
            "MoqLiveTests",
            [
                "MoqLive", "MoqRelay", "MoqPlayback", "MoqKit", "MoqHang", "MoqMedia", "MoqLite", "MoqWire",
                "MoqTransport", "MoqTLS", "MoqQUIC", "MoqDial", "MoqDrivers", "MoqBase",
            ]),
        tests(
            "MoqCommandLineTests",
            [
                "MoqCommandLine", "MoqLive", "MoqMedia", "MoqPlayback", "MoqRunner", "MoqScenario", "MoqKit",
                "MoqReport", "MoqJSON", "MoqEvents",
                "MoqTransport",
                "MoqTokens", "MoqRelay", "MoqWire", "MoqBase",
            ]),
        tests("HouseTests", []),
    ]
)
