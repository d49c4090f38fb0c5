"""What calls assert: the assertions of the functions that they call, about what they pass.

Whoever gets past `call @f(y)` knows all that @f(x) asserts, with y for x. An assertion C(x) in the first
block of @f has held whenever a call returns. If it is about arguments alone, that is C(y):

    func.func @check(%i: index, %n: index) { assert %i < %n }      after `call @check(%a, %c8)`: %a < 8

What else is asserted (in regions, in other blocks, about data, in a recursion) is not known, and may be about
anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import Atom, Dim, Expression, NotAffine, Value, dim_of, substitute, value_of
from volcli.language.reads import Disjunction
from volcli.language.unchanged import cached_method, operations_in
from volcli.limits import values as limits
from volcli.model.symbols import called_by, entry_of, reached_from

_NOT_OF_ARGUMENTS = "the assertions of a called function about more than its arguments are unknown"


def asserting_calls(function: Operation) -> frozenset[Operation]:
    """The operations in FUNCTION that call a function which asserts something, or calls one that does."""
    callers: dict[Operation, list[Operation]] = {}
    for op in operations_in(function):
        called = called_by(op)
        if called is not None:
            callers.setdefault(called, []).append(op)
    asserts: dict[Operation, bool] = {}
    return frozenset(op for called, ops in callers.items() if _asserts(called, asserts) for op in ops)


def _asserts(function: Operation, known: dict[Operation, bool]) -> bool:
    """Whether FUNCTION or what it calls asserts something; KNOWN is of each function alone."""
    for each in reached_from(function):
        if each not in known:
            known[each] = any(questions.assumptions.answers(type(op)) for op in each.walk())
        if known[each]:
            return True
    return False


class Asserted:
    """What calls assert; VALUE is what the operation of a result says of it, if that is known.

    A condition that just says that a truth value holds is SIMPLIFIED to what that means.
    """

    def __init__(
        self,
        value: Callable[[OpResult], Expression | None],
        simplified: Callable[[Disjunction], Disjunction],
    ) -> None:
        self._value = value
        self._simplified = simplified

    def by(self, call: Operation) -> Iterator[Disjunction]:
        """The conditions that hold after CALL, over the values where it is.

        Raises NotAffine, after those that are known, if there may be more.
        """
        return self._of(call, lambda expression: expression, ())

    def _of(
        self, call: Operation, outer: Callable[[Expression], Expression], callers: Sequence[Operation]
    ) -> Iterator[Disjunction]:
        """What CALL asserts, in the innermost of CALLERS, whose values OUTER brings to the outermost one."""
        function = called_by(call)
        if function is None or function in callers:
            raise NotAffine("the assertions of a recursive function are unknown")
        entry = entry_of(function)
        passed: dict[SSAValue, SSAValue] = dict(zip(entry.args, call.operands, strict=True))

        def inner(expression: Expression) -> Expression:
            return outer(self._passed(expression, passed, 0))

        within, stating = self._in(function)
        for op in stating:
            if op.parent is entry and op in within:
                yield from self._of(op, inner, (*callers, function))
            elif op.parent is entry:
                for condition in questions.assumptions(op) or ():
                    yield tuple(tuple(map(inner, c)) for c in self._simplified(condition))
        if any(op.parent is not entry for op in stating):
            raise NotAffine("the assertions of a called function in regions and other blocks are unknown")

    @cached_method
    def _in(self, function: Operation) -> tuple[frozenset[Operation], Sequence[Operation]]:
        """The calls in FUNCTION that assert something, and all operations in it that do."""
        calls = asserting_calls(function)
        answers = questions.assumptions.answers
        stating = [op for op in operations_in(function) if op in calls or answers(type(op))]
        return calls, stating

    def _passed(self, expression: Expression, passed: Mapping[SSAValue, SSAValue], depth: int) -> Expression:
        """EXPRESSION of a function's values, with what is PASSED for its arguments."""
        if depth > limits.DEFINED_CALLS:
            raise NotAffine(_NOT_OF_ARGUMENTS)

        def replaced(atom: Atom) -> Expression | None:
            match atom:
                case Value(value) if value in passed:
                    return value_of(passed[value])
                case Dim(value, dimension) if value in passed:
                    return dim_of(passed[value], dimension)
                case Value(OpResult() as value):
                    stated = self._value(value)
                    if stated is not None:
                        return self._passed(stated, passed, depth + 1)
                    raise NotAffine(_NOT_OF_ARGUMENTS)
                case Value() | Dim():
                    raise NotAffine(_NOT_OF_ARGUMENTS)
                case _:
                    return None

        return substitute(expression, replaced)
