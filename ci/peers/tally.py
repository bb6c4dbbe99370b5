"""What went as it should and what did not, over all parts of a run."""

import threading

import suites
import tables


class Tally:
    """Counts cases, and prints what went wrong and is not expected to. Threads may share it."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self._expected = tables.expected_failures()
        self._met = set()
        self._lock = threading.Lock()

    def count(self, release, version, transport, name, verdict, reason):
        """Counts one case; returns whether it went wrong against expectation."""
        if verdict in suites.FAILURES:
            entry = tables.expectation(self._expected, release, version, transport, name)
            if entry is None:
                self.problem(f"{verdict}: {release} on {version} over {transport}: {name}: {reason}")
                return True
            self._add(skipped=1)
            with self._lock:
                self._met.add(entry)
        elif verdict in ("pass", "warn", "known"):
            self._add(passed=1)
        else:
            self._add(skipped=1)
        return False

    def _add(self, passed=0, failed=0, skipped=0):
        with self._lock:
            self.passed += passed
            self.failed += failed
            self.skipped += skipped

    def problem(self, text):
        """Counts something that went wrong."""
        self._add(failed=1)
        print("  " + text, flush=True)

    def check_expectations(self, ran):
        """An expected failure that did not happen is a failure of the list; `ran` are the triples of release, version
        and transport that were run.
        """
        for entry in self._expected:
            wanted = [cell for cell in ran if tables.expectation([entry], *cell, entry.name)]
            if wanted and entry not in self._met:
                self.problem(f"expected-failures.txt: {' '.join(map(str, entry[:4]))} did not fail: strike it")

    def check_deviations(self, shown, transport):
        """A release that is said to lack something must be seen to lack it."""
        for deviation, version, is_seen in shown:
            if is_seen:
                self._add(passed=1)
            elif deviation.often == "always":
                self.problem(
                    f"deviations.txt: {deviation.release} on {version} over {transport} has {deviation.capability}:"
                    " strike it"
                )

    def summary(self, name):
        """One plain line, that pipelines can read."""
        return f"{name}: {self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    @property
    def status(self):
        """The exit status: something must have passed, and nothing failed."""
        return 1 if self.failed or not self.passed else 0
