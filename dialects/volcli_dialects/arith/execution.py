"""How the operations of arith execute."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, f8E8M0FNU
from xdsl.ir import Operation
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineExpr, AffineMap

from volcli.execution.elements.constants import constant
from volcli.execution.numbers import floats, integers
from volcli.execution.numbers.formats import Format, format_of, signed
from volcli.execution.numbers.values import POISON
from volcli.execution.outcomes import Unsupported
from volcli.execution.table import Scalar, executions, scalars
from volcli.execution.walking.walked import IndexResult, mapped, walked
from volcli.language.questions import stated_number
from volcli_dialects.arith.ops import BINARY_CLASSES, CAST_CLASSES, SCALING_CLASSES

executions.case(arith.ConstantOp)(lambda op: constant(op, op.properties["value"]))


def _format(op: Operation) -> Format:
    return format_of(op.operands[0].type)


def _flags(op: Operation) -> tuple[str, ...]:
    attribute = op.properties.get("overflowFlags")
    found = () if attribute is None else tuple(each.value for each in cast(Any, attribute).data)
    return (*found, "exact") if "isExact" in op.properties else found


def negf(op: Operation) -> Scalar:
    """`-a`: the other sign, of zeros and NaN, too."""
    return _promised(op, Scalar(lambda a: -a, np.negative))


def _promised(op: Operation, scalar: Scalar) -> Scalar:
    """SCALAR, of floats, with the flags of OP."""
    attribute = op.properties.get("fastmath")
    flags = [] if attribute is None else [str(each.value) for each in cast(Any, attribute).data]
    return floats.promised(scalar, flags)


def _casts(*names: str) -> Iterator[type[Operation]]:
    return (_of_xdsl(CAST_CLASSES[name]) for name in names)


def _of_xdsl(kind: type[Operation]) -> type[Operation]:
    """The class of xDSL's that KIND refines: bodies of named operations are made of these."""
    name = kind.name
    return next((c for c in reversed(kind.__mro__) if c.__dict__.get("name") == name), kind)


_SHIFTS = {"shl": "left", "shru": "right", "shrs": "right with sign"}


def integer_case(name: str) -> Callable[[Operation], Scalar]:
    """What an operation on two integers computes, by its NAME in the index dialect: add, divs, shru."""
    if name in integers.ALIKE:
        return lambda op: integers.alike(op, name, _format(op), _flags(op))
    if name in _SHIFTS:
        return lambda op: integers.shift(_SHIFTS[name], _format(op), _flags(op))
    made = integers.with_sign if name.endswith("s") else integers.without_sign
    return lambda op: made(op, name[:-1], _format(op), exact="exact" in _flags(op))


def _float_case(name: str) -> Callable[[Operation], Scalar]:
    made = floats.arithmetic if name in floats.ARITHMETIC else floats.extremum
    return lambda op: _promised(op, made(name))


for _name, _kind in BINARY_CLASSES.items():
    _stem = _name.removeprefix("arith.")[:-1]
    _case = negf if _stem == "neg" else _float_case(_stem) if _name.endswith("f") else integer_case(_stem)
    scalars.case(_of_xdsl(_kind))(_case)


@scalars.case(arith.AddUIExtendedOp)
def addui_extended(op: arith.AddUIExtendedOp) -> Scalar:
    """The sum, and whether it is too large for the width."""
    format = _format(op)
    wrap, bits, width = format.wrap(), format.unsigned(), format.width

    def number(a: int, b: int) -> tuple[int, int]:
        total = bits(a) + bits(b)
        return wrap(total), total >> width

    return Scalar(number)


@scalars.case(arith.MulSIExtendedOp, arith.MulUIExtendedOp)
def mul_extended(op: arith.MulSIExtendedOp | arith.MulUIExtendedOp) -> Scalar:
    """The lower and the upper half of the bits of the product."""
    format = _format(op)
    wrap, bits, width = format.wrap(), format.unsigned(), format.width
    read = (lambda a: signed(a, width)) if isinstance(op, arith.MulSIExtendedOp) else bits

    def number(a: int, b: int) -> tuple[int, int]:
        product = read(a) * read(b)
        return wrap(product), wrap(product >> width)

    return Scalar(number)


def _extension(op: Operation) -> Scalar:
    """extsi, extui, index_cast, index_castui and trunci: the number in another width."""
    source, target = format_of(op.operands[0].type), format_of(op.results[0].type)
    name = op.name.removeprefix("arith.")
    is_signed = name in ("extsi", "index_cast")
    wrap, width, bits, flags = target.wrap(), source.width, source.unsigned(), _flags(op)

    def number(a: int) -> Any:
        value = signed(a, width) if is_signed else bits(a)
        if "nsw" in flags and signed(value, target.width) != signed(a, width):
            return POISON
        if "nuw" in flags and bits(a) >> target.width:
            return POISON
        return wrap(value)

    block = None
    if not flags and target.is_native and source.is_native and (is_signed or target.width < source.width):
        block = lambda a: np.asarray(a).astype(target.dtype)  # noqa: E731
    return Scalar(number, block)


# A truth.
scalars.case(arith.CmpiOp)(
    lambda op: integers.comparison(arith.CMPI_COMPARISON_OPERATIONS[op.predicate.value.data], _format(op))
)
# A truth.
scalars.case(arith.CmpfOp)(
    lambda op: _promised(op, floats.comparison(arith.CMPF_COMPARISON_OPERATIONS[op.predicate.value.data]))
)
# One of two values, whatever the other one is.
scalars.case(arith.SelectOp)(
    lambda op: Scalar(lambda condition, a, b: a if condition else b, np.where, chooses=True)
)


