"""The operations of affine on memory: loads and stores at affine subscripts, prefetches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import AffineMapAttr, BoolAttr, IndexType, IntegerAttr, MemRefType, VectorType
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, prop_def, result_def, var_operand_def
from xdsl.parser import Parser

from volcli_dialects.affine.syntax import SubscriptList
from volcli_dialects.syntax.pieces import Attributes, Inferred, Type
from volcli_dialects.syntax.properties import PREFETCH
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import Operand, ReadParts, WrittenOperation


def _element(found: ReadParts) -> Sequence[Attribute]:
    """The type of the elements of the memref."""
    kind: Any = found.types["memref"][0]
    return [kind.element_type]


class _Memref(Type):
    """The type of the memref."""

    def __init__(self) -> None:
        super().__init__("memref")

    def read(self, parser: Parser, found: ReadParts) -> None:
        position = parser.pos
        super().read(parser, found)
        if not isinstance(found.types["memref"][0], MemRefType):
            parser.raise_error("expected a memref type", position, parser.pos)


_ACCESS = (Operand("memref"), SubscriptList(), Attributes(), " : ", _Memref())


@operation("affine.load")
class LoadOp(WrittenOperation):
    """`%x = affine.load %m[%i + symbol(%n), 0] : memref<?x4xf32>`: the element at the map's results."""

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    result = result_def()

    SYNTAX: ClassVar = (" ", *_ACCESS, Inferred("result", _element))


@operation("affine.store")
class StoreOp(WrittenOperation):
    """`affine.store %x, %m[%i + symbol(%n), 0] : memref<?x4xf32>`: the element at the map's results."""

    value = operand_def()
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)

    SYNTAX: ClassVar = (" ", Operand("value"), ", ", *_ACCESS, Inferred("value", _element))


@operation("affine.vector_load")
class VectorLoadOp(WrittenOperation):
    """`%v = affine.vector_load %m[%i, %j] : memref<8x8xf32>, vector<4xf32>`: the elements from there on."""

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)
    result = result_def(VectorType)

    SYNTAX: ClassVar = (" ", *_ACCESS, ", ", Type("result"))


@operation("affine.vector_store")
class VectorStoreOp(WrittenOperation):
    """`affine.vector_store %v, %m[%i, %j] : memref<8x8xf32>, vector<4xf32>`: the elements from there on."""

    value = operand_def(VectorType)
    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    map = prop_def(AffineMapAttr)

    SYNTAX: ClassVar = (" ", Operand("value"), ", ", *_ACCESS, ", ", Type("value"))


@operation("affine.prefetch")
class PrefetchOp(WrittenOperation):
    """`affine.prefetch %m[%i, %j + 5], read, locality<3>, data : memref<8x8xf32>`; 3 is the most local."""

    memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    is_write = prop_def(BoolAttr, prop_name="isWrite")
    locality_hint = prop_def(IntegerAttr, prop_name="localityHint")
    is_data_cache = prop_def(BoolAttr, prop_name="isDataCache")
    map = prop_def(AffineMapAttr)

    SYNTAX: ClassVar = (
        " ",
        Operand("memref"),
        SubscriptList(),
        *PREFETCH,
        Attributes(),
        " : ",
        Type("memref"),
    )
