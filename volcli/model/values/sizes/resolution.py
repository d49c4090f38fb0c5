"""Resolution: the size of every dimension, by the cheapest way that tells it.

1. what the type declares;
2. the form of the size (see `forms`), in which the equalities of a segment are put in (see `equalities`);
3. where more is known of what remains than that it is free (a condition, a division, a demand), the bounds of
   the size at its value: if they prove one number, that is the size.

So sizes and bounds never contradict each other: each is derived from the same definitions, and what the
bounds prove to be a number is one here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, ShapedType, i64
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from volcli.language.expressions import Dim, Expression, NotAffine, constant, dim_of, has_wide_remainder
from volcli.language.questions import Sizes
from volcli.language.reads import Disjunction
from volcli.language.unchanged import cached_method
from volcli.model.values.terms.form import Form, is_affine
from volcli.model.values.terms.requirements import (
    Conflict,
    Requirement,
    number_in_type,
    requirements,
    stated_sizes,
)

if TYPE_CHECKING:  # a function of which all sizes are declared needs no engine
    import islpy as isl

    from volcli.model.values.sizes.conditions import Conditions
    from volcli.model.values.sizes.equalities import Equalities
    from volcli.model.values.sizes.resolved_forms import Forms
    from volcli.model.values.store.store import BoundsStore
    from volcli.model.values.terms.answers import Bounds
    from volcli.model.values.terms.variables import Variable
    from volcli.model.values.trust.minimal_assumptions import Assuming


class Resolution:
    """The sizes of one function's values, and its index values, over variables.

    `assuming` gives the bounds, when they are first needed: a function of which all sizes are declared needs
    none. Nothing rests on the assumptions and assertions that have names in `without`; unless it is
    `conditional`, on none at all.
    """

    def __init__(
        self,
        function: Operation,
        name_of: Callable[[SSAValue], str],
        assuming: Callable[[], Assuming],
        without: frozenset[str] = frozenset(),
        *,
        conditional: bool = True,
    ) -> None:
        self.function = function
        self.name_of = name_of
        self._assuming = assuming
        self._given = without
        self._is_conditional = conditional
        self._forms: dict[tuple[SSAValue, int], Form] = {}
        self._asked: dict[tuple[Expression, int, int], Form | None] = {}

    @cached_property
    def blocks(self) -> Sequence[Block]:
        """The function's blocks."""
        return [block for region in self.function.regions for block in region.blocks]

    def shaped_values(self) -> Iterator[SSAValue]:
        """The shaped values of the function's blocks, but for those of nested regions."""
        for block in self.blocks:
            for value in (*block.args, *(result for op in block.ops for result in op.results)):
                if isinstance(value.type, ShapedType):
                    yield value

    # -- parts of the store, when they are first needed ------------------------------------------------

    @cached_property
    def _bounds(self) -> Assuming:
        return self._assuming()

    @cached_property
    def without(self) -> frozenset[str]:
        """The names of what nothing may rest on."""
        return self._given if self._is_conditional else self._bounds.names

    @cached_property
    def store(self) -> BoundsStore:
        """The bounds store, in which `without` are to be ignored."""
        return self._bounds.store_without(self.without)

    @cached_property
    def forms(self) -> Forms:
        """The forms of the function's variables."""
        from volcli.model.values.sizes.resolved_forms import Forms

        return Forms(self.store, self._answer)

    def _answer(self, value: SSAValue, dim: int | None) -> Bounds:
        if not self.without:
            return self._bounds.bounds(value, dim)
        with self.store.ignoring(self.without):
            return self.store.bounds(value, dim)

    @cached_property
    def _required(self) -> list[Requirement]:
        ops = (op for block in self.blocks for op in block.ops)
        return [each for op in ops for each in requirements(op, self.name_of, self._stated_sizes)]

    @cached_method
    def _stated_sizes(self, op: Operation) -> Sequence[Sizes]:
        """What OP says of its results' sizes, asked once."""
        return stated_sizes(op)

    @cached_property
    def equalities(self) -> Equalities:
        """What is solved of the sizes."""
        return self._solved(as_written=False)

    def _solved(self, *, as_written: bool) -> Equalities:
        from volcli.model.values.sizes.equalities import Equalities

        solved = Equalities(self.forms, self.name_of)
        with self.store.ignoring(self.without):
            assumed = self.store.assumed()
        solved.require(self._required, assumed, self.without, as_written=as_written)
        return solved

    # -- segments --------------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The segment after all that may end the execution."""
        return self.store.definitions.outline.segments.last

    def segment(self, value: SSAValue) -> int:
        """The segment in which VALUE is made."""
        block = value.block if isinstance(value, BlockArgument) else None
        block = value.op.parent if isinstance(value, OpResult) else block
        return self.store.definitions.outline.segments.of(block, self.store.definitions.position(value))

    @cached_method
    def known_in(self, segment: int) -> Hashable:
        """What is known of sizes in SEGMENT: in segments with an equal one, everything resolves alike.

        An assertion of a condition that says nothing of sizes, or what others say, adds nothing to it. What
        is solved is so from some segment on, so that their number tells it.
        """
        if self.last == 0:
            return None
        solved = (*self.equalities.solutions.values(), *self.equalities.facts)
        return sum(each.since <= segment for each in solved), frozenset(self.conditions(segment))

    # -- what is asked ---------------------------------------------------------------------------------

    def conflicts(self, text: Callable[[Expression], str]) -> Iterator[Conflict]:
        """The sizes that must agree and provably do not, and those that are negative."""
        for op in (op for block in self.blocks for op in block.ops):
            yield from self._negative(op)
        if self._required and self.equalities.contradictions:
            yield from self._solved(as_written=True).conflicts(text)

    def _negative(self, op: Operation) -> Iterator[Conflict]:
        kinds = [result.type for result in op.results]
        if not any(isinstance(kind, ShapedType) and DYNAMIC_INDEX in kind.get_shape() for kind in kinds):
            return
        for result, sizes in zip(op.results, self._stated_sizes(op), strict=True):
            for position, size in enumerate(sizes):
                number = None if size is None else self.number(size, 0).expression
                if number is not None and number.is_constant and number.constant < 0:
                    message = f"dimension {position} of {self.name_of(result)} has the negative size {number}"
                    yield Conflict(op, message, declared=False)

    @cached_method
    def sizes(self, value: SSAValue, segment: int) -> tuple[Form, ...]:
        """The sizes of VALUE's dimensions, as they are known in SEGMENT; () for scalars."""
        declared = value.type.get_shape() if isinstance(value.type, ShapedType) else ()
        return tuple(
            Form(constant(size)) if size != DYNAMIC_INDEX else self._settled(self._form(value, d), segment)
            for d, size in enumerate(declared)
        )

    def number(self, expression: Expression, segment: int) -> Form:
        """EXPRESSION over forms; if it is not affine, over the variable that it is."""
        known = number_in_type(expression)
        if known is not None:
            return Form(constant(known))
        try:
            resolved = self.store.definitions.resolve(expression)
            form = self.forms.of(resolved)
        except NotAffine:
            return Form(expression)
        return self._settled(form if is_affine(form.expression) else Form(resolved), segment)

    def context(self, segment: int, named: Callable[[Expression], Expression]) -> isl.Set:
        """What is solved says in SEGMENT of the variables that sizes are written in, over their names."""
        return self.equalities.context(segment, named)

    def conditions(self, segment: int) -> Iterator[tuple[Disjunction, tuple[str, ...]]]:
        """What is assumed, asserted, demanded in SEGMENT, as far as it is affine in index values and sizes.

        With each: the names of the assumptions that it is, or that its form rests on.
        """
        from volcli.model.values.terms.variables import variables_of

        with self.store.ignoring(self.without):
            factors = self.store.stated_in(segment)
        stated = [(factor.condition, factor.name) for factor in factors]
        stated += [(each.condition, each.text) for each in self._bounds.ranges(self.without)]
        for condition, named in stated:
            forms = [[self.number(e, segment) for e in c] for c in condition]
            variables = [v for c in forms for form in c for v in variables_of(form.expression)]
            is_plain = all(is_affine(form.expression) for c in forms for form in c) and all(
                map(_is_size_like, variables)
            )
            if variables and is_plain:
                names = dict.fromkeys(name for c in forms for form in c for name in form.assumptions)
                names.update({} if named is None else {named: None})
                yield tuple(tuple(form.expression for form in c) for c in forms), tuple(names)

    def assumptions(self, segment: int | None) -> tuple[str, ...]:
        """The names of the assumptions that forms rest on, and what is solved in SEGMENT."""
        solved = (*self.equalities.solutions.values(), *self.equalities.facts)
        names = [n for each in solved if segment is None or each.since <= segment for n in each.names]
        known = (name for form in self._forms.values() for name in form.assumptions)
        return tuple(dict.fromkeys((*names, *self.forms.assumptions(), *known)))

    def is_open(self, variable: Variable, segment: int) -> bool:
        """Whether VARIABLE is not solved in SEGMENT."""
        solution = self.equalities.solutions.get(variable)
        return solution is None or solution.since > segment

    def _settled(self, form: Form, segment: int) -> Form:
        return form if form.expression.is_constant else self.equalities.settled(form, segment)

    # -- forms of sizes --------------------------------------------------------------------------------

    def _form(self, value: SSAValue, dimension: int) -> Form:
        """The size as what is known where VALUE is made, before equalities are put in."""
        key = value, dimension
        known = self._forms.get(key)
        if known is None:
            known = self._forms[key] = self._work_out(value, dimension)
        return known

    def _work_out(self, value: SSAValue, dimension: int) -> Form:
        itself = Form(dim_of(value, dimension))
        try:
            resolved = self.store.value(value, dimension)
            form = self.forms.of(resolved)
        except NotAffine:
            return itself
        if not is_affine(form.expression):
            form = Form(resolved) if is_affine(resolved) else itself
        if form.expression.is_constant:
            return form if form.expression.constant >= 0 else itself
        if has_wide_remainder(form.expression):
            form = self._unwrapped(value, dimension, form)
        known = self._settled(form, self.segment(value))
        if known.expression.is_constant:
            return form
        segment = self.segment(value)
        key = known.expression, segment, self._conditions.count(value)
        if key not in self._asked:
            may_be = self._conditions.may_fix(known.expression, value, segment)
            self._asked[key] = self._number_proved(value, dimension) if may_be else None
        return self._asked[key] or form

    def _unwrapped(self, value: SSAValue, dimension: int, form: Form) -> Form:
        """FORM without remainders by the width of a number, if what makes VALUE, a size being one, says so.

        `((n - k) mod 2^64) floordiv 2 + 1` windows are `(n - k) floordiv 2 + 1` where one has to fit.
        """
        found = self._answer(value, dimension)
        if found.never or found.equal is None or not is_affine(found.equal):
            return form
        is_shorter = len(str(found.equal)) < len(str(form.expression))
        return Form(found.equal, (*form.assumptions, *found.assumptions)) if is_shorter else form

    def _number_proved(self, value: SSAValue, dimension: int) -> Form | None:
        """The number that the bounds prove the size to be, if they do."""
        with self.store.ignoring(self.without):
            ends = self.store.constant_bounds(value, dimension)
        if ends.never or ends.lower is None or ends.lower != ends.upper:
            return None
        found = self._answer(value, dimension)
        if found.equal is None or not found.equal.is_constant:
            return None
        return Form(found.equal, found.assumptions)

    @cached_property
    def _conditions(self) -> Conditions:
        from volcli.model.values.sizes.conditions import Conditions

        return Conditions(self.forms, self.equalities)


def _is_size_like(variable: Variable) -> bool:
    """Whether VARIABLE is a size, or a number that sizes are computed from."""
    return (
        isinstance(variable, Dim) or isinstance(variable.value.type, IndexType) or variable.value.type == i64
    )
