"""The sizes and index values of one function over named parameters: a view of the one store of definitions.

Every index value and every size of a dimension is an expression over *parameters*: symbolic constants named
after the values that define them (`%n` gives `n`, dimension 2 of the argument `%ifm` gives `ifm_d2`). What
they are is said by `volcli.model.values`: the forms of definitions (`forms`), with the equalities that hold
in a segment of the function (`equalities`), and the number that bounds prove where a form leaves it open.

Example: with `%0 = tensor.pad %ifm low[1] high[2] : tensor<?xf32> to tensor<?xf32>` the size of `%0` is
`ifm_d0 + 3`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, reduce
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import Block, SSAValue

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    LoopIndex,
    Monomial,
    NotAffine,
    Value,
    constant,
    dim_of,
    over_names,
    substitute,
    value_of,
)
from volcli.language.unchanged import cached_method
from volcli.model.values.sizes.resolution import Resolution
from volcli.model.values.terms.form import Form
from volcli.model.values.terms.requirements import Conflict

if TYPE_CHECKING:  # a function of which all sizes are declared needs no set
    import islpy as isl

    from volcli.model.values.terms.variables import Variable


class Parameters:
    """The names of the variables that sizes are written in; each has one, which no other has."""

    def __init__(self, resolution: Resolution) -> None:
        self._resolution = resolution
        self._names: dict[Variable, str] = {}
        self._variables: dict[str, Variable] = {}
        self._is_complete = False

    def name(self, variable: Variable) -> str:
        """The name of VARIABLE: `n` for %n, `t_d0` for a size of %t."""
        self._give_names()
        return self._name(variable)

    def variable(self, name: str) -> Variable:
        """The variable that has NAME."""
        return self._variables[name]

    def named(self, expression: Expression) -> Expression:
        """EXPRESSION over parameters that stand for its variables."""
        return expression if expression.is_constant else over_names(expression, self.name)

    def sizes(self) -> list[Variable]:
        """The sizes of dimensions that have a name."""
        self._give_names()
        return [variable for variable in self._names if isinstance(variable, Dim)]

    def _give_names(self) -> None:
        """Name what the sizes of the function's values are written in, in the order of the text."""
        if self._is_complete:
            return
        from volcli.model.values.terms.variables import variables_of

        self._is_complete = True
        for value in self._resolution.shaped_values():
            for form in self._resolution.sizes(value, self._resolution.segment(value)):
                for variable in variables_of(form.expression):
                    self._name(variable)

    def _name(self, variable: Variable) -> str:
        known = self._names.get(variable)
        if known is None:
            from volcli.presburger.sets.names import identifier

            known = self._unique(identifier(self._resolution.name_of(variable.value)), variable)
            self._names[variable], self._variables[known] = known, variable
        return known

    def _unique(self, name: str, variable: Variable) -> str:
        name = f"{name}_d{variable.dimension}" if isinstance(variable, Dim) else name
        unique, suffix = name, 0
        while unique in self._variables:
            suffix += 1
            unique = f"{name}_{suffix}"
        return unique


