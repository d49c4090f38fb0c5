"""The test operations of mlir-opt's bounds: what they say, and whether they are valid, in its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.builtin import (
    AffineMapAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ShapedType,
    StringAttr,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.hints import isa

from volcli.language.interface import operation_name

REIFY, COMPARE = "test.reify_bound", "test.compare"


def field(op: Operation, name: str) -> Attribute | None:
    """OP's attribute NAME, wherever it stands."""
    return op.properties.get(name) or op.attributes.get(name)


def has(op: Operation, name: str) -> bool:
    """Whether OP has an attribute NAME."""
    return field(op, name) is not None


def text(op: Operation, name: str) -> str | None:
    """OP's attribute NAME if it is a string."""
    found = field(op, name)
    return found.data if isinstance(found, StringAttr) else None


def number(op: Operation, name: str) -> int | None:
    """OP's attribute NAME if it is an integer."""
    found = field(op, name)
    return found.value.data if isinstance(found, IntegerAttr) else None


_STRING, _UNIT, _MAP, _NUMBER = (
    "string attribute", "unit attribute", "AffineMap attribute", "64-bit signless integer attribute"
)  # fmt: skip
_KINDS: dict[str, Callable[[Attribute], bool]] = {
    _STRING: lambda a: isinstance(a, StringAttr),
    _UNIT: lambda a: isinstance(a, UnitAttr),
    _MAP: lambda a: isinstance(a, AffineMapAttr),
    _NUMBER: lambda a: isa(a, IntegerAttr[IntegerType]) and a.type == i64,
}
_OF_REIFY = {"type": _STRING, "dim": _NUMBER, "constant": _UNIT, "scalable": _UNIT,
             "vscale_min": _NUMBER, "vscale_max": _NUMBER}  # fmt: skip
_OF_COMPARE = {"cmp": _STRING, "lhs_map": _MAP, "rhs_map": _MAP, "compose": _UNIT}


def _problems_of_attributes(op: Operation, kinds: Mapping[str, str]) -> Iterator[str]:
    for name, kind in kinds.items():
        found = field(op, name)
        if found is not None and not _KINDS[kind](found):
            yield f"attribute '{name}' failed to satisfy constraint: {kind}"


def _problems_of_reify(op: Operation) -> Iterator[str]:
    """In the order in which mlir-opt's verifier looks."""
    yield from _problems_of_attributes(op, _OF_REIFY)
    if len(op.results) != 1:
        yield "requires one result"
        return
    if len(op.operands) != 1:
        yield "requires a single operand"
        return
    if not isinstance(made := op.results[0].type, IndexType):
        yield f"result #0 must be index, but got '{made}'"
    kind, dim = op.operands[0].type, number(op, "dim")
    if isinstance(kind, ShapedType | UnrankedTensorType | UnrankedMemRefType):
        if dim is None:
            yield "expected 'dim' attribute for shaped type variable"
    elif not isinstance(kind, IndexType):
        yield "expected index-typed variable or shape type variable"
    elif dim is not None:
        yield "unexpected 'dim' attribute for index variable"
    if has(op, "constant") and has(op, "scalable"):
        yield "'scalable' and 'constant' are mutually exlusive"
    if not has(op, "scalable") == has(op, "vscale_min") == has(op, "vscale_max"):
        yield "expected 'vscale_min' if and only if 'scalable'"
    if dim is not None and dim < 0:
        yield "dim must be non-negative"
    if dim is not None and isinstance(kind, ShapedType) and dim >= len(kind.get_shape()):
        yield "invalid dim for shaped type rank"


def _problems_of_compare(op: Operation) -> Iterator[str]:
    """In the order in which mlir-opt's verifier looks."""
    yield from _problems_of_attributes(op, _OF_COMPARE)
    if op.results:
        yield "requires zero results"
    maps = [field(op, name) for name in ("lhs_map", "rhs_map")]
    if has(op, "compose") and maps != [None, None]:
        yield "'compose' not supported when 'lhs_map' or 'rhs_map' is present"
    expected = sum(m.data.num_dims + m.data.num_symbols if isinstance(m, AffineMapAttr) else 1 for m in maps)
    for position, operand in enumerate(op.operands):
        if not isinstance(operand.type, IndexType):
            yield f"operand #{position} must be variadic of index, but got '{operand.type}'"
    if len(op.operands) != expected:
        yield f"expected {expected} operands, but got {len(op.operands)}"


def problems_of(op: Operation) -> Iterator[str]:
    """What is wrong with OP, if it is one of the two."""
    match operation_name(op):
        case "test.reify_bound":
            yield from _problems_of_reify(op)
        case "test.compare":
            yield from _problems_of_compare(op)
        case _:
            pass
