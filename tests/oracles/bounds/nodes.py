"""Operations: their text, the values that they need, and what they compute.

A formula is written twice, for MLIR and for Python, with $0, $1, ... for the operands: `affine.apply
affine_map<(d0) -> (d0 floordiv 2)>($0)` and `$0 // 2`. tests/oracles/bounds/test_folding.py compares the two.
Those of arith are `arith`, `compared` and `cast` of tests/oracles/interpreter/arithmetic.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tests.oracles.bounds.values import Datum, Value
from tests.oracles.interpreter.arithmetic import arith, cast, compared


def natural(size: int) -> int:
    """SIZE, which a tensor can only have if it is not negative; a program that breaks this has no meaning."""
    if size < 0:
        raise ValueError(f"a tensor of size {size}")
    return size


def taken(extent: int, offset: int, size: int, stride: int) -> int:
    """SIZE, if a slice of that size fits into EXTENT; a program that breaks this has no meaning."""
    if min(offset, size) < 0 or (size > 0 and offset + (size - 1) * stride >= extent):
        raise ValueError(f"a slice of {size} from {offset} of {extent}")
    return size


@lru_cache(maxsize=100_000)
def compiled(python: str, operands: int) -> Callable[..., Datum]:
    """The function of so many OPERANDS that a formula in Python says.

    >>> compiled("$0 + 2 * $1", 2)(1, 3)
    7
    """
    names = ", ".join(f"_{number}" for number in range(operands))
    body = re.sub(r"\$(\d+)", r"_\1", python)
    return eval(f"lambda {names}: {body}", {f.__name__: f for f in (arith, compared, cast, natural, taken)})


def filled(template: str, operands: Sequence[Value]) -> str:
    """The formula with the names of the OPERANDS."""
    return re.sub(r"\$(\d+)", lambda match: operands[int(match[1])].name, template)


@dataclass(frozen=True)
class Formula:
    """A function of operands, in both languages."""

    mlir: str
    python: str
    operands: tuple[Value, ...] = ()

    @property
    def text(self) -> str:
        """The formula in MLIR."""
        return filled(self.mlir, self.operands)

    @property
    def function(self) -> Callable[..., Datum]:
        """The formula as a function of the operands' data."""
        return compiled(self.python, len(self.operands))


@dataclass(frozen=True)
class Compute:
    """An operation without regions."""

    result: Value
    formula: Formula

    @cached_property
    def uses(self) -> frozenset[Value]:
        return frozenset(self.formula.operands)

    @property
    def results(self) -> tuple[Value, ...]:
        return (self.result,)


@dataclass(frozen=True)
class Opaque:
    """A truth that may be another each time: an element of an argument, one for each iteration of all loops."""

    result: Value
    uses: frozenset[Value] = frozenset()

    @property
    def results(self) -> tuple[Value, ...]:
        return (self.result,)


@dataclass(frozen=True)
class Ask:
    """What values does VALUE, or its dimension DIM, have here? DIRECT: here is the block that defines it."""

    number: int
    value: Value
    dim: int | None = None
    direct: bool = True

    @cached_property
    def uses(self) -> frozenset[Value]:
        return frozenset({self.value})

    @property
    def results(self) -> tuple[Value, ...]:
        return ()


@dataclass(frozen=True)
class Compare:
    """Does LHS CMP RHS hold here? DIRECT: here is the block that defines the later of them."""

    number: int
    lhs: Value
    cmp: str
    rhs: Value
    direct: bool = True

    @cached_property
    def uses(self) -> frozenset[Value]:
        return frozenset({self.lhs, self.rhs})

    @property
    def results(self) -> tuple[Value, ...]:
        return ()


@dataclass(frozen=True)
class Block:
    """Operations, and what the block hands to the operation around it."""

    nodes: tuple[Node, ...]
    yields: tuple[Value, ...] = ()

    @cached_property
    def uses(self) -> frozenset[Value]:
        """The values from outside; those of a loop's own block arguments among them."""
        needed = set(self.yields)
        for node in reversed(self.nodes):
            needed -= set(node.results)
            needed |= node.uses
        return frozenset(needed)


@dataclass(frozen=True)
class Branch:
    """scf.if."""

    results: tuple[Value, ...]
    condition: Value
    then: Block
    otherwise: Block

    @cached_property
    def uses(self) -> frozenset[Value]:
        return self.then.uses | self.otherwise.uses | {self.condition}


@dataclass(frozen=True)
class Loop:
    """scf.for or affine.for: CARRIED are the block arguments that start as INITS and end as RESULTS."""

    results: tuple[Value, ...]
    iv: Value
    lower: Formula
    upper: Formula
    step: Formula
    carried: tuple[Value, ...]
    inits: tuple[Value, ...]
    body: Block
    affine: bool = False

    @cached_property
    def uses(self) -> frozenset[Value]:
        bounds = {*self.lower.operands, *self.upper.operands, *self.step.operands, *self.inits}
        return frozenset(bounds | self.captured)

    @property
    def captured(self) -> frozenset[Value]:
        """The values from outside that the body needs."""
        return self.body.uses - {self.iv, *self.carried}


@dataclass(frozen=True)
class While:
    """scf.while: BEFORE yields whether to go on, and then what AFTER gets, or the RESULTS are if not."""

    results: tuple[Value, ...]
    carried: tuple[Value, ...]
    inits: tuple[Value, ...]
    before: Block
    passed: tuple[Value, ...]
    after: Block

    @cached_property
    def uses(self) -> frozenset[Value]:
        return self.captured | {*self.inits}

    @property
    def captured(self) -> frozenset[Value]:
        """The values from outside that the blocks need."""
        return (self.before.uses - {*self.carried}) | (self.after.uses - {*self.passed})


Node = Compute | Opaque | Ask | Compare | Branch | Loop | While


def walk(block: Block) -> Iterator[Node]:
    """All operations of BLOCK and of the blocks inside it, in the order of the text."""
    for node in block.nodes:
        yield node
        match node:
            case Branch():
                yield from walk(node.then)
                yield from walk(node.otherwise)
            case Loop():
                yield from walk(node.body)
            case While():
                yield from walk(node.before)
                yield from walk(node.after)
            case _:
                pass


def names(values: Iterable[Value]) -> str:
    """%a, %b"""
    return ", ".join(value.name for value in values)


def types(values: Iterable[Value]) -> str:
    """index, i1"""
    return ", ".join(value.type for value in values)
