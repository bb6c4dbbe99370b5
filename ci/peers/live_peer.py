#!/usr/bin/env python3
"""Live media with the original moq-lite client (PyPI: moq-ffi, 0.3.19 or newer), on the loopback.

`publish URL FILE` announces a broadcast with the H.264 and the Opus or AAC of a fragmented MP4: `--as legacy` frame by
frame, `--as cmaf` as the stack takes the file itself. It says `announced`, begins after a line on standard input, keeps
to the file's own pace, says `ended`, and stays until standard input ends.

`play URL` waits for the broadcast and says `catalog`, then `played` for each rendition: its frames as [microseconds,
whether it is a keyframe, size, MD5], in the order in which they came, and its error, if any. `done` is the last line.
"""

import argparse
import asyncio
import hashlib

import compat
import mp4
from reporting import leave, say, standard_input

ffi = compat.ffi


class Broadcast:
    """A broadcast of media in the making."""

    def __init__(self, origin, path):
        self.producer = origin.create_broadcast(path)

    def announce(self):
        """0.3 has announced it when it was created."""
        if hasattr(self.producer, "announce"):
            self.producer.announce(ffi.MoqRoute())

    def video(self, setup):
        if hasattr(ffi, "MoqVideoInit"):
            return self.producer.publish_video(ffi.MoqVideoInit(format=ffi.MoqVideoFormat.AVC1, data=setup))
        return self.producer.publish_media(ffi.MoqInit(format="avc1", data=setup))

    def audio(self, entry, setup):
        if entry == "Opus":
            # The box has the fields of OpusHead in the other byte order, and a version of 0.
            setup = b"OpusHead\x01" + setup[1:2] + setup[2:4][::-1] + setup[4:8][::-1] + setup[8:10][::-1] + setup[10:]
        if hasattr(ffi, "MoqAudioInit"):
            kind = ffi.MoqAudioFormat.OPUS if entry == "Opus" else ffi.MoqAudioFormat.AAC
            return self.producer.publish_audio(ffi.MoqAudioInit(format=kind, data=setup))
        return self.producer.publish_media(ffi.MoqInit(format="opus" if entry == "Opus" else "aac", data=setup))

    def container(self):
        if hasattr(ffi, "MoqContainerInit"):
            init = ffi.MoqContainerInit(format=ffi.MoqContainerFormat.FMP4, data=b"")
            return self.producer.publish_container(init)
        return self.producer.publish_media_stream(ffi.MoqInit(format="fmp4", data=b""))

    def end(self):
        if hasattr(self.producer, "close"):
            self.producer.close()
        else:
            self.producer.finish()


async def paced(times, write):
    """Calls `write` with each index at its time, in seconds since now."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    for index, time in enumerate(times):
        await asyncio.sleep(max(0, began + time - loop.time()))
        write(index)


async def publish(arguments):
    file = mp4.read(arguments.file)
    origin = compat.new_origin()
    broadcast = Broadcast(origin, arguments.broadcast)
    if arguments.packing == "legacy":
        tracks = {kind: file.track(kind) for kind in ("video", "audio")}
        producers = {
            "video": broadcast.video(tracks["video"].setup),
            "audio": broadcast.audio(tracks["audio"].entry, tracks["audio"].setup),
        }
        frames = sorted(
            ((sample.time, kind, sample) for kind, track in tracks.items() for sample in track.samples),
            key=lambda each: each[0],
        )
        times = [time / 1_000_000 for time, _, _ in frames]

        def write(index):
            time, kind, sample = frames[index]
            producers[kind].write_frame(ffi.MoqFrame(payload=sample.payload, timestamp_us=time))
    else:
        container = broadcast.container()
        producers = {"container": container}
        container.write(file.head)
        times = [piece.time for piece in file.pieces]

        def write(index):
            container.write(file.pieces[index].content)

    session = await compat.fail_by(
        arguments.timeout, compat.connect(arguments.url, publish=origin, fingerprint=arguments.fingerprint)
    )
    broadcast.announce()
    say("announced", release=compat.RELEASE)
    instructions = await standard_input()
    await compat.fail_by(arguments.timeout, instructions.readline())
    await paced(times, write)
    for producer in producers.values():
        producer.finish()
    say("ended")
    await compat.fail_by(arguments.timeout, instructions.read())
    broadcast.end()
    session.cancel(0)


async def rendition(broadcast, kind, name, container, arguments):
    """Plays one rendition to its end."""
    frames, error = [], None
    try:
        subscription = compat.subscription(30_000_000)
        track = await compat.fail_by(
            arguments.timeout, compat.settled(broadcast.subscribe_media(name, container, subscription))
        )
        while (frame := await compat.fail_by(arguments.timeout, track.next())) is not None:
            digest = hashlib.md5(frame.payload).hexdigest()
            frames.append([frame.timestamp_us, frame.keyframe, len(frame.payload), digest])
    except (ffi.MoqError, TimeoutError, asyncio.TimeoutError) as problem:
        error = compat.describe_error(problem)
    say("played", kind=kind, track=name, frames=frames, error=error)


async def play(arguments):
    origin = compat.new_origin()
    session = await compat.fail_by(
        arguments.timeout, compat.connect(arguments.url, consume=origin, fingerprint=arguments.fingerprint)
    )
    say("connected", release=compat.RELEASE)
    broadcast = await compat.fail_by(arguments.timeout, compat.announced_broadcast(origin, arguments.broadcast))
    catalogs = await compat.settled(broadcast.subscribe_catalog())
    catalog = await compat.fail_by(arguments.timeout, catalogs.next())
    found = [(kind, name, value) for kind in ("video", "audio") for name, value in getattr(catalog, kind).items()]
    say("catalog", renditions=[[kind, name, value.codec] for kind, name, value in found])
    await asyncio.gather(
        *[rendition(broadcast, kind, name, value.container, arguments) for kind, name, value in found]
    )
    session.cancel(0)


async def main(arguments):
    try:
        await {"publish": publish, "play": play}[arguments.mode](arguments)
        say("done")
    except (ffi.MoqError, TimeoutError, asyncio.TimeoutError) as error:
        say("failed", error=compat.describe_error(error))
        await leave(1)
    await leave()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["publish", "play"])
    parser.add_argument("url")
    parser.add_argument("file", nargs="?")
    parser.add_argument("--broadcast", default="live/file")
    parser.add_argument("--as", dest="packing", choices=["legacy", "cmaf"], default="legacy")
    parser.add_argument("--fingerprint", help="SHA-256 of the relay's certificate")
    parser.add_argument("--timeout", type=float, default=15, help="seconds that any one wait may take")
    asyncio.run(main(parser.parse_args()))
