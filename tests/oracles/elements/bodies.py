"""What an operation computes from the elements it reads: expression trees, folded over any algebra."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from tests.oracles.elements.values import Value
from tests.oracles.interpreter.affine import Affine, Index, at

T = TypeVar("T")


@dataclass(frozen=True)
class Operand:
    """The element of operand NUMBER (ins, then outs) at this loop point: a block argument."""

    number: int


@dataclass(frozen=True)
class Outside:
    """A scalar captured from outside the body."""

    value: Value


@dataclass(frozen=True)
class Fetch:
    """tensor.extract of a captured tensor at affine INDICES of the loops.

    modulus: the last index is taken modulo this number, which an analysis need not follow.
    """

    value: Value
    indices: tuple[Affine, ...]
    modulus: int | None = None
    spelled_out: bool = False  # indices by arith on linalg.index rather than by affine.apply

    def place(self, point: Index) -> Index:
        """The element that is read at the loop POINT."""
        index = at(self.indices, point)
        return index if self.modulus is None else (*index[:-1], index[-1] % self.modulus)


@dataclass(frozen=True)
class Literal:
    """A constant defined inside the body: no source of its own."""

    number: int


@dataclass(frozen=True)
class Mixture:
    """Any function of all elements of all VALUES (an operation that nobody knows)."""

    values: tuple[Value, ...]


@dataclass(frozen=True)
class Binary:
    """kind: add, sub, mul, max or min."""

    kind: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Unary:
    """kind: neg, or wide (extension to a wider type and truncation back)."""

    kind: str
    of: Expr


@dataclass(frozen=True)
class IndexTest:
    """Whether EXPRESSION, over the loops, is at least 0."""

    expression: Affine


@dataclass(frozen=True)
class DataTest:
    """Whether one element is greater than another."""

    left: Expr
    right: Expr


@dataclass(frozen=True)
class Select:
    """arith.select."""

    test: IndexTest | DataTest
    yes: Expr
    no: Expr


Leaf: TypeAlias = Operand | Outside | Fetch | Literal | Mixture
Expr: TypeAlias = Leaf | Binary | Unary | Select


@dataclass(frozen=True)
class Algebra(Generic[T]):
    """What the inner nodes mean: numbers, or known zeros."""

    binary: Callable[[str, T, T], T]
    unary: Callable[[str, T], T]
    select: Callable[[bool, T, T], T]
    greater: Callable[[T, T], bool]


NUMBERS: Algebra[int] = Algebra(
    binary=lambda kind, a, b: {"add": a + b, "sub": a - b, "mul": a * b, "max": max(a, b), "min": min(a, b)}[
        kind
    ],
    unary=lambda kind, a: -a if kind == "neg" else a,
    select=lambda test, yes, no: yes if test else no,
    greater=lambda a, b: a > b,
)

# "Is known to be exactly 0": a product with one zero factor; sums, extrema, selections of zeros only.
ZEROS: Algebra[bool] = Algebra(
    binary=lambda kind, a, b: (a or b) if kind == "mul" else (a and b),
    unary=lambda _, a: a,
    select=lambda _, yes, no: yes and no,
    greater=lambda _a, _b: False,
)


def fold(expr: Expr, point: Index, leaf: Callable[[Leaf], T], algebra: Algebra[T]) -> T:
    """The meaning of EXPR at the loop POINT: LEAF says that of leaves, ALGEBRA that of inner nodes."""
    match expr:
        case Binary(kind, left, right):
            return algebra.binary(kind, fold(left, point, leaf, algebra), fold(right, point, leaf, algebra))
        case Unary(kind, of):
            return algebra.unary(kind, fold(of, point, leaf, algebra))
        case Select(test, yes, no):
            if isinstance(test, IndexTest):
                holds = test.expression.at(point) >= 0
            else:
                sides = (fold(side, point, leaf, algebra) for side in (test.left, test.right))
                holds = algebra.greater(*sides)
            return algebra.select(holds, fold(yes, point, leaf, algebra), fold(no, point, leaf, algebra))
        case _:
            return leaf(expr)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions that EXPR is directly made of."""
    match expr:
        case Binary(_, left, right):
            return left, right
        case Unary(_, of):
            return (of,)
        case Select(test, yes, no):
            return (*((test.left, test.right) if isinstance(test, DataTest) else ()), yes, no)
        case _:
            return ()


def leaves(expr: Expr) -> list[Leaf]:
    """The distinct leaves of EXPR: all that the yielded value is computed from."""
    if inner := children(expr):
        return list(dict.fromkeys(found for child in inner for found in leaves(child)))
    assert isinstance(expr, Operand | Outside | Fetch | Literal | Mixture)
    return [expr]


def resolved(expr: Expr, point: Index) -> Expr:
    """EXPR with each selection by index replaced by the branch that it takes at the loop POINT."""
    match expr:
        case Binary(kind, left, right):
            return Binary(kind, resolved(left, point), resolved(right, point))
        case Unary(kind, of):
            return Unary(kind, resolved(of, point))
        case Select(IndexTest(expression), yes, no):
            return resolved(yes if expression.at(point) >= 0 else no, point)
        case Select(DataTest(left, right), yes, no):
            test = DataTest(resolved(left, point), resolved(right, point))
            return Select(test, resolved(yes, point), resolved(no, point))
        case _:
            return expr


def annihilators(expr: Expr, leaf: Leaf) -> list[list[Expr]]:
    """For each use of LEAF in EXPR: the factors of the products that it is in, one of which makes them 0.

    >>> annihilators(Binary("add", Operand(2), Binary("mul", Operand(0), Operand(1))), Operand(0))
    [[Operand(number=0), Operand(number=1)]]
    """
    if expr == leaf:
        return [[]]
    found: list[list[Expr]] = []
    sides = children(expr)
    for side, other in zip(sides, reversed(sides), strict=True):
        multiplied = [side, other] if isinstance(expr, Binary) and expr.kind == "mul" else []
        found.extend([*multiplied, *use] for use in annihilators(side, leaf))
    return found
