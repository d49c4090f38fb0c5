"""Each operation of the specifications of TOSA and StableHLO has a definition, or a reason why it has none."""

from __future__ import annotations

import pytest
from xdsl.ir import Operation

import volcli
from volcli.language import questions
from volcli.language.definitions import WITHOUT
from volcli.loading.driver import dialect_factories

TOSA = """
argmax avg_pool2d conv2d conv3d depthwise_conv2d fft2d matmul max_pool2d rfft2d transpose_conv2d clamp erf
sigmoid tanh add arithmetic_right_shift bitwise_and bitwise_or bitwise_xor intdiv logical_and
logical_left_shift logical_right_shift logical_or logical_xor maximum minimum mul pow sub table abs
bitwise_not ceil clz cos exp floor log logical_not negate reciprocal rsqrt sin select equal greater
greater_equal reduce_all reduce_any reduce_max reduce_min reduce_product reduce_sum concat pad reshape reverse
slice tile transpose gather scatter resize cast rescale const const_shape identity custom cond_if while_loop
variable variable_write variable_read
"""
STABLEHLO = """
abs add after_all all_gather all_reduce all_to_all and atan2 batch_norm_grad batch_norm_inference
batch_norm_training bitcast_convert broadcast_in_dim case cbrt ceil cholesky clamp collective_broadcast
collective_permute compare complex composite concatenate constant convert convolution cosine
count_leading_zeros custom_call divide dot_general dynamic_broadcast_in_dim dynamic_conv dynamic_gather
dynamic_iota dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice exponential exponential_minus_one
fft floor gather get_dimension_size get_tuple_element if imag infeed iota is_finite log log_plus_one logistic
map maximum minimum multiply negate not optimization_barrier or outfeed pad partition_id popcnt power real
recv reduce reduce_precision reduce_scatter reduce_window remainder replica_id reshape reverse rng
rng_bit_generator round_nearest_afz round_nearest_even rsqrt scatter select select_and_scatter send shift_left
shift_right_arithmetic shift_right_logical sign sine slice sort sqrt subtract tan tanh transpose
triangular_solve tuple uniform_dequantize uniform_quantize while xor
"""


def _classes(dialect: str) -> dict[str, type[Operation]]:
    return {kind.name: kind for kind in dialect_factories()[dialect]().operations}


@pytest.mark.parametrize(("dialect", "names", "count"), [("tosa", TOSA, 75), ("stablehlo", STABLEHLO, 105)])
def test_each_operation_has_a_definition_or_a_reason(dialect: str, names: str, count: int) -> None:
    known = _classes(dialect)
    full = [f"{dialect}.{name}" for name in names.split()]
    assert len(set(full)) == len(full)
    stated = {
        name
        for name in full
        if name in known
        and (questions.element_reads.answers(known[name]) or questions.constant_fill.answers(known[name]))
    }
    assert sorted(set(full) - stated - set(WITHOUT)) == []
    assert sorted(stated & set(WITHOUT)) == []
    assert len(full) == count


def test_the_reason_is_said() -> None:
    text = """func.func @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %r = "stablehlo.cholesky"(%x) <{lower = true}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}"""
    [fact] = volcli.loads(text).run("element-maps").to_json()["files"][0]["facts"]
    assert fact["reason"].startswith("%r may be read from memory")
