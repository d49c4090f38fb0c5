"""These ask the real passes."""

from __future__ import annotations

import json
from pathlib import Path

from volcli.passes.table import PASSES

from .conftest import Shell


def test_each_pass_and_option_is_listed(shell: Shell) -> None:
    text = shell("passes").stdout
    listed = json.loads(shell("passes", "--format", "json").stdout)
    assert [row["name"] for row in listed] == list(PASSES)
    for row in listed:
        assert f"{row['name']}: {row['summary']}" in text
        for option in row["options"]:
            assert f"  {option['name']}: {option['type']} = " in text
            assert option["help"] in text


def test_the_generated_page_is_current(shell: Shell, root: Path) -> None:
    assert (root / "docs" / "passes.md").read_text() == shell("passes", "--format", "markdown").stdout
