"""Real media between moqspec and the original stack: what one publishes is played by the other, packet by packet.

`watch` plays what `live_peer.py publish` sends, and `live_peer.py play` what `publish` sends, through the relay of the
release and through `moqspec relay`. Each check returns nothing, or raises Unexpected with what was wrong.
"""

import concurrent.futures
import contextlib
import os
import tempfile

import mp4
from clients import Relay, require
from processes import Process, Unexpected

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# What is sent in which packing; H.264 with Opus and with AAC.
FILES = {"legacy": "bars-h264-opus.mp4", "cmaf": "bars-h264-aac.mp4"}
# Relays that the media passes through.
RELAYS = ("its own relay", "moqspec relay")
# Four seconds of media, and any wait on a busy machine.
PLAY_SECONDS = 40
# What comes in pieces of a second is played a second late.
TARGETS = {"legacy": "200ms", "cmaf": "1500ms"}
# Two steps of a clock of milliseconds.
TOLERANCE_US = 2


@contextlib.contextmanager
def relay(which, release, bench):
    """A relay: its URL and the fingerprint of its certificate."""
    if which == RELAYS[1]:
        with Relay(bench.moqspec) as own:
            yield own.url("moqt"), own.fingerprint
        return
    command = [bench.pythons[release.name], os.path.join(HERE, "relay.py")]
    with Process(f"relay.py of {release.name}", command) as process:
        ready = process.expect("ready")
        yield f"moqt://{ready['address']}/anon", ready["fingerprint"]


class Stage:
    """A relay, a release and moqspec."""

    def __init__(self, url, fingerprint, release, bench):
        self._url = url
        self._fingerprint = fingerprint
        self._release = release
        self._bench = bench

    def peer(self, *arguments):
        command = [self._bench.pythons[self._release.name], os.path.join(HERE, "live_peer.py"), arguments[0], self._url]
        command += [*arguments[1:], "--fingerprint", self._fingerprint]
        return Process(f"live_peer.py {arguments[0]} of {self._release.name}", command)

    def moqspec(self, command, *arguments):
        words = [self._bench.moqspec, command, "--relay", self._url, "--fingerprint", self._fingerprint, "--json"]
        return Process(f"moqspec {command}", [*words, *arguments])


def require_same(what, found, wanted):
    """Two lists of packets are the same."""
    if found == wanted:
        return
    place = next((index for index, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), "the end")
    raise Unexpected(f"{what}: {len(found)} packets for {len(wanted)}, which differ from {place} on")


def require_steps(what, found, wanted):
    """Two clocks have the same distances."""
    wrong = [pair for pair in zip(mp4.steps(found), mp4.steps(wanted)) if abs(pair[0] - pair[1]) > TOLERANCE_US]
    require(not wrong, f"{what}: steps of the clock (found, wanted) {wrong[:3]}")


def we_watch(stage, packing, path, folder):
    """moqspec plays and saves what the release publishes."""
    source = os.path.join(ROOT, "fixtures/media", FILES[packing])
    saved = os.path.join(folder, "saved.mp4")
    options = ["--broadcast", path, "--save", saved, "--wait", "30s", "--target-latency", TARGETS[packing]]
    with stage.moqspec("watch", *options) as watch:
        watch.expect("connected")
        with stage.peer("publish", source, "--broadcast", path, "--as", packing) as peer:
            peer.expect("announced")
            asked = set()
            while len(asked) < 2:
                told = watch.expect("player")
                if told["name"] == "track.subscribe.start":
                    asked.add(told["kind"])
            peer.tell()
            ended = watch.expect("ended", PLAY_SECONDS)
            watch.expect("saved")
    require(ended["reason"] == "ended" and ended["played"], f"watching ended so: {ended}")
    require(ended["undecoded"] == 0, f"{ended['undecoded']} frames did not decode")
    wanted, found = mp4.read(source), mp4.read(saved)
    for kind in ("video", "audio"):
        ours, theirs = found.track(kind).samples, wanted.track(kind).samples
        require_same(kind, mp4.digests(ours), mp4.digests(theirs))
        require_steps(kind, [each.time for each in ours], [each.time for each in theirs])


def we_publish(stage, packing, path, _):
    """The release's consumer gets every packet that moqspec publishes."""
    source = os.path.join(ROOT, "fixtures/media", FILES[packing])
    with stage.peer("play", "--broadcast", path) as peer:
        peer.expect("connected")
        options = ["--broadcast", path, "--container", packing, "--wait", "20s"]
        with stage.moqspec("publish", source, *options) as publish:
            catalog = peer.expect("catalog")["renditions"]
            played = [peer.expect("played", PLAY_SECONDS) for _ in catalog]
            publish.expect("finished")
    require(sorted(kind for kind, _, _ in catalog) == ["audio", "video"], f"its catalog has {catalog}")
    wanted = mp4.read(source)
    for each in played:
        kind, samples = each["kind"], wanted.track(each["kind"]).samples
        require(each["error"] is None, f"{kind} ended with {each['error']}")
        require_same(kind, [(size, digest) for _, _, size, digest in each["frames"]], mp4.digests(samples))
        require_steps(kind, [time for time, *_ in each["frames"]], [sample.time for sample in samples])
        if kind == "video":
            keys = [keyframe for _, keyframe, *_ in each["frames"]]
            require(keys == [sample.keyframe for sample in samples], "its keyframes are not those of the file")


CHECKS = [(check, packing) for check in (we_watch, we_publish) for packing in FILES]


def name(check, packing):
    """How tables and results call a check."""
    return f"{check.__name__}-{packing}"


def run(which, release, bench):
    """All checks of a release through a relay, side by side; pairs of a name and what was wrong, or None."""

    def play(entry):
        check, packing = entry
        path = f"live/{name(check, packing)}"
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(stage, packing, path, folder)
                return name(check, packing), None
            except (Unexpected, ValueError, OSError, StopIteration) as problem:
                return name(check, packing), str(problem) or repr(problem)

    with relay(which, release, bench) as (url, fingerprint):
        stage = Stage(url, fingerprint, release, bench)
        with concurrent.futures.ThreadPoolExecutor(len(CHECKS)) as pool:
            return list(pool.map(play, CHECKS))
