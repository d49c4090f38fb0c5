"""Numbers as operations compute them, with the fastmath flags that they break."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

FLAGS = ("nnan", "ninf")


@dataclass(frozen=True)
class Cell:
    """A number, and which flags are broken on the way to it: "nnan!" where an operation states nnan.

    A broken flag that is stated makes the number poison; one that is not excludes the run from what holds
    assuming that flag. "sign of NaN" marks what depends on that, which IEEE 754 leaves open.
    """

    number: float
    broken: frozenset[str] = frozenset()

    def counts(self, assumed: frozenset[str]) -> bool:
        """Whether what is said of the number, assuming flags, is said of this run."""
        return not any(flag.endswith("!") or flag in assumed for flag in self.broken)


def divide(a: float, b: float) -> float:
    """a / b."""
    if b != 0 or math.isnan(a):
        return a / b if b != 0 else math.nan
    return math.nan if a == 0 else math.copysign(math.inf, a) * math.copysign(1.0, b)


def root(a: float) -> float:
    """The square root of a."""
    return math.nan if a < 0 else math.sqrt(a)


def fused(a: float, b: float, c: float) -> float:
    """a * b + c, rounded once."""
    if not (math.isfinite(a) and math.isfinite(b) and math.isfinite(c)):
        return a * b + c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return a * b + c if a == 0 or b == 0 else 0.0
    sign = 1.0 if exact > 0 else -1.0
    try:
        return math.copysign(float(exact), sign)
    except OverflowError:
        return sign * math.inf


def largest(a: float, b: float) -> float:
    """The maximum: NaN if one is; +0 of +0 and -0."""
    if math.isnan(a) or math.isnan(b):
        return math.nan
    if a == b == 0:
        return a if math.copysign(1, a) > 0 else b
    return max(a, b)


def largest_number(a: float, b: float) -> float:
    """The maximum of what is no NaN; of two zeros, the first."""
    return b if math.isnan(a) else a if math.isnan(b) else max(a, b)


def remainder(a: float, b: float) -> float:
    """The remainder of a / b with the sign of a."""
    return math.nan if math.isinf(a) or b == 0 else math.fmod(a, b)


def power(a: float, b: float) -> float:
    """a to the power of b."""
    odd = math.isfinite(b) and b == math.floor(b) and b % 2 == 1
    if a == 0 and b < 0:
        return math.copysign(math.inf, a) if odd else math.inf
    if a < 0 and math.isfinite(a) and math.isfinite(b) and b != math.floor(b):
        return math.nan
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and odd else math.inf


def exponential(a: float) -> float:
    """e to the power of a."""
    return power(math.e, a)


def logarithm(a: float) -> float:
    """The natural logarithm of a."""
    return -math.inf if a == 0 else math.nan if a < 0 else math.log(a)


def cosine(a: float) -> float:
    """The cosine of a."""
    return math.nan if math.isinf(a) else math.cos(a)


OPERATIONS: dict[str, Callable[..., float]] = {
    "arith.addf": lambda a, b: a + b,
    "arith.subf": lambda a, b: a - b,
    "arith.mulf": lambda a, b: a * b,
    "arith.divf": divide,
    "arith.maximumf": largest,
    "arith.minimumf": lambda a, b: -largest(-a, -b),
    "arith.maxnumf": largest_number,
    "arith.minnumf": lambda a, b: -largest_number(-a, -b),
    "arith.negf": lambda a: -a,
    "math.absf": abs,
    "math.sqrt": root,
    "math.rsqrt": lambda a: divide(1.0, root(a)),
    "math.copysign": math.copysign,
    "math.fma": fused,
    "arith.remf": remainder,
    "math.powf": power,
    "math.atan2": math.atan2,
    "math.exp": exponential,
    "math.log": logarithm,
    "math.cos": cosine,
    "math.tanh": math.tanh,
}
ARITY = {name: 3 if name == "math.fma" else 1 for name in OPERATIONS} | dict.fromkeys(
    ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf", "arith.minimumf",
     "arith.maxnumf", "arith.minnumf", "math.copysign", "arith.remf", "math.powf", "math.atan2"), 2)  # fmt: skip
UNDETERMINED = (
    "arith.maxnumf", "arith.minnumf", "arith.remf",
    "math.powf", "math.atan2", "math.exp", "math.log", "math.cos", "math.tanh",
)  # fmt: skip
"""Which of two zeros the first two choose is open, and the others' last bits are."""


def apply(name: str, flags: Sequence[str], operands: Sequence[Cell]) -> Cell:
    """The operation NAME with the stated FLAGS."""
    numbers = [cell.number for cell in operands]
    result = OPERATIONS[name](*numbers)
    broken: set[str] = set()
    for flag, test in (("nnan", math.isnan), ("ninf", math.isinf)):
        if any(test(number) for number in (*numbers, result)):
            broken.add(f"{flag}!" if flag in flags else flag)
    if name == "math.copysign" and math.isnan(numbers[1]):
        broken.add("sign of NaN")
    return Cell(result, frozenset(broken).union(*(cell.broken for cell in operands)))
