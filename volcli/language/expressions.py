"""Index expressions: the one language in which the cases of all dialects state their mathematics.

An expression is a polynomial with integer coefficients over atoms, `c + sum(k_i * monomial_i)`, in normal
form: two expressions that are equal as polynomials are equal as Python values. Atoms are

* `Loop(k)`: the k-th loop of an operation (the index of a result element, an iterator of linalg.generic);
* `Value(v)`: an SSA value of index or integer type;
* `Dim(v, i)`: the size of the i-th dimension of the shaped SSA value v;
* `Parameter(name)`: a symbolic constant of the function, what is left after resolution;
* `FloorDiv(e, c)`, `Mod(e, c)` with a positive constant c, `Minimum`, `Maximum`;
* `Piecewise(...)`: one of several expressions, by conditions;
* `Product(factors)`: a monomial of degree two or more, a product of other atoms; with one, an expression is
  not affine.

`ANY` stands for an index that is not known at all: a relation leaves that dimension free.

>>> (2 * loop(0) + loop(1) - 1) // 1
2 * d0 + d1 - 1
>>> loop(0) + loop(1) == loop(1) + loop(0)
True
>>> (loop(1) + 1) * (loop(0) - 1)
d0 - d1 + d0 * d1 - 1
>>> (constant(7) // 2, constant(-7) % 4)
(3, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from weakref import WeakKeyDictionary

from xdsl.ir import Operation, SSAValue


class NotAffine(Exception):
    """An expression has no affine form: a product of two unknowns, or a division by one."""


@dataclass(frozen=True)
class Loop:
    """The k-th loop (result dimension, iterator) of the operation that the expression describes."""

    position: int

    def __str__(self) -> str:
        return f"d{self.position}"


@dataclass(frozen=True, eq=False)
class Value:
    """An SSA value of index or integer type, as a number."""

    value: SSAValue

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)

    def __str__(self) -> str:
        return f"%{self.value.name_hint or '?'}"


@dataclass(frozen=True, eq=False)
class Dim:
    """The size of one dimension of a shaped SSA value."""

    value: SSAValue
    dimension: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dim) and self.value is other.value and self.dimension == other.dimension

    def __hash__(self) -> int:
        return hash((id(self.value), self.dimension))

    def __str__(self) -> str:
        return f"dim(%{self.value.name_hint or '?'}, {self.dimension})"


@dataclass(frozen=True)
class Parameter:
    """A symbolic constant of the function, named after the value that defines it."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class FloorDiv:
    """floor(numerator / divisor), divisor >= 2."""

    numerator: Expression
    divisor: int

    def __str__(self) -> str:
        return f"{_grouped(self.numerator)} floordiv {self.divisor}"


@dataclass(frozen=True)
class Mod:
    """numerator - divisor * floor(numerator / divisor), in [0, divisor), divisor >= 2."""

    numerator: Expression
    divisor: int

    def __str__(self) -> str:
        return f"{_grouped(self.numerator)} mod {self.divisor}"


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
        return f"piecewise({', '.join(f'{list(where)}: {value}' for where, value in self.pieces)})"


@dataclass(frozen=True)
class Product:
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
        return " * ".join(_grouped(expression_of_atom(factor)) for factor in self.factors)


LARGEST_PRODUCT = 1024
"""A product of two sums with more pairs of terms than this is not worked out."""

_WHOLE = (Loop, Value, Dim, Parameter)
"""The atoms that are not made of expressions."""

Atom = Loop | Value | Dim | Parameter | FloorDiv | Mod | Minimum | Maximum | Piecewise | Product


