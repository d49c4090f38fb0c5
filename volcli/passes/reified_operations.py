"""The test operations of mlir-opt's bounds: what they say, and whether they are valid, in its words."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import AffineMapAttr, IndexType, IntegerAttr, ShapedType, StringAttr
from xdsl.ir import Attribute, Operation


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


def problems_of_reify(op: Operation) -> Iterator[str]:
    """In the order in which mlir-opt's verifier looks."""
    if len(op.operands) != 1:
        yield "requires a single operand"
        return
    kind, dim = op.operands[0].type, number(op, "dim")
    if isinstance(kind, ShapedType):
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


def problems_of_compare(op: Operation) -> Iterator[str]:
    """In the order in which mlir-opt's verifier looks."""
    maps = [field(op, name) for name in ("lhs_map", "rhs_map")]
    if has(op, "compose") and maps != [None, None]:
        yield "'compose' not supported when 'lhs_map' or 'rhs_map' is present"
    expected = sum(m.data.num_dims + m.data.num_symbols if isinstance(m, AffineMapAttr) else 1 for m in maps)
    for position, operand in enumerate(op.operands):
        if not isinstance(operand.type, IndexType):
            yield f"operand #{position} must be variadic of index, but got '{operand.type}'"
    if len(op.operands) != expected:
        yield f"expected {expected} operands, but got {len(op.operands)}"
