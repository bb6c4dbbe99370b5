"""Plays again what did not go as the lists say, where chance or other work on the machine may have been the reason."""

import collections
import os

import suites
import tables
from tally import Result, words

# A case that went wrong beside others is played by itself until it has gone right, or wrong, so often.
TIMES = 2
# More cases than this are no accident, and are not played again.
MOST = 40
# Then it gets all the time that it needs on a machine that is busy with other things.
PATIENCE = 5
# A case that is expected to fail and did not is played up to so often before it is struck.
SEEKS = 5


class Turn(collections.namedtuple("Turn", "release transport versions")):
    """A release on a transport and the versions to play there."""

    @property
    def folder(self):
        """That of its reports."""
        return "-".join(self.versions)

    @property
    def key(self):
        """What tells it from the others."""
        return self.release.name, self.transport, self.folder


def of_case(turn, case):
    """What a case came to."""
    return Result(turn.release.name, case.version, turn.transport, case.name, case.verdict, case.reason)


def suspects(turn, cases, bench, tally):
    """Plays each of the cases of a turn that went wrong by itself, until it has gone right or wrong for the second time;
    counts what went right as passed. Returns those that failed.
    """
    left, failed = {case.id: case for case in cases}, []
    right, wrong = collections.Counter(), collections.Counter()
    while left and len(cases) <= MOST:
        played, problem = _play(turn, list(left), bench, os.path.join(turn.folder, "again"), PATIENCE)
        passed = {case.id for case in played if case.verdict in suites.PASSES}
        for case in played:
            if case.id in left and case.id not in passed:
                print(f"  again: {case.id}: {case.verdict}: {case.reason}"[:300], flush=True)
        if problem:
            print(f"  again: {problem}", flush=True)
        for key in list(left):
            (right if key in passed else wrong)[key] += 1
            if wrong[key] == TIMES:
                failed.append(left.pop(key))
            elif right[key] == TIMES:
                tally.forgive(of_case(turn, left.pop(key)), TIMES)
    failed += left.values()
    for case in failed:
        tally.fail(of_case(turn, case))
    return failed


def unmet(turns, ran, bench, tally):
    """Plays the cases that are expected to fail and did not; `turns` are pairs of a turn and its cases, `ran` as in
    Tally.unmet.
    """
    for _ in range(SEEKS):
        wanted = tally.unmet(ran)
        for turn, cases in turns if wanted else ():
            name, transport = turn.release.name, turn.transport
            ids = [case.id for case in cases if tables.expectation(wanted, name, case.version, transport, case.name)]
            played = _play(turn, ids, bench, os.path.join(turn.folder, "expected"), 1)[0] if ids else []
            for case in played:
                entry = tables.expectation(wanted, name, case.version, transport, case.name)
                if entry and case.verdict in suites.FAILURES:
                    tally.meet(entry)
    tally.check_expectations(ran)


def _play(turn, ids, bench, folder, patience):
    extra = tables.without(tables.deviations(turn.release.name, turn.transport))
    for each in ids:
        extra += ["--filter", each]
    return suites.run(turn.release, turn.versions, turn.transport, bench, extra, folder, jobs=1, patience=patience)


def checks(first, play, tally):
    """Counts the checks of a part that plays several in one go: `first` are their results and what went wrong beside
    them, or None, and `play` does the same again. When anything went wrong it is played by itself, until all of it has
    gone right, or anything wrong, for the second time. Returns what stands.
    """
    results, problem = first
    wrong = [result for result in results if tally.count(result)]
    if not wrong and problem is None:
        return first
    for line in [words(result) for result in wrong] + [problem] * (problem is not None):
        print("  " + line, flush=True)
    plays = {True: [], False: []}
    while max(map(len, plays.values())) < TIMES:
        last = play()
        plays[last[1] is None and not any(tally.is_wrong(result) for result in last[0])].append(last)
    if len(plays[False]) == TIMES:
        for result in wrong:
            tally.fail(result)
        for text in dict.fromkeys(filter(None, (problem, *(each[1] for each in plays[False])))):
            tally.problem(text)
        return first
    for result in wrong:
        tally.forgive(result, TIMES)
    if problem is not None:
        tally.forgive_problem(problem, TIMES)
        for result in plays[True][0][0]:
            if not any(result[:4] == each[:4] for each in results):
                tally.count(result)
    return plays[True][0]
