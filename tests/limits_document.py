"""docs/limits.md: the table of volcli/limits."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from volcli.limits.limit import Limit
from volcli.limits.table import table

_HEAD = """# Limits

How much volcli computes, looks at or lists before it gives up or goes another way: what each limit counts, what becomes of an answer
that needs more, and where the number was measured (a file of this project, or a decision of that topic; where there is nothing, it was
chosen). `volcli explain values.kept_variables` prints a row, `volcli explain V302` those that this code is about. An explanation of an
answer that a limit has stopped ends with the limit's name. `make update` writes this page from [volcli/limits](../volcli/limits).
"""


def limits_document() -> str:
    """The text of the page."""
    parts = [_HEAD]
    for area, rows in groupby(table().items(), key=lambda row: row[0].partition(".")[0]):
        parts.append(f"## {area}\n\n| limit | value | counts | beyond it | measured |\n|---|---|---|---|---|")
        parts[-1] += "".join(f"\n{_row(name.partition('.')[2], limit)}" for name, limit in rows) + "\n"
    return "\n".join(parts)


def _row(name: str, limit: Limit) -> str:
    counts = limit.unit + (f" (`{limit.option}`)" if limit.option else "")
    return (
        f"| {name} | {limit:,} | {counts} | {limit.beyond} | {limit.measured if limit.is_measured else ''} |"
    )


def topics(root: Path) -> set[str] | None:
    """The topics of the decisions of the project in ROOT; None if they are on one page."""
    folder = root / "docs" / "decisions"
    if not folder.is_dir():
        return None
    return {path.stem.partition("-")[2] for path in folder.glob("[0-9]*.md")}
