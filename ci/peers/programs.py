"""The scenarios in which the original stack's publisher and viewer are actors, beside our players and publishers."""

import os
import shlex

import suites
import tables

HERE = os.path.dirname(os.path.abspath(__file__))

# What is played: one profile through the release's own relay, the other through ours, so that each meets both stacks.
RELAYS = {"its own relay": "ios", "moqspec relay": "android"}
SUITE = "kit-programs"
# The versions that the suite is written for, and the transport on which it is played here.
VERSIONS, TRANSPORT = ("06", "05"), "quic"
# Every case starts one or two interpreters, which have the processors to themselves for a second.
JOBS = 4
# A case that went wrong beside others is played by itself until it has gone right, or wrong, so often; then with so
# much patience.
TIMES, PATIENCE_ALONE = 2, 5


def version(release):
    """The newest version of a release that the suite has cases of, or None."""
    return next((name for name in release.versions if name in VERSIONS), None)


def _flags(release, bench):
    """What the programs of the suite are."""
    script = os.path.join(HERE, "actor.py")
    for name, mode in (("publisher", "publish"), ("viewer", "consume")):
        words = [bench.pythons[release.name], script, mode]
        yield from ("--program", f"{name}={shlex.join(words)} {{url}} --broadcast {{broadcast}}")


def _run(release, relay, bench, pattern, **options):
    target = None if relay == "its own relay" else ["--relay", "embedded"]
    folder = os.path.join("programs", relay.replace(" ", "-"))
    extra = ["--filter", pattern, "--program-output", os.path.join(bench.reports, release.name, folder), *_flags(release, bench)]  # fmt: skip
    if target is None:
        extra += tables.without(tables.deviations(release.name, TRANSPORT))
    return suites.run(release, [version(release)], TRANSPORT, bench, extra, folder, target=target, **options)


def play(release, relay, bench):
    """Plays the suite through one relay. Returns the cases, those of them that went wrong, and a problem or None."""
    cases, problem = _run(release, relay, bench, f"{SUITE}.*[*profile={RELAYS[relay]}*]", jobs=JOBS)
    wrong = [case for case in cases if case.verdict in suites.FAILURES]
    return cases, wrong, problem


def play_again(case, release, relay, bench):
    """Plays a case that went wrong by itself until it has gone one way twice; whether it is right after all."""
    right, wrong = 0, 1
    while right < TIMES and wrong < TIMES + 1:
        cases, _ = _run(release, relay, bench, case.id, jobs=1, patience=PATIENCE_ALONE)
        if cases and all(each.verdict in suites.PASSES for each in cases):
            right += 1
        else:
            wrong += 1
    return right == TIMES
