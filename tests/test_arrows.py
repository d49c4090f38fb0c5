"""The arrows between the rooms: each imports only what is below it (the dialects: ruff's TID251, too)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

LAYERS = (
    # from below; rooms of one layer do not know each other
    {"volcli"},  # the version
    {"volcli.diagnostics", "volcli.installed", "volcli.internal", "volcli.progress", "volcli.shipped"},
    {"volcli.selection"},
    {"volcli.language"},
    {"volcli.presburger"},
    {"volcli.symbolic"},
    {"volcli.frontend.text", "volcli.frontend.unread"},
    {"volcli.frontend.check"},
    {"volcli.frontend.parse"},
    {"volcli.frontend.print"},
    {"volcli.model.entry", "volcli.model.stated_effects", "volcli.model.symbols"},
    {"volcli.model.calling"},
    {"volcli.model.structured"},
    {"volcli.model.inlining"},
    {"volcli.model.as_loops"},
    {"volcli.model.values"},
    {"volcli.model.memory"},
    {"volcli.model.costs", "volcli.model.sources", "volcli.model.volumes"},
    {"volcli.model.view"},
    {"volcli.model.function"},
    {"volcli.model.mars"},
    {"volcli.facts", "volcli.problems"},
    {"volcli.comparison", "volcli.undefined"},
    {"volcli_dialects"},
    {"volcli.plugins"},
    {"volcli.passes.declaration", "volcli.passes.models"},
    {"volcli.passes.base"},
    {"volcli.rewriting"},
    {"volcli.passes"},
    {"volcli.passes.rewrites", "volcli.passes.mlir_opt"},
    {"volcli.passes.analyses"},
    {"volcli.report"},
    {"volcli.api"},
    {"volcli.driver"},
    {"volcli.gate"},
    {"volcli.report.gate"},
    {"volcli.cli", "volcli.testing"},
    {"volcli.__main__"},
)
RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}
LANGUAGE = (
    {"atoms", "graphs", "kinds", "instructions", "unchanged", "blocks", "written_forms", "unregistered"},
    {"interface"},
    {"normal_form"},
    {"expressions"},
    {"reads", "slices", "affine_maps"},
    {"loops", "memory", "structured_ops"},
    {"questions"},
    {"provenance", "uses", "known_loops"},
    {"element_numbers"},
    {"loop_numbers"},
    {"bodies"},
)
"""The modules of the language, from below."""
SHARED = ("syntax", "cases", "verification")
"""What dialects share; beside it, a dialect knows no other one but these."""
OF_DIALECTS = {(name, "arith") for name in ("index", "linalg", "stablehlo", "tensor", "tosa")}
FOR_DIALECTS = ("volcli.language", "volcli.frontend", "volcli_dialects")
# Below the passes, and yet none of their business: only the driver composes the dialects with the analysis.
ONLY_THE_DRIVER = "volcli_dialects"


MADE = ("tensor.cast",)
"""The operations that passes make."""


def room(module: str) -> str:
    """The room that MODULE is in: `volcli.model.values.store` is in `volcli.model.values`."""
    parts = module.split(".")
    if parts[0] != "volcli":
        return parts[0]
    return next(name for k in (3, 2, 1) if (name := ".".join(parts[:k])) in RANK)


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
            lazily = here == "volcli" and there in (
                "volcli.api",
                "volcli.driver",
                "volcli.gate",
            )  # volcli.load
            forbidden = there == ONLY_THE_DRIVER and here != "volcli.driver"
            if not lazily and (forbidden or RANK[there] >= RANK[here]):
                wrong.append(f"{module} imports {target}")
    assert wrong == []


def test_the_language_is_built_from_below(root: Path) -> None:
    rank = {name: rank for rank, names in enumerate(LANGUAGE) for name in names}
    files = sorted((root / "volcli" / "language").glob("[!_]*.py"))
    assert {path.stem for path in files} == set(rank)
    wrong = [
        f"{path.stem} imports {target}"
        for path in files
        for target in imports(path)
        if target.startswith("volcli.language.") and rank[target.split(".")[2]] >= rank[path.stem]
    ]
    assert wrong == []


def test_dialects_know_the_language_and_what_they_share(root: Path) -> None:
    """No dialect imports the model, nor another dialect but for what is listed."""
    wrong: list[str] = []
    for path in sorted((root / "dialects" / "volcli_dialects").rglob("*.py")):
        here = path.relative_to(root / "dialects" / "volcli_dialects").with_suffix("").parts[0]
        for target in imports(path):
            first, *rest = target.split(".")
            if first == "volcli_dialects" and rest:
                known = rest[0] == here or (here not in SHARED and rest[0] in SHARED)
                known = known or (here, rest[0]) in OF_DIALECTS
                known = known or (here == "cases" and rest[0] == "syntax")
            else:
                known = first != "volcli" or target.startswith(FOR_DIALECTS) or target == "volcli"
            if not known:
                wrong.append(f"{path} imports {target}")
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


def test_programs_are_changed_in_one_room(root: Path) -> None:
    """Passes go through `volcli.rewriting`; xDSL's builder and rewriter are used there only, and by dialects."""
    wrong = [
        f"{path} imports {target}"
        for path in sorted((root / "volcli").rglob("*.py"))
        if path.parent.name != "rewriting"
        for target in imports(path)
        if target in ("xdsl.rewriter", "xdsl.builder", "xdsl.pattern_rewriter")
    ]
    assert wrong == []


def test_passes_ask_dialects_and_not_for_names(root: Path) -> None:
    """A pass that is not one of mlir-opt's compares no operation's name with a text."""
    wrong = [
        f"{path}:{node.lineno}"
        for path in sorted((root / "volcli" / "passes").rglob("*.py"))
        if path.parent.name in ("rewrites", "analyses")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[a-z_]+\.[a-z_.]+", node.value)
        and node.value not in MADE
    ]
    assert wrong == []


def test_each_class_has_a_name_of_its_own(root: Path) -> None:
    """A public class is called as no other one: but for operations, whose names are those of their dialects."""
    defined: dict[str, list[str]] = {}
    for folder in ("volcli", "dialects"):
        for path in sorted((root / folder).rglob("*.py")):
            for node in ast.parse(path.read_text()).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    defined.setdefault(node.name, []).append(str(path.relative_to(root)))
    twice = {name: paths for name, paths in defined.items() if len(paths) > 1}
    assert {name: paths for name, paths in twice.items() if not name.endswith("Op")} == {}
