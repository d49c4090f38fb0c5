"""The operations of affine on memory: loads and stores at affine subscripts, prefetches,
and transfers between memories that a tag names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from xdsl.dialects.builtin import AffineMapAttr, BoolAttr, IndexType, IntegerAttr, MemRefType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, attr_def, operand_def, prop_def, result_def, var_operand_def
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from volcli_dialects.affine.syntax import SubscriptList, parse_subscripts, print_subscripts
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


ParsedEnd = tuple[UnresolvedOperand, AffineMapAttr, Sequence[SSAValue]]


def _parse_place(parser: Parser) -> ParsedEnd:
    """`%m[%i + 1],`: what every operand of a transfer but the last ones is."""
    memref = parser.parse_unresolved_operand()
    map_, indices = parse_subscripts(parser)
    parser.parse_punctuation(",")
    return memref, map_, indices


class TransferOp(IRDLOperation):
    """Operands that are memrefs with subscripts, then numbers of elements.

    The maps are attributes and no properties, as in MLIR, where this operation has no properties. Its
    syntax has no place for further attributes.
    """

    UNNAMED_ATTRIBUTES: ClassVar = ("src_map", "dst_map", "tag_map")
    MAPS: ClassVar[Sequence[str]] = ("tag_map",)
    """The attributes that are the maps of the memrefs, in order."""
    SIZES: ClassVar[tuple[int, ...]] = (1,)
    """How many operands may stand after the memrefs and their subscripts."""
    NAMES: ClassVar[tuple[tuple[str, str], ...]] = (("", "tag"),)
    """What mlir-opt calls each memref: before "index", and by itself."""

    arguments = var_operand_def()

    def maps(self) -> Sequence[AffineMapAttr]:
        """The maps of the memrefs, in order."""
        return [getattr(self, name) for name in self.MAPS]

    def places(self) -> list[tuple[SSAValue, AffineMapAttr, Sequence[SSAValue]]]:
        """Each memref with its map and that map's operands."""
        found: list[tuple[SSAValue, AffineMapAttr, Sequence[SSAValue]]] = []
        start = 0
        for map_ in self.maps():
            end = start + 1 + map_.data.num_dims + map_.data.num_symbols
            found.append((self.operands[start], map_, self.operands[start + 1 : end]))
            start = end
        return found

    def misfit(self) -> str | None:
        """A memref with its subscripts for each map, then one number of elements or more."""
        needed = sum(1 + map_.data.num_dims + map_.data.num_symbols for map_ in self.maps())
        if len(self.operands) - needed not in self.SIZES:
            return "incorrect number of operands"
        places = list(zip(self.NAMES, self.places(), strict=True))
        for (_, noun), (memref, _, _) in places:
            if not isinstance(memref.type, MemRefType):
                return f"expected DMA {noun} to be of memref type"
        for (prefix, _), (_, _, indices) in places:
            if not all(isinstance(index.type, IndexType) for index in indices):
                return f"{prefix}index to {self.name.partition('.')[2]} must have 'index' type"
        return None

    def sizes(self) -> Sequence[SSAValue]:
        """The operands after the memrefs and their subscripts."""
        return self.operands[sum(1 + len(indices) for _, _, indices in self.places()) :]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        places = [_parse_place(parser) for _ in cls.MAPS]
        sizes = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, lambda: parser.parse_operand(IndexType())
        )
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        memrefs = parser.resolve_operands([memref for memref, _, _ in places], types, position)
        groups = zip(memrefs, (indices for _, _, indices in places), strict=True)
        ends = [operand for memref, indices in groups for operand in (memref, *indices)]
        maps = zip(cls.MAPS, (map_ for _, map_, _ in places), strict=True)
        return cls.create(operands=(*ends, *sizes), attributes=dict[str, Attribute](maps))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        places = self.places()
        for memref, map_, indices in places:
            printer.print_ssa_value(memref)
            print_subscripts(printer, map_, indices)
            printer.print_string(", ")
        printer.print_list(self.sizes(), printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list(places, lambda place: printer.print_attribute(place[0].type))


@operation("affine.dma_start")
class DmaStartOp(TransferOp):
    """`affine.dma_start %a[%i], %b[%j], %tag[0], %n, %stride, %k : ...`, and the types of a, b and tag.

    Copies n elements from a to b, in pieces of k elements `stride` apart (both or neither).
    """

    MAPS: ClassVar = ("src_map", "dst_map", "tag_map")
    SIZES: ClassVar = (1, 3)
    NAMES: ClassVar = (("src ", "source"), ("dst ", "destination"), ("tag ", "tag"))

    src_map = attr_def(AffineMapAttr)
    dst_map = attr_def(AffineMapAttr)
    tag_map = attr_def(AffineMapAttr)


@operation("affine.dma_wait")
class DmaWaitOp(TransferOp):
    """`affine.dma_wait %tag[0], %n : memref<1xi32>`: waits for the transfer of n elements with that tag."""

    tag_map = attr_def(AffineMapAttr)
