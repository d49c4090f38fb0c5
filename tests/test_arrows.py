"""The arrows between the rooms: each imports only what is below it (the dialects: ruff's TID251, too)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

LAYERS = (
    # from below; rooms of one layer do not know each other
    {"volcli"},  # the version
    {"volcli.diagnostics", "volcli.internal", "volcli.expressions", "volcli.kinds", "volcli.shipped"},
    {"volcli.interface"},
    {"volcli.presburger", "volcli.symbolic", "volcli.frontend"},
    {"volcli.reads"},
    {"volcli.loops", "volcli.memory"},
    {"volcli.questions"},
    {"volcli.model"},
    {"volcli.facts", "volcli.problems"},
    {"volcli_dialects"},
    {"volcli.plugins"},
    {"volcli.passes"},
    {"volcli.report"},
    {"volcli.api"},
    {"volcli.driver"},
    {"volcli.cli", "volcli.testing"},
    {"volcli.__main__"},
)
RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}
# Below the passes, and yet none of their business: only the driver composes the dialects with the analysis.
ONLY_THE_DRIVER = "volcli_dialects"


def room(module: str) -> str:
    """The room that MODULE is in: `volcli.model.function` is in `volcli.model`."""
    return ".".join(module.split(".")[:2]) if module.startswith("volcli.") else module.partition(".")[0]


def imports(path: Path) -> Iterator[str]:
    """The modules that PATH imports at run time, at its top or inside a function."""
    tree = ast.parse(path.read_text())
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            yield node.module


@pytest.mark.parametrize("package", ["volcli", "dialects/volcli_dialects"])
def test_arrows(package: str, root: Path) -> None:
    wrong: list[str] = []
    for path in sorted((root / package).rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts).removeprefix("dialects.")
        here = room(module.removesuffix(".__init__"))
        for target in imports(path):
            there = room(target)
            if there == here or not there.startswith("volcli"):
                continue
            lazily = here == "volcli" and there in ("volcli.api", "volcli.driver")  # volcli.load
            forbidden = there == ONLY_THE_DRIVER and here != "volcli.driver"
            if not lazily and (forbidden or RANK[there] >= RANK[here]):
                wrong.append(f"{module} imports {target}")
    assert wrong == []


def test_facts_know_nothing_of_the_ir(root: Path) -> None:
    """They are in a room of their own, which does not import xDSL."""
    for path in sorted((root / "volcli" / "facts").rglob("*.py")):
        assert not [target for target in imports(path) if target.partition(".")[0] == "xdsl"], path


def test_every_kind_of_fact_is_in_their_room(root: Path) -> None:
    outside = [
        f"{path}: {node.name}"
        for folder in ("volcli", "dialects")
        for path in sorted((root / folder).rglob("*.py"))
        if path.parent.name != "facts"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(b, ast.Name) and b.id == "Fact" for b in node.bases)
    ]
    assert outside == []


def test_what_engines_found_is_put_into_words_above_them(root: Path) -> None:
    """No engine of `volcli.model` writes JSON or annotations."""
    words = {"to_json", "annotation", "content"}
    wrong = [
        f"{path}: {node.name}"
        for path in sorted((root / "volcli" / "model").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name in words
    ]
    assert wrong == []
