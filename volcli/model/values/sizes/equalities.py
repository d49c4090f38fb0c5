"""Equalities of sizes, solved: equal sizes are one expression, what cannot be equal is a conflict.

What operations require, and what is assumed, are equations between forms. Each is solved for the variable
that is defined last, among those that occur in it once and with the factor 1 or -1:

    dim(%b, 0) = dim(%a, 0)      dim(%b, 0) is dim(%a, 0)
    2 * dim(%t, 0) = 6           dim(%t, 0) is 3
    2 * dim(%t, 0) = 3 * %n      a fact: it is kept as it is

Invariant: no solution speaks of a variable that was solved before it, so that substitution ends. Solutions
are in the order of the segments from which on they hold; those up to one segment are a system of the same
kind, in which what needs no assumption comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import islpy as isl
from xdsl.ir import SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, NotAffine, Value, constant, substitute
from volcli.language.unchanged import cached_method
from volcli.model.values.contexts.factors import Factor
from volcli.model.values.sizes.resolved_forms import Forms
from volcli.model.values.terms.form import Form, is_affine
from volcli.model.values.terms.requirements import Conflict, Requirement
from volcli.model.values.terms.variables import Variable, own, variables_of
from volcli.presburger.sets import build


@dataclass(frozen=True)
class _Equality:
    """LEFT is RIGHT in segments from SINCE on, if what `names` say is assumed."""

    left: Expression
    right: Expression
    since: int
    names: tuple[str, ...] = ()
    required: Requirement | None = None


@dataclass(frozen=True)
class _Contradiction:
    """What is REQUIRED cannot be, where `names` are assumed: its sides are FIRST and SECOND."""

    required: Requirement
    first: Expression
    second: Expression
    names: tuple[str, ...]


@dataclass(frozen=True)
class Solution:
    """What a variable is in segments from SINCE on."""

    expression: Expression
    since: int
    names: tuple[str, ...]


@dataclass
class Equalities:
    """The solved equations of one function: of REQUIRED, in the order of the text, and of ASSUMED factors."""

    forms: Forms
    name_of: Callable[[SSAValue], str]
    solutions: dict[Variable, Solution] = field(default_factory=dict[Variable, Solution])
    facts: list[_Equality] = field(default_factory=list[_Equality])
    implied: list[_Equality] = field(default_factory=list[_Equality])
    """What forms imply, because bounds know it: over variables that have definitions."""
    _is_solving: bool = True
    contradictions: list[_Contradiction] = field(default_factory=list[_Contradiction])

    def require(
        self,
        required: Sequence[Requirement],
        assumed: Sequence[Factor],
        without: frozenset[str],
        *,
        as_written: bool = False,
    ) -> None:
        """Solve what is REQUIRED, in the order of the text, and ASSUMED; not what has a name in WITHOUT.

        What is asserted comes after what needs no assertion, in its segment, or AS_WRITTEN.
        """
        store = self.forms.store
        segments = store.definitions.outline.segments
        equalities = [_Equality(left, constant(0), 0, (name,)) for left, name in _equations(assumed)]
        elsewhere: list[Requirement] = []
        for each in required:
            if each.op.parent is not segments.entry:
                elsewhere.append(each)  # another block may run instead of that one
                continue
            is_asserted = questions.assumptions.answers(type(each.op))
            names = (store.factors.name(each.op),) if is_asserted else ()
            if not without.isdisjoint(names):
                continue
            equalities.append(_Equality(each.left, each.right, segments.behind(each.op), names, each))
        for equality in sorted(equalities, key=lambda e: (e.since, bool(e.names) and not as_written)):
            self._solve(equality)
        for each in elsewhere:
            self._solve(_Equality(each.left, each.right, segments.last, (), each), binds=False)
        self._is_solving = False
        self.contradictions.sort(key=lambda each: self.forms.store.definitions.place(each.required.op))

    # -- what is asked ---------------------------------------------------------------------------------

    def settled(self, form: Form, segment: int) -> Form:
        """FORM with all that is solved in SEGMENT put in."""
        found = form
        if self._is_solving:
            while (again := _put_in(found, self._solved(segment))) is not found:
                found = again
        else:
            found = _put_in(form, self._reduced(segment).get)
        return found if found is form else replace(found, expression=self.forms.simpler(found.expression))

    def _solved(self, segment: int) -> Callable[[Variable], Form | None]:
        """What a variable is in SEGMENT, if it is solved there."""

        def solution(variable: Variable) -> Form | None:
            known = self.solutions.get(variable)
            is_solved = known is not None and known.since <= segment
            return Form(known.expression, known.names) if known is not None and is_solved else None

        return solution

    @cached_method
    def _reduced(self, segment: int) -> Mapping[Variable, Form]:
        """The solutions of SEGMENT over what remains, made from the last: none speaks of those before it."""
        table: dict[Variable, Form] = {}
        for variable, solution in reversed(self.solutions.items()):
            if solution.since <= segment:
                table[variable] = _put_in(Form(solution.expression, solution.names), table.get)
        return table

    def context(self, segment: int, named: Callable[[Expression], Expression]) -> isl.Set:
        """What solutions and facts say of the variables that remain in SEGMENT, over the names of NAMED."""
        result: isl.Set = isl.Set.universe(build.space((), 0)).params()
        for variable, solution in self.solutions.items():
            if solution.since <= segment and isinstance(variable, Dim):
                size = self.settled(Form(solution.expression), segment).expression
                if not size.is_constant:
                    result = result.intersect(build.nonnegative(0, (named(size),)).params())
        for fact in self.facts:
            if fact.since <= segment:
                left, right = (self.settled(Form(e), segment).expression for e in (fact.left, fact.right))
                if left != right:
                    result = result.intersect(build.equal(named(left), named(right)))
        return result

    def _sizes(self, segment: int) -> Iterator[Expression]:
        """The variables that are sizes, in what is known in SEGMENT."""
        known = [s.expression for s in self.solutions.values()]
        known += [e for fact in self.facts for e in (fact.left, fact.right)]
        settled = (self.settled(Form(e), segment).expression for e in known)
        found = dict.fromkeys(v for e in settled for v in variables_of(e) if isinstance(v, Dim))
        return map(own, found)

    # -- solving ---------------------------------------------------------------------------------------

    def _solve(self, equality: _Equality, *, binds: bool = True) -> None:
        """Solve EQUALITY, note it as a fact, or report that it cannot hold; just the last unless it BINDS."""
        forms = [self._form(equality.left), self._form(equality.right)]
        affine = [form for form in forms if form is not None and is_affine(form.expression)]
        if len(affine) < len(forms):
            return
        first, second = (self.settled(form, equality.since) for form in affine)
        names = tuple(dict.fromkeys((*equality.names, *first.assumptions, *second.assumptions)))
        left, right = first.expression, second.expression
        if left == right:
            self._imply(equality)
            return
        difference = left - right
        if difference.is_constant:
            self._contradict(equality, left, right, names)
        elif binds and not self._bind(difference, equality.since, names):
            self.facts.append(_Equality(left, right, equality.since, names))
            if not self._is_possible(equality.since):
                self.facts.pop()
                self._contradict(equality, left, right, names)

    def _form(self, expression: Expression) -> Form | None:
        try:
            return self.forms.of(self.forms.store.definitions.resolve(expression))
        except NotAffine:
            return None

    def _imply(self, equality: _Equality) -> None:
        if not self.forms.proved:
            return
        definitions = self.forms.store.definitions
        left, right = (definitions.resolve(e) for e in (equality.left, equality.right))
        variables = definitions.slice_of(variables_of(left - right))
        if not self.forms.proved.isdisjoint(variables):
            self.implied.append(_Equality(left, right, equality.since))

    def _contradict(
        self, equality: _Equality, left: Expression, right: Expression, names: tuple[str, ...]
    ) -> None:
        if equality.required is not None:
            names = tuple(name for name in names if name not in equality.names)
            self.contradictions.append(_Contradiction(equality.required, left, right, names))

    def conflicts(self, text: Callable[[Expression], str]) -> Iterator[Conflict]:
        """What cannot be equal, in the order of the text; TEXT writes sizes."""
        for each in self.contradictions:
            required, first, second = each.required, text(each.first), text(each.second)
            if (each.first - each.second).is_constant:
                left, right = self._described(required.left), self._described(required.right)
                message = f"{required.what}: {left} is {first}, {right} is {second}"
            else:
                message = f"{required.what}: no size makes {first} equal to {second}"
            message += f" (assuming {' and '.join(each.names)})" if each.names else ""
            yield Conflict(required.op, message, required.declared)

    def _described(self, size: Expression) -> str:
        """SIZE as the operation states it, for a reader: `dimension 1 of %x`."""
        match size.single_atom:
            case Dim(value, dimension):
                return f"dimension {dimension} of {self.name_of(value)}"
            case _:
                return "the declared size" if size.is_constant else "the computed size"

    def _is_possible(self, segment: int) -> bool:
        """Whether some sizes fulfil all that is known in SEGMENT."""
        named = self.forms.store.elimination.named
        known = self.context(segment, named)
        for size in self._sizes(segment):
            known = known.intersect(build.nonnegative(0, (named(size),)).params())
        return not known.is_empty()

    def _bind(self, difference: Expression, since: int, names: tuple[str, ...]) -> bool:
        """Solve `difference == 0` for the last variable that occurs once, with coefficient +-1.

        With one variable only, any coefficient that divides the constant will do.
        """
        if len(difference.terms) == 1 and difference.constant % difference.terms[0][1] == 0:
            difference = Expression(
                ((difference.terms[0][0], 1),), difference.constant // difference.terms[0][1]
            )
        atoms = list(difference.atoms())
        candidates = [
            (atom, c)
            for atom, c in difference.terms
            if isinstance(atom, Value | Dim) and abs(c) == 1 and atoms.count(atom) == 1
        ]
        if not candidates:
            return False
        order = self.forms.store.definitions.order
        variable, c = max(candidates, key=lambda candidate: order(candidate[0]))
        solution = (own(variable) * c - difference) * c
        if solution.is_constant and solution.constant < 0 and isinstance(variable, Dim):
            return False
        self.solutions[variable] = Solution(solution, since, names)
        return True


def _put_in(form: Form, solved: Callable[[Variable], Form | None]) -> Form:
    """FORM with what is SOLVED in place of variables, once; FORM itself if nothing is."""
    known = {variable: solved(variable) for variable in variables_of(form.expression)}
    if not any(known.values()):
        return form
    names = dict.fromkeys(form.assumptions)
    for each in known.values():
        names.update(dict.fromkeys(() if each is None else each.assumptions))

    def leaf(atom: Atom) -> Expression | None:
        each = known[atom] if isinstance(atom, Value | Dim) else None
        return None if each is None else each.expression

    return Form(substitute(form.expression, leaf), tuple(names))


def _equations(assumed: Sequence[Factor]) -> Iterator[tuple[Expression, str]]:
    """What ASSUMED factors say is 0: what is neither negative nor positive; and their names."""
    for factor in assumed:
        if len(factor.condition) == 1 and factor.name is not None:
            (conjunction,) = factor.condition
            for position, each in enumerate(conjunction):
                if any(-each == other for other in conjunction[position + 1 :]):
                    yield each, factor.name
