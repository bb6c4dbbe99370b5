#!/usr/bin/env python3
"""A single-node relay on the original moq-lite stack (PyPI: moq-ffi, 0.2.18 or newer).

Every session publishes into and subscribes from one origin, so what one session publishes is announced and served to
all others. JSON lines on standard output:

    {"event": "ready", "address": "127.0.0.1:4443", "fingerprint": SHA-256, "release": "0.4.18"}
    {"event": "open", "session": 1, "path": "/anon"}      {"event": "close", "session": 1, "error": null}
    {"event": "reject", "session": 2, "path": "/reject/403", "code": 403}
    {"event": "bye"}

SIGTERM and SIGINT end it with status 0.
"""

import argparse
import asyncio
import re
import signal

import compat
from reporting import leave, say


async def serve(request, number, reject_all):
    """One session, from its request to its end."""
    rejected = re.search(r"/reject/(\d+)", request.path)
    code = int(rejected.group(1)) if rejected else reject_all
    try:
        if code is not None:
            await request.reject(code)
            say("reject", session=number, path=request.path, code=code)
            return
        session = await request.accept()
    except compat.ffi.MoqError as error:
        say("refused", session=number, path=request.path, error=compat.describe_error(error))
        return
    say("open", session=number, path=request.path)
    try:
        await session.closed()
        say("close", session=number, error=None)
    except compat.ffi.MoqError as error:
        say("close", session=number, error=compat.describe_error(error))
    except asyncio.CancelledError:
        compat.end_session(session)


async def accept_all(server, reject_all):
    """Accepts until the server ends."""
    sessions = set()
    number = 0
    try:
        while (request := await server.accept()) is not None:
            number += 1
            session = asyncio.create_task(serve(request, number, reject_all))
            sessions.add(session)
            session.add_done_callback(sessions.discard)
    finally:
        for session in sessions:
            session.cancel()


async def main(arguments):
    if arguments.log_level:
        compat.log_to_stderr(arguments.log_level)
    server = compat.Server(
        f"{arguments.host}:{arguments.port}",
        compat.new_origin(arguments.cache_bytes),
        arguments.certificate,
        arguments.key,
    )
    address, fingerprints = await server.listen()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    say("ready", address=address, fingerprint=fingerprints[0], release=compat.RELEASE)

    accepting = asyncio.create_task(accept_all(server, arguments.reject_all))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({accepting, stopping}, return_when=asyncio.FIRST_COMPLETED)
    accepting.cancel()
    await asyncio.wait({accepting})
    server.cancel()
    say("bye")
    await leave(0 if stop.is_set() else 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="UDP port; 0, the default, takes a free one")
    parser.add_argument("--cache-bytes", type=int, help="bound of the cache of groups, from release 0.3 on")
    parser.add_argument("--certificate", help="PEM file to serve instead of a generated one; must not be a CA")
    parser.add_argument("--key", help="PEM file with the key of --certificate")
    parser.add_argument(
        "--reject-all", type=int, metavar="CODE",
        help="reject every session: raw QUIC carries no path up to moq-lite 04",
    )
    parser.add_argument("--log-level", help="the stack's own log: error, warn, info, debug or trace")
    asyncio.run(main(parser.parse_args()))
