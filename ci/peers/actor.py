#!/usr/bin/env python3
"""The original moq-lite stack (PyPI: moq-ffi, 0.3.19 or newer) as an actor of scenarios: a publisher or a viewer.

`publish URL --broadcast PATH` announces the pictures and the sound of a fixture, frame by frame (`--as legacy`) again and
again, or once as the stack takes fragmented MP4 (`--as cmaf`): JSON lines `announced`, `began`, `wrote` each second,
`ended` when it ends the tracks. `--silent` announces and writes nothing, `--drop FRAMES` ends the process without a word
after so many pictures, `--wait` begins after a line on standard input.

`consume URL --broadcast PATH` takes what somebody else publishes there: `connected`, `catalog` for each that comes, with
how many renditions of each kind it lists, then for each rendition of the first one `packets` every ten packets, with
whether those of each group were in order, and `ended` with its error, if any. `done` is the last line, also after
SIGTERM, which ends both in good order with status 0.

moqspec starts it: `--program publisher='python actor.py publish {url} --broadcast {broadcast} ...'`.
"""

import argparse
import asyncio
import os
import signal

import compat
import live_peer
import mp4
from reporting import leave, say, standard_input

ffi = compat.ffi
HERE = os.path.dirname(os.path.abspath(__file__))
MEDIA = os.path.join(os.path.dirname(os.path.dirname(HERE)), "fixtures/media")
FILES = {"legacy": "bars-h264-opus.mp4", "cmaf": "bars-h264-aac.mp4"}
# How many packets one `packets` tells of.
PACKETS_TOLD = 10


class Writer:
    """What writes a fixture, frame by frame or as it is."""

    def __init__(self, broadcast, packing):
        self._file = mp4.read(os.path.join(MEDIA, FILES[packing]))
        self.counts = {"video": 0, "audio": 0}
        if packing == "cmaf":
            container = broadcast.container()
            container.write(self._file.head)
            self.producers = {"container": container}
            return
        tracks = {kind: self._file.track(kind) for kind in self.counts}
        self.producers = {
            "video": broadcast.video(tracks["video"].setup),
            "audio": broadcast.audio(tracks["audio"].entry, tracks["audio"].setup),
        }

    def _frames(self):
        """When each frame is due, in microseconds, and what it is; the fixture again and again."""
        once = sorted(
            ((sample.time, kind, sample) for kind in self.counts for sample in self._file.track(kind).samples),
            key=lambda each: each[0],
        )
        # The distance of the last two pictures is that to the first of the next round.
        shown = [sample.time for sample in self._file.track("video").samples]
        length = shown[-1] + shown[1] - shown[0]
        start = 0
        while True:
            for time, kind, sample in once:
                yield start + time, kind, sample
            start += length

    def _pieces(self):
        for piece in self._file.pieces:
            yield piece.time * 1_000_000, "container", piece

    async def write(self, stop, drop):
        """Writes until it is stopped or all is written; each second it says how much that was."""
        loop = asyncio.get_running_loop()
        began, told = loop.time(), 0
        for time, kind, what in self._pieces() if "container" in self.producers else self._frames():
            pause = began + time / 1_000_000 - loop.time()
            if pause > 0:
                await asyncio.wait([stop], timeout=pause)
            if stop.done():
                return
            if kind == "container":
                self.producers[kind].write(what.content)
            else:
                self.producers[kind].write_frame(ffi.MoqFrame(payload=what.payload, timestamp_us=time))
                self.counts[kind] += 1
            if drop is not None and self.counts["video"] >= drop:
                say("dropped", **self.counts)
                os._exit(7)
            if time >= told * 1_000_000:
                told += 1
                say("wrote", seconds=told - 1, **self.counts)

    def end(self):
        for producer in self.producers.values():
            producer.finish()


async def publish(arguments, stop):
    origin = compat.new_origin()
    broadcast = live_peer.Broadcast(origin, arguments.broadcast)
    writer = None if arguments.silent else Writer(broadcast, arguments.packing)
    session = await compat.fail_by(
        arguments.timeout, compat.connect(arguments.url, publish=origin, fingerprint=arguments.fingerprint)
    )
    broadcast.announce()
    say("announced", release=compat.RELEASE)
    if arguments.wait:
        instructions = await standard_input()
        line = asyncio.ensure_future(instructions.readline())
        await asyncio.wait([line, stop], return_when=asyncio.FIRST_COMPLETED)
    if writer is not None:
        say("began")
        await writer.write(stop, arguments.drop)
        writer.end()
        say("ended", **writer.counts)
    await stop
    broadcast.end()
    session.cancel(0)


