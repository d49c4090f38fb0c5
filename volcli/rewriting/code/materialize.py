"""From an index expression over a program's values to operations that compute it.

`2 * %a + dim(%t, 0) - 1` becomes the sizes that it speaks of, each as a new `tensor.dim` or `memref.dim`,
and one `affine.apply` of them, or a chain of operations of arith. What is a minimum or a maximum becomes
`affine.min` or `affine.max`, or `arith.minsi` and `arith.maxsi`. A constant is an `arith.constant`, and a
value alone is itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import reduce

from xdsl.dialects.builtin import AffineMapAttr
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr, AffineMap

from volcli.language.expressions import (
    Atom,
    Dim,
    Expression,
    FloorDiv,
    Maximum,
    Minimum,
    Mod,
    Monomial,
    NotAffine,
    Value,
    expression_of_atom,
    substitute,
    value_of,
)
from volcli.limits.widths import HALF
from volcli.rewriting.ground.builder import Builder, Variable, is_affine_dimension
from volcli.rewriting.ground.widths import fits


class AsAskedFor:
    """The order of variables in which they were asked for first."""

    def __init__(self) -> None:
        self._known: dict[Variable, int] = {}

    def __call__(self, variable: Variable) -> tuple[int, int]:
        return self._known.setdefault(variable, len(self._known)), 0


class Minus(Enum):
    """How a sum has negative terms: as `a + b * -1 + -1`, as `a - b + -1`, or as `a - b - 1`."""

    ADDED = auto()
    TERMS_SUBTRACTED = auto()
    SUBTRACTED = auto()


@dataclass
class Materializer:
    """Makes expressions into operations, by a builder; operands are in the ORDER of their variables.

    `never_negative` says of an expression whether it is known to be at least 0: then a division that
    truncates is one that rounds down.
    """

    builder: Builder
    order: Callable[[Variable], tuple[int, int]]
    use_arith: bool = False
    never_negative: Callable[[Expression], bool] = lambda _: False
    constant: Callable[[int], SSAValue] | None = None
    """How constants are made, if not where they are used."""
    minus: Minus = Minus.ADDED
    """As mlir-opt writes sums, if nothing else is asked for."""
    _leaves: dict[Variable, SSAValue] = field(default_factory=dict["Variable", SSAValue])
    _made: dict[Variable, None] = field(default_factory=dict["Variable", None])

    def value(self, expression: Expression) -> SSAValue:
        """EXPRESSION as a value. Raises NotAffine if it speaks of anything but values, sizes and i64."""
        if not fits(expression):
            raise NotAffine("a number of more than 64 bits")
        variables = [variable for variable in _variables(expression) if variable not in self._leaves]
        for variable in self._ordered(variables):
            self._leaves[variable] = self.builder.leaf(variable)
        return self._value(expression)

    def _constant(self, number: int) -> SSAValue:
        return self.builder.constant(number) if self.constant is None else self.constant(number)

    def _ordered(self, variables: Collection[Variable]) -> list[Variable]:
        """In their order; ordering is expensive, so a single variable is returned as it is."""
        return sorted(variables, key=self.order) if len(variables) > 1 else list(variables)

    def _value(self, expression: Expression) -> SSAValue:
        if expression.is_constant:
            return self._constant(expression.constant)
        if self.use_arith:
            return self._arith(expression)
        if (pieces := _pieces(expression, list(self._leaves))) is not None:
            name, operands = pieces
            return self._affine(name, [self._flat(operand) for operand in operands])
        return self._affine("affine.apply", [self._flat(expression)])

    # -- affine ----------------------------------------------------------------------------------------

    def _flat(self, expression: Expression) -> Expression:
        """EXPRESSION with what no affine map says as a new value: extrema, products of loops' variables."""

        def replaced(atom: Atom) -> Expression | None:
            match atom:
                case Minimum() | Maximum():
                    made = self._value(Expression(((atom, 1),), 0))
                case Monomial(factors=factors) if sum(map(self._is_over_dimension, factors)) > 1:
                    made = self._atom(atom)
                case _:
                    return None
            variable = Value(made)
            self._leaves[variable] = made
            self._made[variable] = None
            return value_of(made)

        return substitute(expression, replaced)

    def _is_over_dimension(self, factor: Atom) -> bool:
        return any(is_affine_dimension(self._leaves[v]) for v in _variables(expression_of_atom(factor)))

    def _affine(self, name: str, results: Sequence[Expression]) -> SSAValue:
        """`NAME map(dims)[symbols]`, or the one value that it would be."""
        used = {v for result in results for v in _variables(result)}
        ordered = self._ordered(used - self._made.keys())
        ordered += [variable for variable in self._made if variable in used]
        only = results[0].single_atom if len(results) == 1 else None
        if isinstance(only, Value | Dim):
            return self._leaves[only]
        map_, operands = affine_map(results, {v: self._leaves[v] for v in ordered})
        return self.builder.make(name, operands, properties={"map": map_})

    # -- arith -----------------------------------------------------------------------------------------

    def _arith(self, expression: Expression) -> SSAValue:
        """The sum of the terms; `minus` says how negative ones are written."""
        terms, number = _in_order(expression, list(self._leaves)), expression.constant
        return sum_chain(self.builder, terms, number, self._multiple, self._constant, self.minus)

    def _multiple(self, atom: Atom, factor: int) -> SSAValue:
        term = self._atom(atom)
        return term if factor == 1 else self.builder.make("arith.muli", [term, self._constant(factor)])

    def _atom(self, atom: Atom) -> SSAValue:
        match atom:
            case Value() | Dim():
                return self._leaves[atom]
            case FloorDiv(numerator, divisor):
                return self._quotient(numerator, self._arith(numerator), divisor)
            case Mod(numerator, divisor):
                return self._remainder(numerator, divisor)
            case Minimum() | Maximum():
                operands = [self._arith(o) for o in _sorted_operands(atom, list(self._leaves))]
                return extremum_chain(self.builder, operands, greatest=isinstance(atom, Maximum))
            case Monomial(left, right):
                return self.builder.make("arith.muli", [self._arith(left), self._arith(right)])
            case _:
                raise NotAffine(f"{atom} is not a value of the program")

    def _quotient(self, numerator: Expression, dividend: SSAValue, divisor: int) -> SSAValue:
        """floor(numerator / divisor); arith.divsi rounds towards 0."""
        name = "arith.divsi" if self.never_negative(numerator) else "arith.floordivsi"
        return self.builder.make(name, [dividend, self._constant(divisor)])

    def _remainder(self, numerator: Expression, divisor: int) -> SSAValue:
        """numerator - divisor * floor(numerator / divisor); arith.remsi has the sign of the numerator."""
        dividend = self._arith(numerator)
        if self.never_negative(numerator):
            return self.builder.make("arith.remsi", [dividend, self._constant(divisor)])
        quotient = self._quotient(numerator, dividend, divisor)
        whole = self.builder.make("arith.muli", [quotient, self._constant(divisor)])
        return self.builder.make("arith.subi", [dividend, whole])


