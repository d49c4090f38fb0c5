"""linalg.pack, unpack and softmax: operations that are not one loop nest with affine maps."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    ShapedType,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from volcli_dialects.syntax.syntax import (
    SEGMENT_SIZES,
    integer_array,
    parse_integer_list,
    parse_operand_group,
    parse_result_types,
    print_attributes,
    print_named_integer_list,
    print_operand_group,
    print_result_types,
    segment_sizes,
    tensor_types,
)


class RelayoutOp(IRDLOperation, ABC):
    """What pack and unpack share: the tiling of dimensions `inner_dims_pos` by `inner_tiles`.

    A static tile stands in `static_inner_tiles`; a dynamic one is an operand, and its entry there is the
    marker of dynamic sizes.
    """

    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))

    result = opt_result_def(TensorType)

    @classmethod
    def parse_layout(cls, parser: Parser) -> tuple[dict[str, Attribute], Sequence[SSAValue]]:
        """`outer_dims_perm = [..] inner_dims_pos = [..] inner_tiles = [8, %t]`: properties, dynamic tiles."""
        properties: dict[str, Attribute] = {}
        for name in ("outer_dims_perm", "inner_dims_pos"):
            if parser.parse_optional_keyword(name):
                parser.parse_punctuation("=")
                properties[name] = parse_integer_list(parser)
        parser.parse_keyword("inner_tiles")
        parser.parse_punctuation("=")
        tiles = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: _parse_tile(parser))
        static = (DYNAMIC_INDEX if isinstance(tile, SSAValue) else tile for tile in tiles)
        properties["static_inner_tiles"] = integer_array(*static)
        return properties, [tile for tile in tiles if isinstance(tile, SSAValue)]

    def print_layout(self, printer: Printer, tiles: Sequence[SSAValue]) -> None:
        """The inverse of `parse_layout`."""
        if self.outer_dims_perm is not None and self.outer_dims_perm.get_values():
            print_named_integer_list(printer, "outer_dims_perm", self.outer_dims_perm)
        print_named_integer_list(printer, "inner_dims_pos", self.inner_dims_pos)
        printer.print_string(" inner_tiles = [")
        dynamic = iter(tiles)
        for index, size in enumerate(self.static_inner_tiles.get_values()):
            printer.print_string(", " if index else "")
            if size == DYNAMIC_INDEX:
                printer.print_ssa_value(next(dynamic))
            else:
                printer.print_string(str(size))
        printer.print_string("]")

    def print_destination(self, printer: Printer) -> None:
        """` into %dest {attributes} : type -> type`."""
        printer.print_string(" into ")
        source, dest = self.operands[:2]
        printer.print_ssa_value(dest)
        print_attributes(printer, self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(source.type)
        printer.print_string(" -> ")
        printer.print_attribute(dest.type)


def _parse_tile(parser: Parser) -> SSAValue | int:
    tile = parser.parse_optional_unresolved_operand()
    return parser.parse_integer() if tile is None else parser.resolve_operand(tile, IndexType())


def _parse_destination(parser: Parser) -> tuple[SSAValue, dict[str, Attribute], Attribute]:
    """`into %dest {attributes} : source type -> type`: the destination, the attributes, the source's type."""
    parser.parse_keyword("into")
    dest = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source_type = parser.parse_type()
    parser.parse_punctuation("->")
    return parser.resolve_operand(dest, parser.parse_type()), attributes, source_type


@irdl_op_definition
class PackOp(RelayoutOp):
    """Tile a tensor: dest[i', t] = source[i] with i = tile * i' + t on tiled dimensions, padded at the end.

    Syntax: `linalg.pack %source padding_value(%p : f32) outer_dims_perm = [..] inner_dims_pos = [..]
    inner_tiles = [..] into %dest : type -> type`.
    """

    name = "linalg.pack"

    source = operand_def(ShapedType)
    dest = operand_def(ShapedType)
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(IndexType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        unresolved = parser.parse_unresolved_operand()
        padding: list[SSAValue] = []
        if parser.parse_optional_keyword("padding_value"):
            parser.parse_punctuation("(")
            value = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            padding.append(parser.resolve_operand(value, parser.parse_type()))
            parser.parse_punctuation(")")
        properties, tiles = cls.parse_layout(parser)
        dest, attributes, source_type = _parse_destination(parser)
        source = parser.resolve_operand(unresolved, source_type)
        properties[SEGMENT_SIZES] = segment_sizes(1, 1, len(padding), len(tiles))
        return cls.create(
            operands=(source, dest, *padding, *tiles),
            result_types=tensor_types([dest]),
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        if self.padding_value is not None:
            printer.print_string(" padding_value(")
            printer.print_ssa_value(self.padding_value)
            printer.print_string(" : ")
            printer.print_attribute(self.padding_value.type)
            printer.print_string(")")
        self.print_layout(printer, self.inner_tiles)
        self.print_destination(printer)


@irdl_op_definition
class UnPackOp(RelayoutOp):
    """The inverse of linalg.pack: dest[i] = source[o(i), t], without the padding.

    Syntax: `linalg.unpack %source outer_dims_perm = [..] inner_dims_pos = [..] inner_tiles = [..] into
    %dest : type -> type`.
    """

    name = "linalg.unpack"

    source = operand_def(ShapedType)
    dest = operand_def(ShapedType)
    inner_tiles = var_operand_def(IndexType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        unresolved = parser.parse_unresolved_operand()
        properties, tiles = cls.parse_layout(parser)
        dest, attributes, source_type = _parse_destination(parser)
        return cls.create(
            operands=(parser.resolve_operand(unresolved, source_type), dest, *tiles),
            result_types=tensor_types([dest]),
            properties=properties,
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        self.print_layout(printer, self.inner_tiles)
        self.print_destination(printer)


def parse_in_and_out(parser: Parser) -> Sequence[SSAValue]:
    position = parser.pos
    inputs, outputs = parse_operand_group(parser, "ins"), parse_operand_group(parser, "outs")
    if (len(inputs), len(outputs)) != (1, 1):
        parser.raise_error("expected 1 input and 1 output", position, parser.pos)
    return (*inputs, *outputs)


@irdl_op_definition
class SoftmaxOp(IRDLOperation):
    """out[i, k] = exp(in[i, k] - max_k in[i, k]) / (the sum of these over k), k at position `dimension`.

    Syntax: `linalg.softmax {attributes} dimension(1) ins(...) outs(...) -> type`.
    """

    name = "linalg.softmax"

    input = operand_def(ShapedType)
    output = operand_def(ShapedType)
    dimension = prop_def(IntegerAttr)
    res = var_result_def(TensorType)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        attributes = parser.parse_optional_attr_dict()
        parser.parse_keyword("dimension")
        with parser.in_parens():
            dimension = IntegerAttr(parser.parse_integer(), i64)
        return cls.create(
            operands=parse_in_and_out(parser),
            result_types=parse_result_types(parser),
            properties={"dimension": dimension},
            attributes=attributes,
        )

    def print(self, printer: Printer) -> None:
        print_attributes(printer, self.attributes)
        printer.print_string(f" dimension({self.dimension.value.data})")
        print_operand_group(printer, "ins", [self.input])
        print_operand_group(printer, "outs", [self.output])
        print_result_types(printer, self.res)


RELAYOUT_OPS: Sequence[type[IRDLOperation]] = (
    PackOp,
    UnPackOp,
    SoftmaxOp,
)
