"""Where parts of values are computed: what is known there, and how numbers become operations.

A part is a slice `{ o + s * k : 0 <= k < n }` whose offsets and sizes are expressions over parameters: those
of the function, and the induction variables of loops that a rewrite has made. `Scope.context` is what holds
of all of them; what is proved is proved for each of its points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import islpy as isl
from xdsl.ir import SSAValue

from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    Parameter,
    constant,
    expression_of_atom,
    loop,
    maximum,
    minimum,
    substitute,
    value_of,
)
from volcli.model.function import FunctionModel
from volcli.model.view import VolumesView
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.presburger.measures.extremes import interval
from volcli.presburger.sets import build
from volcli.rewriting.code.materialize import AsAskedFor, Materializer
from volcli.rewriting.code.slices import MixedSlice, Number
from volcli.rewriting.ground.builder import Builder
from volcli.rewriting.ground.discovery import visible


@dataclass
class Scope:
    """A `builder` in the function of `model`, of which `view` says what is known there.

    `loops` are the induction variables around the builder by the names of their parameters; `within` is what
    holds of these, a set of parameters.
    """

    builder: Builder
    model: FunctionModel
    view: VolumesView
    loops: Mapping[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    within: isl.Set | None = None
    _numbers: dict[Expression, Number] = field(default_factory=dict[Expression, Number])

    def __post_init__(self) -> None:
        self.context = self.view.store.context()
        if self.within is not None:
            self.context = self.context.intersect_params(self.within.params())
        self._materializer = Materializer(self.builder, AsAskedFor())

    def sizes(self, value: SSAValue) -> tuple[Expression, ...]:
        """The sizes of VALUE."""
        return self.view.store.sizes(value)

    def never_negative(self, *expressions: Expression) -> bool:
        """Whether none of EXPRESSIONS is negative, for any of the parameters."""
        unknown = tuple(e for e in expressions if not e.is_constant)
        if any(e.constant < 0 for e in expressions if e.is_constant):
            return False
        return not unknown or bool(self.context.is_subset(build.nonnegative(0, unknown).params()))

    def sign(self, expression: Expression) -> bool | None:
        """Whether EXPRESSION is at least 0, for all parameters or for none; None: for some, or not known."""
        if self.never_negative(expression):
            return True
        return False if self.never_negative(-expression - 1) else None

    def settle(self, *expressions: Expression) -> None:
        """EXPRESSIONS are about to be written: a scope may ask for simpler ones in its parts."""

    def narrow(self, parameters: isl.Set) -> None:
        """Something is about to be written for PARAMETERS: a scope may ask for what is always so."""

    def equal(self, left: Expression, right: Expression) -> bool:
        """Whether LEFT and RIGHT are equal, for all of the parameters."""
        return left == right or self.never_negative(left - right, right - left)

    def simplest(self, expression: Expression) -> Expression:
        """EXPRESSION, or the number that it is for all parameters: `n - 2 * q` in a tile of one row."""
        if expression.is_constant:
            return expression
        values = build.nonnegative(1, (loop(0) - expression, expression - loop(0)))
        low, high = interval(values.intersect_params(self.context), 0)
        return constant(low) if low is not None and low == high else expression

    def is_whole(self, value: SSAValue, part: SliceParameters) -> bool:
        """Whether PART is all of VALUE, in its order."""
        sizes = self.sizes(value)
        return all(
            offset == constant(0) and stride == constant(1) and self.equal(n, size)
            for offset, n, stride, size in zip(part.offsets, part.sizes, part.strides, sizes, strict=True)
        )

    def whole(self, value: SSAValue) -> SliceParameters:
        """All of VALUE."""
        return SliceParameters.whole(self.sizes(value))

    # -- operations ------------------------------------------------------------------------------------

    def number(self, expression: Expression) -> Number:
        """EXPRESSION as a constant or as an index value. Raises NotAffine if it cannot be written here."""
        if expression.is_constant:
            return expression.constant
        known = self._numbers.get(expression)
        if known is None:
            over_values = substitute(expression, self._value)
            known = self._numbers[expression] = self._materializer.value(over_values)
        return known

    def numbers(self, expressions: Sequence[Expression]) -> tuple[Number, ...]:
        """Each of EXPRESSIONS."""
        return tuple(map(self.number, expressions))

    def inside(self, part: SliceParameters, sizes: Sequence[Expression]) -> SliceParameters:
        """PART of a tensor of SIZES; where it may be empty, at offsets max(0, min(o, size)).

        A slice of elements is at such offsets; one without has a meaning at these alone. A tile of 2 rows at
        8, of a piece of 3 rows: none of it, at 3.
        """
        if self.never_negative(*(n - 1 for n in part.sizes)):
            return part
        offsets = tuple(
            o if self.never_negative(o, size - o) else maximum(constant(0), minimum(o, size))
            for o, size in zip(part.offsets, sizes, strict=True)
        )
        return replace(part, offsets=offsets)

    def mixed(self, part: SliceParameters) -> MixedSlice:
        """PART, with operations for what is not constant."""
        return MixedSlice(self.numbers(part.offsets), self.numbers(part.sizes), self.numbers(part.strides))

    def _value(self, atom: Atom) -> Expression | None:
        if not isinstance(atom, Parameter):
            return None
        if atom.name in self.loops:
            return value_of(self.loops[atom.name])
        origin = self.view.store.origin(atom.name)
        here = self.builder.origin
        if here is None or not visible(origin.value, here, self.model.bounds.definitions):
            raise NotAffine(f"{atom.name} is not known here")
        return expression_of_atom(origin)
