"""The tables beside the scripts: which releases there are, where they deviate, and which cases are known to fail."""

import collections
import fnmatch
import os

HERE = os.path.dirname(os.path.abspath(__file__))

TRANSPORTS = ("quic", "webtransport", "websocket", "tcp")
# What a client's scheme comes to; `https` also races WebSocket where the release cannot be told not to.
TRANSPORT_OF = {
    "moqt": "quic", "moql": "quic", "https": "webtransport", "http": "webtransport", "ws": "websocket",
    "wss": "websocket", "tcp": "tcp",
}  # fmt: skip

# `versions` by the release's preference; `transports` of its server, each with the name that clients must call it by,
# or None; `schemes` of its client.
Release = collections.namedtuple("Release", "name is_quick versions transports schemes")
# A release lacks a capability; empty `versions` or `transports` are all of them.
Deviation = collections.namedtuple("Deviation", "release capability versions transports often observed")
Expected = collections.namedtuple("Expected", "release version transport name reason")


def _rows(name, fields):
    """The lines of a table beside this script, split into so many fields; `#` begins a comment line."""
    with open(os.path.join(HERE, name), encoding="utf-8") as table:
        lines = [line.strip() for line in table]
    return [line.split(None, fields - 1) for line in lines if line and not line.startswith("#")]


def _list(text):
    return [word for word in text.split(",") if word and word != "-"]


def releases():
    """All releases, newest first."""
    found = []
    for name, use, versions, transports, schemes in _rows("releases.txt", 5):
        accepted = dict((*word.split("@"), None)[:2] for word in _list(transports))
        found.append(Release(name, use == "run", _list(versions), accepted, _list(schemes)))
    return found


def deviations(release, transport):
    """Where a release deviates on a transport."""
    found = []
    for name, lacking, often, observed in _rows("deviations.txt", 4):
        capability, _, where = lacking.partition("@")
        versions = [word for word in _list(where) if word not in TRANSPORTS]
        transports = [word for word in _list(where) if word in TRANSPORTS]
        if name == release and (not transports or transport in transports):
            found.append(Deviation(name, capability, versions, transports, often, observed))
    return found


def without(found):
    """The arguments that tell `moqspec run` of deviations."""
    words = []
    for deviation in found:
        words += ["--without", "@".join(filter(None, (deviation.capability, ",".join(deviation.versions))))]
    return words


def expected_failures():
    """The cases that are known to fail."""
    found = []
    for release, where, name, reason in _rows("expected-failures.txt", 4):
        version, _, transport = where.partition("/")
        found.append(Expected(release, version, transport or "*", name, reason))
    return found


def expectation(expected, release, version, transport, name):
    """The entry that says that a case fails, or None."""
    for entry in expected:
        pairs = zip((release, version, transport, name), entry[:4])
        if all(fnmatch.fnmatchcase(value, pattern) for value, pattern in pairs):
            return entry
    return None


def print_table(header, rows):
    """A table with its columns aligned."""
    widths = [max(len(str(row[index])) for row in [header, *rows]) for index in range(len(header))]
    for row in [header, *rows]:
        print("  " + "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip(), flush=True)
