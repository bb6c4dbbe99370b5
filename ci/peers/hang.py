#!/usr/bin/env python3
"""Hang catalogs and media of the original stack (PyPI: moq-ffi, 0.3.19 or newer), written and read through its relay.

`write [FILE]` publishes H.264 and Opus, an application's section, a JSON track and, where a FILE is given, that
fragmented MP4; what a raw subscriber then gets of each track comes out as JSON lines:
    {"event": "group", "track": "catalog.json", "sequence": 0, "frames": [HEX, ...]}

`read PATH...` says `ready` with the URL of its relay, and reads what somebody else publishes there under those paths as
a player would: `catalog` for each catalog that its consumer yields, `end` of the catalog track with its error, if any,
and `frame` for each media frame of each rendition of the last catalog. Each line names its `broadcast`.

`media` takes JSON lines on standard input, {"track": NAME, "container": "legacy", "init": HEX, "groups": [[HEX, ...]]},
publishes them as raw tracks and gives each media frame that its consumer makes of them, as `frame`.

All goes over QUIC on the loopback; `done` is the last line.
"""

import argparse
import asyncio
import contextlib
import json
import sys

import compat
from reporting import leave, say

ffi = compat.ffi
PATH = "room/alice"
# An H.264 configuration (constrained baseline, 64x48) and a key and a delta picture of no meaning.
AVC = "0142c00affe100156742c00ada11ec0440000003004000000503c489a801000468ce0fc8"
PICTURES = ["0000000565888400 10", "00000004419a246c"]
OPUS_HEAD = b"OpusHead" + bytes([1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0])
# Longer than any pause of the stack between two things that it writes by itself.
QUIET_SECONDS = 1.5


async def relay():
    """A relay in this process; returns its URL."""
    origin = compat.new_origin()
    server = compat.Server("127.0.0.1:0", origin)
    address, _ = await server.listen()

    async def serve(request):
        session = await request.accept()
        with contextlib.suppress(ffi.MoqError):
            await session.closed()

    async def accept():
        sessions = []
        while (request := await server.accept()) is not None:
            sessions.append(asyncio.create_task(serve(request)))

    return f"moqt://{address}", asyncio.create_task(accept()), server


class Broadcast:
    """A broadcast of the original stack, announced through the relay."""

    def __init__(self, origin):
        self.producer = origin.create_broadcast(PATH)

    def announce(self):
        if hasattr(self.producer, "announce"):
            self.producer.announce(ffi.MoqRoute())

    def video(self):
        data = bytes.fromhex(AVC)
        if hasattr(ffi, "MoqVideoInit"):
            hint = ffi.MoqVideoHint(bitrate=1_000_000)
            return self.producer.publish_video(
                ffi.MoqVideoInit(format=ffi.MoqVideoFormat.AVC1, data=data, label="Main", hint=hint)
            )
        return self.producer.publish_media(ffi.MoqInit(format="avc1", data=data))

    def audio(self):
        if hasattr(ffi, "MoqAudioInit"):
            return self.producer.publish_audio(ffi.MoqAudioInit(format=ffi.MoqAudioFormat.OPUS, data=OPUS_HEAD))
        return self.producer.publish_media(ffi.MoqInit(format="opus", data=OPUS_HEAD))

    def file(self, data):
        if hasattr(ffi, "MoqContainerInit"):
            init = ffi.MoqContainerInit(format=ffi.MoqContainerFormat.FMP4, data=b"")
            container = self.producer.publish_container(init)
        else:
            container = self.producer.publish_media_stream(ffi.MoqInit(format="fmp4", data=b""))
        container.write(data)
        return container


async def groups(broadcast, name):
    """The groups of a track until nothing more comes."""
    found = []
    try:
        track = await compat.fail_by(QUIET_SECONDS, compat.subscribe(broadcast, name, 30_000_000))
        while (group := await compat.fail_by(QUIET_SECONDS, track.recv_group())) is not None:
            frames = []
            found.append((group.sequence(), frames))
            with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
                while (frame := await compat.fail_by(QUIET_SECONDS, group.read_frame())) is not None:
                    frames.append(compat.payload_of(frame).hex())
    except (ffi.MoqError, TimeoutError, asyncio.TimeoutError) as error:
        found.append((None, compat.describe_error(error)))
    return name, found


