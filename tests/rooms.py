"""The rooms of the code: their modules, what these import, and what each room's charter says of it."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGES = ("volcli", "dialects/volcli_dialects")
LIMITS = "volcli.limits"
"""The room that each other one has its limits in: charters do not name it."""


def modules(root: Path) -> dict[str, Path]:
    """Each module by its name; a room's own module is its `__init__`."""
    found: dict[str, Path] = {}
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts).removeprefix("dialects.").removesuffix(".__init__")] = path
    return found


@dataclass(frozen=True)
class Definition:
    """A class or a function: `bases` are the names of a class's base classes, and None of a function."""

    name: str
    bases: frozenset[str] | None
    column: int


@dataclass(frozen=True)
class Contents:
    """What the tests ask of a file. Its tree is not kept: those of all files take 400 MB."""

    imports: frozenset[str]
    definitions: tuple[Definition, ...]
    numbers: tuple[str, ...]
    charter: str


@cache
def contents(path: Path) -> Contents:
    """The contents of PATH, which is parsed once."""
    tree = ast.parse(path.read_text())
    nodes = list(_statements(tree.body))
    return Contents(
        frozenset(_imports(path, nodes)),
        tuple(_definitions(nodes)),
        tuple(_numbers(tree)),
        ast.get_docstring(tree) or "",
    )


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements of BODY and those inside them: an expression imports and defines nothing."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(node, part, ()))


def definitions(path: Path) -> tuple[Definition, ...]:
    """The classes and functions in PATH, at its top and inside others."""
    return contents(path).definitions


def imports(path: Path) -> frozenset[str]:
    """The modules and names that PATH imports, at its top, inside functions, and for types only."""
    return contents(path).imports


def _imports(path: Path, nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _definitions(nodes: Iterable[ast.AST]) -> Iterator[Definition]:
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            bases = frozenset(base.id for base in node.bases if isinstance(base, ast.Name))
            yield Definition(node.name, bases, node.col_offset)
        elif isinstance(node, ast.FunctionDef):
            yield Definition(node.name, None, node.col_offset)


def _numbers(tree: ast.Module) -> Iterator[str]:
    """The names, in a module or class, that are written in capitals and are numbers."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    bodies = [tree.body, *(each.body for each in classes if not _is_enumeration(each))]
    for node in (node for body in bodies for node in body):
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id.isupper() and _is_number(node.value):
                yield target.id


def _is_enumeration(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).endswith(("Enum", "Flag")) for base in node.bases)


def _is_number(node: ast.expr) -> bool:
    """Whether NODE is made of numbers alone."""
    inner = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    parts = list(ast.walk(node))
    numbers = [each.value for each in parts if isinstance(each, ast.Constant)]
    return all(isinstance(each, inner) for each in parts) and all(type(n) in (int, float) for n in numbers)


def imported(module: str, known: dict[str, Path]) -> set[str]:
    """The modules among KNOWN that MODULE imports: `from volcli.language import reads` imports `reads`."""
    names = {name if name in known else name.rpartition(".")[0] for name in imports(known[module])}
    return {name for name in names if name in known and name != module}


def is_room(module: str, known: dict[str, Path]) -> bool:
    """Whether MODULE is a folder."""
    return known[module].name == "__init__.py"


def room_of(module: str, known: dict[str, Path]) -> str:
    """The folder that MODULE is in."""
    return module if is_room(module, known) else module.rpartition(".")[0]


def lower_rooms(room: str, known: dict[str, Path]) -> list[str]:
    """What the files of ROOM import of other rooms, as far as the way to them differs from the way to ROOM.

    `model.values.store` imports `model.values.terms` (its neighbour), `model.symbols`, and `presburger`.
    """
    here = room.split(".")
    found: set[str] = set()
    for module in known:
        if room_of(module, known) != room or module == room:
            continue
        for target in imported(module, known):
            there = target.split(".")
            if room_of(target, known) in (room, LIMITS) or target == "volcli":
                continue
            same = next((k for k, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), len(here))
            found.add(".".join(there[: same + 1]).removeprefix("volcli."))
    return sorted(found)


def charters(root: Path) -> dict[Path, str]:
    """What the `__init__` of each room is to be: as it is, with the rooms that its files import."""
    known = modules(root)
    return {
        path: with_imports(path.read_text(), charter_line(name, known))
        for name, path in known.items()
        if is_room(name, known) and name.startswith("volcli.")
    }


def charter_line(room: str, known: dict[str, Path]) -> str:
    """The last lines of ROOM's charter."""
    names = ", ".join(f"`{name}`" for name in lower_rooms(room, known)) or "no other room"
    return textwrap.fill(f"Imports: {names}.", 110, break_on_hyphens=False)


def with_imports(text: str, line: str) -> str:
    """The TEXT of an `__init__` whose charter ends with LINE."""
    docstring, rest = re.match(r'(""".*?)\n?(""".*)', text, re.DOTALL).groups()  # type: ignore[union-attr]
    docstring = re.sub(r"\n\nImports: .*", "", docstring, flags=re.DOTALL)
    return f"{docstring.rstrip()}\n\n{line}\n{rest}"