@dataclass(frozen=True)
class Expression:
    """`constant + sum(coefficient * atom)`; coefficients are not 0 and no atom occurs twice.

    Multiplication raises NotAffine where the product would have more than LARGEST_PRODUCT terms.
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
    def single_atom(self) -> Atom | None:
        """The atom a if this expression is just `a`, else None."""
        if self.constant == 0 and len(self.terms) == 1 and self.terms[0][1] == 1:
            return self.terms[0][0]
        return None

    def atoms(self) -> Iterator[Atom]:
        """All atoms, those inside divisions, minima and products included, each before what is inside."""
        pending = [atom for atom, _ in reversed(self.terms)]
        while pending:
            atom = pending.pop()
            yield atom
            if not isinstance(atom, _WHOLE):
                for inner in reversed(_operands(atom)):
                    pending += [each for each, _ in reversed(inner.terms)]

    def coefficient(self, atom: Atom) -> int:
        return next((c for a, c in self.terms if a == atom), 0)

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
        return Expression(_sorted_terms(coefficients), self.constant + other.constant)

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


@dataclass(frozen=True)
class AnyIndex:
    """An index that is not known: every element along this dimension is possible."""

    def __str__(self) -> str:
        return "any"


ANY = AnyIndex()
Index = Expression | AnyIndex


@lru_cache(maxsize=4096)
def constant(value: int) -> Expression:
    """The expression that is always VALUE."""
    return Expression((), value)


@lru_cache(maxsize=256)
def loop(position: int) -> Expression:
    """The index along loop POSITION."""
    return expression_of_atom(Loop(position))


@lru_cache(maxsize=64)
def loops(count: int) -> tuple[Expression, ...]:
    """The identity: `(d0, ..., d{count-1})`."""
    return tuple(loop(position) for position in range(count))


def parameter(name: str) -> Expression:
    """The symbolic constant NAME."""
    return expression_of_atom(Parameter(name))


def value_of(value: SSAValue) -> Expression:
    """The SSA value VALUE as a number."""
    return expression_of_atom(Value(value))


def dim_of(value: SSAValue, dimension: int) -> Expression:
    """The size of VALUE's dimension DIMENSION."""
    return expression_of_atom(Dim(value, dimension))


def minimum(*operands: Expression) -> Expression:
    """min(operands); constants are folded, equal operands written once."""
    return _extremum(min, Minimum, operands)


def maximum(*operands: Expression) -> Expression:
    """max(operands); constants are folded, equal operands written once."""
    return _extremum(max, Maximum, operands)


def piecewise(*pieces: tuple[tuple[Expression, ...], Expression]) -> Expression:
    """The expression of the piece that applies; pieces that never do are left out.

    >>> piecewise(((loop(0),), constant(1)), ((constant(-1),), constant(2)))
    1
    """
    kept = [(w, e) for w, e in pieces if not any(c.is_constant and c.constant < 0 for c in w)]
    distinct = dict.fromkeys(value for _, value in kept)
    return next(iter(distinct)) if len(distinct) == 1 else expression_of_atom(Piecewise(tuple(kept)))


def substitute(expression: Expression, replace: Callable[[Atom], Expression | None]) -> Expression:
    """EXPRESSION with every atom a for which `replace(a)` is an expression replaced by it.

    Atoms inside divisions, minima and products are replaced too, and what becomes constant is folded.
    Raises NotAffine if a replacement makes a divisor of something that is not a positive constant.
    """
    coefficients: dict[Atom, int] = {}
    total = expression.constant
    for atom, c in expression.terms:
        replaced = replace(atom)
        if replaced is None:
            if isinstance(atom, _WHOLE):
                coefficients[atom] = coefficients.get(atom, 0) + c
                continue
            replaced = _rebuilt(atom, replace)
        if c == 1 and not total and len(expression.terms) == 1:
            return replaced
        total += c * replaced.constant
        for inner, d in replaced.terms:
            coefficients[inner] = coefficients.get(inner, 0) + c * d
    return Expression(_sorted_terms(coefficients), total)


def renamed(expression: Expression, names: Mapping[str, Expression]) -> Expression:
    """EXPRESSION with the parameters in NAMES replaced."""
    return substitute(expression, lambda a: names.get(a.name) if isinstance(a, Parameter) else None)


def _rebuilt(atom: Atom, replace: Callable[[Atom], Expression | None]) -> Expression:
    match atom:
        case FloorDiv(numerator, divisor):
            return substitute(numerator, replace) // divisor
        case Mod(numerator, divisor):
            return substitute(numerator, replace) % divisor
        case Minimum(operands):
            return minimum(*(substitute(o, replace) for o in operands))
        case Maximum(operands):
            return maximum(*(substitute(o, replace) for o in operands))
        case Piecewise(pieces):
            return piecewise(
                *((tuple(substitute(c, replace) for c in w), substitute(e, replace)) for w, e in pieces)
            )
        case Product():
            product = constant(1)
            for factor in atom.factors:
                product = product * substitute(expression_of_atom(factor), replace)
            return product
        case _:
            return expression_of_atom(atom)


