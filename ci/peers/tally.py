"""What went as it should and what did not, over all parts of a run."""

import collections
import threading

import suites
import tables

# What one failure is told with at the end; the reports have the rest.
REASON_LENGTH = 240

# One case or check, and how it ended.
Result = collections.namedtuple("Result", "release version transport name verdict reason")


def words(result):
    """A result as one line."""
    reason = result.reason if len(result.reason) <= REASON_LENGTH else result.reason[:REASON_LENGTH] + "..."
    return f"{result.verdict}: {result.release} on {result.version} over {result.transport}: {result.name}: {reason}"


class Tally:
    """Counts cases, and prints what went wrong and is not expected to. Threads may share it."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self._expected = tables.expected_failures()
        self._met = set()
        self._problems = []
        self._unsteady = []
        self._lock = threading.Lock()

    def count(self, result):
        """Counts one case, unless it went wrong against expectation: then it returns True, and the case is yet to be
        counted with `fail` or `forgive`.
        """
        if result.verdict in suites.FAILURES:
            entry = tables.expectation(self._expected, *result[:4])
            if entry is None:
                return True
            self._add(skipped=1)
            self.meet(entry)
        elif result.verdict in ("pass", "warn", "known"):
            self._add(passed=1)
        else:
            self._add(skipped=1)
        return False

    def is_wrong(self, result):
        """Whether a case went wrong against expectation; counts nothing."""
        return result.verdict in suites.FAILURES and tables.expectation(self._expected, *result[:4]) is None

    def fail(self, result):
        """Counts a case that went wrong."""
        self.problem(words(result))

    def forgive(self, result, times):
        """Counts a case that went wrong beside others, and passed so many times by itself."""
        self._add(passed=1)
        with self._lock:
            self._unsteady.append(f"{words(result)} (passed {times} times by itself)")

    def forgive_problem(self, text, times):
        """Notes what went wrong with a part as such, and did not in so many plays by itself."""
        with self._lock:
            self._unsteady.append(f"{text} (did not happen in {times} plays by itself)")

    def _add(self, passed=0, failed=0, skipped=0):
        with self._lock:
            self.passed += passed
            self.failed += failed
            self.skipped += skipped

    def problem(self, text):
        """Counts something that went wrong."""
        self._add(failed=1)
        with self._lock:
            self._problems.append(text)
        print("  " + text, flush=True)

    def meet(self, entry):
        """An expected failure has happened."""
        with self._lock:
            self._met.add(entry)

    def unmet(self, ran):
        """The expected failures that have not happened; `ran` are the triples of release, version and transport that
        were run.
        """
        return [
            entry for entry in self._expected
            if entry not in self._met and any(tables.expectation([entry], *cell, entry.name) for cell in ran)
        ]  # fmt: skip

    def check_expectations(self, ran):
        """An expected failure that did not happen is a failure of the list."""
        for entry in self.unmet(ran):
            where = "/".join((entry.version, entry.transport))
            self.problem(f"expected-failures.txt: {entry.release} {where} {entry.name} did not fail: strike it")

    def check_deviation(self, shown, times, where):
        """An entry of deviations.txt that did not show, in so many plays of what needs it, is a failure of the list."""
        if shown:
            self._add(passed=1)
        else:
            self.problem(f"deviations.txt: {where} did not show in {times} plays: strike it")

    def print_end(self, name):
        """What went wrong, once more and together, and then one plain line that pipelines can read: a log that is cut
        still has them.
        """
        for title, lines in (
            (f"{name}: failed beside others, and not by itself", self._unsteady), (f"{name}: FAILED", self._problems),
        ):  # fmt: skip
            if lines:
                print("\n" + "\n  ".join([f"{title}:", *lines]))
        print(f"\n{name}: {self.passed} passed, {self.failed} failed, {self.skipped} skipped", flush=True)

    @property
    def status(self):
        """The exit status: something must have passed, and nothing failed."""
        return 1 if self.failed or not self.passed else 0
