"""The scenarios against the original stack as relay: one `moqspec run` for a release and a transport."""

import collections
import contextlib
import json
import os
import re
import shlex
import socket
import subprocess

import tables
from processes import Process, Unexpected

HERE = os.path.dirname(os.path.abspath(__file__))

# The exit statuses of a run that came to its end and has verdicts (docs/peers.md); any other is a failure as such.
STATUSES_WITH_VERDICTS = (0, 1, 5)
# The exit status of a run in which a case could not be played to its end, or none could.
STATUS_OF_ERRORS = 3
# The exit status of a run that met its own deadline, and how much later than that it is ended from here.
STATUS_OF_DEADLINE = 124
GRACE_SECONDS = 15
# Most cases wait for something most of their time.
JOBS = 6
# How many times as long as a scenario says a peer may take for what has to happen: three relays, each with six cases
# at a time, share few processors with whatever else the machine does, and scenarios reckon with one that has its own.
# More of it costs minutes where a peer is known to do nothing at all, and is for a machine with so many processes for
# each processor that bulk takes ten times as long.
PATIENCE, PATIENCE_AT_LOAD = 2, 5
LOAD_OF_A_PROCESSOR = 6

Case = collections.namedtuple("Case", "id name version verdict reason lacks")
FAILURES = ("fail", "error", "vacuous")
PASSES = ("pass", "warn", "known")
# The reason of a case that is skipped for a capability in deviations.txt.
LACKS = re.compile(r"the relay is said to lack `([a-z-]+)`")


class Bench:
    """What all runs share: the executable, the environments of the releases, a certificate and where reports go."""

    def __init__(self, moqspec, pythons, reports, run_seconds):
        self.moqspec = moqspec
        self.pythons = pythons
        self.reports = reports
        self.run_seconds = run_seconds
        self.certificate = None


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
            try:
                event = json.loads(line)
            except ValueError:
                break  # The torn end of a run that was killed.
            if event["kind"] == "caseStarted":
                started[event["case"]] = event
            elif event["kind"] == "finding" and event["severity"] in FAILURES:
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
    return Case(start["case"], start["scenario"], version, end["verdict"], reason, lacks.group(1) if lacks else None)


@contextlib.contextmanager
def _relay(release, transport, bench, log):
    """How moqspec is told of the relay: it starts it, except where clients have to call it by a name."""
    leaf, key = bench.certificate
    command = [bench.pythons[release.name], os.path.join(HERE, "relay.py"), "--certificate", leaf, "--key", key]
    name = release.transports[transport]
    if name is None:
        yield ["--tls-root", leaf, "--relay-command", shlex.join(command) + " --port {port}", "--relay-output", log]
        return
    # Where the system looks first for that name.
    host = socket.getaddrinfo(name, None)[0][4][0]
    command += ["--host", f"[{host}]" if ":" in host else host]
    with Process(f"the relay of {release.name}", command) as relay:
        port = relay.expect("ready")["address"].rpartition(":")[2]
        scheme = "https" if transport == "webtransport" else "moqt"
        yield ["--tls-root", leaf, "--relay", f"{scheme}://{name}:{port}/anon"]


def _ended(command, output, seconds):
    """Runs a command to its end and returns its status; asks it to end when it takes too long, so that it ends its
    relay too, and raises TimeoutExpired.
    """
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
            raise


def run(release, versions, transport, bench, extra, folder="", jobs=JOBS, patience=None, target=None):
    """Runs the suites against one release on one transport, with more arguments for moqspec; `folder` is that of the
    reports within the release's and transport's, `target` says of another relay than the release's. Returns its cases and what went wrong with the run as such, or None.
    """
    directory = os.path.join(bench.reports, release.name, transport, folder)
    os.makedirs(directory, exist_ok=True)
    reports = {kind: os.path.join(directory, name) for kind, name in (
        ("junit", "junit.xml"), ("json", "results.json"), ("events", "events.jsonl"))}  # fmt: skip
    console, log = (os.path.join(directory, name) for name in ("console.txt", "relay.log"))
    for path in [*reports.values(), console]:
        if os.path.exists(path):
            os.remove(path)
    command = [bench.moqspec, "run", "--transport", transport]
    command += ["--moq-version", ",".join(versions), "--jobs", str(jobs), "--timeout", f"{bench.run_seconds}s"]
    is_loaded = os.getloadavg()[0] > LOAD_OF_A_PROCESSOR * (os.cpu_count() or 1)
    command += ["--patience", str(patience or (PATIENCE_AT_LOAD if is_loaded else PATIENCE))]
    for kind, path in reports.items():
        command += ["--report", f"{kind}={path}"]

    status, problem = None, None
    try:
        relay = contextlib.nullcontext(target) if target else _relay(release, transport, bench, log)
        with relay as flags, open(console, "w", encoding="utf-8") as output:
            status = _ended(command + flags + extra, output, bench.run_seconds + GRACE_SECONDS)
        if status == STATUS_OF_DEADLINE:
            problem = f"moqspec was not done within {bench.run_seconds} s, see {os.path.relpath(console)}"
    except subprocess.TimeoutExpired:
        problem = f"moqspec did not keep its deadline of {bench.run_seconds} s, see {os.path.relpath(console)}"
    except Unexpected as unexpected:
        problem = str(unexpected)
    cases = read_cases(reports["events"]) if os.path.exists(reports["events"]) else []
    # Cases that went wrong so much that they have no verdict are told of one by one.
    has_verdicts = status == STATUS_OF_ERRORS and any(case.verdict == "error" for case in cases)
    if problem is None and status not in STATUSES_WITH_VERDICTS and not has_verdicts:
        problem = f"moqspec ended with status {status}, see {os.path.relpath(console)}"
    elif problem is None and not cases:
        problem = f"no case was run, see {os.path.relpath(console)}"
    return cases, problem
