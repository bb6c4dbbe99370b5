"""The scenarios against the original stack as relay: one `moqspec run` a release, on all the versions it speaks."""

import collections
import json
import os
import re
import shlex
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))

# The exit statuses of a run that came to its end and has verdicts (docs/peers.md); any other is a failure as such.
STATUSES_WITH_VERDICTS = (0, 1, 5)
# The exit status of a run in which a case could not be played to its end, or none could.
STATUS_OF_ERRORS = 3
# Most cases wait for something most of their time.
JOBS = 6

Case = collections.namedtuple("Case", "name version verdict reason lacks")
# The reason of a case that is skipped for a capability in deviations.txt.
LACKS = re.compile(r"the relay is said to lack `([a-z-]+)`")


def certificate(directory):
    """Makes a short-lived certificate for the relays of this run, so that it can be verified; returns its two files.

    It must not be a CA, which openssl would make of it by default: the peers refuse such a one.
    """
    os.makedirs(directory, exist_ok=True)
    leaf, key = os.path.join(directory, "certificate.pem"), os.path.join(directory, "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", key, "-out", leaf, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-addext", "basicConstraints=critical,CA:FALSE"],
        check=True, capture_output=True,
    )  # fmt: skip
    return leaf, key


def read_cases(path):
    """The cases in an event stream and how they ended; a case without an end is an error."""
    started, cases, findings = {}, {}, {}
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            event = json.loads(line)
            if event["kind"] == "caseStarted":
                started[event["case"]] = event
            elif event["kind"] == "finding" and event["severity"] in ("fail", "error", "vacuous"):
                findings.setdefault(event["case"], event)
            elif event["kind"] == "caseFinished":
                cases[event["case"]] = event
    return [_case(start, cases.get(number), findings.get(number)) for number, start in started.items()]


def _case(start, end, finding):
    end = end or {"verdict": "error", "reason": "the run ended before this case did"}
    # Not what an actor negotiated, which may be another where a scenario mixes versions.
    version = start["variables"].get("version", "").removeprefix("moq-lite-")
    reason = end.get("reason") or ""
    lacks = LACKS.match(reason) if end["verdict"] == "skip" else None
    if finding:
        place = finding.get("place") or start["place"]
        parts = [f"{place['file']}:{place.get('line', 0)}: {finding['headline']}"]
        parts += [f"{label} {finding[label]}" for label in ("expected", "actual") if finding.get(label)]
        reason = "; ".join(parts)
    return Case(start["scenario"], version, end["verdict"], reason, lacks.group(1) if lacks else None)


def run(release, versions, python, settings, extra, name="", errors=False):
    """Runs the suites against one release, with more arguments for moqspec; `name` is the folder of the reports within
    the release's, and with `errors` cases may end in an error. Returns its cases and what went wrong with the run as
    such, or None.
    """
    directory = os.path.join(settings.reports, release, name)
    os.makedirs(directory, exist_ok=True)
    reports = {kind: os.path.join(directory, name) for kind, name in (
        ("junit", "junit.xml"), ("json", "results.json"), ("events", "events.jsonl"))}  # fmt: skip
    console = os.path.join(directory, "console.txt")
    for path in [*reports.values(), console]:
        if os.path.exists(path):
            os.remove(path)
    leaf, key = settings.certificate
    relay = [python, os.path.join(HERE, "relay.py"), "--certificate", leaf, "--key", key, "--port"]
    command = [settings.moqspec, "run", "--relay-command", shlex.join(relay) + " {port}", "--tls-root", leaf]
    command += ["--moq-version", ",".join(versions), "--jobs", str(JOBS)]
    command += ["--relay-output", os.path.join(directory, "relay.log")]
    for kind, path in reports.items():
        command += ["--report", f"{kind}={path}"]
    command += extra

    problem = None
    with open(console, "w", encoding="utf-8") as output:
        try:
            status = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, timeout=settings.run_seconds
            ).returncode
            if status not in STATUSES_WITH_VERDICTS and not (errors and status == STATUS_OF_ERRORS):
                problem = f"moqspec ended with status {status}, see {os.path.relpath(console)}"
        except subprocess.TimeoutExpired:
            problem = f"moqspec did not end within {settings.run_seconds} s, see {os.path.relpath(console)}"
    cases = read_cases(reports["events"]) if os.path.exists(reports["events"]) else []
    if not cases and problem is None:
        problem = f"no case was run, see {os.path.relpath(console)}"
    return cases, problem
