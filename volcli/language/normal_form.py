"""Expressions as polynomials in normal form: what is equal as a polynomial is equal as a Python value.

Terms are sorted by their monomials, these by their atoms, and atoms by their kind and their position in the
program; products of sums are multiplied out. `volcli.language.expressions` says what expressions mean.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from volcli.language.atoms import WHOLE, Dim, LoopIndex, Parameter, Value, serial
from volcli.limits import language as limits


class NotAffine(Exception):
    """An expression has no affine form: a product of two unknowns, or a division by one."""


class Misfit(NotAffine):
    """The parts of an operation do not fit together, so that it is invalid: dimension 7 of a matrix."""


@dataclass(frozen=True)
class FloorDiv:
    """floor(numerator / divisor), divisor >= 2."""

    numerator: Expression
    divisor: int

    def __str__(self) -> str:
        return f"{grouped(self.numerator)} floordiv {self.divisor}"


@dataclass(frozen=True)
class Mod:
    """numerator - divisor * floor(numerator / divisor), in [0, divisor), divisor >= 2."""

    numerator: Expression
    divisor: int

    def __str__(self) -> str:
        return f"{grouped(self.numerator)} mod {self.divisor}"


@dataclass(frozen=True)
class Minimum:
    """The smallest of several expressions."""

    operands: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"min({', '.join(map(str, self.operands))})"


@dataclass(frozen=True)
class Maximum:
    """The largest of several expressions."""

    operands: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"max({', '.join(map(str, self.operands))})"


@dataclass(frozen=True)
class Piecewise:
    """The expression of a piece whose conditions are all >= 0: some piece's are, and those that are agree."""

    pieces: tuple[tuple[tuple[Expression, ...], Expression], ...]

    def __str__(self) -> str:
        last = self.pieces[-1][1]
        others = [(where, value) for where, value in self.pieces if value != last]
        return f"({''.join(f'{value} if {_conditions(where)} else ' for where, value in others)}{last})"


def _number(expression: Expression, numbers: Mapping[str, int]) -> int:
    """EXPRESSION where its parameters have these NUMBERS. Raises ValueError."""
    return expression.constant + sum(c * _number_of_atom(atom, numbers) for atom, c in expression.terms)


def _number_of_atom(atom: Atom, numbers: Mapping[str, int]) -> int:
    match atom:
        case FloorDiv(numerator, divisor):
            return _number(numerator, numbers) // divisor
        case Mod(numerator, divisor):
            return _number(numerator, numbers) % divisor
        case Minimum(operands):
            return min(_number(each, numbers) for each in operands)
        case Maximum(operands):
            return max(_number(each, numbers) for each in operands)
        case Monomial(factors=factors):
            return prod(_number_of_atom(each, numbers) for each in factors)
        case Piecewise(pieces):
            holds = (all(_number(each, numbers) >= 0 for each in where) for where, _ in pieces)
            return _number(next(value for (_, value), so in zip(pieces, holds, strict=True) if so), numbers)
        case Parameter(name) if name in numbers:
            return numbers[name]
        case _:
            raise ValueError(f"{atom} has no number")


def _conditions(where: Sequence[Expression]) -> str:
    """That all of WHERE are at least 0, as people write it: `n >= 1 and k = 0`."""
    said: list[str] = []
    for each in where:
        is_equal = -each in where
        if is_equal and where.index(-each) < where.index(each):
            continue
        said.append(_comparison(each, "=" if is_equal else ">="))
    return " and ".join(said) or "true"


def _comparison(form: Expression, relation: str) -> str:
    """That FORM and 0 are in RELATION, without what is subtracted: `n >= k + 1`, `n <= 2`."""
    left = Expression(tuple((atom, c) for atom, c in form.terms if c > 0), 0)
    right = Expression(tuple((atom, -c) for atom, c in form.terms if c < 0), -form.constant)
    if left.terms:
        return f"{left} {relation} {right}"
    return f"{Expression(right.terms, 0)} {'<=' if relation == '>=' else relation} {form.constant}"