def sum_chain(
    builder: Builder,
    terms: Iterable[tuple[Atom, int]],
    number: int,
    multiple: Callable[[Atom, int], SSAValue],
    constant: Callable[[int], SSAValue],
    minus: Minus,
) -> SSAValue:
    """The sum of TERMS in order, each made by MULTIPLE when its turn is; the NUMBER is last.

    It is first where nothing else is added: 4 - a.
    """
    subtracted: list[tuple[Atom, int]] = []
    total: SSAValue | None = None
    for atom, factor in terms:
        if factor < 0 and minus is not Minus.ADDED:
            subtracted.append((atom, -factor))
        else:
            term = multiple(atom, factor)
            total = term if total is None else builder.make("arith.addi", [total, term])
    if total is None:
        total, number = constant(number), 0
    for atom, factor in subtracted:
        total = builder.make("arith.subi", [total, multiple(atom, factor)])
    if minus is Minus.SUBTRACTED and -HALF < number < 0:
        return builder.make("arith.subi", [total, constant(-number)])
    return builder.make("arith.addi", [total, constant(number)]) if number else total


def extremum_chain(builder: Builder, numbers: Sequence[SSAValue], *, greatest: bool) -> SSAValue:
    """The greatest of NUMBERS, or the least."""
    name = "arith.maxsi" if greatest else "arith.minsi"
    return reduce(lambda first, other: builder.make(name, [first, other]), numbers)


