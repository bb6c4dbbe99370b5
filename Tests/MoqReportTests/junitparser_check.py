"""Reads a JUnit document with junitparser, which knows nothing of moqspec, and prints what it understood as JSON."""

import json
import sys

from junitparser import Error, Failure, JUnitXml, Properties, Skipped, TestSuite

KINDS = {Failure: "failure", Error: "error", Skipped: "skipped"}


def read_case(case):
    outcome = case.result[0] if case.result else None
    return {
        "name": case.name,
        "classname": case.classname,
        "time": case.time,
        "file": case._elem.get("file"),
        "line": case._elem.get("line"),
        "outcome": KINDS[type(outcome)] if outcome is not None else "passed",
        "type": outcome.type if outcome is not None else None,
        "message": outcome.message if outcome is not None else None,
        "text": outcome.text if outcome is not None else None,
        "output": case.system_out,
        "properties": [[p.name, p.value] for p in case.child(Properties) or []],
    }


def read_suite(suite):
    return {
        "name": suite.name,
        "counts": [suite.tests, suite.failures, suite.errors, suite.skipped],
        "time": suite.time,
        "timestamp": suite.timestamp,
        "properties": [[p.name, p.value] for p in suite.properties()],
        "cases": [read_case(case) for case in suite],
    }


def main():
    document = JUnitXml.fromfile(sys.argv[1])
    written = [document.tests, document.failures, document.errors, document.skipped]
    # Counts the cases anew and overwrites the numbers of the document.
    document.update_statistics()
    counted = [document.tests, document.failures, document.errors, document.skipped]
    suites = [read_suite(suite) for suite in document if isinstance(suite, TestSuite)]
    json.dump({"written": written, "counted": counted, "suites": suites}, sys.stdout)


main()
