"""The original stack's clients through a relay: who publishes, who subscribes, and what must come out.

Each check starts the two clients on a fresh broadcast, drives them in lockstep and returns nothing, or raises
Unexpected with what was wrong. Checks come in the order of how much they ask of the relay.
"""

import itertools
import os

from processes import Process, Unexpected, free_port

HERE = os.path.dirname(os.path.abspath(__file__))

_numbers = itertools.count(1)


def is_second_generation(release):
    """Whether the release numbers its errors in two spaces (0.4 and newer) or in one."""
    return tuple(int(part) for part in release.split(".")[:2]) >= (0, 4)


class Pair:
    """Two clients on one relay: the release and the Python of each, and the scheme that it dials."""

    def __init__(self, relay, publisher, subscriber, schemes, pythons):
        self.publisher_release = publisher
        self.subscriber_release = subscriber
        self._relay = relay
        self._schemes = schemes
        self._pythons = pythons
        self._broadcast = None

    def fresh(self):
        """Every check has a path of its own: the relay must not be able to serve what an earlier one left."""
        self._broadcast = f"peers/{next(_numbers)}"

    def publisher(self, *options):
        return self._start("publish.py", self.publisher_release, self._schemes[0], options)

    def subscriber(self, *options):
        return self._start("subscribe.py", self.subscriber_release, self._schemes[1], options)

    def _start(self, script, release, scheme, options):
        command = [self._pythons[release], os.path.join(HERE, script), self._relay.url(scheme)]
        command += ["--fingerprint", self._relay.fingerprint, "--broadcast", self._broadcast, *map(str, options)]
        return Process(f"{script} of {release} on {scheme}", command)


class Relay:
    """`moqspec relay`, or another one, on a port of 127.0.0.1. Use it as a context: leaving the context ends it."""

    def __init__(self, moqspec, versions=()):
        self._port = free_port()
        command = [moqspec, "relay", "--json", "--url", f"http://127.0.0.1:{self._port}/anon"]
        command += ["--moq-version", ",".join(versions)] if versions else []
        self._process = Process("moqspec relay", command)
        self.fingerprint = None

    def __enter__(self):
        try:
            self.fingerprint = self._process.expect("ready")["sha256"]
        except Unexpected:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def url(self, scheme):
        """How a client that dials this scheme finds it."""
        return f"{scheme}://127.0.0.1:{self._port}/anon"

    def end(self):
        """Ends it as a service is ended; returns its status."""
        return self._process.end()


def require(holds, message):
    """Raises Unexpected with the message unless it holds."""
    if not holds:
        raise Unexpected(message)


def require_groups(result, count, frames, size):
    """The subscriber got these groups whole, in order, each frame as it was written, and no others."""
    require(not result["mistakes"], f"wrong frames: {result['mistakes'][:3]}")
    expected = [
        {"sequence": number, "frames": frames, "bytes": frames * size, "error": None} for number in range(count)
    ]
    require(result["groups"] == expected, f"expected {count} whole groups of {frames} frames, got {result['groups']}")


def in_lockstep(publisher, subscriber, groups):
    """Lets the publisher write one group after the other, each once the subscriber has read the one before."""
    publisher.expect("used")
    for _ in range(groups):
        publisher.tell()
        subscriber.expect("group")


def announced_live(pair):
    """The subscriber waits for a broadcast that is announced later, and gets every group and the end of the track."""
    with pair.subscriber() as subscriber:
        subscriber.expect("connected")
        with pair.publisher("--step", "--groups", 5, "--frames", 4, "--size", 1024) as publisher:
            in_lockstep(publisher, subscriber, 5)
            result = subscriber.expect("result")
    require_groups(result, 5, 4, 1024)
    require(result["end"] == "finished", f"the track was finished, the subscriber saw: {result['error']}")


