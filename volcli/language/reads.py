"""Which elements a result element is computed from: what a dialect's case of `element_reads` answers.

For each result R of an operation, a case gives a sequence of *alternatives*. An alternative is a statement
over loops l (IMPACT 2023, section 4.2.1):

    R[element(l)] is computed from the elements operand_k[index_k(l)] for all reads k,
    for all l such that index_j(l) lies in the index domain of operand_j for all bounds j.

For each element of R the first alternative applies that reaches it. So padding is two alternatives (the
source where `r - low` lies in it, otherwise the padding value), and a convolution is one, whose bounds are
all its operands (erratum E000-2: without the operands' bounds the reduction loops are unbounded).

Example: `tensor.pad %a low[1] high[2]` of `tensor<4xf32>`, padding value %c:

    Alternative(1, element=(d0,), bounds=(Access(%a, (d0 - 1,)),), reads=(Read(Access(%a, (d0 - 1,))),))
    Alternative(1, element=(d0,), bounds=(), reads=(Read(Access(%c, ())),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import AnyFloat, ComplexType, ContainerType, IndexType, IntegerType, ShapedType
from xdsl.ir import Attribute, Operation, SSAValue

from volcli.language.expressions import ANY, Expression, Index, NotAffine, loops

Conjunction = tuple[Expression, ...]
"""All of the expressions are >= 0."""

Disjunction = tuple[Conjunction, ...]
"""At least one of the conjunctions holds; the empty disjunction is false, `((),)` is true."""


def strongest(where: Conjunction) -> Conjunction | None:
    """WHERE with the strongest of the conditions that differ by a constant only; None if two contradict.

    >>> from volcli.language.expressions import constant, loop
    >>> strongest((loop(0) - 3, loop(0) - 5, constant(7) - loop(0)))
    (d0 - 5, -d0 + 7)
    >>> strongest((loop(0) - 3, constant(2) - loop(0))) is None
    True
    """
    found: dict[Expression, Expression] = {}
    for each in where:
        varying = each - each.constant
        if varying not in found or each.constant < found[varying].constant:
            found[varying] = each
    for varying, each in found.items():
        opposite = found.get(-varying)
        if opposite is not None and each.constant + opposite.constant < 0:
            return None
    return tuple(each for each in found.values() if not each.is_constant)


def possible(when: Iterable[Conjunction]) -> Disjunction:
    """WHEN without the conjunctions that contradict themselves, each of them once."""
    return tuple(dict.fromkeys(each for where in when if (each := strongest(where)) is not None))


@dataclass(frozen=True)
class Condition:
    """When an i1 value is true, and when it is false, as affine conditions."""

    true: Disjunction
    false: Disjunction


@dataclass(frozen=True)
class Access:
    """The element `operand[index(l)]` of a volume, as a function of the loops l."""

    operand: SSAValue
    index: tuple[Index, ...]

    @property
    def is_exact(self) -> bool:
        return ANY not in self.index


@dataclass(frozen=True)
class Product:
    """The product of `factors`, which `op` computes; with one factor, that scalar itself.

    Where it is known to be the number 0, what stands in a factor does not matter; if `signed`, only where
    the sign of that zero is known, too.
    """

    factors: tuple[SSAValue, ...]
    op: Operation
    signed: bool = False


@dataclass(frozen=True)
class Use:
    """One way from a scalar to the scalar that is computed: through the factors of `products`.

    `sees_sign`: some operation on it can tell +0 from -0, as a division by it does.
    """

    products: tuple[Product, ...] = ()
    sees_sign: bool = False


@dataclass(frozen=True)
class Read:
    """`access` is read, at the loop points where all expressions in `where` are >= 0.

    `uses` are the ways in which the element is computed from it: at a loop point where each use has a
    product that is known to be 0, the read does not matter.
    """

    access: Access
    where: tuple[Expression, ...] = ()
    uses: tuple[Use, ...] = (Use(),)


@dataclass(frozen=True)
class Around:
    """Loop points that read what lies around an operand: where `outside` is not negative.

    `positions` are the indices into the operand and what surrounds it, `dimension` the one along which they
    leave it, below (side -1), above (side 1), or between its elements (side 0).
    """

    operand: SSAValue
    positions: tuple[Expression, ...]
    dimension: int
    side: int
    outside: Expression


@dataclass(frozen=True, eq=False)
class Alternative:
    """`R[element(l)]` is computed from `reads`, over the loop points l inside `bounds`.

    `yields` is the scalar that the element becomes (a value of the body, or the operation's own result),
    and `scalars` says which access each scalar stands for; without `yields` the element is a copy.
    `conditions` are those of selects that are affine in the loops, and those under which truths that are used
    otherwise hold. Where several loop points share an
    element, `accumulators` are the scalars that hold what the points before have left of the results;
    `accumulator` is the one of this result. With `keeps`, the alternative reaches the elements that some loop
    point overwrites, which are those that no conjunction of `keeps` admits; what comes before is of no use.
    """

    loops: int
    element: tuple[Expression, ...]
    reads: tuple[Read, ...]
    bounds: tuple[Access, ...] = ()
    yields: SSAValue | None = None
    scalars: Mapping[SSAValue, Access] = field(default_factory=dict[SSAValue, Access])
    conditions: Mapping[SSAValue, Condition] = field(default_factory=dict[SSAValue, Condition])
    accumulators: frozenset[SSAValue] = frozenset()
    accumulator: SSAValue | None = None
    keeps: Disjunction | None = None
    deciding: tuple[Expression, ...] = ()
    """The expressions whose signs decide which branch or selected scalar it is, read or not."""
    before: SSAValue | None = None
    """The scalar of the body that holds the element as it was: initially, or as earlier points left it."""
    extents: tuple[tuple[Expression, Expression], ...] = ()
    """Further bounds `0 <= index < size` of the loop points: of loops along no operand, as of a pooling."""
    start: float | None = None
    """The number that a reduction over the loop points starts from, if the operation states one."""
    around: tuple[Around, ...] = ()
    """What lies around operands, and is read as if it were padding."""
    left: SSAValue | None = None
    """What a loop point leaves for the next one, if it is not what the last of them yields."""
    unordered: int = 0
    """How many of the first loops are the points of a nest that run in any order."""

    @property
    def passed(self) -> SSAValue | None:
        """What a loop point leaves for the next one."""
        return self.left or self.yields


@dataclass(frozen=True, eq=False)
class ElementReads:
    """All alternatives of one result.

    `inexact` says why they over-approximate, if they do; `parametric` that the elements depend on
    parameters of the function (sizes) beside what they read, `opaque` that they may depend on anything.
    """

    alternatives: tuple[Alternative, ...]
    inexact: str | None = None
    parametric: bool = False
    opaque: bool = False
    refinement: Refinement | None = None
    """What is true instead where sizes turn out to be equal."""

    def refined(self, resolve: Callable[[Expression], Expression]) -> ElementReads:
        """The refinement, if all sizes that it asks for are equal as RESOLVE says; else these."""
        if self.refinement is None:
            return self
        try:
            are_equal = all(resolve(one) == resolve(other) for one, other in self.refinement.sizes)
        except NotAffine:
            return self
        return self.refinement.reads if are_equal else self


@dataclass(frozen=True, eq=False)
class Refinement:
    """The `reads` where all `sizes` are equal, pair by pair."""

    sizes: tuple[tuple[Expression, Expression], ...]
    reads: ElementReads


def is_number(value: SSAValue | Attribute) -> bool:
    """Whether a value, or a type, is a scalar integer or index."""
    kind = value if isinstance(value, Attribute) else value.type
    return isinstance(kind, IndexType | IntegerType)


def rank_of(value: SSAValue | Attribute) -> int:
    """The number of dimensions of a shaped value or type; 0 for scalars and unranked types."""
    kind = value if isinstance(value, Attribute) else value.type
    return kind.get_num_dims() if isinstance(kind, ShapedType) else 0


def element_type(kind: Attribute) -> Attribute:
    """The type of one element of a value of type KIND: f32 for tensor<4xf32>, and a scalar's own type."""
    # A complex number is a container of its parts, and yet one element.
    if isinstance(kind, ContainerType) and not isinstance(kind, ComplexType):
        return cast(ContainerType[Attribute], kind).get_element_type()
    return kind


def bytes_of_element(kind: Attribute) -> int | None:
    """How many bytes an element of a value of type KIND has; None if the target decides."""
    element = element_type(kind)
    return -(-element.bitwidth // 8) if isinstance(element, IntegerType | AnyFloat) else None


def whole(operand: SSAValue) -> Access:
    """The element with the coordinates d0, d1, ... of OPERAND."""
    return Access(operand, loops(rank_of(operand)))


def copy(operand: SSAValue, index: Sequence[Index]) -> tuple[Read, ...]:
    """The element is the element `operand[index]`."""
    return (Read(Access(operand, tuple(index))),)


def one_alternative(rank: int, reads: tuple[Read, ...]) -> ElementReads:
    """The loops are the result's own indices: `R[d0, d1, ...]` is computed from READS."""
    return ElementReads((Alternative(rank, loops(rank), reads),))


def made_of(rank: int, accesses: Sequence[Access], more: int = 0) -> ElementReads:
    """`R[d0, d1, ...]` is computed from all ACCESSES, at the points of MORE loops that lie in them."""
    reads = tuple(Read(access, uses=(Use(sees_sign=True),)) for access in accesses)
    return ElementReads((Alternative(rank + more, loops(rank), reads, tuple(accesses)),))


def elementwise(
    result: SSAValue, operands: Sequence[SSAValue], use: Callable[[int], Use] = lambda _: Use()
) -> ElementReads:
    """`R[r]` is computed from `operand[r]` for all operands; scalar operands are read whole.

    USE says how each operand is used, by its position.
    """
    rank = rank_of(result)
    identity = loops(rank)
    scalars = {o: Access(o, identity if rank_of(o) else ()) for o in operands}

    def uses(operand: SSAValue) -> tuple[Use, ...]:
        """`x * x` uses x twice."""
        return tuple(dict.fromkeys(use(k) for k, other in enumerate(operands) if other is operand))

    reads = tuple(Read(access, uses=uses(o)) for o, access in scalars.items())
    return ElementReads((Alternative(rank, identity, reads, yields=result, scalars=scalars),))


def pessimistic(op: Operation, result: SSAValue, reason: str) -> ElementReads:
    """Every element of RESULT may depend on every element of every operand and captured value of OP."""
    rank = rank_of(result)
    values = dict.fromkeys((*op.operands, *captured_values(op)))
    uses = (Use(sees_sign=True),)
    reads = tuple(Read(Access(v, (ANY,) * rank_of(v)), uses=uses) for v in values)
    return ElementReads((Alternative(rank, loops(rank), reads),), inexact=reason)


def captured_values(op: Operation) -> list[SSAValue]:
    """The values that OP's regions use and that are defined outside of OP, in order of first use."""
    if not any(region.blocks for region in op.regions):
        return []
    inside: set[SSAValue] = set()
    used: dict[SSAValue, None] = {}
    for inner in op.walk():
        inside.update(inner.results)
        inside.update(a for region in inner.regions for block in region.blocks for a in block.args)
        if inner is not op:
            used.update(dict.fromkeys(inner.operands))
    return [value for value in used if value not in inside]
