"""The relational store of one function: what its index values and dimensions are, in its parameters.

Every index value and every size of a dimension is an index expression over *parameters*: symbolic
constants named after the values that define them (`%n` gives `n`, dimension 2 of the argument `%ifm` gives
`ifm_d2`). The operations are visited once, in program order; each states its sizes and values through
`volcli.questions`. Sizes that must agree (two operands that share a loop, a `cf.assert`) bind parameters to
each other, so that equal dimensions get the same name; what provably cannot agree is a conflict.

Example: with `%0 = tensor.pad %ifm low[1] high[2] : tensor<?xf32> to tensor<?xf32>` the size of `%0` is
`ifm_d0 + 3`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import islpy as isl
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli import questions
from volcli.expressions import (
    Atom,
    Dim,
    Expression,
    Loop,
    Maximum,
    Minimum,
    NotAffine,
    Parameter,
    Product,
    Value,
    constant,
    parameter,
    substitute,
)
from volcli.model.loop_numbers import is_index_like
from volcli.model.provenance import Number
from volcli.model.simplify import simplified
from volcli.model.stated_effects import is_assertion
from volcli.presburger import build
from volcli.presburger.names import identifier
from volcli.reads import rank_of

_LARGEST_EXPRESSION = 200
"""An index value of more characters than this becomes a parameter of its own."""


@dataclass(frozen=True)
class Conflict:
    """Two sizes that must agree and provably do not; `declared` if one is only the declared type."""

    op: Operation
    message: str
    declared: bool


class FunctionStore:
    """Sizes and index values of one function, over its parameters.

    `name_of` gives the text of an SSA value, with its %. `assertions` says whether the conditions of
    `cf.assert` may be used: what holds only after an assertion holds in no execution that it ends.
    """

    def __init__(
        self, function: Operation, name_of: Callable[[SSAValue], str], *, assertions: bool = True
    ) -> None:
        self.function = function
        self.name_of = name_of
        self.conflicts: list[Conflict] = []
        self._numbers: dict[SSAValue, Expression] = {}
        self._sizes: dict[SSAValue, tuple[Expression, ...]] = {}
        self._bindings: dict[str, Expression] = {}
        self._parameters: dict[str, bool] = {}
        self._origins: dict[str, Number] = {}
        self._settled: dict[SSAValue, tuple[Expression, ...]] = {}
        self._facts: list[questions.SizeFact] = []
        self._not_negative: list[Expression] = []
        self._is_certain = True
        self._visit(assertions)

    # -- what others ask -------------------------------------------------------------------------------

    @property
    def blocks(self) -> Sequence[Block]:
        """The function's blocks; more than one means control flow between blocks."""
        return [block for region in self.function.regions for block in region.blocks]

    def sizes(self, value: SSAValue) -> tuple[Expression, ...]:
        """The sizes of VALUE's dimensions over the parameters; () for scalars."""
        known = self._settled.get(value)
        if known is None:
            known = self._settled[value] = tuple(self._settle(s) for s in self._raw_sizes(value))
        return known

    def domain(self, value: SSAValue) -> isl.Set:
        """The index domain `{ [i] : 0 <= i < sizes }` of VALUE (IMPACT 2023, definition 4.7: an array)."""
        return build.box(self.sizes(value))

    def number(self, value: SSAValue) -> Expression:
        """The index or integer VALUE over the parameters."""
        return self._settle(self._number(value))

    def resolve(self, expression: Expression) -> Expression:
        """EXPRESSION over loops and parameters only; raises NotAffine if a true product remains."""
        if all(isinstance(atom, Loop) for atom, _ in expression.terms):
            return expression
        resolved = self._settle(substitute(expression, self._leaf))
        if any(isinstance(atom, Product) for atom in resolved.atoms()):
            raise NotAffine(f"{resolved} is not affine")
        return resolved

    def leaf(self, atom: Atom) -> Expression:
        """The value or size ATOM over the parameters; 0 for atoms that are made of others."""
        known = self._leaf(atom)
        return constant(0) if known is None else self._settle(known)

    def origin(self, name: str) -> Number:
        """The value, or the size, that the parameter NAME stands for."""
        return self._origins[name]

    def context(self) -> isl.Set:
        """What is known of the parameters: sizes are not negative, and what agrees agrees."""
        used = sorted(name for name in self._parameters if name not in self._bindings)
        result = isl.Set.universe(build.space(tuple(used), 0)).params()
        for name in used:
            if self._parameters[name]:
                result = result.intersect(build.nonnegative(0, (parameter(name),)).params())
        for size in self._not_negative:
            result = result.intersect(build.nonnegative(0, (self._settle(size),)).params())
        for fact in self._facts:
            left, right = self._settle(fact.left), self._settle(fact.right)
            if left != right:
                result = result.intersect(build.equal(left, right))
        return result

    # -- the single visit ------------------------------------------------------------------------------

    def _visit(self, assertions: bool) -> None:
        for block in self.blocks:
            self._is_certain = block is self.blocks[0]
            for argument in block.args:
                self._raw_sizes(argument)
            for op in block.ops:
                self._visit_op(op, assertions)

    def _visit_op(self, op: Operation, assertions: bool) -> None:
        for result in op.results:
            if is_index_like(result):
                self._number(result)
        self._visit_sizes(op)
        if is_assertion(op) and not assertions:
            return
        for fact in self._stated_facts(op):
            self._require(op, fact.left, fact.right, fact.what, declared=False)

    @staticmethod
    def _stated_facts(op: Operation) -> Sequence[questions.SizeFact]:
        try:
            return questions.size_facts(op) or ()
        except (NotAffine, RecursionError):  # a condition of thousands of terms asserts nothing of use
            return ()

    def _visit_sizes(self, op: Operation) -> None:
        if not any(isinstance(r.type, ShapedType) for r in op.results):
            return
        stated = self._stated_sizes(op)
        for result, sizes in zip(op.results, stated, strict=True):
            if not isinstance(result.type, ShapedType):
                continue
            raw: list[Expression] = []
            for position, (declared, size) in enumerate(zip(result.type.get_shape(), sizes, strict=True)):
                raw.append(self._one_size(op, result, position, declared, size))
            self._sizes[result] = tuple(raw)

    def _stated_sizes(self, op: Operation) -> Sequence[questions.Sizes]:
        """What the operation says of its results' sizes, checked for form; None where it says nothing."""
        unknown = [(None,) * rank_of(r) for r in op.results]
        try:
            stated = questions.result_sizes(op)
        except NotAffine:
            return unknown
        if stated is None:
            return unknown
        if len(stated) != len(unknown):  # an invalid operation
            return unknown
        return [s if len(s) == len(u) else u for s, u in zip(stated, unknown, strict=True)]

    def _one_size(
        self, op: Operation, result: SSAValue, position: int, declared: int, stated: Expression | None
    ) -> Expression:
        size = None if stated is None else self._affine_or_none(stated)
        if size is not None and size.is_constant and size.constant < 0:
            message = f"dimension {position} of {self.name_of(result)} has the negative size {size}"
            self.conflicts.append(Conflict(op, message, declared=False))
            return self._new_size(result, position)
        if declared != DYNAMIC_INDEX:
            if size is not None and size != constant(declared):
                what = f"dimension {position} of {self.name_of(result)}"
                self._require(op, size, constant(declared), what, declared=True)
            return constant(declared)
        return self._new_size(result, position) if size is None else size

    # -- leaves ----------------------------------------------------------------------------------------

    def _raw_sizes(self, value: SSAValue) -> tuple[Expression, ...]:
        known = self._sizes.get(value)
        if known is None:
            shape = value.type.get_shape() if isinstance(value.type, ShapedType) else ()
            known = self._sizes[value] = tuple(
                self._new_size(value, i) if s == DYNAMIC_INDEX else constant(s) for i, s in enumerate(shape)
            )
        return known

    def _new_size(self, value: SSAValue, position: int) -> Expression:
        return self._new_parameter(f"{identifier(self.name_of(value))}_d{position}", Dim(value, position))

    def _new_parameter(self, name: str, origin: Number) -> Expression:
        unique, suffix = name, 0
        while unique in self._parameters:
            suffix += 1
            unique = f"{name}_{suffix}"
        self._parameters[unique] = isinstance(origin, Dim)
        self._origins[unique] = origin
        return parameter(unique)

    def _number(self, value: SSAValue) -> Expression:
        known = self._numbers.get(value)
        if known is None:
            known = self._numbers[value] = self._stated_number(value) or self._new_parameter(
                identifier(self.name_of(value)), Value(value)
            )
        return known

    def _stated_number(self, value: SSAValue) -> Expression | None:
        if isinstance(value, BlockArgument) or not isinstance(value, OpResult) or not is_index_like(value):
            return None
        try:
            stated = questions.value_of_result(value)
        except NotAffine:
            return None
        return None if stated is None else self._affine_or_none(stated)

    def _affine_or_none(self, expression: Expression) -> Expression | None:
        try:
            resolved = substitute(expression, self._leaf)
        except NotAffine:
            return None
        if any(isinstance(atom, Product | Loop) for atom in resolved.atoms()):
            return None
        if any(isinstance(atom, Minimum | Maximum) for atom in resolved.atoms()):
            resolved = simplified(resolved, self._sizes_context(resolved))
        return resolved if resolved.is_constant or len(str(resolved)) <= _LARGEST_EXPRESSION else None

    def _sizes_context(self, expression: Expression) -> isl.Set:
        """The values of EXPRESSION's parameters for which no size is negative."""
        names = dict.fromkeys(a.name for a in expression.atoms() if isinstance(a, Parameter))
        sizes = tuple(parameter(name) for name in names if self._parameters[name])
        return build.nonnegative(0, sizes).params()

    def _leaf(self, atom: Atom) -> Expression | None:
        match atom:
            case Value(value):
                return self._number(value)
            case Dim(value, dimension):
                sizes = self._raw_sizes(value)
                if dimension >= len(sizes):
                    raise NotAffine(f"{self.name_of(value)} has no dimension {dimension}")
                return sizes[dimension]
            case _:
                return None

    # -- sizes that must agree -------------------------------------------------------------------------

    def _settle(self, expression: Expression) -> Expression:
        """EXPRESSION with all bindings of parameters applied."""
        while self._bindings and any(
            isinstance(a, Parameter) and a.name in self._bindings for a in expression.atoms()
        ):
            expression = substitute(
                expression, lambda a: self._bindings.get(a.name) if isinstance(a, Parameter) else None
            )
        return expression

    def _require(
        self, op: Operation, left: Expression, right: Expression, what: str, *, declared: bool
    ) -> None:
        """LEFT and RIGHT must be equal: bind a parameter, note the fact, or report that they cannot be."""
        resolved = self._affine_or_none(left), self._affine_or_none(right)
        if resolved[0] is None or resolved[1] is None:
            return
        first, second = self._settle(resolved[0]), self._settle(resolved[1])
        difference = first - second
        if difference == constant(0):
            return
        if difference.is_constant:
            message = f"{what}: {self._described(left)} is {first}, {self._described(right)} is {second}"
            self.conflicts.append(Conflict(op, message, declared))
            return
        if not self._is_certain:  # another block may run instead of this one
            return
        self._settled.clear()
        if not self._bind(difference):
            self._facts.append(questions.SizeFact(first, second, what))
            if self.context().is_empty():
                self._facts.pop()
                message = f"{what}: no size makes {first} equal to {second}"
                self.conflicts.append(Conflict(op, message, declared))

    def _described(self, size: Expression) -> str:
        """SIZE as the operation states it, for a reader: `dimension 1 of %x`."""
        match size.single_atom:
            case Dim(value, dimension):
                return f"dimension {dimension} of {self.name_of(value)}"
            case _:
                return "the declared size" if size.is_constant else "the computed size"

    def _bind(self, difference: Expression) -> bool:
        """Solve `difference == 0` for the youngest parameter that occurs once, with coefficient +-1.

        With one parameter only, any coefficient that divides the constant will do.
        """
        if len(difference.terms) == 1 and difference.constant % difference.terms[0][1] == 0:
            difference = Expression(
                ((difference.terms[0][0], 1),), difference.constant // difference.terms[0][1]
            )
        atoms = list(difference.atoms())
        candidates = [
            (atom.name, c)
            for atom, c in difference.terms
            if isinstance(atom, Parameter) and abs(c) == 1 and atoms.count(atom) == 1
        ]
        if not candidates:
            return False
        order = list(self._parameters)
        name, c = max(candidates, key=lambda candidate: order.index(candidate[0]))
        solution = (parameter(name) * c - difference) * c
        if solution.is_constant and solution.constant < 0 and self._parameters[name]:
            return False
        self._bindings[name] = solution
        if self._parameters[name] and not solution.is_constant:
            self._not_negative.append(solution)
        return True
