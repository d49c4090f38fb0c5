"""Operations and memory spaces that no dialect describes: what a project declares of them.

    foo.barrier       = none                              it touches no memory
    air.dma_memcpy_nd = reads 0, writes 1                 elements of its operands 0 and 1, nobody knows which
    foo.launch        = runs its region once              as scf.execute_region does
    foo.copy          = as linalg.copy                    what linalg.copy does to the same operands
    memory space L1   = plain                             a load gives what was stored to the element last

An operation of a declared name has a class of its own, derived from the one that it was read as: cases stand
beside that class as beside any other (`volcli_dialects.declared`), and clones have it, too. So a
declaration belongs to one program, and nothing is kept in the process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue, Use

_SPACE = "memory space "
_NAME = re.compile(r"[A-Za-z_][\w$]*(?:\.[\w$]+)+", re.ASCII)
_PARTS = {
    "none": re.compile("none"),
    "reads": re.compile(r"reads (\d{1,4})"),
    "writes": re.compile(r"writes (\d{1,4})"),
    "frees": re.compile(r"frees (\d{1,4})"),
    "prints": re.compile("prints"),
    "once": re.compile("runs its regions? once"),
    "like": re.compile(rf"as ({_NAME.pattern})", re.ASCII),
}
HOW = (
    "write 'foo.op = reads 0, writes 1', 'none', 'frees 0', 'prints', 'runs its region once' or "
    "'as memref.copy'"
)
HOW_SPACES = "write 'memory space L1 = plain', or 'not plain'"


@dataclass(frozen=True)
class Declaration:
    """What operations of one name do, and nothing else; numbers are those of operands, from 0.

    What they read and write are any elements of these operands, what they free is freed for sure. If they run
    their regions `once`, each of these runs once whenever the operation does. They may be `like` another
    operation: they do what it does with the same operands, results and attributes.
    """

    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    frees: tuple[int, ...] = ()
    prints: bool = False
    once: bool = False
    like: str | None = None


@dataclass(frozen=True)
class Declarations:
    """All that is declared: of `operations` by name, and whether memory `spaces` are plain."""

    operations: Mapping[str, Declaration] = field(default_factory=dict[str, Declaration])
    spaces: Mapping[str, bool] = field(default_factory=dict[str, bool])


class DeclarationError(ValueError):
    """A text that declares nothing: what is wrong, what to write, and the NUMBER of the text, from 1."""

    def __init__(self, message: str, how: str, number: int) -> None:
        super().__init__(message)
        self.message, self.how, self.number = message, how, number


def declarations(texts: Sequence[str]) -> Declarations:
    """What TEXTS declare; of two for one name, the later one.

    >>> found = declarations(["foo.fill = writes 0", 'memory space "L1" = plain'])
    >>> found.operations["foo.fill"].writes, found.spaces
    ((0,), {'L1': True})

    Raises DeclarationError.
    """
    operations: dict[str, Declaration] = {}
    spaces: dict[str, bool] = {}
    for number, text in enumerate(texts, 1):
        name, equal, what = (_unquoted(part) for part in text.partition("="))
        if not equal:
            raise DeclarationError(f"'{text}' does not say what '{name}' does", HOW, number)
        if name.startswith(_SPACE):
            if what not in ("plain", "not plain"):
                raise DeclarationError(f"'{what}' says nothing of a memory space", HOW_SPACES, number)
            spaces[space_name(name.removeprefix(_SPACE))] = what == "plain"
        elif _NAME.fullmatch(name) is None:
            how = HOW if "." in name else HOW_SPACES
            raise DeclarationError(f"'{name}' is not the name of an operation", how, number)
        else:
            operations[name] = _declaration(what, number)
    return Declarations(operations, spaces)


def _unquoted(text: str) -> str:
    """One side of a declaration, which stands in quotes in a policy."""
    text = text.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]
    return text[1:-1].strip() if is_quoted else text


def space_name(space: str) -> str:
    """The memory SPACE as declarations call it: strings without quotes, numbers without a type."""
    return space.strip().partition(" : ")[0].strip('"')


def _declaration(text: str, number: int) -> Declaration:
    """`reads 0, writes 1`, in the text of this NUMBER."""
    found: dict[str, list[Any]] = {}
    for part in text.split(","):
        words = " ".join(part.split())
        matches = ((kind, pattern.fullmatch(words)) for kind, pattern in _PARTS.items())
        kind, match = next(((kind, match) for kind, match in matches if match is not None), ("", None))
        if match is None:
            raise DeclarationError(f"'{words}' is not what an operation does", HOW, number)
        found.setdefault(kind, []).extend(match.groups() or (True,))
    for alone in ("none", "like"):
        if alone in found and (len(found) > 1 or len(found[alone]) > 1):
            raise DeclarationError(f"'{text}' says more than '{text.split(',')[0].strip()}'", HOW, number)
    return Declaration(
        *(tuple(map(int, found.get(kind, ()))) for kind in ("reads", "writes", "frees")),
        prints="prints" in found,
        once="once" in found,
        like=next(iter(found.get("like", ())), None),
    )


class DeclaredOperation(Operation):
    """An operation with a declaration; nothing derives from it but what `declared` makes."""

    DECLARATION: ClassVar[Declaration]


class DoesNothing(DeclaredOperation):
    """One without effects, results and regions: a barrier."""


class RunsItsRegions(DeclaredOperation):
    """One that runs its regions once."""


class LikeAnother(DeclaredOperation):
    """One that does what an operation of the class `LIKE` does, which MAKE makes of its operands."""

    LIKE: ClassVar[type[Operation]]
    MAKE: ClassVar[Callable[[Operation, type[Operation]], Operation]]
    _made: tuple[tuple[SSAValue, ...], Operation] | None = None

    @property
    def stand_in(self) -> Operation:
        """An operation of the class LIKE with the same operands and results, which stands in no block.

        It is no use of its operands, and around its regions is this operation. Raises ValueError if there is
        none with such operands.
        """
        operands = tuple(self.operands)
        if self._made is None or self._made[0] != operands:
            made = type(self).MAKE(self, self.LIKE)
            for number, operand in enumerate(operands):
                operand.remove_use(Use(made, number))
            made.results = self.results
            for region in made.regions:
                region.parent = self
            self._made = operands, made
        return self._made[1]


Maker = Callable[[Operation, type[Operation]], Operation]
"""What makes an operation of another class with the operands of a first one."""


def declare(op: Operation, declaration: Declaration, like: type[Operation] | None, make: Maker) -> None:
    """Have OP do what DECLARATION says: be LIKE operations of another class, of which it can MAKE one."""
    is_idle = declaration == Declaration() and not op.results and not op.regions
    base = DoesNothing if is_idle else RunsItsRegions if declaration.once else DeclaredOperation
    op.__class__ = _declared(type(op), LikeAnother if like is not None else base, declaration, like, make)


@cache
def _declared(
    kind: type[Operation],
    base: type[DeclaredOperation],
    declaration: Declaration,
    like: type[Operation] | None,
    make: Maker,
) -> type[DeclaredOperation]:
    fields = {"DECLARATION": declaration, "LIKE": like, "MAKE": staticmethod(make), "__module__": __name__}
    return cast("type[DeclaredOperation]", type(kind.__name__, (base, kind), fields))


class ModuleWithSpaces(ModuleOp):
    """A module with declared memory spaces."""

    SPACES: ClassVar[Mapping[str, bool]]


@cache
def module_with(spaces: frozenset[tuple[str, bool]]) -> type[ModuleOp]:
    """The class of modules in which SPACES are declared."""
    return type("ModuleWithSpaces", (ModuleWithSpaces,), {"SPACES": dict(spaces), "__module__": __name__})


def is_declared_plain(value: SSAValue, space: Attribute) -> bool | None:
    """Whether SPACE, which VALUE is in, is declared to be plain memory; None if nothing is said of it."""
    top = value.owner.get_toplevel_object()
    return top.SPACES.get(space_name(str(space))) if isinstance(top, ModuleWithSpaces) else None
