"""Affine expressions, maps and sets in the spelling of mlir-opt: `d0 - 2`, not `(d0 + -2)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)

from volcli.frontend.parse.affine.affine_normal import normal_form


def expression_text(expression: AffineExpr) -> str:
    """An expression in MLIR's normal form, with brackets only where they are needed.

    >>> d0, d1 = AffineExpr.dimension(0), AffineExpr.dimension(1)
    >>> expression_text(d0 * 2 - (d1 + 1) // 2 * 3 - 4)
    'd0 * 2 - ((d1 + 1) floordiv 2) * 3 - 4'
    """
    return _text(normal_form(expression))


def subscript_text(expression: AffineExpr) -> str:
    """As `expression_text`, but with all dims and symbols: those that cancel out stay as they were written.

    >>> d0 = AffineExpr.dimension(0)
    >>> expression_text(d0 * 2 - d0 - d0), subscript_text(d0 * 2 - d0 - d0)
    ('0', 'd0 * 2 - d0 - d0')
    """
    normal = normal_form(expression)
    return _text(normal if _leaves(normal) == _leaves(expression) else expression)


def _leaves(expression: AffineExpr) -> set[AffineExpr]:
    return {each for each in expression.dfs() if isinstance(each, AffineDimExpr | AffineSymExpr)}


def _text(expression: AffineExpr) -> str:
    if not isinstance(expression, AffineBinaryOpExpr):
        return str(expression)
    if expression.kind is AffineBinaryOpKind.Add:
        return _sum_text(list(_terms(expression)))
    left, right = _constant_last(expression)
    if expression.kind is AffineBinaryOpKind.Mul and _constant(right) == -1:
        return f"-{_operand(left)}"
    return f"{_operand(left)} {expression.kind.get_token()} {_operand(right)}"


def _is_sum(expression: AffineExpr) -> bool:
    return isinstance(expression, AffineBinaryOpExpr) and expression.kind is AffineBinaryOpKind.Add


def _terms(expression: AffineExpr) -> Iterator[AffineExpr]:
    """The terms of a sum from left to right; a sum on the right of a sum is one term, and keeps its brackets.

    mlir-opt does not print these, and then reads a different expression from its own text.
    """
    if isinstance(expression, AffineBinaryOpExpr) and expression.kind is AffineBinaryOpKind.Add:
        yield from _terms(expression.lhs)
        yield expression.rhs
    else:
        yield expression


def _sum_text(terms: list[AffineExpr]) -> str:
    """A sum, its constants added up after the other terms."""
    constant = sum(_constant(term) or 0 for term in terms)
    others = [term for term in terms if _constant(term) is None]
    if not others:
        return str(constant)
    text = _text(others[0]) + "".join(map(_summand_text, others[1:]))
    if constant:
        text += f" - {-constant}" if constant < 0 else f" + {constant}"
    return text


def _summand_text(term: AffineExpr) -> str:
    """A term with its sign: ` + d0`, ` - d0 * 3`."""
    if isinstance(term, AffineBinaryOpExpr) and term.kind is AffineBinaryOpKind.Mul:
        base, factor_expression = _constant_last(term)
        factor = _constant(factor_expression)
        if factor == -1:
            # `a - b floordiv 3` needs no brackets, `a - (b + c)` does.
            return f" - {_operand(base) if _is_sum(base) else _text(base)}"
        if factor is not None and factor < -1:
            return f" - {_operand(base)} * {-factor}"
    return f" + {_operand(term) if _is_sum(term) else _text(term)}"


def _constant(expression: AffineExpr) -> int | None:
    return expression.value if isinstance(expression, AffineConstantExpr) else None


def _constant_last(expression: AffineBinaryOpExpr) -> tuple[AffineExpr, AffineExpr]:
    left, right = expression.lhs, expression.rhs
    commutes = expression.kind in (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)
    if commutes and _constant(left) is not None and _constant(right) is None:
        return right, left
    return left, right


def _operand(expression: AffineExpr) -> str:
    text = _text(expression)
    return f"({text})" if isinstance(expression, AffineBinaryOpExpr) else text


def _space(num_dims: int, num_symbols: int) -> str:
    dims = ", ".join(f"d{i}" for i in range(num_dims))
    symbols = ", ".join(f"s{i}" for i in range(num_symbols))
    return f"({dims})[{symbols}]" if num_symbols else f"({dims})"


def _list(texts: Iterable[str]) -> str:
    return f"({', '.join(texts)})"


def map_text(map_: AffineMap) -> str:
    """A map, without its `affine_map<>`.

    >>> map_text(AffineMap.from_callable(lambda i, j: (i - 1, j * -1)))
    '(d0, d1) -> (d0 - 1, -d1)'
    """
    return f"{_space(map_.num_dims, map_.num_symbols)} -> {_list(expression_text(e) for e in map_.results)}"


def set_text(set_: AffineSet) -> str:
    """A set, without its `affine_set<>`; the set of all points has the constraint `0 == 0`."""

    def constraint(expression: AffineConstraintExpr) -> str:
        return f"{expression_text(expression.lhs)} {expression.kind.value} {expression_text(expression.rhs)}"

    constraints = [constraint(expression) for expression in set_.constraints] or ["0 == 0"]
    return f"{_space(set_.num_dims, set_.num_symbols)} : {_list(constraints)}"
