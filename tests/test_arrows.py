"""The arrows between the rooms: each imports only what is below it (the dialects: ruff's TID251, too)."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

from tests import rooms


def _of(parent: str, *layers: str) -> Iterator[set[str]]:
    """Layers of rooms and files in PARENT, from below; `...` are the other files of PARENT."""
    for layer in layers:
        yield {parent if name == "..." else f"{parent}.{name}" for name in layer.split()}


LAYERS = (
    # from below; rooms of one layer do not know each other
    {"volcli"},  # the version
    {"volcli.limits"},
    {"volcli.diagnostics", "volcli.runtime"},
    *_of("volcli.language", "...", "programs"),
    {"volcli.execution.outcomes"},
    {"volcli.execution.table"},
    *_of("volcli.execution", "numbers", "memory", "demand", "elements", "code", "tensors", "runs", "walking"),
    *_of("volcli.presburger", "limits", "sets", "measures tableaus", "expressions relations", "profiles"),
    {"volcli.symbolic"},
    {"volcli.frontend.text", "volcli.frontend.unread"},
    {"volcli.frontend.check"},
    *_of("volcli.frontend.parse", "affine", "constants", "..."),
    {"volcli.frontend.print"},
    *_of("volcli.model", "stated_effects symbols", "structured", "inlining", "as_loops"),
    *_of("volcli.model.values", "terms", "outline", "definitions", "elimination", "contexts", "queries"),
    *_of("volcli.model.values", "products why", "store", "trust", "sizes slices"),
    *_of("volcli.model.memory", "boxes buffers", "domains", "accesses", "dependences", "occurrence", "loops"),
    *_of("volcli.model.memory", "flow lifetimes steps"),
    *_of("volcli.model.memory.checks", "answers stated", "plain", "accesses races calls"),
    *_of("volcli.model.volumes", "domains", "relations", "contents", "knowledge", "maps"),
    *_of("volcli.model", "costs view occurrences", "function", "machine"),
    *_of("volcli.model.mars", "tilings", "footprints", "partition", "allocation"),
    {"volcli.facts"},
    {"volcli.loading.problems"},
    *_of(
        "volcli.equivalence",
        "paths terms",
        "places",
        "results",
        "congruence",
        "backward",
        "proofs",
        "comparing",
        "trials undefined ...",
    ),
    {"volcli_dialects"},
    {"volcli.loading.plugins"},
    {"volcli.passes.declaration", "volcli.passes.models", "volcli.passes.reported"},
    {"volcli.passes.chunk"},
    {"volcli.passes.base"},
    *_of(
        "volcli.rewriting", "ground", "code", "changes", "bounds memory nests tensors communication", "mars"
    ),
    {"volcli.passes"},
    {"volcli.passes.rewrites", "volcli.passes.mlir_opt"},
    {"volcli.passes.analyses"},
    *_of("volcli.report", "lines", "drawing"),
    {"volcli.report"},
    {"volcli.api"},
    {"volcli.loading.effects"},
    {"volcli.loading.driver"},
    *_of("volcli.gate", "findings", "policy records", "rules fixes", "work", "..."),
    {"volcli.validation"},
    {"volcli.report.gate"},
    {"volcli.report.validation"},
    {"volcli.lsp"},
    {"volcli.pages"},
    *_of("volcli.cli", "completion", "parts", "lists", "..."),
    {"volcli.testing", "volcli.lit"},
    {"volcli.__main__"},
)
RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}
SHARED = ("syntax", "cases", "verification")
"""What dialects share; beside it, a dialect knows no other one but these."""
OF_DIALECTS = {(name, "arith") for name in ("index", "linalg", "stablehlo", "tensor", "tosa")} | {
    ("declared", "linalg"),
    ("stablehlo", "complex"),
}
FOR_DIALECTS = ("volcli.language", "volcli.execution", "volcli.limits", "volcli.frontend", "volcli_dialects")
# Below the passes, and yet none of their business: only the driver composes the dialects with the analysis.
ONLY_THE_DRIVER = "volcli_dialects"


MADE = ("tensor.cast",)
"""The operations that passes make."""


def room(module: str) -> str:
    """The layer that MODULE is in: `volcli.model.values.store.claims` is in `volcli.model.values.store`."""
    parts = module.split(".")
    if parts[0] != "volcli":
        return parts[0]
    return next(name for k in range(len(parts), 0, -1) if (name := ".".join(parts[:k])) in RANK)


def _may(module: str, target: str) -> bool:
    """Whether MODULE may import TARGET: it is in the same room, or in one below."""
    here, there = room(module), room(target)
    if here == "volcli" and there in (
        "volcli.api",
        "volcli.diagnostics",
        "volcli.gate",
        "volcli.loading.driver",
        "volcli.validation",
    ):
        return True  # volcli.load, which imports when it is called
    if there == ONLY_THE_DRIVER and here not in (there, "volcli.loading.driver"):
        return False
    return there == here or RANK[there] < RANK[here]


def test_arrows(root: Path) -> None:
    """Types that are imported for annotations only count, too."""
    known = rooms.modules(root)
    wrong = [
        f"{module} imports {target}"
        for module in known
        for target in sorted(rooms.imported(module, known))
        if not _may(module, target)
    ]
    assert wrong == []


def test_every_room_is_ranked(root: Path) -> None:
    known = rooms.modules(root)
    ranked = {room(module) for module in known}
    assert ranked == set(RANK), "LAYERS names what there is"


def test_no_file_imports_itself(root: Path) -> None:
    """No circle of imports, those for types included."""
    known = rooms.modules(root)
    order = TopologicalSorter(
        {module: rooms.imported(module, known) for module in known if module != "volcli"}
    )
    order.prepare()


def test_the_map_has_each_room(root: Path) -> None:
    text = (root / "CONTRIBUTING.md").read_text()
    rooms_there = [path.parent.name for path in (root / "volcli").glob("*/__init__.py")]
    assert [name for name in rooms_there if f"`volcli/{name}`" not in text] == []


def test_charters(root: Path) -> None:
    """A room's `__init__` says which rooms it imports: `make update` writes that line."""
    assert [path for path, text in rooms.charters(root).items() if path.read_text() != text] == []


