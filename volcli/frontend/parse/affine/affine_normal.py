"""The form that MLIR gives an affine expression when it reads it.

MLIR has no other: it applies these rules whenever it builds a sum, a product or a quotient. An expression in
this form is read back as itself; one that is not becomes it, so that both spell the same attribute.
"""

from __future__ import annotations

from math import gcd

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)

_ADD, _MUL, _MOD = AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul, AffineBinaryOpKind.Mod
_FLOOR, _CEIL = AffineBinaryOpKind.FloorDiv, AffineBinaryOpKind.CeilDiv


def normal_form(expression: AffineExpr) -> AffineExpr:
    """An equal expression, as MLIR holds it.

    >>> d0, s0 = AffineExpr.dimension(0), AffineExpr.symbol(0)
    >>> print(normal_form(s0 + d0 + d0 * 2), normal_form((d0 + 4) % 2))
    ((d0 + s0) + (d0 * 2)) (d0 mod 2)
    """
    if not isinstance(expression, AffineBinaryOpExpr):
        return expression
    return _combine(expression.kind, normal_form(expression.lhs), normal_form(expression.rhs))


def _combine(kind: AffineBinaryOpKind, left: AffineExpr, right: AffineExpr) -> AffineExpr:
    match kind:
        case AffineBinaryOpKind.Add:
            return _sum(left, right)
        case AffineBinaryOpKind.Mul:
            return _product(left, right)
        case AffineBinaryOpKind.Mod:
            return _remainder(left, right)
        case _:
            return _quotient(kind, left, right)


def _sum(left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """Constants last, symbols after dims; `e * a + e * b` is one product, `e - e floordiv q * q` a mod."""
    a, b = _value(left), _value(right)
    if a is not None and b is not None:
        return AffineExpr.constant(a + b)
    if a is not None or _stands_behind(left, right):
        return _sum(right, left)
    if b == 0:
        return left
    constant = _constant_operand(_ADD, left)
    if constant is not None:
        inner, value = constant
        if b is not None:
            return _sum(inner, AffineExpr.constant(value + b))
    (first, factor), (second, other_factor) = _scaled(left), _scaled(right)
    if b is None and first == second:
        return _product(first, AffineExpr.constant(factor + other_factor))
    if constant is not None:
        return _sum(_sum(constant[0], right), AffineExpr.constant(constant[1]))
    if (divisor := _divisor_of_remainder(left, right)) is not None:
        return _remainder(left, divisor)
    return AffineBinaryOpExpr(_ADD, left, right)


def _divisor_of_remainder(left: AffineExpr, right: AffineExpr) -> AffineExpr | None:
    """The q with `right == (left floordiv q) * -q`."""
    match right:
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.Mul,
            lhs=AffineBinaryOpExpr(
                kind=AffineBinaryOpKind.FloorDiv, lhs=dividend, rhs=AffineConstantExpr() as q
            ),
            rhs=AffineConstantExpr() as factor,
        ) if dividend == left and factor.value == -q.value:
            return q
        case AffineBinaryOpExpr(
            kind=AffineBinaryOpKind.Mul,
            lhs=AffineBinaryOpExpr(
                kind=AffineBinaryOpKind.Mul,
                lhs=AffineBinaryOpExpr(kind=AffineBinaryOpKind.FloorDiv, lhs=dividend, rhs=q),
                rhs=times,
            ),
            rhs=AffineConstantExpr(value=-1),
        ) if dividend == left and times == q:
            return q
        case _:
            return None


def _product(left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """Constants last, and otherwise symbols after dimensions."""
    a, b = _value(left), _value(right)
    if a is not None and b is not None:
        return AffineExpr.constant(a * b)
    if a is not None or _stands_behind(left, right):
        return _product(right, left)
    if b == 1:
        return left
    if b == 0:
        return AffineExpr.constant(0)
    if (constant := _constant_operand(_MUL, left)) is not None:
        inner, value = constant
        if b is not None:
            return _product(inner, AffineExpr.constant(value * b))
        return _product(_product(inner, right), AffineExpr.constant(value))
    return AffineBinaryOpExpr(_MUL, left, right)


def _quotient(kind: AffineBinaryOpKind, left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """By a constant: a multiple of it is divided, and of a sum in floordiv its summands."""
    a, b = _value(left), _value(right)
    if not b:
        return AffineBinaryOpExpr(kind, left, right)
    if a is not None:
        return AffineExpr.constant(a // b if kind is _FLOOR else -(-a // b))
    if b == 1:
        return left
    match left:
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul, rhs=AffineConstantExpr(value=factor)) if (
            factor % b == 0
        ):
            return _product(left.lhs, AffineExpr.constant(factor // b))
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add) if kind is _FLOOR and (
            _known_divisor(left.lhs) % b == 0 or _known_divisor(left.rhs) % b == 0
        ):
            return _sum(_quotient(kind, left.lhs, right), _quotient(kind, left.rhs, right))
        case _:
            return AffineBinaryOpExpr(kind, left, right)


def _remainder(left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """By a positive constant: multiples of it do not count."""
    a, b = _value(left), _value(right)
    if b is None or b < 1:
        return AffineBinaryOpExpr(_MOD, left, right)
    if a is not None:
        return AffineExpr.constant(a % b)
    if _known_divisor(left) % b == 0:
        return AffineExpr.constant(0)
    match left:
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add) if _known_divisor(left.lhs) % b == 0:
            return _remainder(left.rhs, right)
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Add) if _known_divisor(left.rhs) % b == 0:
            return _remainder(left.lhs, right)
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mod, rhs=AffineConstantExpr(value=outer)) if (
            outer >= 1 and outer % b == 0
        ):
            return _remainder(left.lhs, right)
        case _:
            return AffineBinaryOpExpr(_MOD, left, right)


def _value(expression: AffineExpr) -> int | None:
    return expression.value if isinstance(expression, AffineConstantExpr) else None


def _stands_behind(left: AffineExpr, right: AffineExpr) -> bool:
    """Whether LEFT has to stand after RIGHT: symbols after dimensions, and two of a kind by number."""
    match left, right:
        case (AffineDimExpr(), AffineDimExpr()) | (AffineSymExpr(), AffineSymExpr()):
            return left.position > right.position
        case _:
            return not left.used_dims() and bool(right.used_dims())


def _constant_operand(kind: AffineBinaryOpKind, expression: AffineExpr) -> tuple[AffineExpr, int] | None:
    """The e and c of an expression `e + c`, or `e * c`."""
    if isinstance(expression, AffineBinaryOpExpr) and expression.kind is kind:
        value = _value(expression.rhs)
        return None if value is None else (expression.lhs, value)
    return None


def _scaled(expression: AffineExpr) -> tuple[AffineExpr, int]:
    """The e and c of an expression `e * c`; c is 1 if there is none."""
    return _constant_operand(_MUL, expression) or (expression, 1)


def _known_divisor(expression: AffineExpr) -> int:
    """A number that divides all values of an expression; 0 if they are all 0."""
    if isinstance(expression, AffineConstantExpr):
        return abs(expression.value)
    if not isinstance(expression, AffineBinaryOpExpr):
        return 1
    left = _known_divisor(expression.lhs)
    if expression.kind in (_FLOOR, _CEIL):
        value = _value(expression.rhs)
        return abs(left // value) if value and left % value == 0 else 1
    right = _known_divisor(expression.rhs)
    return left * right if expression.kind is _MUL else gcd(left, right)