def affine_map(
    results: Sequence[Expression],
    leaves: Mapping[Variable, SSAValue],
    is_dimension: Callable[[SSAValue], bool] = is_affine_dimension,
) -> tuple[AffineMapAttr, list[SSAValue]]:
    """The map of RESULTS, and its operands: LEAVES in their order, the dimensions first."""
    is_dim = {v: is_dimension(value) for v, value in leaves.items()}
    dims = [v for v in leaves if is_dim[v]]
    symbols = [v for v in leaves if not is_dim[v]]
    names: dict[Variable, AffineExpr] = {v: AffineExpr.dimension(p) for p, v in enumerate(dims)}
    names.update((v, AffineExpr.symbol(p)) for p, v in enumerate(symbols))
    map_ = AffineMap(len(dims), len(symbols), tuple(_affine_expression(e, names) for e in results))
    return AffineMapAttr(map_), [leaves[v] for v in (*dims, *symbols)]


def _variables(expression: Expression) -> list[Variable]:
    return list(dict.fromkeys(atom for atom in expression.atoms() if isinstance(atom, Value | Dim)))


def _pieces(expression: Expression, order: Sequence[Variable]) -> tuple[str, list[Expression]] | None:
    """The operands of the minimum or maximum that EXPRESSION is, with what is added to it.

    `3 - min(a, b)` is `max(3 - a, 3 - b)`.
    """
    extrema = [(a, c) for a, c in expression.terms if isinstance(a, Minimum | Maximum)]
    if len(extrema) != 1 or abs(extrema[0][1]) != 1:
        return None
    atom, sign = extrema[0]
    rest = expression - Expression(((atom, sign),), 0)
    smallest = isinstance(atom, Minimum) == (sign == 1)
    return "affine.min" if smallest else "affine.max", [
        operand * sign + rest for operand in _sorted_operands(atom, order)
    ]


def _in_order(expression: Expression, order: Sequence[Variable]) -> list[tuple[Atom, int]]:
    """The terms of EXPRESSION: values in the ORDER given, then divisions and the like."""
    rank = {variable: position for position, variable in enumerate(order)}

    def key(term: tuple[Atom, int]) -> tuple[bool, list[int], str]:
        inner = [atom for atom in Expression((term,), 0).atoms() if isinstance(atom, Value | Dim)]
        is_plain = isinstance(term[0], Value | Dim)
        return not is_plain, sorted(rank.get(atom, len(rank)) for atom in inner), type(term[0]).__name__

    return sorted(expression.terms, key=key)


def _sorted_operands(atom: Minimum | Maximum, order: Sequence[Variable]) -> list[Expression]:
    """The operands of an extremum by their variables in ORDER, a constant last."""
    rank = {variable: position for position, variable in enumerate(order)}

    def key(operand: Expression) -> tuple[bool, list[int], int]:
        ranks = sorted(rank.get(variable, len(rank)) for variable in _variables(operand))
        return operand.is_constant, ranks, operand.constant

    return sorted(atom.operands, key=key)


def _affine_expression(expression: Expression, names: dict[Variable, AffineExpr]) -> AffineExpr:
    """EXPRESSION with NAMES for its variables."""
    total: AffineExpr | None = None
    for atom, factor in _in_order(expression, list(names)):
        term = _affine_atom(atom, names)
        term = term * factor if factor != 1 else term
        total = term if total is None else AffineBinaryOpExpr(AffineBinaryOpKind.Add, total, term)
    if total is None:
        return AffineExpr.constant(expression.constant)
    return total + expression.constant if expression.constant else total


def _affine_atom(atom: Atom, names: dict[Variable, AffineExpr]) -> AffineExpr:
    match atom:
        case Value() | Dim():
            return names[atom]
        case FloorDiv(numerator, divisor):
            return _affine_expression(numerator, names) // divisor
        case Mod(numerator, divisor):
            return _affine_expression(numerator, names) % divisor
        case Monomial(left, right):
            factors = _affine_expression(left, names), _affine_expression(right, names)
            return AffineBinaryOpExpr(AffineBinaryOpKind.Mul, *factors)
        case _:
            raise NotAffine(f"{atom} is not an affine expression")