scalars.case(*_casts("extsi", "extui", "trunci", "index_cast", "index_castui"))(_extension)


def _float_cast(op: Operation) -> Scalar:
    """extf and truncf: the nearest number of the other format, ties to even."""
    rounding = op.properties.get("roundingmode")
    if rounding is not None and cast(Any, rounding).value.data != 0:
        raise Unsupported(op, "rounding other than to the nearest even number is not executed")
    target = np.dtype(format_of(op.results[0].type).dtype)
    return Scalar(lambda a: target.type(+a), lambda a: np.asarray(a).astype(target))


scalars.case(*_casts("extf", "truncf"))(_float_cast)


def _scaled(op: Operation) -> Scalar:
    """scaling_extf, `x * scale` in the result's format, and scaling_truncf, `x / scale` in x's, narrowed.

    The scale is a power of two, as f8E8M0FNU holds it; another one is truncated to that format, and MLIR does
    not say how it is rounded.
    """
    widens = op.name == "arith.scaling_extf"
    wide: Any = np.dtype(format_of((op.results if widens else op.operands)[0].type).dtype).type
    narrowed = _float_cast(op).number
    power: Any = np.dtype(format_of(f8E8M0FNU).dtype).type

    def number(x: Any, scale: Any) -> Any:
        factor = power(float(+scale))
        if not (float(factor) == float(scale) or scale != scale):
            raise Unsupported(op, f"the scale {scale}, which is not a power of two, is not executed")
        if widens:
            return wide(float(+x)) * wide(float(factor))
        return narrowed(wide(+x) / wide(float(factor)))

    return Scalar(number)


scalars.case(*SCALING_CLASSES.values())(_scaled)


def _to_float(op: Operation) -> Scalar:
    """sitofp and uitofp: the nearest number."""
    source, target = format_of(op.operands[0].type), np.dtype(format_of(op.results[0].type).dtype)
    width, bits = source.width, source.unsigned()
    is_signed = op.name == "arith.sitofp"
    block = (lambda a: np.asarray(a).astype(target)) if is_signed and source.is_native else None
    return Scalar(lambda a: nearest(signed(a, width) if is_signed else bits(a), target), block)


def nearest(number: int, target: np.dtype[Any]) -> Any:
    """NUMBER rounded once: a large integer in f64 first, to odd, so that the second rounding is right.

    >>> bool(nearest(2**60 + 2**36 + 1, np.dtype(np.float32)) == np.float32(2**60 + 2**37))
    True
    """
    surplus = number.bit_length() - 60
    if surplus > 0:
        kept = number >> surplus
        number = (kept | (number != kept << surplus)) << surplus
    drop = number.bit_length() - 52
    if drop > 0 and target.itemsize < 8:  # to odd at 53 bits: more than twice those of f32
        kept = number >> drop
        number = (kept | (number != kept << drop)) << drop
    return target.type(float(number))


scalars.case(*_casts("sitofp", "uitofp"))(_to_float)


def _to_integer(op: Operation) -> Scalar:
    """fptosi and fptoui: rounded toward zero; poison where that is too large for the type."""
    target = format_of(op.results[0].type)
    width, wrap = target.width, target.wrap()
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if op.name == "arith.fptosi" else (0, 1 << width)

    def number(a: Any) -> Any:
        value = float(a)
        if not math.isfinite(value) or not low <= int(value) < high:
            return POISON
        return wrap(int(value))

    return Scalar(number)


scalars.case(*_casts("fptosi", "fptoui"))(_to_integer)


@scalars.case(*_casts("bitcast"))
def bitcast(op: Operation) -> Scalar:
    """The same bits as a number of another type."""
    source, target = format_of(op.operands[0].type), format_of(op.results[0].type)
    if source.width not in (8, 16, 32, 64):
        raise Unsupported(op, f"bitcasts of {source.width} bits are not executed")
    from_, to = np.dtype(source.dtype), np.dtype(target.dtype)

    def number(a: Any) -> Any:
        found = from_.type(+a).view(to)
        return int(found) if target.kind == "integer" else found

    return Scalar(number, lambda a: np.asarray(a, from_).view(to))


# -- for walks back over last writers ----------------------------------------------------------------------

_RESULTS: dict[str, tuple[Callable[[AffineExpr, AffineExpr], tuple[AffineExpr, ...]], str]] = {
    "addi": (lambda a, b: (a + b,), ""),
    "subi": (lambda a, b: (a - b,), ""),
    "muli": (lambda a, b: (AffineBinaryOpExpr(AffineBinaryOpKind.Mul, a, b),), ""),
    "minsi": (lambda a, b: (a, b), "min"),
    "maxsi": (lambda a, b: (a, b), "max"),
}


def _applied(op: Operation) -> IndexResult | None:
    """An index as a function of others, and of the numbers that constants are."""
    if not isinstance(op.results[0].type, IndexType):
        return None
    results, choice = _RESULTS[op.name.removeprefix("arith.")]
    numbers = map(stated_number, op.operands)
    left, right = (
        AffineExpr.dimension(k) if number is None else AffineExpr.constant(number.constant)
        for k, number in enumerate(numbers)
    )
    return IndexResult(mapped(op.operands, AffineMap(2, 0, results(left, right))), choice)


for _name in _RESULTS:
    walked.case(_of_xdsl(BINARY_CLASSES[f"arith.{_name}"]))(_applied)
