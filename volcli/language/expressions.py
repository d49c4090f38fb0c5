"""Index expressions: the one language in which the cases of all dialects state their mathematics.

An expression is a polynomial with integer coefficients over atoms, `c + sum(k_i * monomial_i)`, in normal
form: two expressions that are equal as polynomials are equal as Python values. Atoms are

* `LoopIndex(k)`: the k-th loop of an operation (an index of a result element, an iterator of linalg.generic);
* `Value(v)`: an SSA value of index or integer type;
* `Dim(v, i)`: the size of the i-th dimension of the shaped SSA value v;
* `Parameter(name)`: a symbolic constant of the function, what is left after resolution;
* `FloorDiv(e, c)`, `Mod(e, c)` with a positive constant c, `Minimum`, `Maximum`;
* `Piecewise(...)`: one of several expressions, by conditions;
* `Monomial(factors)`: a monomial of degree two or more, a product of other atoms; with one, an expression is
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

from collections.abc import Callable, Mapping
from functools import lru_cache

from xdsl.ir import SSAValue

from volcli.language.atoms import (
    ANY,
    WHOLE,
    AnyIndex,
    Dim,
    LoopIndex,
    Parameter,
    Value,
    number_values,
    serial,
)
from volcli.language.normal_form import (
    Atom,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Misfit,
    Mod,
    Monomial,
    NotAffine,
    Piecewise,
    SortKey,
    constant,
    expression_of_atom,
    sort_key,
    sorted_terms,
)
from volcli.limits.widths import LARGE

Index = Expression | AnyIndex


@lru_cache(maxsize=256)
def loop(position: int) -> Expression:
    """The index along loop POSITION."""
    return expression_of_atom(LoopIndex(position))


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


def over_names(expression: Expression, name_of: Callable[[Value | Dim], str]) -> Expression:
    """EXPRESSION over parameters that stand for its values and sizes, which NAME_OF calls so."""

    def leaf(atom: Atom) -> Expression | None:
        return parameter(name_of(atom)) if isinstance(atom, Value | Dim) else None

    return substitute(expression, leaf)


def has_product(expression: Expression) -> bool:
    """Whether unknown numbers are multiplied anywhere in EXPRESSION."""
    return any(isinstance(atom, Monomial) for atom in expression.atoms())


def has_wide_remainder(expression: Expression) -> bool:
    """Whether EXPRESSION has a remainder by the width of a number."""
    return any(isinstance(atom, Mod) and atom.divisor > LARGE for atom in expression.atoms())


def minimum(*operands: Expression) -> Expression:
    """min(operands); of constants, and of remainders that differ by a constant, the smallest alone.

    >>> minimum(loop(0) % 4 + 3, loop(1), loop(0) % 4)
    min(d1, d0 mod 4)
    """
    return _extremum(min, Minimum, operands)


def maximum(*operands: Expression) -> Expression:
    """max(operands); of constants, and of remainders that differ by a constant, the greatest alone."""
    return _extremum(max, Maximum, operands)


def piecewise(*pieces: tuple[tuple[Expression, ...], Expression]) -> Expression:
    """The expression of the piece that applies; pieces that never do are left out.

    >>> piecewise(((loop(0),), constant(1)), ((constant(-1),), constant(2)))
    1
    """
    kept = [(w, e) for w, e in pieces if not any(c.is_constant and c.constant < 0 for c in w)]
    distinct = dict.fromkeys(value for _, value in kept)
    return next(iter(distinct)) if len(distinct) == 1 else expression_of_atom(Piecewise(tuple(kept)))


def has_cases(expression: Expression) -> bool:
    """Whether conditions decide what EXPRESSION is."""
    return any(isinstance(atom, Piecewise) for atom in expression.atoms())


def without_cases(expression: Expression, *, lower: bool) -> Expression | None:
    """A minimum that is never above EXPRESSION, or a maximum that is never below; None for other forms.

    >>> without_cases(piecewise(((loop(0),), loop(1)), ((-loop(0) - 1,), constant(2))), lower=True)
    min(d1, 2)
    """
    match expression.single_atom:
        case Piecewise(pieces):
            return (minimum if lower else maximum)(*(value for _, value in pieces))
        case _:
            return None if has_cases(expression) else expression


def substitute(
    expression: Expression,
    replace: Callable[[Atom], Expression | None],
    rebuilt: dict[Atom, Expression] | None = None,
) -> Expression:
    """EXPRESSION with every atom a for which `replace(a)` is an expression replaced by it.

    Atoms inside divisions, minima and products are replaced too, and what becomes constant is folded. What
    several expressions share is REBUILT once, if they share that, too: in a chain of operations each has what
    the ones before it have.

    Raises NotAffine if a replacement makes a divisor of something that is not a positive constant.
    """
    known = {} if rebuilt is None else rebuilt
    coefficients: dict[Atom, int] = {}
    total = expression.constant
    for atom, c in expression.terms:
        replaced = replace(atom)
        if replaced is None:
            if isinstance(atom, WHOLE):
                coefficients[atom] = coefficients.get(atom, 0) + c
                continue
            replaced = known.get(atom)
            if replaced is None:
                replaced = known[atom] = _rebuilt(atom, replace, known)
        if c == 1 and not total and len(expression.terms) == 1:
            return replaced
        total += c * replaced.constant
        for inner, d in replaced.terms:
            coefficients[inner] = coefficients.get(inner, 0) + c * d
    return Expression(sorted_terms(coefficients), total)


def renamed(expression: Expression, names: Mapping[str, Expression]) -> Expression:
    """EXPRESSION with the parameters in NAMES replaced."""
    return substitute(expression, lambda a: names.get(a.name) if isinstance(a, Parameter) else None)


def _rebuilt(
    atom: Atom, replace: Callable[[Atom], Expression | None], known: dict[Atom, Expression]
) -> Expression:
    match atom:
        case FloorDiv(numerator, divisor):
            return substitute(numerator, replace, known) // divisor
        case Mod(numerator, divisor):
            return substitute(numerator, replace, known) % divisor
        case Minimum(operands):
            return minimum(*(substitute(o, replace, known) for o in operands))
        case Maximum(operands):
            return maximum(*(substitute(o, replace, known) for o in operands))
        case Piecewise(pieces):
            return piecewise(
                *(
                    (tuple(substitute(c, replace, known) for c in where), substitute(value, replace, known))
                    for where, value in pieces
                )
            )
        case Monomial():
            product = constant(1)
            for factor in atom.factors:
                product = product * substitute(expression_of_atom(factor), replace, known)
            return product
        case _:
            return expression_of_atom(atom)


def _extremum(
    fold: Callable[[list[int]], int],
    kind: type[Minimum] | type[Maximum],
    operands: tuple[Expression, ...],
) -> Expression:
    folded: dict[object, Expression] = {}
    for each in (inner for operand in operands for inner in _flattened(operand, kind)):
        key = each.terms if all(isinstance(atom, Mod) for atom, _ in each.terms) else each
        known = folded.setdefault(key, each)
        if fold([known.constant, each.constant]) != known.constant:
            folded[key] = each
    rest = folded.pop((), None)
    distinct = [*folded.values()]
    if len(distinct) > 1:
        distinct.sort(key=_sort_key_of)
    if rest is not None:
        distinct.append(rest)
    return distinct[0] if len(distinct) == 1 else expression_of_atom(kind(tuple(distinct)))


def _flattened(operand: Expression, kind: type[Minimum] | type[Maximum]) -> tuple[Expression, ...]:
    """The operands of OPERAND if it is itself an extremum of this KIND: min(min(a, b), c) is min(a, b, c)."""
    atom = operand.single_atom
    return atom.operands if isinstance(atom, Minimum | Maximum) and isinstance(atom, kind) else (operand,)


def _sort_key_of(expression: Expression) -> tuple[list[tuple[SortKey, int]], int]:
    return [(sort_key(atom), c) for atom, c in expression.terms], expression.constant


__all__ = [
    "ANY",
    "AnyIndex",
    "Atom",
    "Dim",
    "Expression",
    "FloorDiv",
    "Index",
    "LoopIndex",
    "Maximum",
    "Minimum",
    "Misfit",
    "Mod",
    "Monomial",
    "NotAffine",
    "Parameter",
    "Piecewise",
    "Value",
    "constant",
    "dim_of",
    "expression_of_atom",
    "loop",
    "loops",
    "maximum",
    "minimum",
    "number_values",
    "parameter",
    "piecewise",
    "renamed",
    "serial",
    "sort_key",
    "substitute",
    "value_of",
]
