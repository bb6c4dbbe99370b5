"""How the peer scripts speak: JSON lines on standard output, and an end that neither hangs nor crashes."""

import asyncio
import json
import os
import sys

# What a session still has to send when it is ended (its close above all) is lost if the process ends at once.
LINGER_SECONDS = 0.15


def say(event, **fields):
    """One event, as one line."""
    print(json.dumps({"event": event, **fields}), flush=True)


async def leave(status=0):
    """Ends the process after a moment for the last packets. Skips the interpreter's own end: releases before 0.4
    may abort there, which would hide the status."""
    await asyncio.sleep(LINGER_SECONDS)
    sys.stdout.flush()
    os._exit(status)


async def standard_input():
    """Standard input as an asyncio stream, for scripts that are told when to go on."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader
