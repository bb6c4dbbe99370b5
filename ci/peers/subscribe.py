#!/usr/bin/env python3
"""Subscribes to one raw track with the original moq-lite client (PyPI: moq-ffi) and checks every frame of publish.py.

It connects, waits for the broadcast's announcement, subscribes and reads groups until the track ends, or until
--groups of them were read. JSON lines on standard output: `connected`, `found`, for each group `begun` when its first
frame was read and `group` when it ended, and last `result` with all groups, the end of the track and every mistake
found in a frame; `failed` instead, and status 1, when it gets no broadcast at all or a wait takes too long.
"""

import argparse
import asyncio

import compat
import payload
from reporting import leave, say


async def read_group(group, arguments, mistakes):
    """Reads one group to its end and returns what came."""
    seen = {"sequence": group.sequence(), "frames": 0, "bytes": 0, "error": None}
    try:
        while (frame := await compat.fail_by(arguments.timeout, group.read_frame())) is not None:
            content = compat.payload_of(frame)
            found = payload.mistake(content, arguments.broadcast, arguments.track, seen["sequence"], seen["frames"])
            if found:
                mistakes.append(found)
            if seen["frames"] == 0:
                say("begun", sequence=seen["sequence"])
            seen["frames"] += 1
            seen["bytes"] += len(content)
    except compat.ffi.MoqError as error:
        seen["error"] = compat.describe_error(error)
    say("group", **seen)
    return seen


async def subscribe(arguments):
    origin = compat.new_origin()
    session = await compat.fail_by(
        arguments.timeout, compat.connect(arguments.url, consume=origin, fingerprint=arguments.fingerprint)
    )
    say("connected", release=compat.RELEASE)
    broadcast = await compat.fail_by(arguments.timeout, compat.announced_broadcast(origin, arguments.broadcast))
    say("found", broadcast=arguments.broadcast)

    result = {"groups": [], "end": "stopped", "error": None, "mistakes": []}
    try:
        track = await compat.fail_by(
            arguments.timeout, compat.subscribe(broadcast, arguments.track, arguments.max_age_us)
        )
        while arguments.groups is None or len(result["groups"]) < arguments.groups:
            group = await compat.fail_by(arguments.timeout, track.recv_group())
            if group is None:
                result["end"] = "finished"
                break
            result["groups"].append(await read_group(group, arguments, result["mistakes"]))
    except compat.ffi.MoqError as error:
        # The peers report an end with a code as an error of the call that met it.
        result.update(end="error", error=compat.describe_error(error))
    say("result", **result)
    session.cancel(0)


async def main(arguments):
    if arguments.log_level:
        compat.log_to_stderr(arguments.log_level)
    try:
        await subscribe(arguments)
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
    parser.add_argument("--groups", type=int, help="leave after so many groups; the default is to stay to the end")
    parser.add_argument("--max-age-us", type=int, default=30_000_000, help="how old a group may be to be wanted")
    parser.add_argument("--timeout", type=float, default=10, help="seconds that any one wait may take")
    parser.add_argument("--log-level", help="the stack's own log: error, warn, info, debug or trace")
    asyncio.run(main(parser.parse_args()))
