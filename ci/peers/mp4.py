"""Takes fragmented MP4 files apart, as far as it needs to be: what a fixture has, and what was saved of it."""

import collections
import hashlib
import struct

# A track: what it is (`video` or `audio`), its sample entry, what decodes it, and its samples in the order of decoding.
Track = collections.namedtuple("Track", "kind entry setup samples")
# A sample: when it is shown, in microseconds, whether it is a keyframe, and its bytes.
Sample = collections.namedtuple("Sample", "time keyframe payload")
# A piece of a file as it is written live: when its first sample is decoded, in seconds, and the bytes.
Piece = collections.namedtuple("Piece", "time content")


def boxes(content, start, end):
    """The boxes between two places: type, where the content begins, where it ends."""
    while start + 8 <= end:
        size, name = struct.unpack_from(">I4s", content, start)
        head = 8
        if size == 1:
            size, head = struct.unpack_from(">Q", content, start + 8)[0], 16
        if size < head or start + size > end:
            raise ValueError(f"a box {name!r} of {size} bytes at {start}")
        yield name.decode("latin-1"), start + head, start + size
        start += size


def find(content, start, end, *path):
    """The first box at a path; its content's begin and end, or None."""
    for name, begin, stop in boxes(content, start, end):
        if name == path[0]:
            return (begin, stop) if len(path) == 1 else find(content, begin, stop, *path[1:])
    return None


class File:
    """A file's tracks, by number, and its pieces."""

    def __init__(self, content):
        self.tracks = {}
        self.pieces = []
        self._scales = {}
        self._defaults = {}
        self._content = content
        start, first = 0, None
        for name, inside, end in boxes(content, 0, len(content)):
            if name == "moov":
                self._movie(inside, end)
                self.head = content[:end]
                start = end
            elif name == "moof":
                # Offsets count from the beginning of the box.
                first = self._fragment(inside - 8, inside, end)
            elif name == "mdat" and first is not None:
                self.pieces.append(Piece(first, content[start:end]))
                start, first = end, None

    def _movie(self, start, end):
        for name, begin, stop in boxes(self._content, start, end):
            if name == "trak":
                self._track(begin, stop)
            elif name == "mvex":
                for inner, place, _ in boxes(self._content, begin, stop):
                    if inner == "trex":
                        self._defaults[self._number(place + 4)] = struct.unpack_from(">III", self._content, place + 12)

    def _number(self, place):
        return struct.unpack_from(">I", self._content, place)[0]

    def _track(self, start, end):
        content = self._content
        head, _ = find(content, start, end, "tkhd")
        number = self._number(head + (20 if content[head] == 1 else 12))
        media, _ = find(content, start, end, "mdia", "mdhd")
        self._scales[number] = self._number(media + (20 if content[media] == 1 else 12))
        entries, stop = find(content, start, end, "mdia", "minf", "stbl", "stsd")
        entry, begin, stop = next(boxes(content, entries + 8, stop))
        kind = "video" if entry[:2] in ("av", "hv", "he") else "audio"
        setup = b""
        for name, inside, last in boxes(content, begin + (78 if kind == "video" else 28), stop):
            if name in ("avcC", "hvcC", "av1C", "dOps"):
                setup = content[inside:last]
            elif name == "esds":
                setup = self._specific(content[inside + 4:last])
        self.tracks[number] = Track(kind, entry, setup, [])

    @staticmethod
    def _specific(content):
        """The AudioSpecificConfig: the content of the descriptor with tag 5."""
        place = content.index(b"\x05", content.index(b"\x04") + 1 + 13)
        length, place = 0, place + 1
        while True:
            byte = content[place]
            length, place = length << 7 | byte & 0x7F, place + 1
            if not byte & 0x80:
                return content[place:place + length]

    def _fragment(self, start, inside, end):
        first = None
        for name, begin, stop in boxes(self._content, inside, end):
            if name == "traf":
                time = self._samples(start, begin, stop)
                first = time if first is None else min(first, time)
        return first

    def _samples(self, start, inside, end):
        content = self._content
        head, _ = find(content, inside, end, "tfhd")
        flags, number = self._number(head) & 0xFFFFFF, self._number(head + 4)
        place = head + 8 + (8 if flags & 1 else 0) + (4 if flags & 2 else 0)
        defaults = list(self._defaults.get(number, (0, 0, 0)))
        for index, bit in enumerate((8, 0x10, 0x20)):
            if flags & bit:
                defaults[index] = self._number(place)
                place += 4
        time_box, _ = find(content, inside, end, "tfdt")
        time = struct.unpack_from(">Q" if content[time_box] == 1 else ">I", content, time_box + 4)[0]
        scale = self._scales[number]
        began = time / scale
        for name, begin, _ in boxes(content, inside, end):
            if name != "trun":
                continue
            flags, count, place = self._number(begin) & 0xFFFFFF, self._number(begin + 4), begin + 8
            data = start
            if flags & 1:
                data = start + struct.unpack_from(">i", content, place)[0]
                place += 4
            first_flags = None
            if flags & 4:
                first_flags = self._number(place)
                place += 4
            for index in range(count):
                values = list(defaults)
                for field, bit in enumerate((0x100, 0x200, 0x400)):
                    if flags & bit:
                        values[field] = self._number(place)
                        place += 4
                offset = 0
                if flags & 0x800:
                    offset = struct.unpack_from(">i", content, place)[0]
                    place += 4
                duration, size, marks = values
                if index == 0 and first_flags is not None:
                    marks = first_flags
                shown = round((time + offset) * 1_000_000 / scale)
                payload = content[data:data + size]
                self.tracks[number].samples.append(Sample(shown, not marks & 0x10000, payload))
                data += size
                time += duration
        return began

    def track(self, kind):
        """The only track of a kind."""
        return next(track for track in self.tracks.values() if track.kind == kind)


def digests(samples):
    """What tells two lists of samples apart: sizes and hashes, in order."""
    return [(len(sample.payload), hashlib.md5(sample.payload).hexdigest()) for sample in samples]


def steps(times):
    """The distances between times that follow each other."""
    return [after - before for before, after in zip(times, times[1:])]


def read(path):
    """The file at a path."""
    with open(path, "rb") as file:
        return File(file.read())
