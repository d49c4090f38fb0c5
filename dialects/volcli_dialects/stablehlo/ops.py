"""The operations of stablehlo: a line for each, its operands, its attributes, and what it writes as words.

An element-wise operation stands in ELEMENTWISE with the scalar function that it applies, and needs no more
than its line; the cases of the others stand in the files beside this one. An operation of stablehlo that has
no line is read, too: as one of which nothing is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.ir import Operation
from xdsl.irdl import (
    IRDLOperation,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsTerminator

from volcli_dialects.cases.elements import scalar_functions as f
from volcli_dialects.stablehlo import reductions, syntax
from volcli_dialects.stablehlo.products import CONVOLUTION, DOT
from volcli_dialects.syntax.functional_syntax import declared, declared_regions
from volcli_dialects.syntax.redeclared import operation
from volcli_dialects.syntax.written import SyntaxPiece, WrittenOperation

ELEMENTWISE: tuple[tuple[str, str, f.ScalarFunction], ...] = (
    ("abs", "operand", f.MAGNITUDE),
    ("cbrt", "operand", f.ODD),
    ("ceil", "operand", f.ODD),
    ("cosine", "operand", f.EVEN),
    ("count_leading_zeros", "operand", f.OPAQUE),
    ("exponential", "operand", f.EXPONENTIAL),
    ("exponential_minus_one", "operand", f.ODD),
    ("floor", "operand", f.ODD),
    ("imag", "operand", f.OPAQUE),
    ("is_finite", "operand", f.EVEN),
    ("log", "operand", f.LOGARITHM),
    ("log_plus_one", "operand", f.ODD),
    ("logistic", "operand", f.EVEN),
    ("negate", "operand", f.NEGATE),
    ("not", "operand", f.OPAQUE),
    ("popcnt", "operand", f.OPAQUE),
    ("real", "operand", f.OPAQUE),
    ("round_nearest_afz", "operand", f.ODD),
    ("round_nearest_even", "operand", f.ODD),
    ("rsqrt", "operand", f.INVERSE_ROOT),
    ("sign", "operand", f.ODD),
    ("sine", "operand", f.ODD),
    ("sqrt", "operand", f.ODD),
    ("tan", "operand", f.ODD),
    ("tanh", "operand", f.ODD),
    ("add", "lhs rhs", f.ADD),
    ("atan2", "lhs rhs", f.OPAQUE),
    ("divide", "lhs rhs", f.DIVIDE),
    ("maximum", "lhs rhs", f.EXTREMUM),
    ("minimum", "lhs rhs", f.EXTREMUM),
    ("multiply", "lhs rhs", f.MULTIPLY),
    ("power", "lhs rhs", f.OPAQUE),
    ("remainder", "lhs rhs", f.OPAQUE),
    ("subtract", "lhs rhs", f.SUBTRACT),
    ("and", "lhs rhs", f.AND),
    ("or", "lhs rhs", f.OR),
    ("xor", "lhs rhs", f.OR),
    ("shift_left", "lhs rhs", f.SHIFT),
    ("shift_right_arithmetic", "lhs rhs", f.SHIFT),
    ("shift_right_logical", "lhs rhs", f.SHIFT),
)

_ACCURACY = "result_accuracy?"


def _words(**keys: str) -> Sequence[SyntaxPiece | str]:
    """The syntax with the words KEYS in front of some attributes."""
    return syntax.Items(keys), syntax.AttributesAndTypes(*keys.values())


STRUCTURED: tuple[tuple[str, str, str, Sequence[SyntaxPiece | str]], ...] = (
    ("compare", "lhs rhs", "comparison_direction compare_type?", syntax.COMPARE),
    ("select", "pred on_true on_false", "", syntax.SELECT),
    ("clamp", "min operand max", "", _words()),
    ("convert", "operand", "", _words()),
    ("bitcast_convert", "operand", "", _words()),
    ("reduce_precision", "operand", "exponent_bits mantissa_bits", syntax.PRECISION),
    ("constant", "", "value", syntax.CONSTANT),
    ("iota", "", "iota_dimension", _words(dim="iota_dimension")),
    ("reshape", "operand", "", _words()),
    ("transpose", "operand", "permutation", _words(dims="permutation")),
    ("broadcast_in_dim", "operand", "broadcast_dimensions", _words(dims="broadcast_dimensions")),
    ("reverse", "operand", "dimensions", _words(dims="dimensions")),
    ("concatenate", "inputs*", "dimension", _words(dim="dimension")),
    ("pad", "operand padding_value", "edge_padding_low edge_padding_high interior_padding",
     _words(low="edge_padding_low", high="edge_padding_high", interior="interior_padding")),
    ("slice", "operand", "start_indices limit_indices strides", syntax.SLICE),
    ("complex", "lhs rhs", "", syntax.COMPLEX),
    ("dynamic_slice", "operand start_indices*", "slice_sizes", _words(sizes="slice_sizes")),
    ("dynamic_update_slice", "operand update start_indices*", "", _words()),
    ("get_dimension_size", "operand", "dimension", _words(dim="dimension")),
    ("dynamic_broadcast_in_dim", "operand output_dimensions",
     "broadcast_dimensions known_expanding_dimensions? known_nonexpanding_dimensions?",
     _words(dims="broadcast_dimensions")),
    ("dynamic_iota", "output_shape", "iota_dimension", _words(dim="iota_dimension")),
    ("dynamic_pad", "operand padding_value edge_padding_low edge_padding_high interior_padding", "",
     _words()),
    ("dynamic_reshape", "operand output_shape", "", _words()),
    ("fft", "operand", "fft_type fft_length", _words(type="fft_type", length="fft_length")),
    ("uniform_dequantize", "operand", "", _words()),
    ("uniform_quantize", "operand", "", _words()),
    ("dot_general", "lhs rhs", "dot_dimension_numbers precision_config? algorithm?", DOT),
    ("convolution", "lhs rhs",
     "window_strides? padding? lhs_dilation? rhs_dilation? window_reversal? dimension_numbers "
     "feature_group_count batch_group_count precision_config?", CONVOLUTION),
)  # fmt: skip


def _class(name: str, operands: str, attributes: str, pieces: Sequence[SyntaxPiece | str]) -> type[Operation]:
    fields = {"SYNTAX": pieces, "__annotations__": {"SYNTAX": ClassVar}}
    return declared(type("Written", (WrittenOperation,), fields), f"stablehlo.{name}", operands, attributes)


@operation("stablehlo.reduce")
class ReduceOp(WrittenOperation):
    """`stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (t, u) -> v`."""

    inputs = var_operand_def()
    dimensions = prop_def()
    output = var_result_def()
    body = region_def("single_block")

    SYNTAX: ClassVar = reductions.SYNTAX


@operation("stablehlo.optimization_barrier")
class OptimizationBarrierOp(WrittenOperation):
    """`stablehlo.optimization_barrier %x, %y : t, u`: both, as they are."""

    inputs = var_operand_def()
    output = var_result_def()

    SYNTAX: ClassVar = syntax.ALIKE


class RegionOp(IRDLOperation):
    """An operation, mostly with regions, which StableHLO writes in generic form alone."""

    inputs = var_operand_def()
    output = var_result_def()


_WINDOW = "window_dimensions window_strides? base_dilations? window_dilations? padding?"
REGIONS: dict[str, type[Operation]] = {
    name: declared_regions(RegionOp, f"stablehlo.{name}", attributes, regions)
    for name, attributes, regions in (
        ("reduce_window", _WINDOW, 1),
        ("map", "dimensions", 1),
        ("sort", "dimension? is_stable?", 1),
        ("if", "", 2),
        ("case", "", None),
        ("select_and_scatter", _WINDOW, 2),
        ("scatter", "scatter_dimension_numbers indices_are_sorted? unique_indices?", 1),
    )
}
"""By name, the operations with regions."""

INDEXED: dict[str, type[Operation]] = {
    name: declared_regions(RegionOp, f"stablehlo.{name}", attributes, 0)
    for name, attributes in (
        ("batch_norm_grad", "epsilon feature_index"),
        ("batch_norm_inference", "epsilon feature_index"),
        ("batch_norm_training", "epsilon feature_index"),
        ("dynamic_gather", "dimension_numbers indices_are_sorted?"),
        ("gather", "dimension_numbers slice_sizes indices_are_sorted?"),
    )
}
"""By name, those without one that StableHLO writes in generic form, too."""


@operation("stablehlo.return", "$values attr-dict (`:` type($values)^)?")
class ReturnOp(IRDLOperation):
    """`stablehlo.return %x : tensor<f32>`: what a body yields."""

    values = var_operand_def()

    traits = traits_def(IsTerminator())


OPS: dict[str, type[Operation]] = {
    **{
        name: _class(name, operands, _ACCURACY if operands == "operand" else "", _words())
        for name, operands, _ in ELEMENTWISE
    },
    **{row[0]: _class(*row) for row in STRUCTURED},
}
"""The classes by name, without `stablehlo.`."""
