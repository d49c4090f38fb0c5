"""linalg.pack, unpack and softmax: operations that are not one loop nest with affine maps.

So are the three transforms of a Winograd convolution, linalg.winograd_*. F(m x m, r x r) computes m x m
outputs of a convolution with an r x r filter as the product of transformed tiles.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    ShapedType,
    TensorType,
    UnrankedMemRefType,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser

from volcli_dialects.syntax.pieces import (
    SQUARE,
    Attributes,
    IndexList,
    Inferred,
    InsAndOuts,
    ResultTypes,
    Type,
    integer,
    integers,
)
from volcli_dialects.syntax.properties import choice
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import Maybe, Operand, ReadParts, WrittenOperation


class RelayoutOp(WrittenOperation, ABC):
    """What pack and unpack share: the tiling of dimensions `inner_dims_pos` by `inner_tiles`.

    A static tile stands in `static_inner_tiles`; a dynamic one is an operand, and its entry there is the
    marker of dynamic sizes.
    """

    inner_dims_pos = prop_def(DenseArrayBase.constr(i64))
    outer_dims_perm = opt_prop_def(DenseArrayBase.constr(i64))
    static_inner_tiles = prop_def(DenseArrayBase.constr(i64))

    result = opt_result_def(TensorType)


def _result(found: ReadParts) -> Sequence[Attribute]:
    """The type of the destination, if that is a tensor."""
    return [kind for kind in found.types["dest"] if not isinstance(kind, MemRefType | UnrankedMemRefType)]


_LAYOUT = (
    Maybe(
        " outer_dims_perm = ", integers("outer_dims_perm"), of="outer_dims_perm",
        when=lambda op: op.outer_dims_perm is not None and op.outer_dims_perm.get_values(),
    ),
    Maybe(" inner_dims_pos = ", integers("inner_dims_pos"), when=lambda _: True), " inner_tiles = ",
    IndexList("inner_tiles", "static_inner_tiles", SQUARE), " into ", Operand("dest"), Attributes(), " : ",
    Type("source"), " -> ", Type("dest"), Inferred("result", _result),
)  # fmt: skip


@operation("linalg.pack")
class PackOp(RelayoutOp):
    """Tile a tensor: dest[i', t] = source[i] with i = tile * i' + t on tiled dimensions, padded at the end.

    Syntax: `linalg.pack %source padding_value(%p : f32) outer_dims_perm = [..] inner_dims_pos = [..]
    inner_tiles = [..] into %dest : type -> type`.
    """

    source = operand_def(ShapedType)
    dest = operand_def(ShapedType)
    padding_value = opt_operand_def()
    inner_tiles = var_operand_def(IndexType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    SYNTAX: ClassVar = (
        " ", Operand("source"),
        Maybe(
            " padding_value(", Operand("padding_value"), " : ", Type("padding_value"), ")", of="padding_value"
        ),
        *_LAYOUT,
    )  # fmt: skip


@operation("linalg.unpack")
class UnPackOp(RelayoutOp):
    """The inverse of linalg.pack: dest[i] = source[o(i), t], without the padding.

    Syntax: `linalg.unpack %source outer_dims_perm = [..] inner_dims_pos = [..] inner_tiles = [..] into
    %dest : type -> type`.
    """

    source = operand_def(ShapedType)
    dest = operand_def(ShapedType)
    inner_tiles = var_operand_def(IndexType)

    SYNTAX: ClassVar = (" ", Operand("source"), *_LAYOUT)


class InAndOut(InsAndOuts):
    """` ins(%a : t) outs(%b : u)`: one operand each."""

    def read(self, parser: Parser, found: ReadParts) -> None:
        position = parser.pos
        super().read(parser, found)
        if [len(found.operands[name]) for name in (self.ins, self.outs)] != [1, 1]:
            parser.raise_error("expected 1 input and 1 output", position, parser.pos)


@operation("linalg.softmax")
class SoftmaxOp(WrittenOperation):
    """out[i, k] = exp(in[i, k] - max_k in[i, k]) / (the sum of these over k), k at position `dimension`.

    Syntax: `linalg.softmax {attributes} dimension(1) ins(...) outs(...) -> type`.
    """

    input = operand_def(ShapedType)
    output = operand_def(ShapedType)
    dimension = prop_def(IntegerAttr)
    res = var_result_def(TensorType)

    SYNTAX: ClassVar = (
        Attributes(), " dimension(", integer("dimension", boolean=True, negative=True), ")",
        InAndOut("input", "output"), ResultTypes(),
    )  # fmt: skip


# The Winograd algorithm F(m x m, r x r) by its name in the text -> its number in the `fmr` property.
_WINOGRAD = {name: IntegerAttr(k, i32) for k, name in enumerate(("F_2_3", "F_4_3", "F_2_5"))}


class WinogradOp(WrittenOperation, ABC):
    """One of the three transforms of the Winograd convolution algorithm F(m x m, r x r).

    Syntax: `linalg.winograd_filter_transform fmr(F_4_3) ins(...) outs(...) -> type`.
    """

    input = operand_def(ShapedType)
    output = operand_def(ShapedType)
    fmr = prop_def(IntegerAttr)
    res = var_result_def(TensorType)

    SYNTAX: ClassVar = (
        Attributes(), " fmr(", choice("fmr", _WINOGRAD), ")", InAndOut("input", "output"), ResultTypes()
    )  # fmt: skip


@operation("linalg.winograd_filter_transform")
class WinogradFilterTransformOp(WinogradOp):
    """The filter's transform."""


@operation("linalg.winograd_input_transform")
class WinogradInputTransformOp(WinogradOp):
    """The input's transform."""


@operation("linalg.winograd_output_transform")
class WinogradOutputTransformOp(WinogradOp):
    """The output's inverse transform."""