def test_dialects_know_the_language_and_what_they_share(root: Path) -> None:
    """No dialect imports the model, nor another dialect but for what is listed."""
    wrong: list[str] = []
    for path in sorted((root / "dialects" / "volcli_dialects").rglob("*.py")):
        here = path.relative_to(root / "dialects" / "volcli_dialects").with_suffix("").parts[0]
        for target in rooms.imports(path):
            first, *rest = target.split(".")
            if first == "volcli_dialects" and rest:
                known = rest[0] == here or (here not in SHARED and rest[0] in SHARED)
                known = known or (here, rest[0]) in OF_DIALECTS
                known = known or (here == "cases" and rest[0] == "syntax")
            else:
                known = first != "volcli" or target.startswith(FOR_DIALECTS) or target == "volcli.__version__"
            if not known:
                wrong.append(f"{path} imports {target}")
    assert wrong == []


def test_facts_know_nothing_of_the_ir(root: Path) -> None:
    """They are in a room of their own, which does not import xDSL."""
    for path in sorted((root / "volcli" / "facts").rglob("*.py")):
        assert not [target for target in rooms.imports(path) if target.partition(".")[0] == "xdsl"], path


def test_every_kind_of_fact_is_in_their_room(root: Path) -> None:
    outside = [
        f"{path}: {node.name}"
        for folder in ("volcli", "dialects")
        for path in sorted((root / folder).rglob("*.py"))
        if path.parent.name != "facts"
        for node in rooms.definitions(path)
        if "Fact" in (node.bases or ())
    ]
    assert outside == []


def test_what_engines_found_is_put_into_words_above_them(root: Path) -> None:
    """No engine of `volcli.model` writes JSON or annotations."""
    words = {"to_json", "annotation", "content"}
    wrong = [
        f"{path}: {node.name}"
        for path in sorted((root / "volcli" / "model").rglob("*.py"))
        for node in rooms.definitions(path)
        if node.bases is None and node.name in words
    ]
    assert wrong == []


def test_programs_are_changed_in_one_room(root: Path) -> None:
    """Passes go through `volcli.rewriting`; xDSL's builder and rewriter are used there only, and by dialects."""
    wrong = [
        f"{path} imports {target}"
        for path in sorted((root / "volcli").rglob("*.py"))
        if "rewriting" not in path.parts
        for target in rooms.imports(path)
        if target.startswith(("xdsl.rewriter", "xdsl.builder", "xdsl.pattern_rewriter"))
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
            for node in rooms.definitions(path):
                if node.bases is not None and not node.column and not node.name.startswith("_"):
                    defined.setdefault(node.name, []).append(str(path.relative_to(root)))
    twice = {name: paths for name, paths in defined.items() if len(paths) > 1}
    assert {name: paths for name, paths in twice.items() if not name.endswith("Op")} == {}


FILES = 20
"""The most files that a room has beside its sub-rooms."""
PEERS = {"volcli/facts": "question", "volcli/passes/analyses": "pass"}
"""The rooms whose files, but for a few, are of one kind: they may be more."""
LINES = 300
"""The longest file of the code that needs no reason."""
REASON = re.compile(r"`([a-z_]+\.py)`\s+\(")


def test_larger_rooms_are_of_one_kind(root: Path) -> None:
    """A room has at most `FILES` files beside its sub-rooms, unless its charter says what each one is."""
    sizes = Counter(str(path.parent.relative_to(root)) for path in rooms.modules(root).values())
    large = [room for room, size in sizes.items() if size > FILES]
    assert large == list(PEERS)
    charters = {room: rooms.contents(root / room / "__init__.py").charter for room in large}
    assert [room for room, charter in charters.items() if f"one file a {PEERS[room]}" not in charter] == []


def test_longer_files_have_a_reason(root: Path) -> None:
    """The charter of a room names each of its files with more than 300 lines, and why it is one file."""
    wrong: list[str] = []
    for path in rooms.modules(root).values():
        charter = rooms.contents(path.parent / "__init__.py").charter
        stated = charter.partition("Over 300 lines: ")[2].partition("\n\n")[0]
        if path.read_text().count("\n") > LINES and path.name not in REASON.findall(stated):
            wrong.append(str(path.relative_to(root)))
    assert wrong == []