@dataclass(frozen=True)
class Monomial:
    """A monomial: the product of two or more atoms, in their order, each as often as its power says.

    `left` is the first factor and `right` the product of the others; patterns match these two.
    """

    factors: tuple[Atom, ...]

    __match_args__ = ("left", "right")

    @property
    def left(self) -> Expression:
        return expression_of_atom(self.factors[0])

    @property
    def right(self) -> Expression:
        return expression_of_atom(_monomial(self.factors[1:]))

    @property
    def is_square(self) -> bool:
        """Whether each factor occurs an even number of times: then it is never negative."""
        return all(self.factors.count(factor) % 2 == 0 for factor in self.factors)

    def __str__(self) -> str:
        return " * ".join(grouped(expression_of_atom(factor)) for factor in self.factors)


Atom = LoopIndex | Value | Dim | Parameter | FloorDiv | Mod | Minimum | Maximum | Piecewise | Monomial


@dataclass(frozen=True)
class Expression:
    """`constant + sum(coefficient * atom)`; coefficients are not 0 and no atom occurs twice.

    Multiplication raises NotAffine where the product would have more than limits.PRODUCT_TERMS terms.
    """

    terms: tuple[tuple[Atom, int], ...]
    constant: int

    def __hash__(self) -> int:
        # Expressions are keys of many caches: the hash is computed once.
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = hash((self.terms, self.constant))
            self.__dict__["_hash"] = known
        return known

    def __reduce__(self) -> tuple[type[Expression], tuple[object, ...]]:
        # Without the hash: texts have another one in another process.
        return Expression, (self.terms, self.constant)

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def depth(self) -> int:
        """How many divisions, extrema, choices and products are in one another; of a sum of values, 0."""
        known: int | None = self.__dict__.get("_depth")
        if known is None:
            composed = (atom for atom, _ in self.terms if not isinstance(atom, WHOLE))
            known = max((1 + depth_in(atom) for atom in composed), default=0)
            self.__dict__["_depth"] = known
        return known

    @property
    def size(self) -> int:
        """How many atoms are written in it, those inside of others included."""
        known: int | None = self.__dict__.get("_size")
        if known is None:
            composed = (atom for atom, _ in self.terms if not isinstance(atom, WHOLE))
            known = len(self.terms) + sum(operand.size for atom in composed for operand in operands_of(atom))
            self.__dict__["_size"] = known
        return known

    @property
    def single_atom(self) -> Atom | None:
        """The atom a if this expression is just `a`, else None."""
        if self.constant == 0 and len(self.terms) == 1 and self.terms[0][1] == 1:
            return self.terms[0][0]
        return None

    def atoms(self, without: Container[Atom] = ()) -> Iterator[Atom]:
        """All atoms, those inside divisions, minima and products included, each before what is inside.

        Those WITHOUT which it is done, and what is inside of them, are left out.
        """
        pending = [atom for atom, _ in reversed(self.terms)]
        while pending:
            atom = pending.pop()
            if without and atom in without:
                continue
            yield atom
            if not isinstance(atom, WHOLE):
                for inner in reversed(operands_of(atom)):
                    pending += [each for each, _ in reversed(inner.terms)]

    def coefficient(self, atom: Atom) -> int:
        return next((c for a, c in self.terms if a == atom), 0)

    def evaluate(self, numbers: Mapping[str, int] | None = None, **more: int) -> int:
        """Its number where its parameters have these NUMBERS, or are n=5 for `%n`.

        >>> from volcli.language.expressions import parameter
        >>> (2 * parameter("%n") + parameter("dim(%t, 0)") // 4).evaluate({"dim(%t, 0)": 9}, n=5)
        12

        Raises ValueError if one of them has no number.
        """
        values = {**(numbers or {}), **{f"%{name}": number for name, number in more.items()}}
        return _number(self, values)

    def __add__(self, other: Expression | int) -> Expression:
        if isinstance(other, int):
            return Expression(self.terms, self.constant + other) if other else self
        if not other.terms:
            return Expression(self.terms, self.constant + other.constant)
        if not self.terms:
            return Expression(other.terms, self.constant + other.constant)
        coefficients = dict(self.terms)
        for atom, c in other.terms:
            coefficients[atom] = coefficients.get(atom, 0) + c
        return Expression(sorted_terms(coefficients), self.constant + other.constant)

    __radd__ = __add__

    def __neg__(self) -> Expression:
        return self * -1

    def __sub__(self, other: Expression | int) -> Expression:
        return self + (-other)

    def __rsub__(self, other: int) -> Expression:
        return -self + other

    def __mul__(self, other: Expression | int) -> Expression:
        if isinstance(other, Expression):
            if other.terms and self.terms:
                return _product(self, other)
            if self.terms:
                return self * other.constant
            return other * self.constant
        if other == 1:
            return self
        if other == 0:
            return constant(0)
        return Expression(tuple((a, c * other) for a, c in self.terms), self.constant * other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Expression | int) -> Expression:
        divisor, numerator = _positive(other, self)
        if divisor == 1:
            return numerator
        if numerator.is_constant:
            return constant(numerator.constant // divisor)
        # floor((d*q + r) / d) = q + floor(r / d): what the divisor divides leaves the division.
        whole = tuple((a, c // divisor) for a, c in numerator.terms if c % divisor == 0)
        rest = tuple((a, c) for a, c in numerator.terms if c % divisor)
        quotient = Expression(whole, numerator.constant // divisor)
        if not rest:
            return quotient
        return quotient + expression_of_atom(
            FloorDiv(Expression(rest, numerator.constant % divisor), divisor)
        )

    def __mod__(self, other: Expression | int) -> Expression:
        divisor, numerator = _positive(other, self)
        if numerator is not self:
            raise NotAffine("a remainder by a negative number")
        if divisor == 1:
            return constant(0)
        numerator = Expression(
            tuple((a, c) for a, c in numerator.terms if c % divisor), numerator.constant % divisor
        )
        if numerator.is_constant:
            return numerator
        return expression_of_atom(Mod(numerator, divisor))

    def ceildiv(self, divisor: Expression | int) -> Expression:
        """ceil(self / divisor) for a positive constant divisor."""
        positive, numerator = _positive(divisor, self)
        return (numerator + (positive - 1)) // positive

    def __str__(self) -> str:
        # Terms are sorted by their texts: those of what is inside are written once.
        known: str | None = self.__dict__.get("_str")
        if known is None:
            known = self.__dict__["_str"] = self._written()
        return known

    def _written(self) -> str:
        text = ""
        for atom, c in self.terms:
            sign = " - " if c < 0 else " + "
            tight = abs(c) != 1 or (c < 0 and not text)
            piece = f"{abs(c)} * " * (abs(c) != 1) + _factor(atom, tight=tight)
            text += (sign if text else "-" if c < 0 else "") + piece
        if self.constant or not text:
            magnitude = abs(self.constant) if text else self.constant
            text += (" - " if self.constant < 0 else " + ") * bool(text) + str(magnitude)
        return text

    __repr__ = __str__


@lru_cache(maxsize=4096)
def constant(value: int) -> Expression:
    """The expression that is always VALUE."""
    return Expression((), value)


def operands_of(atom: Atom) -> tuple[Expression, ...]:
    """The expressions that ATOM is made of: what is divided, compared, chosen from or multiplied."""
    match atom:
        case FloorDiv(numerator, _) | Mod(numerator, _):
            return (numerator,)
        case Minimum(operands) | Maximum(operands):
            return operands
        case Piecewise(pieces):
            return tuple(e for where, value in pieces for e in (*where, value))
        case Monomial():
            return tuple(expression_of_atom(factor) for factor in atom.factors)
        case _:
            return ()


def depth_in(atom: Atom) -> int:
    """The depth of the deepest of the expressions that ATOM is made of."""
    return max((operand.depth for operand in operands_of(atom)), default=0)


def expression_of_atom(atom: Atom) -> Expression:
    """The expression that is ATOM.

    Raises NotAffine where it is nested more than limits.DEPTH times, or made of more than limits.SIZE atoms:
    what each of a chain of operations uses twice is written a number of times that doubles with each.
    """
    found = Expression(((atom, 1),), 0)
    if not isinstance(atom, WHOLE):
        if found.depth > limits.DEPTH:
            raise NotAffine(f"an expression nested more than {limits.DEPTH} times")
        if found.size > limits.SIZE:
            raise NotAffine(f"an expression of more than {limits.SIZE} atoms")
    return found


def grouped(expression: Expression) -> str:
    """EXPRESSION as text, in brackets unless it is one word."""
    text, atom = str(expression), expression.single_atom
    simple = expression.is_constant or isinstance(
        atom, LoopIndex | Value | Dim | Parameter | Minimum | Maximum
    )
    return text if simple else f"({text})"


def _product(left: Expression, right: Expression) -> Expression:
    """The product of two polynomials, term by term."""
    if len(left.terms) * len(right.terms) > limits.PRODUCT_TERMS:
        raise NotAffine(f"a product of sums of {len(left.terms)} and {len(right.terms)} terms")
    coefficients: dict[Atom, int] = {}
    for atom, c in left.terms:
        coefficients[atom] = coefficients.get(atom, 0) + c * right.constant
    for atom, c in right.terms:
        coefficients[atom] = coefficients.get(atom, 0) + c * left.constant
    for a, c in left.terms:
        for b, d in right.terms:
            monomial = _monomial((*_factors(a), *_factors(b)))
            coefficients[monomial] = coefficients.get(monomial, 0) + c * d
    return Expression(sorted_terms(coefficients), left.constant * right.constant)


def _factors(atom: Atom) -> tuple[Atom, ...]:
    return atom.factors if isinstance(atom, Monomial) else (atom,)


def _monomial(factors: Sequence[Atom]) -> Atom:
    return factors[0] if len(factors) == 1 else Monomial(tuple(sorted(factors, key=sort_key)))


def sorted_terms(coefficients: Mapping[Atom, int]) -> tuple[tuple[Atom, int], ...]:
    """The terms that are not 0, in their order."""
    kept = [(atom, c) for atom, c in coefficients.items() if c]
    return tuple(sorted(kept, key=lambda term: sort_key(term[0]))) if len(kept) > 1 else tuple(kept)


SortKey = tuple[str, int, str, "_Composed | None"]


def sort_key(atom: Atom) -> SortKey:
    """What atoms are sorted by: their kind, then their position in the program, or their text."""
    match atom:
        case Value(value):
            return ("2", serial(value), "", None)
        case Dim(value, dimension):
            return ("3", serial(value), str(dimension), None)
        case LoopIndex(position):
            return ("0", position, "", None)
        case Parameter(name):
            return ("1", 0, name, None)
        case _:
            return ("4" + type(atom).__name__, 0, "", _Composed(atom))


@dataclass(frozen=True, eq=False)
class _Composed:
    """An atom that is made of expressions, compared by its text.

    Values of different names may be written alike: then what the atom is made of decides, by its positions.
    """

    atom: Atom

    def _text(self) -> str:
        return f"{self.atom} ["

    def _keys(self) -> list[SortKey]:
        return [sort_key(inner) for operand in operands_of(self.atom) for inner, _ in operand.terms]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Composed):
            return NotImplemented
        return self.atom == other.atom or (self._text() == other._text() and self._keys() == other._keys())

    def __lt__(self, other: _Composed) -> bool:
        mine, others = self._text(), other._text()
        return mine < others if mine != others else self._keys() < other._keys()


def _positive(divisor: Expression | int, numerator: Expression) -> tuple[int, Expression]:
    """The division numerator / divisor with a positive constant divisor."""
    if isinstance(divisor, Expression):
        if not divisor.is_constant:
            raise NotAffine(f"a division by {divisor}")
        divisor = divisor.constant
    if divisor == 0:
        raise NotAffine("a division by zero")
    return (divisor, numerator) if divisor > 0 else (-divisor, -numerator)


def _factor(atom: Atom, *, tight: bool = False) -> str:
    needs_group = isinstance(atom, FloorDiv | Mod) and tight
    return f"({atom})" if needs_group else str(atom)
