"""What terms are worth as real numbers, so that two of them can be told apart.

A term is evaluated at pseudo-random elements of the inputs: the same ones for both programs, in each process.
Two terms that are equal as functions of real numbers have equal values, but for rounding: sums in another
order, x * 2 and x + x. So values that are farther apart than rounding explains show that the terms are
different functions. Terms with an operation that is not in the table are not told apart, as they may be equal
by what it means: `floor(floor(a))` and `floor(a)`, `xori(cmpf.olt(a, b), 1)` and `cmpf.uge(a, b)`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from volcli.execution.numbers.terms import FloatTerm

FAR = 1e-3
"""How far apart values are that differ, in parts of the numbers that they were summed from."""
NEAR = 1e-5
"""The same of values that are sums and products alone: one of 4,096 products that are added is no less."""


class Magnitude(NamedTuple):
    """A `value`, and the `scale` of what it was computed from: rounding errors are small parts of that."""

    value: float
    scale: float


def _sum(a: Magnitude, b: Magnitude) -> Magnitude:
    return Magnitude(a.value + b.value, a.scale + b.scale)


def _difference(a: Magnitude, b: Magnitude) -> Magnitude:
    return Magnitude(a.value - b.value, a.scale + b.scale)


def _product(a: Magnitude, b: Magnitude) -> Magnitude:
    return Magnitude(a.value * b.value, a.scale * b.scale)


def _quotient(a: Magnitude, b: Magnitude) -> Magnitude:
    return Magnitude(a.value / b.value, a.scale / abs(b.value) * (b.scale / abs(b.value)))


def _exponential(a: Magnitude) -> Magnitude:
    return Magnitude(math.exp(a.value), math.exp(a.value) * max(1.0, a.scale))


def _fused(a: Magnitude, b: Magnitude, c: Magnitude) -> Magnitude:
    return _sum(_product(a, b), c)


def _choice(condition: Magnitude, yes: Magnitude, no: Magnitude) -> Magnitude:
    return yes if condition.value > 0.5 else no


def _of(function: Callable[..., float]) -> Callable[..., Magnitude]:
    """FUNCTION of values, whose error is of the size of its operands' scale, or of its own."""

    def apply(*operands: Magnitude) -> Magnitude:
        value = float(function(*[each.value for each in operands]))
        return Magnitude(value, max(abs(value), *(each.scale for each in operands)))

    return apply


_greatest, _least = _of(max), _of(min)


def _negated(a: Magnitude) -> Magnitude:
    return Magnitude(-a.value, a.scale)


def _rounded(a: Magnitude) -> Magnitude:
    """Formats are not looked at: rounding does not count."""
    return a


def _exponential_of_2(a: Magnitude) -> Magnitude:
    return _exponential(Magnitude(a.value * math.log(2), a.scale))


def _inverse_root(a: float) -> float:
    return 1 / math.sqrt(a)


def _bits(function: Callable[[int, int], int]) -> Callable[..., Magnitude]:
    """FUNCTION of two truths, which are the numbers 0 and 1; of others it raises ValueError."""

    def apply(a: Magnitude, b: Magnitude) -> Magnitude:
        if not {a.value, b.value} <= {0.0, 1.0}:
            raise ValueError(a, b)
        return Magnitude(float(function(int(a.value), int(b.value))), 1.0)

    return apply


_FUNCTIONS: Mapping[str, Callable[..., Magnitude]] = {
    "addf": _sum,
    "subf": _difference,
    "mulf": _product,
    "divf": _quotient,
    "fma": _fused,
    "negf": _negated,
    "absf": _of(math.fabs),
    "extf": _rounded,
    "truncf": _rounded,
    "select": _choice,
    **dict.fromkeys(("maximumf", "maxnumf"), _greatest),
    **dict.fromkeys(("minimumf", "minnumf"), _least),
    "exp": _exponential,
    "exp2": _exponential_of_2,
    "log": _of(math.log),
    "log2": _of(math.log2),
    "log1p": _of(math.log1p),
    "expm1": _of(math.expm1),
    "sqrt": _of(math.sqrt),
    "rsqrt": _of(_inverse_root),
    "tanh": _of(math.tanh),
    "sin": _of(math.sin),
    "cos": _of(math.cos),
    "erf": _of(math.erf),
    "powf": _of(math.pow),
    **{name: _of(getattr(math, name)) for name in ("tan", "asin", "acos", "atan", "sinh", "cosh", "asinh",
                                                   "acosh", "atanh", "atan2", "log10", "cbrt", "erfc")},
    **{name: _bits(getattr(operator, f"{name[:-1]}_" if name != "xori" else "xor"))
       for name in ("andi", "ori", "xori")},
}  # fmt: skip
_SAME = {
    "pow": "powf", "power": "powf", "exponential": "exp", "exponential_minus_one": "expm1",
    "log_plus_one": "log1p", "sine": "sin", "cosine": "cos",
    "greater": "cmpf.2", "greater_equal": "cmpf.3", "equal": "cmpf.1",
}  # fmt: skip
"""What tosa and stablehlo call operations of arith and math."""
_NEUTRAL = {"maximumf": -math.inf, "maxnumf": -math.inf, "minimumf": math.inf, "minnumf": math.inf}
"""What an extremum begins with, which is no number that others are computed with."""
_BYTES = 4
"""Of f32, the least format whose constants are as good as numbers."""
_SUMS = frozenset(
    ("addf", "subf", "mulf", "divf", "fma", "negf", "absf", "extf",
     "truncf", "select", "maximumf", "maxnumf", "minimumf", "minnumf", "cmpf")
)  # fmt: skip
"""What programs do not approximate by something else."""
_SIX = (operator.eq, operator.gt, operator.ge, operator.lt, operator.le, operator.ne)
_RELATIONS: tuple[Callable[..., bool], ...] = (
    lambda *_: False, *_SIX, lambda *_: True, *_SIX, lambda *_: False, lambda *_: True,
)  # fmt: skip
"""Of `cmpf.0` to `cmpf.15`: ordered and unordered ones are alike, since no value is NaN."""


