"""docs/decisions/: one file a decision, and the index of them.

A file begins with its title and four lines, its head:

    # Equal sets are one object

    - Status: active
    - Date: 2026-11-22
    - Where: `volcli/presburger/sets/shared.py`
    - Measured by: `tests/presburger/test_shared.py`, `benchmarks/deep_nets.py`

The status of a decision that does not hold any more is `superseded by [0309](0309-....md)`.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

_HEAD = """# Decisions

What was decided, why, what else was considered, and what it costs: one file a decision. The tables below name the room of the
code in which a decision is implemented. `make update` writes this page from the heads of the files.

To add one, copy the newest file and give it the next number and a name that states the topic. A head has the status, the date, the files of the
code (`Where`), and the tests or benchmarks that get worse without it (`Measured by`). A test checks that these files exist, and
`make update` corrects the paths of files that have moved. A decision that turns out wrong keeps its file; its status becomes
`superseded by [NNNN](NNNN-....md)`.
"""
_FILE = re.compile(
    r"# (?P<title>.+)\n\n"
    r"- Status: (?P<status>active|superseded by \[(?P<by>\d{4})\]\((?P<link>\d{4}-[a-z0-9-]+\.md)\))\n"
    r"- Date: (?P<date>\d{4}-\d\d-\d\d)\n"
    r"- Where: (?P<where>.+)\n"
    r"- Measured by: (?P<measured>.+)\n\n"
    r"## Context\n\n(?s:.+)\n## Decision\n\n(?s:.+)"
)
_PATH = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Decision:
    """One decision, by the head of its file."""

    path: Path
    title: str
    date: str
    where: tuple[str, ...]
    measured: tuple[str, ...]
    superseded_by: str | None
    """The name of the file of the decision that takes its place."""

    @property
    def number(self) -> str:
        return self.path.name[:4]


def decisions(root: Path) -> list[Decision]:
    """The decisions of the project in ROOT, by number. Raises ValueError for a file that has another form."""
    return [_decision(path) for path in sorted((root / "docs" / "decisions").glob("[0-9]*.md"))]


def _decision(path: Path) -> Decision:
    found = _FILE.fullmatch(path.read_text())
    if found is None:
        raise ValueError(f"{path.name} has not the form of a decision")
    where, measured = (tuple(_PATH.findall(found[part])) for part in ("where", "measured"))
    return Decision(path, found["title"], found["date"], where, measured, found["link"])


def decisions_document(root: Path) -> str:
    """The index: a table for each room."""
    rooms: dict[str, list[Decision]] = defaultdict(list)
    for each in decisions(root):
        rooms[_room(each)].append(each)
    return "\n".join([_HEAD, *(_table(room, rooms[room]) for room in sorted(rooms))])


def _room(decision: Decision) -> str:
    """`volcli/model/values` for volcli/model/values/terms/tables.py, `volcli/gate` for volcli/gate/run.py."""
    path = decision.where[0] if decision.where else ""
    folders = path.split("/")[:-1]
    if not path.startswith(("volcli/", "dialects/")) or len(folders) == 1:
        return folders[0] if folders else "the project"
    return "/".join(folders[: 3 if folders[1] == "model" else 2])


def _table(room: str, members: list[Decision]) -> str:
    rows = [f"| [{each.number}]({each.path.name}) | {each.title}{_remark(each)} |" for each in members]
    return "\n".join([f"## {room}\n", "| | decision |", "|---|---|", *rows, ""])


def _remark(decision: Decision) -> str:
    by = decision.superseded_by
    return f" (superseded by [{by[:4]}]({by}))" if by else ""


def relocated(root: Path) -> Iterator[tuple[Path, str]]:
    """The decisions that name files that have moved, with the text that names the new places."""
    places: dict[str, list[str]] = defaultdict(list)
    for folder in ("volcli", "dialects", "tests", "benchmarks"):
        for path in (root / folder).rglob("*.py"):
            places[path.name].append(str(path.relative_to(root)))
    for each in decisions(root):
        text = each.path.read_text()
        head, rest = text.split("\n## ", 1)
        for path in (*each.where, *each.measured):
            new = None if (root / path).exists() else nearest(path, places[Path(path).name])
            if new is not None:
                head = head.replace(f"`{path}`", f"`{new}`")
        if (new_text := f"{head}\n## {rest}") != text:
            yield each.path, new_text


def nearest(path: str, places: Sequence[str]) -> str | None:
    """The one of PLACES that has the most outer folders of PATH; None if several have as many.

    >>> nearest(
    ...     "tests/model/test_slices.py", ["tests/model/values/test_slices.py", "tests/cli/test_slices.py"]
    ... )
    'tests/model/values/test_slices.py'
    """
    shared = [len(os.path.commonpath([path, place])) for place in places]
    best = max(shared, default=0)
    return places[shared.index(best)] if shared.count(best) == 1 else None
