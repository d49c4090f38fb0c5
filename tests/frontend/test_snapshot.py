"""A program is put back as it was, whatever was done to it."""

from __future__ import annotations

from pathlib import Path

import pytest

import volcli
from tests.shared.seeds import spread
from volcli.diagnostics import UsageError
from volcli.frontend.parse.snapshot import Snapshot
from volcli.frontend.print.printer import print_module
from volcli.language.interface import refused

FILES = sorted((Path(__file__).parents[2] / "testdata").rglob("*.mlir"))


@pytest.mark.sample(5)
@pytest.mark.parametrize("path", spread(FILES, 40), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_names_places_and_what_is_wrong_are_as_before(path: Path) -> None:
    try:
        program = volcli.load(path, split=True, via="xdsl")
    except UsageError:
        return  # not to be read
    for unit in program.units:
        parsed = unit.parsed
        text = print_module(parsed)
        said = [(parsed.written_at(op), op in refused, op.name) for op in parsed.module.walk()]
        before = Snapshot(parsed)
        for op in reversed(list(parsed.module.body.block.ops)):
            op.detach()
        before.restore()
        assert print_module(parsed) == text
        assert [(parsed.written_at(op), op in refused, op.name) for op in parsed.module.walk()] == said