class Valuation:
    """The values of terms at one draw of the inputs' elements: 0 is positive, 2 negative, others are mixed.

    A maximum of many elements hides all but one: what it leaves out is seen in some draw.

    >>> from volcli.execution.numbers.terms import Terms
    >>> terms = Terms()
    >>> a, b = terms.element("a", (0,)), terms.element("b", (0,))
    >>> draw = Valuation(1)
    >>> draw.tells_apart(terms.of("addf", a, b), terms.of("addf", b, a))
    False
    >>> draw.tells_apart(terms.of("addf", a, b), terms.of("addf", a, a))
    True
    """

    def __init__(self, draw: int) -> None:
        self._draw = draw
        self._known: dict[FloatTerm, Magnitude | None] = {}
        self.is_blind = False
        """Whether a term was asked for with an operation that is not in the table."""
        self._far = NEAR
        """FAR if a function was valued that programs approximate, or a constant of few bits."""

    @property
    def count(self) -> int:
        """How many terms were valued."""
        return len(self._known)

    def tells_apart(self, left: Any, right: Any) -> bool:
        """Whether the numbers or terms LEFT and RIGHT have values that rounding does not explain."""
        one, other = self.value(left), self.value(right)
        if one is None or other is None:
            return False
        return abs(one.value - other.value) > self._far * max(one.scale, other.scale)

    def value(self, term: Any) -> Magnitude | None:
        """The value of TERM, or of a number; None if it has none that is finite."""
        if not isinstance(term, FloatTerm):
            return _number(term)
        waiting = [term]
        while waiting:
            each = waiting[-1]
            missing = [o for o in each.operands if o not in self._known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if each not in self._known:
                self._known[each] = self._computed(each)
        return self._known[term]

    def _computed(self, term: FloatTerm) -> Magnitude | None:
        if term.name == "number":
            if getattr(term.key[1], "itemsize", _BYTES) < _BYTES:
                self._far = FAR
            return _number(term.key[1])
        if not term.operands:
            return _magnitude(self._drawn(repr(term.key)))
        neutral = _NEUTRAL.get(term.name)
        others = [o for o in term.operands if o.name != "number" or float(o.key[1]) != neutral]
        if neutral is not None and len(others) == 1:
            return self._known[others[0]]
        operands = [self._known[each] for each in term.operands]
        known = [each for each in operands if each is not None]
        if len(known) < len(operands):
            return None
        function = self._function(term.name)
        if function is None:
            self.is_blind = True
            return None
        try:
            found = function(*known)
        except (ArithmeticError, ValueError):
            return None
        return found if math.isfinite(found.value) and math.isfinite(found.scale) else None

    def _function(self, name: str) -> Callable[..., Magnitude] | None:
        base, _, rest = _SAME.get(name.partition(".")[0], name).partition(".")
        if base not in _SUMS:
            self._far = FAR
        if base == "cmpf":
            holds = _RELATIONS[int(rest.partition(".")[0])]
            return _of(holds)
        return _FUNCTIONS.get(base)

    def _drawn(self, key: str) -> float:
        """A number that KEY decides, of a size in [0.5, 1.5): positive in draw 0, negative in draw 2."""
        bits = int.from_bytes(blake2b(f"{self._draw} {key}".encode(), digest_size=6).digest(), "big")
        size = 0.5 + (bits >> 1) / (1 << 47)
        return -size if self._draw == 2 or (self._draw and bits & 1) else size


def _magnitude(value: float) -> Magnitude:
    return Magnitude(value, abs(value))


def _number(number: Any) -> Magnitude | None:
    value = float(number)
    return _magnitude(value) if math.isfinite(value) else None
