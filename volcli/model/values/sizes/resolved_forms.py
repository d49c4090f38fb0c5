"""Forms: each index value and each size as one affine expression over what nothing determines.

The form of a variable is the form of the expression that its definition says it equals; if it is one of
several choices, or goes around a loop, then what its bounds prove that it is. It is the variable itself if
that is not affine, or too long to be read:

    %a = arith.ceildivui %n, %c4            n ceildiv 4
    %r = scf.if %k -> tensor<?xf32> { yield %x } else { yield %y }     dim(%x, 0), if both have that size
    %p = arith.muli %n, %n                  p

A form holds wherever its variable exists; it names the assumptions that it needed. Forms are made in the
order of definitions, each from forms that are known, so that no chain of operations is too long.
"""

from __future__ import annotations

from collections.abc import Callable

import islpy as isl
from xdsl.ir import SSAValue

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    Maximum,
    Minimum,
    Mod,
    NotAffine,
    Value,
    constant,
    substitute,
)
from volcli.language.programs.blocks import home
from volcli.limits import values as limits
from volcli.model.values.store.store import BoundsStore
from volcli.model.values.terms.answers import Bounds
from volcli.model.values.terms.form import Form, is_affine
from volcli.model.values.terms.ranges import range_of
from volcli.model.values.terms.simplify import simplified
from volcli.model.values.terms.variables import Variable, own, variables_of
from volcli.presburger.sets import build

_TO_SIMPLIFY = (Minimum, Maximum, Mod)
"""What the ranges of variables may decide."""


class Forms:
    """The forms of the variables of STORE; what is not one expression is asked for by BOUNDS."""

    def __init__(self, store: BoundsStore, bounds: Callable[[SSAValue, int | None], Bounds]) -> None:
        self.store = store
        self._bounds = bounds
        self._definitions = store.definitions
        self._known: dict[Variable, Form] = {}
        self.proved: set[Variable] = set()
        """The variables of which bounds prove the form: perhaps by what operations require of them."""
        function = store.function
        self._blocks = frozenset(id(block) for region in function.regions for block in region.blocks)

    def of(self, expression: Expression) -> Form:
        """EXPRESSION, over variables that have definitions, over forms; it need not be affine."""
        if expression.is_constant:
            return Form(expression)
        new = [v for v in variables_of(expression) if v not in self._known]
        if new:
            found = self._definitions.slice_of(new, self._known.__contains__)
            for variable in sorted(found, key=self._definitions.order):
                if variable not in self._known:
                    self._known[variable] = Form(own(variable))  # until it is known
                    self._known[variable] = self._form(variable)
        return self._combined(expression)

    def assumptions(self) -> tuple[str, ...]:
        """What the forms that are known rest on."""
        return tuple(dict.fromkeys(name for form in self._known.values() for name in form.assumptions))

    def _combined(self, expression: Expression) -> Form:
        """EXPRESSION over the forms that are known."""
        alone = expression.single_atom
        if isinstance(alone, Value | Dim):
            form = self._known.get(alone)
            if form is None or not any(isinstance(a, _TO_SIMPLIFY) for a in form.expression.atoms()):
                return form or Form(expression)
        names: dict[str, None] = {}

        def leaf(atom: Atom) -> Expression | None:
            if not isinstance(atom, Value | Dim):
                return None
            form = self._known.get(atom)
            if form is None:  # used before it is defined, which is invalid
                return own(atom)
            names.update(dict.fromkeys(form.assumptions))
            return form.expression

        return Form(self.simpler(substitute(expression, leaf)), tuple(names))

    def _form(self, variable: Variable) -> Form:
        definition = self._definitions.definition(variable)
        if definition.expression is not None:
            try:
                form = self._combined(definition.expression)
            except NotAffine:  # a product of long sums
                return Form(own(variable))
            return form if self._fits(form.expression, variable) else Form(own(variable))
        low, high = self._definitions.range(variable)
        is_open = definition.is_leaf or definition.induction is not None
        if (is_open and (low is None or low != high)) or not self._is_outside(variable.value):
            return Form(own(variable))
        dimension = variable.dimension if isinstance(variable, Dim) else None
        found = self._bounds(variable.value, dimension)
        if found.never or found.equal is None or not self._fits(found.equal, variable):
            return Form(own(variable))
        self.proved.add(variable)
        return Form(found.equal, found.assumptions)

    def _fits(self, expression: Expression, variable: Variable) -> bool:
        """Whether EXPRESSION is affine, short, and in no region that VARIABLE is outside of."""
        if expression.is_constant:
            return True
        if not is_affine(expression) or len(str(expression)) > limits.FORM_TEXT:
            return False
        if not self._is_outside(variable.value):
            return True
        return all(self._is_outside(each.value) for each in variables_of(expression))

    def _is_outside(self, value: SSAValue) -> bool:
        """Whether VALUE is in no region of an operation of the function."""
        return id(home(value)) in self._blocks

    def simpler(self, expression: Expression) -> Expression:
        """EXPRESSION without what the ranges of its variables say never decides."""
        if not is_affine(expression):
            return expression
        if not any(isinstance(atom, _TO_SIMPLIFY) for atom in expression.atoms()):
            return expression
        low, high = range_of(expression, self._definitions.range)
        if low is not None and low == high:
            return constant(low)
        elimination = self.store.elimination
        facts: list[Expression] = []
        for variable in dict.fromkeys(variables_of(expression)):
            low, high = self._definitions.range(variable)
            facts += [own(variable) - low] if low is not None else []
            facts += [high - own(variable)] if high is not None else []
        within: isl.Set = build.nonnegative(0, tuple(map(elimination.named, facts))).params()
        return elimination.unnamed(simplified(elimination.named(expression), within))
