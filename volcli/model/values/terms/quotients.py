"""What determines a quotient of values, over itself: polynomial inequalities, by the sign of the divisor.

%t = arith.ceildivsi %n, %b       b >= 1,  0 <= t * b - n <= b - 1
                              or  b <= -1, 0 <= t * b - n <= -b - 1       (and so on)
"""

from __future__ import annotations

from xdsl.ir import OpResult

from volcli.language import questions
from volcli.language.expressions import Atom, Expression, NotAffine, Parameter, Value, substitute, value_of
from volcli.language.reads import Conjunction, Disjunction
from volcli.model.values.terms.variables import Variable


def quotient_cases(variable: Variable) -> Disjunction:
    """The cases of VARIABLE, if it is a quotient by a value: in one of them all expressions are at least 0.

    There are none if it is another number, or if what determines it needs a quotient beside it.
    """
    value = variable.value
    if not isinstance(variable, Value) or not isinstance(value, OpResult):
        return ()
    try:
        found = questions.determined(value.op)
        known = None if found is None else found[value.index]
        if known is None or known.others:
            return ()
        return tuple(_without_quotient(each, known, value) for each in known.cases)
    except NotAffine:
        return ()


def _without_quotient(case: Conjunction, known: questions.ResultCases, result: OpResult) -> Conjunction:
    """CASE, in which the quotient q = floor(a / b) is written over RESULT, which is q + c.

    With q come 0 <= a - q * b <= b - 1. Raises NotAffine if RESULT is not such a sum.
    """
    used = {atom for each in case for atom in each.atoms() if isinstance(atom, Parameter)}
    if len(used) != 1 or (only := used.pop()).name not in known.floors:
        raise NotAffine("a case without one quotient")
    quotient: dict[Atom, Expression] = {}
    for each in case:
        factors = dict(each.terms)
        if factors.get(only) == 1 and factors.get(Value(result)) == -1 and len(factors) == 2:
            quotient[only] = value_of(result) - each.constant
    if not quotient:
        raise NotAffine("it is not the sum of the quotient and a number")
    a, b = known.floors[only.name]
    rest = a - quotient[only] * b
    said = [substitute(each, quotient.get) for each in case]
    return (*(each for each in said if not each.is_constant), rest, b - 1 - rest)
