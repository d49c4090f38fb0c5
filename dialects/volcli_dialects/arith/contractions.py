"""Definitions of sums of products, of reductions, and of what lies around the elements of an operand.

    R[element(l)] = sum over l of operand_0[index_0(l)] * operand_1[index_1(l)], and a bias

What lies in the padding of a convolution is the number 0, which is multiplied all the same: 0 by infinity is
NaN. So `select(l lies inside, x[index(l)], 0)` takes the place of that element (`Padding`); where 0 times a
number is 0, the loop points are those inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.arith import SelectOp
from xdsl.dialects.builtin import AnyFloat, ComplexType, IntegerType, Signedness, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from volcli.language.definitions import DefinedOutput, TensorDefinition
from volcli.language.expressions import Atom, Expression, LoopIndex, dim_of, substitute
from volcli.language.reads import Access, Around, Condition, element_type
from volcli_dialects.arith.bodies import ScalarsBuilder, binary, product, zero

Extents = tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True)
class Padding:
    """The element `access` at the loop points where `condition` holds, another number elsewhere.

    Along other dimensions than the padded ones, `extents` are the bounds of loop points.
    """

    access: Access
    condition: Condition
    extents: Extents
    around: tuple[Around, ...]


def padding(operand: SSAValue, positions: Sequence[Expression], every: Mapping[int, int]) -> Padding:
    """The element of OPERAND at POSITIONS, each EVERY[d]-th of which has one along a padded dimension d."""
    inside: list[Expression] = []
    around: list[Around] = []
    for d, step in every.items():
        at, last = positions[d], (dim_of(operand, d) - 1) * step
        inside += [at, last - at, *([at % step * -1] if step > 1 else [])]
        sides = [(-1, at * -1 - 1), (1, at - last - 1), *([(0, at % step - 1)] if step > 1 else [])]
        around += (Around(operand, tuple(positions), d, side, outside) for side, outside in sides)
    index = tuple(at // every[d] if every.get(d, 1) > 1 else at for d, at in enumerate(positions))
    extents = tuple((at, dim_of(operand, d)) for d, at in enumerate(positions) if d not in every)
    condition = Condition((tuple(inside),), tuple((each.outside,) for each in around))
    return Padding(Access(operand, index), condition, extents, tuple(around))


def multiplies_zeros(operand: SSAValue) -> bool:
    """Whether 0 times a number of OPERAND's type may be another number."""
    return isa(element_type(operand.type), AnyFloat | ComplexType)


class DefinitionBody(ScalarsBuilder):
    """The body of OP over the elements ACCESSES, the first of which may lie in what is PADDED."""

    def __init__(self, op: Operation, accesses: Sequence[Access], padded: Padding | None = None) -> None:
        super().__init__([access.operand for access in accesses], unsigned=_is_unsigned(accesses))
        self.op, self.accesses, self.padded = op, accesses, padded
        self.kind = element_type(op.results[0].type)
        self.operands: list[SSAValue] = list(self.arguments)
        self.truth: SSAValue | None = None

    def padded_with(self, number: SSAValue) -> None:
        """Elsewhere than inside, the first operand is NUMBER."""
        if self.padded is not None:
            self.truth = self.block.insert_arg(i1, len(self.block.args))
            self.operands[0] = self.apply(SelectOp, self.truth, self.operands[0], number, to=number.type)

    def state(self) -> SSAValue:
        """The argument that holds the result so far."""
        return self.block.insert_arg(self.kind, len(self.block.args))

    def itself(self, *operands: SSAValue) -> SSAValue:
        """The operation on scalars, which says of itself what it makes of numbers."""
        return self.apply(type(self.op), *operands, to=self.kind, properties=self.op.properties)

    def defined(
        self, count: int, output: DefinedOutput, bounds: Sequence[Access] | None = None, extents: Extents = ()
    ) -> TensorDefinition:
        """OUTPUT over COUNT loops, within BOUNDS (None: all accesses) but for what is padded."""
        arguments: dict[SSAValue, Access | Expression | Condition] = dict(
            zip(self.arguments, self.accesses, strict=False)
        )
        inside = tuple(self.accesses if bounds is None else bounds)
        if self.padded is not None and self.truth is not None:
            arguments[self.truth] = self.padded.condition
            inside = tuple(each for each in inside if each != self.padded.access)
            extents += self.padded.extents
        around = () if self.padded is None else self.padded.around
        return TensorDefinition(count, self.block, arguments, (output,), inside, extents, around)


def contraction(
    op: Operation,
    count: int,
    element: Sequence[Expression],
    factors: Sequence[Access],
    zero_points: Sequence[Access] = (),
    bias: Access | None = None,
    *,
    padded: Padding | None = None,
    extents: Extents = (),
) -> TensorDefinition:
    """The sum of products of FACTORS over COUNT loops, from 0 on, and BIAS at last.

    The first factor may be PADDED with zeros. BIAS is an access over the coordinates of the result.
    """
    added = () if bias is None else (replace(bias, index=_of_element(bias, element)),)
    body = DefinitionBody(op, (*factors, *zero_points, *added), padded)
    out = tuple(element)
    if not _is_number(body.kind):
        whole = DefinedOutput(out, body.itself(*body.arguments), initial=bias)
        return body.defined(count, whole, factors, extents)
    if padded is not None:
        body.padded_with(zero(body, body.operands[0].type))
    state = body.state()
    zeros = body.operands[len(factors) : len(factors) + len(zero_points)]
    left = binary("add", body, state, product(body, body.operands[: len(factors)], body.kind, zeros))
    if bias is None:
        return body.defined(count, DefinedOutput(out, left, state, 0.0), factors, extents)
    total = binary("add", body, left, body.cast(body.operands[-1], body.kind))
    return body.defined(count, DefinedOutput(out, total, state, 0.0, left, bias), factors, extents)


def gathered(
    op: Operation,
    count: int,
    element: Sequence[Expression],
    accesses: Sequence[Access],
    bounds: Sequence[Access] | None = None,
    extents: Extents = (),
) -> TensorDefinition:
    """R is what OP makes of the elements ACCESSES at all loop points, in an order of its own."""
    body = DefinitionBody(op, accesses)
    return body.defined(count, DefinedOutput(tuple(element), body.itself(*body.arguments)), bounds, extents)


def reduction(
    op: Operation, count: int, element: Sequence[Expression], x: Access, function: str, start: float
) -> TensorDefinition:
    """FUNCTION of all elements X, from the number START on."""
    body = DefinitionBody(op, (x,))
    state = body.state()
    left = binary(function, body, state, body.cast(body.arguments[0], body.kind))
    return body.defined(count, DefinedOutput(tuple(element), left, state, start))


def _of_element(bias: Access, element: Sequence[Expression]) -> tuple[Expression, ...]:
    """The index of BIAS over the loops."""
    over: dict[Atom, Expression] = {LoopIndex(d): each for d, each in enumerate(element)}
    return tuple(substitute(index, over.get) for index in bias.index if isinstance(index, Expression))


def _is_number(kind: Attribute) -> bool:
    """Whether arith, or complex, computes with numbers of type KIND; quantised ones have zero points."""
    return isinstance(kind, AnyFloat | IntegerType | ComplexType)


def _is_unsigned(accesses: Sequence[Access]) -> bool:
    """Whether the elements are integers without a sign."""
    kind = element_type(accesses[0].operand.type)
    return isa(kind, IntegerType) and (kind.signedness.data is Signedness.UNSIGNED or kind == i1)