def announced_before(pair):
    """The broadcast is there first; its groups are larger than any initial window, so that flow control has to work."""
    options = ("--step", "--groups", 2, "--frames", 4, "--size", 1_000_000)
    # Held, not finished: the newest releases let go of what is not sent yet when the track is finished.
    with pair.publisher(*options, "--end", "hold") as publisher:
        publisher.expect("announced")
        with pair.subscriber("--groups", 2) as subscriber:
            in_lockstep(publisher, subscriber, 2)
            result = subscriber.expect("result")
    require_groups(result, 2, 4, 1_000_000)


def late_subscriber(pair):
    """A second subscriber that comes when groups have passed starts with the newest one, whole."""
    with pair.publisher("--step", "--groups", 3, "--frames", 2, "--size", 5000, "--end", "hold") as publisher:
        with pair.subscriber() as first:
            in_lockstep(publisher, first, 3)
            # Accepting old groups would, from 0.4 on, ask for them.
            with pair.subscriber("--groups", 1, "--max-age-us", 0) as second:
                result = second.expect("result")
    require(not result["mistakes"], f"wrong frames: {result['mistakes'][:3]}")
    expected = [{"sequence": 2, "frames": 2, "bytes": 10_000, "error": None}]
    require(result["groups"] == expected, f"expected the newest group, 2, whole, got {result['groups']}")


def group_abort(pair):
    """An aborted group ends with its code (7 of an application is 71 on the wire) and takes nothing else with it."""
    if pair.publisher_release.startswith("0.2."):
        return "skipped: the client of 0.2 cannot abort a group"
    with pair.subscriber("--groups", 2) as subscriber:
        with pair.publisher("--step", "--groups", 2, "--frames", 2, "--size", 100, "--abort-group", 7) as publisher:
            publisher.expect("used")
            publisher.tell()
            # Only a group that the subscriber has begun to read is sure to be reported to it.
            subscriber.expect("begun")
            publisher.tell()
            # The newest releases hold an abort back until the next group begins.
            publisher.expect("group")
            publisher.tell()
            result = subscriber.expect("result")
    groups = {group["sequence"]: group for group in result["groups"]}
    require(sorted(groups) == [0, 1], f"expected groups 0 and 1, got {result['groups']}")
    require(groups[0]["error"] is not None, "the aborted group ended clean")
    require(groups[0]["error"]["code"] == 71, f"expected code 71 for the aborted group, got {groups[0]['error']}")
    require(groups[1]["error"] is None and groups[1]["frames"] == 2, f"the group after it suffered: {groups[1]}")


def missing_track(pair):
    """A subscription to a track that the broadcast does not have ends with the publisher's own code for that."""
    with pair.publisher("--eager", "--groups", 1, "--end", "hold") as publisher:
        publisher.expect("ended")
        with pair.subscriber("--track", "missing") as subscriber:
            result = subscriber.expect("result")
    code = 51 if is_second_generation(pair.publisher_release) else 13
    require(result["end"] == "error" and not result["groups"], f"expected an error and no groups, got {result}")
    require(result["error"]["code"] == code, f"expected code {code}, not found, got {result['error']}")


def publisher_leaves(pair):
    """A publisher that closes its session in the middle of a group ends the subscription at once, and with an error."""
    options = ("--step", "--groups", 1, "--frames", 2, "--size", 100, "--leave-open", "--end", "close")
    with pair.subscriber() as subscriber:
        with pair.publisher(*options) as publisher:
            publisher.expect("used")
            publisher.tell()
            result = subscriber.expect("result")
    clean = [group for group in result["groups"] if group["error"] is None]
    require(not clean, f"the unfinished group ended as if it were whole: {clean}")
    require(result["end"] == "error", f"the track ended as if it were complete: {result}")


CHECKS = (announced_live, announced_before, late_subscriber, group_abort, missing_track, publisher_leaves)


def run_check(check, pair):
    """Runs one check; returns ("pass" | "fail" | "skip", detail)."""
    pair.fresh()
    try:
        skipped = check(pair)
    except Unexpected as problem:
        return "fail", str(problem)
    return ("skip", skipped.removeprefix("skipped: ")) if skipped else ("pass", "")