def _operands(atom: Atom) -> tuple[Expression, ...]:
    match atom:
        case FloorDiv(numerator, _) | Mod(numerator, _):
            return (numerator,)
        case Minimum(operands) | Maximum(operands):
            return operands
        case Piecewise(pieces):
            return tuple(e for where, value in pieces for e in (*where, value))
        case Product():
            return tuple(expression_of_atom(factor) for factor in atom.factors)
        case _:
            return ()


def expression_of_atom(atom: Atom) -> Expression:
    """The expression that is ATOM."""
    return Expression(((atom, 1),), 0)


def _product(left: Expression, right: Expression) -> Expression:
    """The product of two polynomials, term by term."""
    if len(left.terms) * len(right.terms) > LARGEST_PRODUCT:
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
    return Expression(_sorted_terms(coefficients), left.constant * right.constant)


def _factors(atom: Atom) -> tuple[Atom, ...]:
    return atom.factors if isinstance(atom, Product) else (atom,)


def _monomial(factors: Sequence[Atom]) -> Atom:
    return factors[0] if len(factors) == 1 else Product(tuple(sorted(factors, key=sort_key)))


def _sorted_terms(coefficients: Mapping[Atom, int]) -> tuple[tuple[Atom, int], ...]:
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
        case Loop(position):
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
        return [sort_key(inner) for operand in _operands(self.atom) for inner, _ in operand.terms]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Composed):
            return NotImplemented
        return self.atom == other.atom or (self._text() == other._text() and self._keys() == other._keys())

    def __lt__(self, other: _Composed) -> bool:
        mine, others = self._text(), other._text()
        return mine < others if mine != others else self._keys() < other._keys()


_serials: WeakKeyDictionary[SSAValue, int] = WeakKeyDictionary()
_next_serial = count()


def number_values(root: Operation) -> None:
    """Number all SSA values in ROOT in the order of the text: expressions list their atoms in this order.

    (Not by address: the same program would print `%a + %b` in one process and `%b + %a` in the next.)
    A value that nothing numbered gets the next number when an expression first compares it.
    """
    for op in root.walk():
        for region in op.regions:
            for block in region.blocks:
                for argument in block.args:
                    _serials[argument] = next(_next_serial)
        for result in op.results:
            _serials[result] = next(_next_serial)


def serial(value: SSAValue) -> int:
    """The position of VALUE among the values of its program."""
    known = _serials.get(value)
    if known is None:
        known = _serials[value] = next(_next_serial)
    return known


def _positive(divisor: Expression | int, numerator: Expression) -> tuple[int, Expression]:
    """The division numerator / divisor with a positive constant divisor."""
    if isinstance(divisor, Expression):
        if not divisor.is_constant:
            raise NotAffine(f"a division by {divisor}")
        divisor = divisor.constant
    if divisor == 0:
        raise NotAffine("a division by zero")
    return (divisor, numerator) if divisor > 0 else (-divisor, -numerator)


def _extremum(
    fold: Callable[[list[int]], int],
    kind: type[Minimum] | type[Maximum],
    operands: tuple[Expression, ...],
) -> Expression:
    flat = (inner for operand in operands for inner in _flattened(operand, kind))
    distinct = list(dict.fromkeys(flat))
    constants = [e.constant for e in distinct if e.is_constant]
    symbolic = [e for e in distinct if not e.is_constant]
    if len(symbolic) > 1:
        symbolic.sort(key=_sort_key_of)
    if constants:
        symbolic.append(constant(fold(constants)))
    return symbolic[0] if len(symbolic) == 1 else expression_of_atom(kind(tuple(symbolic)))


def _flattened(operand: Expression, kind: type[Minimum] | type[Maximum]) -> tuple[Expression, ...]:
    """The operands of OPERAND if it is itself an extremum of this KIND: min(min(a, b), c) is min(a, b, c)."""
    atom = operand.single_atom
    return atom.operands if isinstance(atom, Minimum | Maximum) and isinstance(atom, kind) else (operand,)


def _sort_key_of(expression: Expression) -> tuple[list[tuple[SortKey, int]], int]:
    return [(sort_key(atom), c) for atom, c in expression.terms], expression.constant


def _grouped(expression: Expression) -> str:
    text = str(expression)
    atom = expression.single_atom
    simple = expression.is_constant or isinstance(atom, Loop | Value | Dim | Parameter | Minimum | Maximum)
    return text if simple else f"({text})"


def _factor(atom: Atom, *, tight: bool = False) -> str:
    needs_group = isinstance(atom, FloorDiv | Mod) and tight
    return f"({atom})" if needs_group else str(atom)
