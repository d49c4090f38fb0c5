"""Where a term is poison: AFTER may be so only where BEFORE is.

The hazards of a term are conditions on its parts under which it is poison, or under which its flags allow for
other values: `addi nsw` of two numbers that overflows, a shift by the width or more, a division by 0, an
addition that may be reassociated. They are compared by what they are of, in normal form:

    before: addi nsw %x, %y     after: addi nsw %y, %x      the same one
    before: addi %x, %y         after: addi nsw %x, %y      one more: not shown

What is not chosen by a selection does no harm: of BEFORE only what is always computed counts, of AFTER all.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from volcli.equivalence.terms.folding import folded
from volcli.equivalence.terms.normal import Normal
from volcli.equivalence.terms.operators import COMMUTATIVE
from volcli.equivalence.terms.terms import ATOM, NUMBER, ScalarTerm, signed

_TOTAL = COMMUTATIVE | frozenset(
    ("subi", "select", "cmpi", "cmpf", "extsi", "extui", "trunci", "index_cast", "index_castui", "bitcast",
     "subf", "divf", "negf", "absf", "extf", "truncf", "sitofp", "uitofp", "remf",
     "math.exp", "math.exp2", "math.log", "math.log2", "math.sqrt", "math.rsqrt", "math.tanh", "math.sin",
     "math.cos", "math.erf", "math.powf", "math.absf", "math.floor", "math.ceil", "math.fma")
)  # fmt: skip
"""Operations that are defined for all operands, if they have no flags."""
_EXACT: Mapping[str, Callable[[int, int], int]] = {
    "addi": operator.add, "subi": operator.sub, "muli": operator.mul,
}  # fmt: skip
_SHIFTS = ("shli", "shrui", "shrsi")
_DIVISIONS = ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui")


def hazards(term: ScalarTerm, normal: Normal, *, always: bool) -> frozenset[Hashable]:
    """The hazards of TERM; with ALWAYS those alone of what is computed whatever is selected."""
    found: set[Hashable] = set()
    pending, seen = [term], set[int]()
    while pending:
        each = pending.pop()
        if each.serial in seen:
            continue
        seen.add(each.serial)
        found.update(_of(each, normal))
        pending += each.operands[:1] if always and each.name == "select" else each.operands
    return frozenset(found)


def _of(term: ScalarTerm, normal: Normal) -> Iterator[Hashable]:
    name, own = term.name, term.operator
    if name == ATOM:
        yield ATOM, own.stated
    if name in (ATOM, NUMBER):
        return
    operands = [normal.of(each) for each in term.operands]
    places = [each.serial for each in operands]
    if name in COMMUTATIVE:
        places.sort()
    for flag in sorted(own.flags - _kept(term, operands)):
        yield flag, name, own.stated, term.kind, tuple(places)
    if name in _SHIFTS:
        by = operands[1].number
        if by is None or (isinstance(term.kind, int) and by >= term.kind):
            yield "shift", term.kind, places[1]
    elif name in _DIVISIONS:
        if _may_fail(operands[1]):
            yield "division", name, term.kind, tuple(places)
    elif name not in _TOTAL:
        yield "operation", name, own.stated, term.kind, tuple(places)


def _kept(term: ScalarTerm, operands: Sequence[ScalarTerm]) -> frozenset[str]:
    """The flags that an operation on constants keeps: it does not overflow, and is no NaN or infinity."""
    numbers = [each.number for each in operands if each.number is not None]
    if len(numbers) < len(operands):
        return frozenset()
    if isinstance(term.kind, str):
        made = folded(term.name, term.kind, [each.kind for each in operands], numbers)
        every = [float(each) for each in (*numbers, math.nan if made is None else made)]
        has_nan, has_infinity = any(map(math.isnan, every)), any(map(math.isinf, every))
        return frozenset(["nnan"] * (not has_nan) + ["ninf"] * (not (has_infinity or made is None)))
    function, half = _EXACT.get(term.name), 2 ** (term.kind - 1)
    if function is None or len(numbers) != 2:
        return frozenset()
    one, other = map(int, numbers)
    plain, with_signs = function(one, other), function(signed(one, term.kind), signed(other, term.kind))
    return frozenset(["nuw"] * (0 <= plain < 2 * half) + ["nsw"] * (-half <= with_signs < half))


def _may_fail(divisor: ScalarTerm) -> bool:
    number, width = divisor.number, divisor.kind
    return number is None or not isinstance(width, int) or number in (0, 2**width - 1)