class Sizes:
    """Sizes and index values over parameters, as they are known in SEGMENT.

    Without a segment, each is what is known where it is made.
    """

    def __init__(self, resolution: Resolution, parameters: Parameters, segment: int | None = None) -> None:
        self.function = resolution.function
        self.name_of = resolution.name_of
        self._resolution = resolution
        self._parameters = parameters
        self._segment = segment

    @property
    def blocks(self) -> Sequence[Block]:
        """The function's blocks; more than one means control flow between blocks."""
        return self._resolution.blocks

    def conflicts(self) -> list[Conflict]:
        """The sizes that must agree, and provably do not."""
        return list(self._resolution.conflicts(lambda e: str(self._parameters.named(e))))

    @cached_method
    def sizes(self, value: SSAValue) -> tuple[Expression, ...]:
        """The sizes of VALUE's dimensions over the parameters; () for scalars."""
        declared = value.type.get_shape() if isinstance(value.type, ShapedType) else ()
        if DYNAMIC_INDEX not in declared:
            return tuple(map(constant, declared))
        return tuple(self._parameters.named(form.expression) for form in self.forms(value))

    def forms(self, value: SSAValue) -> Sequence[Form]:
        """The sizes of VALUE over variables, with the assumptions that each needs."""
        return self._resolution.sizes(value, self._segment_of(value))

    def stated(self, value: SSAValue) -> list[Expression]:
        """The sizes of VALUE over variables; if one needs assumptions, what `dim` asks for stands for it."""
        forms = enumerate(self.forms(value))
        return [dim_of(value, d) if form.assumptions else form.expression for d, form in forms]

    def domain(self, value: SSAValue) -> isl.Set:
        """The index domain `{ [i] : 0 <= i < sizes }` of VALUE (IMPACT 2023, definition 4.7: an array)."""
        from volcli.presburger.sets import build

        return build.box(self.sizes(value))

    def number(self, value: SSAValue) -> Expression:
        """The index or integer VALUE over the parameters."""
        return self._parameters.named(self._number(value).expression)

    def _number(self, value: SSAValue) -> Form:
        return self._resolution.number(value_of(value), self._segment_of(value))

    def resolve(self, expression: Expression) -> Expression:
        """EXPRESSION over loops and parameters only; raises NotAffine if a true product remains."""
        if all(isinstance(atom, LoopIndex) for atom, _ in expression.terms):
            return expression
        resolved = substitute(expression, self._leaf)
        if any(isinstance(atom, Monomial) for atom in resolved.atoms()):
            raise NotAffine(f"{resolved} is not affine")
        return resolved

    def leaf(self, atom: Atom) -> Expression:
        """The value or size ATOM over the parameters; 0 for atoms that are made of others."""
        known = self._leaf(atom)
        return constant(0) if known is None else known

    def parameter(self, variable: Variable) -> str:
        """The name of the parameter that stands for VARIABLE."""
        return self._parameters.name(variable)

    def origin(self, name: str) -> Variable:
        """The value, or the size, that the parameter NAME stands for."""
        return self._parameters.variable(name)

    def context(self) -> isl.Set:
        """What is known of the parameters: sizes are not negative, what agrees agrees, what is assumed."""
        return self._context[0]

    @cached_property
    def _context(self) -> tuple[isl.Set, tuple[str, ...]]:
        """The context, and the names of the assumptions in it that say something."""
        from volcli.model.values.terms.variables import own
        from volcli.presburger.sets import build

        segment = self._resolution.last if self._segment is None else self._segment
        named = self._parameters.named
        result = self._resolution.context(segment, named)
        for variable in self._parameters.sizes():
            if self._resolution.is_open(variable, segment):
                result = result.intersect(build.nonnegative(0, (named(own(variable)),)).params())
        names: dict[str, None] = {}
        for disjunction, needed in self._resolution.conditions(segment):
            parts = (build.nonnegative(0, tuple(map(named, c))).params() for c in disjunction)
            within = result.intersect(reduce(lambda some, more: some.union(more), parts))
            if not result.is_subset(within) and not within.is_empty():
                names.update(dict.fromkeys(needed))
                result = within
        return result, tuple(names)

    def assumptions(self) -> tuple[str, ...]:
        """The names of the assumptions that what is said here may rest on."""
        solved = self._resolution.assumptions(self._segment)
        return tuple(dict.fromkeys((*solved, *self._context[1])))

    def _leaf(self, atom: Atom) -> Expression | None:
        match atom:
            case Value(value):
                return self.number(value)
            case Dim(value, dimension):
                sizes = self.sizes(value)
                if dimension >= len(sizes):
                    raise NotAffine(f"{self.name_of(value)} has no dimension {dimension}")
                return sizes[dimension]
            case _:
                return None

    def _segment_of(self, value: SSAValue) -> int:
        return self._resolution.segment(value) if self._segment is None else self._segment
