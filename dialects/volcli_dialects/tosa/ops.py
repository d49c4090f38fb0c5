"""The operations of tosa, as LLVM 22 has them: a line for each, its operands and its attributes.

An element-wise operation stands in ELEMENTWISE with the scalar function that it applies, and needs no more
than its line; the others stand in STRUCTURED, and their cases in the files beside this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects import tosa
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import IRDLOperation, irdl_attr_definition, prop_def, result_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from volcli_dialects.cases.elements import scalar_functions as f
from volcli_dialects.syntax.functional_syntax import FunctionalSyntax, Keywords, declared
from volcli_dialects.syntax.properties import enumeration
from volcli_dialects.syntax.redeclared import operation


@irdl_attr_definition
class ShapeType(ParametrizedAttribute, TypeAttribute):
    """`!tosa.shape<4>`: a list of 4 sizes, known before the program runs."""

    name = "tosa.shape"

    count: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            return [IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=False))]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.count.data))


# How tosa.resize finds what lies between elements.
ResizeModeAttr = enumeration("tosa.resize_mode", "NEAREST_NEIGHBOR BILINEAR")


class TosaOperation(FunctionalSyntax):
    """An operation of tosa: `tosa.add %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>`."""

    KEYWORDS: ClassVar[Mapping[str, Keywords]] = {
        "mode": {mode: ResizeModeAttr(mode) for mode in ResizeModeAttr.CASES.split()},
        "nan_mode": {mode.value: tosa.NanModeAttr(mode) for mode in tosa.NanMode},
        "rounding_mode": {mode.value: tosa.RoundingModeAttr(mode) for mode in tosa.RoundingMode},
    }


@operation("tosa.const")
class ConstOp(IRDLOperation):
    """`"tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>`."""

    values = prop_def(Attribute)
    output = result_def()


# The name, the operands (all but `shift` are broadcast), the attributes, the function.
ELEMENTWISE: tuple[tuple[str, str, str, f.ScalarFunction], ...] = (
    ("abs", "input1", "", f.MAGNITUDE),
    ("bitwise_not", "input1", "", f.OPAQUE),
    ("ceil", "input1", "", f.ODD),
    ("clz", "input1", "", f.OPAQUE),
    ("cos", "input1", "", f.EVEN),
    ("erf", "input", "", f.ODD),
    ("exp", "input1", "", f.EXPONENTIAL),
    ("floor", "input1", "", f.ODD),
    ("log", "input1", "", f.LOGARITHM),
    ("logical_not", "input1", "", f.OPAQUE),
    ("reciprocal", "input1", "", f.RECIPROCAL),
    ("rsqrt", "input1", "", f.INVERSE_ROOT),
    ("sigmoid", "input", "", f.EVEN),
    ("sin", "input1", "", f.ODD),
    ("tanh", "input", "", f.ODD),
    ("identity", "input1", "", f.SAME),
    ("add", "input1 input2", "", f.ADD),
    ("sub", "input1 input2", "", f.SUBTRACT),
    ("intdiv", "input1 input2", "", f.DIVIDE),
    ("maximum", "input1 input2", "nan_mode?", f.EXTREMUM),
    ("minimum", "input1 input2", "nan_mode?", f.EXTREMUM),
    ("pow", "input1 input2", "", f.OPAQUE),
    ("bitwise_and", "input1 input2", "", f.AND),
    ("bitwise_or", "input1 input2", "", f.OR),
    ("bitwise_xor", "input1 input2", "", f.OR),
    ("logical_and", "input1 input2", "", f.AND),
    ("logical_or", "input1 input2", "", f.OR),
    ("logical_xor", "input1 input2", "", f.OR),
    ("logical_left_shift", "input1 input2", "", f.SHIFT),
    ("logical_right_shift", "input1 input2", "", f.SHIFT),
    ("arithmetic_right_shift", "input1 input2", "round", f.SHIFT),
    ("equal", "input1 input2", "", f.COMPARE),
    ("greater", "input1 input2", "", f.COMPARE),
    ("greater_equal", "input1 input2", "", f.COMPARE),
    ("select", "input1 input2 input3", "", f.SELECT),
    ("mul", "input1 input2 shift", "", f.MULTIPLY),
)

_REDUCE = ("reduce_all", "reduce_any", "reduce_max", "reduce_min", "reduce_product", "reduce_sum")
_CONV = "input weight bias input_zp weight_zp"

STRUCTURED: tuple[tuple[str, str, str], ...] = (
    ("cast", "input", ""),
    ("clamp", "input", "min_val max_val nan_mode?"),
    ("negate", "input1 input1_zp output_zp", ""),
    ("rescale", "input multiplier shift input_zp output_zp",
     "scale32 rounding_mode per_channel input_unsigned output_unsigned"),
    ("table", "input1 table", ""),
    *((name, "input", "axis nan_mode?") for name in _REDUCE),
    ("argmax", "input", "axis nan_mode?"),
    ("matmul", "a b a_zp b_zp", ""),
    ("conv2d", _CONV, "pad stride dilation acc_type local_bound?"),
    ("conv3d", _CONV, "pad stride dilation acc_type local_bound?"),
    ("depthwise_conv2d", _CONV, "pad stride dilation acc_type local_bound?"),
    ("transpose_conv2d", _CONV, "out_pad stride acc_type local_bound?"),
    ("avg_pool2d", "input input_zp output_zp", "kernel stride pad acc_type"),
    ("max_pool2d", "input", "kernel stride pad nan_mode?"),
    ("pad", "input1 padding pad_const", ""),
    ("slice", "input1 start size", ""),
    ("reshape", "input1 shape", ""),
    ("transpose", "input1", "perms"),
    ("concat", "input1*", "axis"),
    ("tile", "input1 multiples", ""),
    ("reverse", "input1", "axis"),
    ("gather", "values indices", ""),
    ("scatter", "values_in indices input", ""),
    ("resize", "input scale offset border", "mode"),
    ("const_shape", "", "values"),
)  # fmt: skip

_TWO_RESULTS = (
    ("fft2d", "input_real input_imag", "inverse local_bound?"),
    ("rfft2d", "input_real", "local_bound?"),
)

OPS: dict[str, type[Operation]] = {
    name: declared(TosaOperation, f"tosa.{name}", operands, attributes, results=results)
    for rows, results in (((*(row[:3] for row in ELEMENTWISE), *STRUCTURED), 1), (_TWO_RESULTS, 2))
    for name, operands, attributes in rows
}
"""The classes by name, without `tosa.`."""


def named(*names: str) -> list[type[Operation]]:
    """The classes of NAMES."""
    return [OPS[name] for name in names]