async def write(arguments, url):
    origin, other = compat.new_origin(), compat.new_origin()
    broadcast = Broadcast(origin)
    video, audio = broadcast.video(), broadcast.audio()
    state = broadcast.producer.publish_json_snapshot(
        "state.json.z", ffi.MoqJsonSnapshotConfig(compression=True, delta_ratio=8)
    )
    tracks = ["catalog.json", "catalog.json.z", "catalog", video.name(), audio.name(), "state.json.z", "timeline.z"]
    tracks += [f"{video.name()}.timeline.z", f"{audio.name()}.timeline.z"]
    held = [await compat.connect(url, publish=origin), await compat.connect(url, consume=other)]
    broadcast.announce()
    consumer = await compat.fail_by(10, compat.announced_broadcast(other, PATH))
    reading = [asyncio.create_task(groups(consumer, name)) for name in tracks]
    await asyncio.sleep(0.3)
    section = {"message": "chat.txt", "nested": {"a": [1, {"b": None}]}}
    broadcast.producer.set_catalog_section("chat", json.dumps(section))
    for value in ({"a": 1, "b": {"c": 2}}, {"a": 2, "b": {"c": 2}}, {"b": {"c": 2}}, {"b": {"c": 2}}):
        state.update(json.dumps(value))
    for index in range(3):
        second = 1_200_000 * index
        for number, picture in enumerate(PICTURES):
            video.write_frame(ffi.MoqFrame(payload=bytes.fromhex(picture), timestamp_us=second + 33_333 * number))
            audio.write_frame(ffi.MoqFrame(payload=b"\xfc\xff\xfe", timestamp_us=second + 20_000 * number))
    names = set()
    for name in arguments.names:
        with open(name, "rb") as file:
            held.append(broadcast.file(file.read()))
    await asyncio.sleep(0.3)
    broadcast.producer.remove_catalog_section("chat")
    results = await asyncio.gather(*reading)
    # What the file became is known from the catalog alone.
    for name, found in results:
        if name == "catalog.json":
            last = json.loads(bytes.fromhex([frames for number, frames in found if number is not None][-1][0]))
            for section in ("video", "audio"):
                names |= set(last.get(section, {}).get("renditions", {}))
    results += await asyncio.gather(*[groups(consumer, name) for name in sorted(names - set(tracks))])
    for name, found in results:
        for sequence, frames in found:
            if sequence is not None:
                say("group", track=name, sequence=sequence, frames=frames)
    return held


def description(rendition):
    """A rendition as JSON, whichever fields the release has."""
    fields = {}
    for key, value in sorted(vars(rendition).items()):
        if isinstance(value, bytes):
            fields[key] = value.hex()
        elif key == "container":
            fields[key] = type(value).__name__.lower()
        elif hasattr(value, "width"):
            fields[key] = [value.width, value.height]
        else:
            fields[key] = value
    return fields


async def media(path, broadcast, name, container):
    """The media frames of a rendition until nothing more comes."""
    subscription = compat.subscription(30_000_000)
    try:
        track = await compat.fail_by(
            QUIET_SECONDS, compat.settled(broadcast.subscribe_media(name, container, subscription))
        )
        while (frame := await compat.fail_by(QUIET_SECONDS, track.next())) is not None:
            fields = {"timestamp": frame.timestamp_us, "keyframe": frame.keyframe, "payload": frame.payload.hex()}
            say("frame", broadcast=path, track=name, **fields)
    except (ffi.MoqError, TimeoutError, asyncio.TimeoutError) as error:
        say("media_end", broadcast=path, track=name, error=compat.describe_error(error))


async def read_broadcast(origin, path):
    """What a player sees of one broadcast."""
    broadcast = await compat.fail_by(15, compat.announced_broadcast(origin, path))
    catalogs = await compat.settled(broadcast.subscribe_catalog())
    last = None
    try:
        while (catalog := await compat.fail_by(QUIET_SECONDS, catalogs.next())) is not None:
            last = catalog
            renditions = {
                kind: {name: description(value) for name, value in sorted(getattr(catalog, kind).items())}
                for kind in ("video", "audio")
            }
            sections = {name: json.loads(text) for name, text in sorted(catalog.sections.items())}
            fields = {"sections": sections, "rotation": catalog.rotation, "flip": catalog.flip}
            say("catalog", broadcast=path, **renditions, **fields)
        say("end", broadcast=path, error=None)
    except (ffi.MoqError, TimeoutError, asyncio.TimeoutError) as error:
        say("end", broadcast=path, error=compat.describe_error(error))
    for kind in ("video", "audio"):
        for name, rendition in sorted(getattr(last, kind, {}).items()):
            await media(path, broadcast, name, rendition.container)


async def read(arguments, url):
    origin = compat.new_origin()
    held = [await compat.connect(url, consume=origin)]
    say("ready", url=url, release=compat.RELEASE)
    await asyncio.gather(*[read_broadcast(origin, path) for path in arguments.names])
    return held


async def check_media(arguments, url):
    origin, other = compat.new_origin(), compat.new_origin()
    broadcast = Broadcast(origin)
    tracks = [json.loads(line) for line in sys.stdin if line.strip()]
    held = [await compat.connect(url, publish=origin), await compat.connect(url, consume=other)]
    for track in tracks:
        producer = broadcast.producer.publish_track(track["track"], compat.track_info(30_000_000))
        held.append(producer)
        for frames in track["groups"]:
            group = producer.append_group()
            for frame in frames:
                group.write_frame(compat.frame(bytes.fromhex(frame), 0))
            group.finish()
    broadcast.announce()
    consumer = await compat.fail_by(10, compat.announced_broadcast(other, PATH))
    for track in tracks:
        kind = getattr(ffi.MoqContainer, track["container"].upper())
        container = kind(bytes.fromhex(track["init"])) if track["container"] == "cmaf" else kind()
        await media(PATH, consumer, track["track"], container)
    return held


async def main(arguments):
    try:
        url, accepting, server = await relay()
        modes = {"write": write, "read": read, "media": check_media}
        held = await modes[arguments.mode](arguments, url)
        say("done", release=compat.RELEASE)
        del held
        server.cancel()
        accepting.cancel()
    except (ffi.MoqError, TimeoutError, asyncio.TimeoutError) as error:
        say("failed", error=compat.describe_error(error))
        await leave(1)
    await leave()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["write", "read", "media"])
    parser.add_argument("names", nargs="*", help="fragmented MP4s to publish as well; paths to read")
    asyncio.run(main(parser.parse_args()))
