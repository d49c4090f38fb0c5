"""Where operations have a result: as far as ranges leave it open, their results are defined there alone.

Of an i8 %a, `addi %a, 1 overflow<nsw>` is poison for %a = 127: it is %a + 1 where %a <= 126. Such a result is
a variable of its own, whose definition says so; where its operands' ranges exclude these numbers, it is a
formula as any other.

Poison may be computed and thrown away: `select %c, %s, 0` is 0 for a false %c, whatever %s is. A result that
something may *ignore* excludes no numbers of its operands, and is anything where it is poison. So is one that
is computed in a branch, where that may not run. What is undefined at once is excluded by places, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, OpResult, SSAValue, Use
from xdsl.traits import IsolatedFromAbove, IsTerminator

from volcli.language import questions
from volcli.language.expressions import Expression, NotAffine
from volcli.language.loops import While
from volcli.language.programs.known_loops import known_loop
from volcli.language.reads import Disjunction, is_number
from volcli.limits import values as limits
from volcli.model.values.terms.ranges import Interval, range_of
from volcli.model.values.terms.variables import Definition, Disjunct, Variable, references_of

EVERYWHERE: Disjunction = ((),)


class ResultDefinedness:
    """When results are defined, over variables: by RESOLVE and the RANGE of variables."""

    def __init__(
        self, resolve: Callable[[Expression], Expression], range: Callable[[Variable], Interval]
    ) -> None:
        self._resolve = resolve
        self._range = range

    def where(self, result: OpResult) -> Disjunction:
        """Where RESULT is defined: `((),)` if it is wherever it is computed, `()` if it never is.

        Raises NotAffine if that is too much to say.
        """
        found: list[Disjunction] = []
        for condition in self._conditions(result.op):
            resolved = [tuple(map(self._resolve, conjunction)) for conjunction in condition]
            possible = [c for c in resolved if not any(map(self._is_negative, c))]
            if not any(all(map(self._is_not_negative, c)) for c in possible):
                found.append(tuple(possible))
        cases = tuple(tuple(dict.fromkeys(sum(chosen, ()))) for chosen in product(*found))
        if len(cases) > limits.DEFINED_CASES:
            raise NotAffine("it is defined in many cases")
        return cases

    @staticmethod
    def _conditions(op: Operation) -> Iterator[Disjunction]:
        """What keeps the result of OP from poison; in a branch, from being undefined: places say the rest."""
        yield from questions.poison_free(op) or ()
        if isinstance(op.results[0].type, IntegerType) and is_in_branch(op):
            yield from questions.demands(op) or ()

    def _is_negative(self, expression: Expression) -> bool:
        high = range_of(expression, self._range)[1]
        return high is not None and high < 0

    def _is_not_negative(self, expression: Expression) -> bool:
        low = range_of(expression, self._range)[0]
        return low is not None and low >= 0


def partly(found: Definition, variable: Variable, where: Disjunction) -> Definition:
    """What is FOUND of VARIABLE, as it is WHERE its operation gives it a number: `()` if it is unknown."""
    if not where:
        return replace(found, exact=False, may_be_poison=True, is_partial=True)
    alternatives = tuple(
        Disjunct(each.zero, (*each.nonnegative, *conjunction))
        for each in found.alternatives
        for conjunction in where
    )
    references = tuple(dict.fromkeys((*found.references, *references_of(alternatives, variable))))
    found = replace(found, alternatives=alternatives, references=references, may_be_poison=True)
    op = variable.value.owner
    if isinstance(op, Operation) and not is_in_branch(op) and not may_be_ignored(variable.value):
        return found
    return replace(found, exact=False, is_partial=True)


def is_in_branch(op: Operation) -> bool:
    """Whether OP is in a region of an operation that chooses one, as of scf.if."""
    around = op.parent_op()
    while around is not None:
        if around.regions and questions.choices.answers(type(around)):
            return True
        around = around.parent_op()
    return False


def may_be_ignored(value: SSAValue) -> bool:
    """Whether something that is computed from VALUE is defined though VALUE is poison."""
    met, pending = {value}, [value]
    while pending:
        for use in pending.pop().uses:
            if _ignores(use):
                return True
            new = [r for r in use.operation.results if is_number(r) and r not in met]
            met.update(new)
            pending += new
    return False


def _ignores(use: Use) -> bool:
    """Whether USE hands on what need not be used, as choices, calls, and what goes around loops do."""
    op = use.operation
    if op.has_trait(IsTerminator):
        parent = op.parent_op()
        return parent is None or not parent.has_trait(IsolatedFromAbove)
    if not op.regions and questions.choices.answers(type(op)):
        return use.index > 0
    loop = known_loop(op)
    if loop is not None:
        initial = loop.initial if isinstance(loop, While) else [each.initial for each in loop.carried]
        return any(op.operands[use.index] is each for each in initial)
    return questions.callee.answers(type(op))
