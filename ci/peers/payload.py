"""The payloads that publish.py writes and subscribe.py checks: a foreign, stale, torn or swapped frame shows."""

import hashlib


def make(broadcast, track, group, index, size):
    """The payload of one frame: a line that says which it is and how long, and bytes that follow from that line."""
    line = f"{broadcast} {track} {group} {index} {size}\n".encode()
    filler = hashlib.shake_128(line).digest(max(0, size - len(line)))
    return line + filler


def mistake(payload, broadcast, track, group, index):
    """What is wrong with a payload that should be this frame, or None."""
    line = payload.partition(b"\n")[0].decode(errors="replace")
    fields = line.split(" ")
    if fields[:-1] != [broadcast, track, str(group), str(index)] or not fields[-1].isdigit():
        return f"expected frame {index} of group {group} of {broadcast}/{track}, got {line[:80]!r}"
    if payload != make(broadcast, track, group, index, int(fields[-1])):
        return f"frame {index} of group {group} has {len(payload)} bytes that are not what was written"
    return None
