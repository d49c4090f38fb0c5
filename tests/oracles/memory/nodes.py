"""Operations that compute, access memory, repeat and choose."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tests.oracles.memory.expressions import Binary, Expression
from tests.oracles.memory.memrefs import Alloc, GetGlobal, MemrefType, View


@dataclass(frozen=True)
class Define:
    """An index value: by affine.apply, by arith, or by arith with a cast to i64 and back."""

    result: str
    expression: Expression
    by: str  # affine, arith, cast


@dataclass(frozen=True)
class Access:
    """A load or a store, of affine or memref: the latter with subscripts computed by arith.

    A store writes the float that `value` is.
    """

    write: bool
    memref: str
    type: MemrefType
    subscripts: tuple[Expression, ...]
    affine: bool
    value: Expression = 0


@dataclass(frozen=True)
class Loop:
    """for or parallel, of affine or scf: `max(lower) <= iv < min(upper)` for each induction variable.

    A step that is no integer is a value: of scf alone.
    """

    ivs: tuple[str, ...]
    lowers: tuple[tuple[Expression, ...], ...]
    uppers: tuple[tuple[Expression, ...], ...]
    steps: tuple[Expression, ...]
    body: Block
    affine: bool
    parallel: bool = False


@dataclass(frozen=True)
class Condition:
    """left RELATION right, RELATION being one of == != < <= > >=; affine.if has == and >= only."""

    left: Expression
    relation: str
    right: Expression = 0


@dataclass(frozen=True)
class Branch:
    """affine.if or scf.if (which has one condition)."""

    conditions: tuple[Condition, ...]
    then: Block
    otherwise: Block | None
    affine: bool


Node = Define | Access | Loop | Branch | Alloc | GetGlobal | View
Block = tuple[Node, ...]


def blocks(node: Node) -> list[Block]:
    """The blocks inside NODE."""
    match node:
        case Loop():
            return [node.body]
        case Branch():
            return [node.then] if node.otherwise is None else [node.then, node.otherwise]
        case _:
            return []


def walk(block: Block) -> Iterator[Node]:
    """All operations of BLOCK and of the blocks inside it, in the order of the text."""
    for node in block:
        yield node
        for inner in blocks(node):
            yield from walk(inner)


@dataclass(frozen=True)
class Site:
    """An access where it stands: its number in the text, and the loops around it (by their numbers).

    What it stores is `stored`, in which DEFINES stand for the names that they define.
    """

    number: int
    access: Access
    loops: tuple[int, ...]
    ivs: tuple[tuple[int, str], ...]  # with the number of the loop
    defines: Mapping[str, Define]

    @cached_property
    def stored(self) -> Hashable:
        """How the value is computed from induction variables and parameters."""
        return _computed(self.access.value, self.defines)

    def writes_one_value(self, other: Site, depth: int) -> bool:
        """Whether this and OTHER store what is computed alike of what the loops from DEPTH on do not change."""
        if not (self.access.write and other.access.write) or self.stored != other.stored:
            return False
        changed = {iv for site in (self, other) for _, iv in site.ivs[depth - 1 :]}
        return changed.isdisjoint(_names(self.stored))

    def common(self, other: Site) -> int:
        """The number of induction variables of the loops around both."""
        shared = 0
        for mine, theirs in zip(self.ivs, other.ivs, strict=False):
            if mine != theirs:
                break
            shared += 1
        return shared


def _computed(expression: Expression, defines: Mapping[str, Define]) -> Hashable:
    match expression:
        case str() if expression in defines:
            define = defines[expression]
            return define.by, _computed(define.expression, defines)
        case Binary(operator, left, right):
            return operator, _computed(left, defines), _computed(right, defines)
        case _:
            return expression


def _names(computed: Hashable) -> Iterator[Hashable]:
    """The values in what is COMPUTED, and names of operators."""
    if isinstance(computed, tuple):
        for each in computed:
            yield from _names(each)
    else:
        yield computed


def sites(block: Block) -> list[Site]:
    """All accesses in the order of the text; loops have their numbers in this order, too."""
    found: list[Site] = []
    defines = {node.result: node for node in walk(block) if isinstance(node, Define)}
    numbered = 0

    def visit(inner: Block, loops: tuple[int, ...], ivs: tuple[tuple[int, str], ...]) -> None:
        nonlocal numbered
        for node in inner:
            match node:
                case Access():
                    found.append(Site(len(found), node, loops, ivs, defines))
                case Loop():
                    number, numbered = numbered, numbered + 1
                    visit(node.body, (*loops, number), (*ivs, *((number, iv) for iv in node.ivs)))
                case _:
                    for each in blocks(node):
                        visit(each, loops, ivs)

    visit(block, (), ())
    return found
