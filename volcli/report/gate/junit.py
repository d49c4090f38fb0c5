"""Findings as JUnit XML, which CI servers show as tests: one for each file, which fails with its findings."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from volcli.gate.findings.finding import Finding
from volcli.gate.report import FileFindings, Report
from volcli.report.gate.text import said_of

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(report: Report) -> str:
    """REPORT as the text of one XML document."""
    root = ElementTree.Element("testsuites", name="volcli check")
    failed = sum(1 for file in report.files if any(not f.is_unusable for f in file.findings))
    broken = sum(1 for file in report.files if any(f.is_unusable for f in file.findings))
    counts = {"tests": str(len(report.files)), "failures": str(failed), "errors": str(broken)}
    suite = ElementTree.SubElement(root, "testsuite", {"name": "volcli check", "skipped": "0", **counts})
    if counts := report.unanalysed:
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(properties, "property", name="unanalysed", value=said_of(counts))
    for file in report.files:
        _add(suite, file)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _add(suite: ElementTree.Element, file: FileFindings) -> None:
    """Add the test that stands for FILE: it fails once, with all that was found."""
    case = ElementTree.SubElement(suite, "testcase", classname="volcli", name=file.file, file=file.file)
    for kind, found in (
        ("error", [each for each in file.findings if each.is_unusable]),
        ("failure", [each for each in file.findings if not each.is_unusable]),
    ):
        if found:
            first, more = found[0], len(found) - 1
            message = f"{first.code}: {first.message}" + f" (and {more} more)" * bool(more)
            element = ElementTree.SubElement(case, kind, type=first.code, message=_plain(message))
            element.text = _plain("\n".join(map(_line, found)))


def _line(finding: Finding) -> str:
    before = f" (before: {finding.before})" if finding.before else ""
    place = finding.file if finding.line is None else f"{finding.file}:{finding.line}:{finding.character}"
    return f"{place}: {finding.severity}: {finding.code}: {finding.message}{before}"


def _plain(text: str) -> str:
    """TEXT without the characters that XML cannot hold."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
