"""Random edits of a repository: large and small files, a policy, and a package that adds a dialect.

All of it may change between two runs of the gate that share a cache: comments and code (`edits.py`), what the policy
selects and what it declares of operations, and the modules and data of the package, which may also fail, or be gone.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.gate.edits import Document

LARGE = 600
"""Lines of the large file of a project at least."""
_OPERATIONS = '''"""A dialect that finds a place, and touches memory there."""
from volcli.language.expressions import constant
from volcli.language.memory import Effect, Effects, MemoryAccess
from volcli.language.questions import accesses, effects, index_value
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def
from noise_dialect.places import place

@irdl_op_definition
class PlaceOp(IRDLOperation):
    name = "noise.place"
    result = result_def(IndexType)

@irdl_op_definition
class TouchOp(IRDLOperation):
    name = "noise.touch"
    memory = operand_def(MemRefType)

def dialect():
    return Dialect("noise", [PlaceOp, TouchOp])

@index_value.case(PlaceOp)
def where(op):
    return constant(place())

@accesses.case(PlaceOp)
def none(op):
    return []

@accesses.case(TouchOp)
def touched(op):
    return [MemoryAccess(Effect.WRITE, op.memory, (constant(place() - 1),))]

@effects.case(PlaceOp, TouchOp)
def nothing_else(op):
    return Effects()
'''
_PLACES = """import json
from pathlib import Path

def place():
    return json.loads((Path(__file__).parent / "place.json").read_text())
"""
_MODULES = {
    "__init__.py": ("", "", "", "import no_such_module\n"),
    "operations.py": (
        _OPERATIONS,
        _OPERATIONS,
        _OPERATIONS.replace("Effect.WRITE", "Effect.READ"),
        _OPERATIONS.replace("[PlaceOp, TouchOp])", "[PlaceOp])"),
        _OPERATIONS.replace("return constant(place())", "return 1 // 0"),
    ),
    "places.py": (_PLACES, _PLACES, _PLACES.replace(".read_text())", ".read_text()) + 4")),
    "place.json": ("3", "8", "9", "30"),
}
"""What each file of the package may be: of one length where that can be, since sizes tell nothing."""
_ENTRIES = ("noise = noise_dialect.operations:dialect\n",) * 3 + (
    "",
    "noise = noise_dialect.operations:none\n",
)
_POLICIES = (
    'select = ["V1", "V2", "V3", "V204", "V215"]\n',
    'select = ["V1", "V2", "V3"]\nrequire-reasons = true\n[budget]\nallocation = 64\n',
    'ignore = ["V206"]\nunreadable = "error"\n',
    'select = ["V1", "V2", "V3"]\n[budget]\noperations = 2000\n',
    '[per-path."in/**"]\nprofile = "tests"\nseverity = { V203 = "remark" }\nfail-on = "error"\n',
    'assume = ["%n >= 1"]\n[per-path."in/b.mlir"]\nignore = ["V2"]\n',
    'exclude = ["in/c.mlir"]\nvia = "xdsl"\n[severity]\nV205 = "warning"\n',
)
_EFFECTS = ("", '"noise.touch" = "none"\n', '"noise.touch" = "writes 0"\n', '"noise.place" = "none"\n')


@dataclass
class Project:
    """A repository in FOLDER, whose programs are in `in/`, and a package in PACKAGE."""

    folder: Path
    package: Path
    choice: random.Random
    documents: dict[str, Document]
    policy: str = _POLICIES[0]
    effects: str = ""

    @classmethod
    def made(cls, folder: Path, seed: int) -> Project:
        """One with a large file and two small ones."""
        package = folder / "packages"
        documents = {f"in/{name}.mlir": Document.made(seed * 3 + at) for at, name in enumerate("abc")}
        for name in ("in/b.mlir", "in/c.mlir"):
            chunk = documents[name].chunks[0]
            documents[name].chunks = [chunk[:12]]
        found = cls(folder / "repository", package, random.Random(seed), documents)
        (found.folder / "in").mkdir(parents=True)
        for part in ("noise_dialect", "noise_dialect-1.0.dist-info"):
            (package / part).mkdir(parents=True)
        (package / "noise_dialect-1.0.dist-info" / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: noise-dialect\nVersion: 1.0\n"
        )
        for name, texts in _MODULES.items():
            (package / "noise_dialect" / name).write_text(texts[0])
        found._announce(_ENTRIES[0])
        found.write()
        return found

    def _announce(self, entry: str) -> None:
        entries = self.package / "noise_dialect-1.0.dist-info" / "entry_points.txt"
        entries.write_text(f"[volcli.dialects]\n{entry}")

    def write(self) -> None:
        """Write files and policy as they are now."""
        for name, document in self.documents.items():
            (self.folder / name).write_bytes(document.text().encode())
        effects = f"\n[effects]\n{self.effects}" * bool(self.effects)
        (self.folder / "volcli.toml").write_text(self.policy + effects)

    def edit(self) -> str:
        """Change something, and write it; what was done."""
        done = self.choice.choice(_EDITS)(self)
        while self.documents["in/a.mlir"].text().count("\n") < LARGE:
            self.documents["in/a.mlir"].edit()
        self.write()
        return done


def _large_file(project: Project) -> str:
    return project.documents["in/a.mlir"].edit()


def _small_file(project: Project) -> str:
    name = project.choice.choice(("in/b.mlir", "in/c.mlir"))
    return f"{name}: {project.documents[name].edit()}"


def _policy(project: Project) -> str:
    project.policy = project.choice.choice(_POLICIES)
    return f"policy: {project.policy!r}"


def _effects(project: Project) -> str:
    project.effects = project.choice.choice(_EFFECTS)
    return f"effects: {project.effects!r}"


def _module(project: Project) -> str:
    name = project.choice.choice(list(_MODULES))
    text = project.choice.choice(_MODULES[name])
    (project.package / "noise_dialect" / name).write_text(text)
    return f"{name}: {_MODULES[name].index(text)}"


def _entry(project: Project) -> str:
    entry = project.choice.choice(_ENTRIES)
    project._announce(entry)
    return f"entry: {entry!r}"


_EDITS: tuple[Callable[[Project], str], ...] = (
    *[_large_file] * 6, *[_small_file] * 3, *[_module] * 3, _policy, _policy, _effects, _entry
)  # fmt: skip