async def rendition(broadcast, kind, name, container, arguments):
    """Takes one rendition to its end."""
    packets, keyframes, size, ordered, error, last = 0, 0, 0, True, None, None
    try:
        wanted = compat.subscription(30_000_000)
        track = await compat.fail_by(
            arguments.timeout, compat.settled(broadcast.subscribe_media(name, container, wanted))
        )
        while (frame := await compat.fail_by(arguments.timeout, track.next())) is not None:
            packets, keyframes, size = packets + 1, keyframes + bool(frame.keyframe), size + len(frame.payload)
            # Groups may overtake each other on a machine that is busy; inside one nothing does.
            ordered = ordered and (last is None or frame.keyframe or frame.timestamp_us > last)
            last = frame.timestamp_us
            if packets % PACKETS_TOLD == 0:
                say("packets", kind=kind, track=name, packets=packets, keyframes=keyframes, bytes=size, ordered=ordered)
    except (ffi.MoqError, TimeoutError, asyncio.TimeoutError) as problem:
        error = compat.describe_error(problem)
    say("ended", kind=kind, track=name, packets=packets, ordered=ordered, error=error)


async def follow(catalogs, first):
    """Tells of each catalog, and hands the first one on."""
    try:
        while (catalog := await catalogs.next()) is not None:
            say("catalog", video=len(catalog.video), audio=len(catalog.audio))
            if not first.done():
                first.set_result(catalog)
        say("catalogs-ended", error=None)
    except ffi.MoqError as error:
        say("catalogs-ended", error=compat.describe_error(error))


async def consume(arguments, stop):
    origin = compat.new_origin()
    session = await compat.fail_by(
        arguments.timeout, compat.connect(arguments.url, consume=origin, fingerprint=arguments.fingerprint)
    )
    say("connected", release=compat.RELEASE)

    async def take():
        path = arguments.broadcast
        broadcast = await compat.fail_by(arguments.timeout, compat.announced_broadcast(origin, path))
        say("found")
        catalogs = await compat.settled(broadcast.subscribe_catalog())
        first = asyncio.get_running_loop().create_future()
        following = asyncio.ensure_future(follow(catalogs, first))
        catalog = await compat.fail_by(arguments.timeout, first)
        found = [(kind, name, value) for kind in ("video", "audio") for name, value in getattr(catalog, kind).items()]
        await asyncio.gather(*[rendition(broadcast, kind, name, value.container, arguments)
                               for kind, name, value in found])  # fmt: skip
        # Told of the end of the tracks before that of the broadcast.
        await asyncio.wait([following], timeout=1)

    taking = asyncio.ensure_future(take())
    await asyncio.wait([taking, stop], return_when=asyncio.FIRST_COMPLETED)
    if taking.done():
        taking.result()
    session.cancel(0)


async def main(arguments):
    loop = asyncio.get_running_loop()
    stop = loop.create_future()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, lambda: stop.done() or stop.set_result(None))
    try:
        await {"publish": publish, "consume": consume}[arguments.mode](arguments, stop)
        say("done")
    except (ffi.MoqError, TimeoutError, asyncio.TimeoutError) as error:
        say("failed", error=compat.describe_error(error))
        await leave(1)
    await leave()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["publish", "consume"])
    parser.add_argument("url")
    parser.add_argument("--broadcast", required=True)
    parser.add_argument("--fingerprint", help="SHA-256 of the relay's certificate; without it nothing is verified")
    parser.add_argument("--as", dest="packing", choices=list(FILES), default="legacy")
    parser.add_argument("--wait", action="store_true", help="begin to write after a line on standard input")
    parser.add_argument("--silent", action="store_true", help="announce, and write nothing")
    parser.add_argument("--drop", type=int, metavar="PICTURES", help="end without a word after so many pictures")
    parser.add_argument("--timeout", type=float, default=15, help="seconds that any one wait may take")
    asyncio.run(main(parser.parse_args()))
