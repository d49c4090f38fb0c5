"""Pages as text: templates, filled with what they show. Jinja2 escapes all of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from volcli import __version__
from volcli.api.notes import Note
from volcli.diagnostics.counted import counted
from volcli.gate.report import Report
from volcli.limits import printing as limits
from volcli.pages.records import FileRecord
from volcli.pages.views import file_views, overview

_TEMPLATES = Path(__file__).parent / "templates"


def report_page(
    report: Report,
    records: Sequence[FileRecord],
    paths: Sequence[str],
    *,
    times: bool = False,
    only_findings: bool = False,
) -> str:
    """The page of REPORT on PATHS and the RECORDS of its files; without TIMES equal input is equal text.

    With ONLY_FINDINGS, files and functions without any are left out.
    """
    files = file_views(report, records)
    sums = overview(report, files)
    if only_findings:
        files = [each.with_findings() for each in files if each.findings]
    more = len(paths) - limits.PAGE_PATHS
    title = ", ".join(paths[: limits.PAGE_PATHS]) + f" and {more} more" * (more > 0)
    shown = {"report": report, "files": files, "sums": sums, "title": title, "all_files": len(records)}
    return filled("report.html", times=times, only_findings=only_findings, **shown)


def filled(template: str, **shown: Any) -> str:
    """TEMPLATE with what is SHOWN; bytes of names that are not Unicode are U+FFFD."""
    text = _environment().get_template(template).render(version=__version__, **shown)
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["asset"] = _asset
    made.filters.update(_FILTERS)
    made.tests.update(_TESTS)
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "ensure_ascii": False}
    return made


@cache
def _asset(name: str) -> Markup:
    """The file NAME of this room, as it is: a style sheet or a script, which hold nothing of programs."""
    return Markup((_TEMPLATES / name).read_text(encoding="utf-8"))


def _share(part: Fraction) -> str:
    return f"{100 * float(part):.1f}%"


def _percent(part: Fraction) -> str:
    return f"{100 * float(part):.1f} %" if part else ""


def _count(number: int, word: str, several: str = "") -> str:
    """NUMBER and WORD, or what SEVERAL are called.

    >>> _count(0, "file"), _count(1, "file"), _count(1234, "branch", "branches")
    ('0 files', '1 file', '1,234 branches')
    """
    return counted(f"{number:,}", word, several)


def _thousands(number: int) -> str:
    return f"{number:,}" if number else ""


def _path(name: str) -> Markup:
    """NAME with a place after each folder where a line may end."""
    return Markup("/<wbr>").join(map(escape, name.split("/")))


def _is_long(note: Note) -> bool:
    """Whether NOTE is folded: it has more than four lines, or as many letters."""
    return len(note.text) > 4 or sum(map(len, note.text)) > 320


def _text(said: str) -> Markup:
    """SAID as the text of an element, where only `&` and `<` mean something: sources are half of a page."""
    return Markup(said.replace("&", "&amp;").replace("<", "&lt;"))


_TESTS: Mapping[str, Callable[..., bool]] = {"long": _is_long}
_FILTERS: Mapping[str, Callable[..., Any]] = {
    "count": _count,
    "share": _share,
    "percent": _percent,
    "thousands": _thousands,
    "path": _path,
    "text": _text,
    "safe_svg": Markup,  # what `drawing.svg` has written, which escapes what programs say
}
