"""Polynomial conditions over symbols, collected from definitions and from what holds at a place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, OpResult

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    NotAffine,
    Parameter,
    Value,
    constant,
    maximum,
    parameter,
    substitute,
)
from volcli.language.loops import Induction
from volcli.language.programs.blocks import home
from volcli.language.reads import Conjunction, Disjunction
from volcli.limits import values as limits
from volcli.model.values.contexts.factors import Factor, Factors
from volcli.model.values.elimination.elimination import Elimination
from volcli.model.values.terms.argument_elements import Token, conflicts
from volcli.model.values.terms.ranges import range_of
from volcli.model.values.terms.variables import Definition, Variable, own, variables_of
from volcli.presburger.expressions.read_back import disjunction
from volcli.symbolic.polynomials import quotient_and_rest


@dataclass
class PolynomialConditions:
    """PolynomialConditions over symbols as they are collected: each symbol that occurs is defined, once.

    It ends since definitions refer to variables of a lower order only.
    """

    elimination: Elimination
    running: frozenset[Block]
    facts: list[Expression] = field(default_factory=list[Expression])
    choices: list[Disjunction] = field(default_factory=list[Disjunction])
    forms: dict[Atom, Expression] = field(default_factory=dict[Atom, Expression])
    symbols: list[Variable] = field(default_factory=list["Variable"])
    because: list[str] = field(default_factory=list[str])
    _pending: list[Variable] = field(default_factory=list["Variable"])
    _tokens: set[Token] = field(default_factory=set[Token])
    _floors: dict[tuple[Expression, Expression], Expression] = field(
        default_factory=dict[tuple[Expression, Expression], Expression]
    )
    _depth: int = 0
    _further: int = 0

    # -- forms -----------------------------------------------------------------------------------------

    def form(self, variable: Variable) -> Expression:
        """What VARIABLE is, over symbols."""
        if variable not in self.forms:
            self.forms[variable] = self._new_form(variable)
        return self.forms[variable]

    def _new_form(self, variable: Variable) -> Expression:
        expression = self.elimination.definitions.definition(variable).expression
        if expression is None:
            self.symbols.append(variable)
            self._pending.append(variable)
            if len(self.symbols) > limits.CONDITION_SYMBOLS:
                raise NotAffine(f"more than {limits.CONDITION_SYMBOLS} symbols")
            return own(variable)
        if self._depth == limits.CONDITION_CHAIN:
            raise NotAffine(f"a chain of more than {limits.CONDITION_CHAIN} operations")
        self._depth += 1
        found = self.over_symbols(expression)
        self._depth -= 1
        return found

    def over_symbols(self, expression: Expression) -> Expression:
        """EXPRESSION, over variables, over symbols."""
        forms: dict[Atom, Expression] = {v: self.form(v) for v in dict.fromkeys(variables_of(expression))}
        found = substitute(expression, forms.get)
        if len(found.terms) > limits.CONDITION_TERMS:
            raise NotAffine(f"more than {limits.CONDITION_TERMS} terms")
        return found

    # -- conditions ------------------------------------------------------------------------------------

    def add(self, condition: Disjunction) -> None:
        """CONDITION, over variables, holds."""
        self.add_cases([tuple(map(self.over_symbols, each)) for each in condition])

    def add_cases(self, cases: Sequence[Conjunction]) -> None:
        """One of CASES, over symbols, holds."""
        known = tuple(cases)
        if len(known) == 1:
            self.facts += known[0]
        elif () not in known:
            self.choices.append(known)

    def add_factor(self, factor: Factor, factors: Factors) -> None:
        """What FACTOR says."""
        if factor.known is None:
            if factor.is_stated:
                self.add(factor.condition)
            return
        known = factors.condition(factor)
        if not known.exact:
            self.because.append(known.because or "the conditions at its location are not known exactly")
        if known.points.n_basic_set() > limits.CONDITION_PIECES:
            self.because.append(f"more than {limits.CONDITION_PIECES} alternatives")
            return
        names = self.elimination.variable
        self.add(disjunction(known.points, lambda name: own(names(name))))

    # -- definitions -----------------------------------------------------------------------------------

    def define_all(self) -> None:
        """Add what the definitions say of all symbols."""
        while self._pending:
            variable = self._pending.pop(0)
            self._define(variable, self.elimination.definitions.definition(variable))

    def _define(self, variable: Variable, definition: Definition) -> None:
        if conflicts(definition.tokens, self._tokens):
            self.because.append("two values may be computed from one element")
        self._tokens |= definition.tokens
        is_leaf = definition.points is not None or definition.is_leaf
        if definition.is_leaf and self._add_determination(variable):
            pass
        elif is_leaf and self._may_not_run(variable):
            self.because.append("it may be computed in a branch that is not taken")
            self._add_range(variable)
        elif definition.is_partial:
            self.because.append(definition.because or "it is not known exactly")
            self._add_range(variable)
        elif definition.points is not None:
            if not definition.exact:
                self.because.append(definition.because or "it is not known exactly")
            names = {name: other for other, name in definition.points.names.items()}
            points = definition.points.points
            if points.n_basic_set() > limits.CONDITION_PIECES:
                self.because.append(f"more than {limits.CONDITION_PIECES} alternatives")
                self._add_range(variable)
            else:
                self.add(disjunction(points, lambda name: own(names[name])))
        elif definition.induction is not None:
            self._add_induction(variable, definition.induction)
        elif definition.choices:
            self.add(tuple(
                (own(variable) - chosen, chosen - own(variable), *conjunction)
                for when, chosen in definition.choices
                for conjunction in when
            ))  # fmt: skip
        else:
            if not definition.exact:
                self.because.append(definition.because or "it is not known exactly")
            self.add(tuple((*e.zero, *(-z for z in e.zero), *e.nonnegative) for e in definition.alternatives))

    def _may_not_run(self, variable: Variable) -> bool:
        return home(variable.value) not in self.running and self.elimination.may_not_run(variable.value)

    def _where_not_taken(self, variable: Variable) -> Conjunction | None:
        """When the branch that computes VARIABLE is not taken, which one of two is; None if it is not known.

        Where the operation itself runs, one of its two branches does: where %c holds, or where it does not.
        """
        block = home(variable.value)
        op = None if block is None else block.parent_op()
        guards = () if op is None or op.parent not in self.running else questions.guards(op) or ()
        here = [each.condition for each in guards if block is not None and each.region is block.parent]
        others = [each.condition for each in guards if block is not None and each.region is not block.parent]
        conditions = [e for condition in (*here, *others) for each in condition for e in each]
        if len(here) != 1 or len(others) != 1 or len(conditions) != 2:
            return None
        taken, not_taken = conditions
        is_complement = taken + not_taken == constant(-1)
        return self._resolved((not_taken,)) if is_complement else None

    def _add_range(self, variable: Variable) -> None:
        low, high = self.elimination.definitions.range(variable)
        self.facts += [own(variable) - low] if low is not None else []
        self.facts += [high - own(variable)] if high is not None else []

    def _add_induction(self, variable: Variable, induction: Induction) -> None:
        """l <= x < u, and x = l + k * step for some k >= 0; the step is positive."""
        number, step = own(variable), induction.step
        inside = [*(number - e for e in induction.lower), *(e - 1 - number for e in induction.upper)]
        self.add((tuple(inside),))
        if step.is_constant and step.constant == 1:
            return
        count = self._new("k")
        start, step = self.over_symbols(maximum(*induction.lower)), self.over_symbols(step)
        rest = number - start - step * count
        self.facts += [rest, -rest, count, *([] if step.is_constant else [step - 1])]

    def _add_determination(self, variable: Variable) -> bool:
        """What determines VARIABLE, the result of an operation: whether that is known."""
        value, definitions = variable.value, self.elimination.definitions
        if not isinstance(value, OpResult) or not isinstance(variable, Value) or definitions.stops(variable):
            return False
        try:
            found = questions.determined(value.op)
            known = None if found is None else found[value.index]
            if known is None:
                return False
            cases = [*self._of_quotients(known), *(self._resolved(each) for each in known.others)]
            if self._may_not_run(variable) and not self._is_excluded(known.undefined):
                elsewhere = self._where_not_taken(variable)
                if elsewhere is None:
                    self.because.append("it may be computed in a branch that is not taken")
                cases += [(*self._resolved(each), *(elsewhere or ())) for each in known.undefined]
        except NotAffine:
            return False
        self.add_cases(cases)
        if not known.others or self._is_excluded(known.others):
            return True
        self.because.append(f"{definitions.name_of(value)} is a quotient of numbers that may be negative")
        return False

    def _resolved(self, conjunction: Conjunction) -> Conjunction:
        """CONJUNCTION, as an operation states it, over symbols."""
        return tuple(self.over_symbols(self.elimination.definitions.resolve(e)) for e in conjunction)

    def _of_quotients(self, known: questions.ResultCases) -> Iterator[Conjunction]:
        """The cases of KNOWN, each with what its quotients are."""
        floors: dict[Atom, Expression] = {}
        facts: dict[Atom, Conjunction] = {}
        for name, (a, b) in known.floors.items():
            atom = Parameter(name)
            (numerator,), (divisor,) = self._resolved((substitute(a, floors.get),)), self._resolved((b,))
            floors[atom], own_facts = self._floor(numerator, divisor)
            inner = dict.fromkeys(inside for inside in a.atoms() if inside in facts)
            facts[atom] = (*own_facts, *(fact for each in inner for fact in facts[each]))
        for case in known.cases:
            used = dict.fromkeys(a for e in case for a in e.atoms() if a in floors)
            said = self._resolved(tuple(substitute(e, floors.get) for e in case))
            yield (*said, *(fact for atom in used for fact in facts[atom]))

    def _floor(self, a: Expression, b: Expression) -> tuple[Expression, Conjunction]:
        """floor(a / b), where b >= 1, and what determines it; equal quotients are one integer.

        floor((w * b + r) / b) = w + floor(r / b).
        """
        if b.is_constant and b.constant > 0:
            return a // b, ()
        if b.is_constant:
            return constant(0), (constant(-1),)
        whole, rest = quotient_and_rest(a, b)
        if rest == constant(0):
            return whole, ()
        if (rest, b) not in self._floors:
            self._floors[rest, b] = self._new("q")
        quotient = self._floors[rest, b]
        left = rest - quotient * b
        return whole + quotient, (left, b - 1 - left)

    def _is_excluded(self, cases: Disjunction) -> bool:
        """Whether ranges exclude all CASES."""
        definitions = self.elimination.definitions
        highs = [[range_of(definitions.resolve(e), definitions.range)[1] for e in each] for each in cases]
        return all(any(high is not None and high < 0 for high in each) for each in highs)

    def _new(self, name: str) -> Expression:
        self._further += 1
        return parameter(f"{name}.{self._further}")
