"""Seeks what the entries of deviations.txt say in the cases that were left out for them."""

import collections

import suites
import tables

# How many scenarios are played first for an entry on a version: each may wait in vain for many seconds, and one that
# fails is enough.
FIRST = 3
# What has not shown then is sought in the others, and after that in all of them, up to so many rounds in all: how a peer
# comes to deviate is often a race within it. docs/peers.md has the rates.
ROUNDS = 5


class Search:
    """What shows of a release on a transport and some versions: `skipped` are the cases that were left out."""

    def __init__(self, release, versions, transport, skipped, bench, folder):
        self.release = release
        self.versions = versions
        self.transport = transport
        self._bench = bench
        self._folder = folder
        self._lacks = {(case.name, case.version): case.lacks for case in skipped}
        names = collections.defaultdict(set)
        for case in skipped:
            # By version: a scenario that is of one version only shows nothing on the others.
            names[case.lacks, case.version].add(case.name)
        self._names = {pair: sorted(found) for pair, found in names.items()}
        # Pairs of capability and version: those that showed, and how many cases were played for each.
        self.seen = set()
        self.plays = collections.Counter()

    @property
    def capabilities(self):
        """What any case was left out for."""
        return {capability for capability, _ in self._names}

    def entries(self):
        """The entries that something was left out for, with each version that they are about."""
        return [
            (deviation, version) for deviation in tables.deviations(self.release.name, self.transport)
            for version in self.versions
            if (deviation.capability, version) in self._names and version in (deviation.versions or self.versions)
        ]

    def _part(self, pair, number):
        """The scenarios that are played for a pair in a round."""
        names = self._names[pair]
        first, others = names[:FIRST], names[FIRST:]
        return (first, others or first, names)[min(number, 2)]

    def play(self, pairs, number):
        """Plays cases of these pairs of capability and version in a round, 0 for the first. Returns how many cases, and
        what went wrong with the run as such, or None.
        """
        wanted = sorted({name for pair in pairs for name in self._part(pair, number)})
        versions = [version for version in self.versions if any(version == each for _, each in pairs)]
        if not wanted:
            return 0, None
        filters = [word for name in wanted for word in ("--filter", name)]
        cases, problem = suites.run(
            self.release, versions, self.transport, self._bench, filters, f"{self._folder}/{number + 1}", patience=1)
        for case in cases:
            lacks = self._lacks.get((case.name, case.version))
            if lacks and case.verdict in suites.FAILURES + suites.PASSES:
                self.plays[lacks, case.version] += 1
                if case.verdict in suites.FAILURES:
                    self.seen.add((lacks, case.version))
        return len(cases), problem


def by_capability(searches):
    """Of each release and capability, whether the lack showed anywhere, and how many cases were played for it. Entries
    that differ in versions only, or in how often they show there, are one lack.
    """
    found = {}
    for search in searches:
        for deviation, version in search.entries():
            pair, key = (deviation.capability, version), (search.release.name, deviation.capability)
            shown, plays = found.get(key, (False, 0))
            found[key] = (shown or pair in search.seen, plays + search.plays[pair])
    return found


def table(searches):
    """Rows that say where each entry showed and where not, of all searches together."""
    found = {}
    for search in searches:
        for deviation, version in search.entries():
            key = search.release.name, entry_name(deviation), deviation.often
            row = found.setdefault(key, {True: {}, False: {}})
            is_seen = (deviation.capability, version) in search.seen
            row[is_seen].setdefault(search.transport, []).append(version)
    return [[name, entry, often, _words(row[True]), _words(row[False])]
            for (name, entry, often), row in found.items()]  # fmt: skip


def entry_name(deviation):
    """An entry as deviations.txt names it."""
    where = ",".join([*deviation.versions, *deviation.transports])
    return f"{deviation.capability}@{where}" if where else deviation.capability


def _words(ways):
    return "; ".join(f"{way} {', '.join(versions)}" for way, versions in ways.items()) or "-"
