#!/usr/bin/env python3
"""Publishes or subscribes as fast as the original moq-lite client (PyPI: moq-ffi) can, to be compared with moqspec's.

Speaks as `moqspec-bench publish` and `subscribe` do: a publisher says `announced`, waits for a line of standard input,
writes whole groups, says `written`, and stays until standard input ends; a subscriber says `subscribed`, counts what
arrives, and says `result` when all groups are over or nothing comes any more.
"""

import argparse
import asyncio
import time

import compat
from reporting import leave, say, standard_input

# Nothing is dropped for its age.
MAX_AGE_US = 30_000_000
PATIENCE_SECONDS = 20
# When nothing came for so long, nothing more is waited for.
SILENCE_SECONDS = 3
# How long SUBSCRIBE gets to reach the relay and the publisher: this release sends it when reading begins.
SETTLING_SECONDS = 0.3


async def publish(arguments):
    origin = compat.new_origin()
    session = await compat.fail_by(PATIENCE_SECONDS, compat.connect(arguments.url, publish=origin))
    broadcast = compat.Broadcast(origin, arguments.broadcast)
    track = broadcast.track("bench", MAX_AGE_US)
    broadcast.announce()
    say("announced")
    instructions = await standard_input()
    await instructions.readline()

    padding = b"x" * (arguments.size - 8)
    cpu, start = time.process_time(), time.monotonic()
    groups = []  # Held: a group that is let go of is dropped by the stack.
    for number in range(arguments.groups):
        group = track.append_group()
        for index in range(arguments.frames):
            serial = number * arguments.frames + index
            group.write_frame(compat.frame(serial.to_bytes(8, "little") + padding, serial * 1000))
        group.finish()
        groups.append(group)
        await asyncio.sleep(0)
    frames = arguments.groups * arguments.frames
    say("written", frames=frames, seconds=time.monotonic() - start, cpu=time.process_time() - cpu)
    await instructions.read()
    say("result", frames=frames, cpu=time.process_time() - cpu)
    session.cancel(0)


class Tally:
    """What has arrived."""

    def __init__(self):
        self.frames = self.bytes = self.ended = self.cut = 0
        self.first = self.last = None

    def count(self, payload):
        self.last = time.monotonic()
        self.first = self.first or self.last
        self.frames += 1
        self.bytes += len(payload)


async def read_group(group, tally):
    try:
        while (frame := await compat.fail_by(SILENCE_SECONDS, group.read_frame())) is not None:
            tally.count(compat.payload_of(frame))
    except compat.ffi.MoqError:
        tally.cut += 1
    tally.ended += 1


async def subscribe(arguments):
    origin = compat.new_origin()
    session = await compat.fail_by(PATIENCE_SECONDS, compat.connect(arguments.url, consume=origin))
    broadcast = await compat.fail_by(PATIENCE_SECONDS, compat.announced_broadcast(origin, arguments.broadcast))
    track = await compat.fail_by(PATIENCE_SECONDS, compat.subscribe(broadcast, "bench", MAX_AGE_US))
    begun = asyncio.create_task(track.recv_group())
    await asyncio.sleep(SETTLING_SECONDS)
    say("subscribed", sessions=1)

    tally, cpu = Tally(), time.process_time()
    try:
        group = await compat.fail_by(PATIENCE_SECONDS, begun)
        while group is not None:
            await read_group(group, tally)
            if tally.ended == arguments.groups:
                break
            group = await compat.fail_by(SILENCE_SECONDS, track.recv_group())
    except (compat.ffi.MoqError, TimeoutError, asyncio.TimeoutError):
        pass  # What did not come shows in the count.
    say(
        "result", frames=tally.frames, expected=arguments.frames * arguments.groups, bytes=tally.bytes,
        cutGroups=tally.cut, fewest=tally.frames, seconds=(tally.last or 0) - (tally.first or 0),
        cpu=time.process_time() - cpu,
    )
    session.cancel(0)


async def main(arguments):
    try:
        await (publish if arguments.role == "publish" else subscribe)(arguments)
    except (compat.ffi.MoqError, TimeoutError, asyncio.TimeoutError) as error:
        say("failed", error=compat.describe_error(error))
        await leave(1)
    await leave()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("role", choices=("publish", "subscribe"))
    parser.add_argument("--url", required=True, help="moqt://HOST:PORT/PATH is raw QUIC")
    parser.add_argument("--broadcast", default="bench")
    parser.add_argument("--size", type=int, default=1024, help="bytes of a frame, at least 8")
    parser.add_argument("--frames", type=int, default=60, help="frames of a group")
    parser.add_argument("--groups", type=int, default=100)
    asyncio.run(main(parser.parse_args()))
