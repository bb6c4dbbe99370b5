#!/usr/bin/env python3
"""Publishes one raw track with the original moq-lite client (PyPI: moq-ffi).

It connects, announces, waits for a subscriber (unless --eager), writes its groups and ends the track as --end says;
then it stays until standard input ends. JSON lines on standard output: `connected`, `announced`, `used`, a `group` for
each group written, `ended`, `done`; `failed` with the error instead when something goes wrong, and then status 1.
"""

import argparse
import asyncio

import compat
import payload
from reporting import leave, say, standard_input


async def write_group(track, arguments, number, told):
    """Writes one group and ends it; the first one with an abort when the arguments ask for that."""
    await told()
    group = track.append_group()
    for index in range(arguments.frames):
        content = payload.make(arguments.broadcast, arguments.track, group.sequence(), index, arguments.size)
        group.write_frame(compat.frame(content, (number * arguments.frames + index) * 1000))
    if number == 0 and arguments.abort_group is not None:
        await told()
        group.abort(arguments.abort_group)
    elif number < arguments.groups - 1 or not arguments.leave_open:
        group.finish()
    say("group", sequence=group.sequence(), frames=arguments.frames)
    return group


async def publish(arguments):
    origin = compat.new_origin()
    # 0.3 announces a broadcast when it is created: before the session is there, so that nobody can ask for the track
    # before the broadcast has it.
    broadcast = compat.Broadcast(origin, arguments.broadcast)
    track = broadcast.track(arguments.track, arguments.max_age_us)
    session = await compat.fail_by(
        arguments.timeout, compat.connect(arguments.url, publish=origin, fingerprint=arguments.fingerprint)
    )
    say("connected", release=compat.RELEASE)
    broadcast.announce()
    say("announced", broadcast=arguments.broadcast)
    instructions = await standard_input()
    if not arguments.eager:
        await compat.fail_by(arguments.timeout, track.used())
        say("used")

    async def told():
        if arguments.step:
            await compat.fail_by(arguments.timeout, instructions.readline())

    groups = []  # Held: a group that is let go of is dropped by the stack.
    for number in range(arguments.groups):
        groups.append(await write_group(track, arguments, number, told))

    if arguments.end == "finish":
        track.finish()
    elif arguments.end == "abort":
        track.abort(arguments.code)
    elif arguments.end == "close":
        session.cancel(arguments.code)
    say("ended", how=arguments.end)
    await compat.fail_by(arguments.timeout, instructions.read())
    if arguments.end != "close":
        broadcast.close()
        session.cancel(0)
    say("done")


async def main(arguments):
    if arguments.log_level:
        compat.log_to_stderr(arguments.log_level)
    try:
        await publish(arguments)
    except (compat.ffi.MoqError, TimeoutError, asyncio.TimeoutError) as error:
        say("failed", error=compat.describe_error(error))
        await leave(1)
    await leave()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="SCHEME://HOST:PORT/PATH, where moqt is raw QUIC; docs/peers.md has the others")
    parser.add_argument("--fingerprint", help="SHA-256 of the relay's certificate; without it nothing is verified")
    parser.add_argument("--broadcast", default="broadcast")
    parser.add_argument("--track", default="track")
    parser.add_argument("--groups", type=int, default=5)
    parser.add_argument("--frames", type=int, default=4, help="in each group")
    parser.add_argument("--size", type=int, default=1024, help="bytes in each frame")
    parser.add_argument("--max-age-us", type=int, default=30_000_000, help="how long a group is worth delivering")
    parser.add_argument("--eager", action="store_true", help="write before there is a subscriber")
    parser.add_argument(
        "--step", action="store_true", help="write, and abort, each group only after a line on standard input"
    )
    parser.add_argument("--leave-open", action="store_true", help="do not finish the last group")
    parser.add_argument("--abort-group", type=int, metavar="CODE", help="abort the first group, from release 0.3 on")
    parser.add_argument(
        "--end", choices=("finish", "abort", "close", "hold"), default="finish",
        help="finish or abort the track, close the session, or hold all as it is",
    )
    parser.add_argument("--code", type=int, default=0, help="of --end abort and --end close")
    parser.add_argument("--timeout", type=float, default=10, help="seconds that any one wait may take")
    parser.add_argument("--log-level", help="the stack's own log: error, warn, info, debug or trace")
    asyncio.run(main(parser.parse_args()))
