"""Affine maps and sets as they are written: semi-affine ones too, and without xDSL's rewriting."""

from __future__ import annotations

from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineConstantExpr, AffineExpr
from xdsl.parser import AffineParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.mlir_lexer import MLIRToken

from volcli.limits.widths import HALF

_PRODUCTS = {
    "*": AffineBinaryOpKind.Mul,
    "floordiv": AffineBinaryOpKind.FloorDiv,
    "ceildiv": AffineBinaryOpKind.CeilDiv,
    "mod": AffineBinaryOpKind.Mod,
}


def combined(kind: AffineBinaryOpKind, left: AffineExpr, right: AffineExpr) -> AffineExpr:
    """A product or quotient as it stands; two constants become one, and a constant factor stands right.

    Not by xDSL's operators, which refuse semi-affine expressions, and distribute `(d0 + d1) * -1` where MLIR
    does not.

    >>> d0, two = AffineExpr.dimension(0), AffineExpr.constant(2)
    >>> str(combined(AffineBinaryOpKind.Mul, two, d0 + 1))
    '((d0 + 1) * 2)'
    """
    product = AffineBinaryOpExpr(kind, left, right)
    match left, right:
        case AffineConstantExpr(), AffineConstantExpr():
            divides = kind is AffineBinaryOpKind.Mul or right.value > 0
            return AffineExpr.constant(product.eval((), ())) if divides else product
        case _ if kind is not AffineBinaryOpKind.Mul:
            return product
        case AffineConstantExpr(), _:
            return combined(kind, right, left)
        case _, AffineConstantExpr(value=1):
            return left
        case AffineBinaryOpExpr(kind=AffineBinaryOpKind.Mul, rhs=AffineConstantExpr()), AffineConstantExpr():
            return combined(kind, left.lhs, combined(kind, left.rhs, right))
        case _:
            return product


def negated(expression: AffineExpr) -> AffineExpr:
    """`-e`, which is `e * -1`."""
    return combined(AffineBinaryOpKind.Mul, expression, AffineExpr.constant(-1))


def _is_symbolic(expression: AffineExpr) -> bool:
    return not expression.used_dims()


class SemiAffineParser(AffineParser):
    """xDSL's parser of maps and sets; products and quotients may have symbolic factors and divisors."""

    def _parse_primary(self, parse_optional_bare_id: object) -> AffineExpr:
        if self.parse_optional_punctuation("-") is not None:
            return negated(self._parse_primary(parse_optional_bare_id))
        token = self._current_token
        found = super()._parse_primary(parse_optional_bare_id)  # pyright: ignore[reportArgumentType]
        if isinstance(found, AffineConstantExpr) and abs(found.value) >= HALF:
            raise ParseError(token.span, "constant too large for index")
        return found

    def _create_binop_expr(self, lhs: AffineExpr, rhs: AffineExpr, binop: MLIRToken) -> AffineExpr:
        sign = binop.text
        if sign == "+":
            return lhs + rhs
        if sign == "-":
            return lhs + negated(rhs)
        if sign == "*" and not _is_symbolic(lhs) and not _is_symbolic(rhs):
            raise ParseError(binop.span, "of two factors, one has to be a constant or symbolic")
        if sign != "*" and not _is_symbolic(rhs):
            raise ParseError(binop.span, f"the right operand of {sign} has to be a constant or symbolic")
        return combined(_PRODUCTS[sign], lhs, rhs)
