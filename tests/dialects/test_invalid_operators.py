"""Invalid operations of tosa and stablehlo: one located diagnostic, and neither an answer nor an internal error."""

from __future__ import annotations

import pytest

from tests.campaigns.operators import mutant
from tests.conftest import Run
from tests.oracles.operators.broken import failures
from tests.shared.seeds import seeds
from volcli import loads

GATHER = "offset_dims = [1], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1"
MATRIX, ROW = "tensor<2x3xf32>", "tensor<3xf32>"
DIMENSION = "dimension 0 of a result has size"

INVALID = {
    f"stablehlo.transpose %x, dims = [1] : ({MATRIX}) -> tensor<3x2xf32>": "'permutation' has 1 numbers, not 2",
    f"stablehlo.transpose %x, dims = [1, 2] : ({MATRIX}) -> tensor<3x2xf32>": "'permutation' are not dimensions",
    f"stablehlo.transpose %x, dims = [1, 0] : ({MATRIX}) -> {MATRIX}": f"{DIMENSION} 3 by the operands",
    f"stablehlo.slice %x [0:2] : ({MATRIX}) -> {MATRIX}": "'start_indices' has 1 numbers, not 2",
    f"stablehlo.reverse %x, dims = [2] : {MATRIX}": "'dimensions' are not dimensions",
    f"stablehlo.concatenate %x, %x, dim = 2 : ({MATRIX}, {MATRIX}) -> {MATRIX}": "'dimension' is not a dimension",
    f"stablehlo.broadcast_in_dim %x, dims = [0] : ({MATRIX}) -> {MATRIX}": "has 1 numbers, not 2",
    f"stablehlo.get_dimension_size %x, dim = 2 : ({MATRIX}) -> tensor<i32>": "'dimension' is not a dimension",
    "tosa.tanh %c : (tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>>": "operand #0 must not be a 'tensor<3xcomplex",
    "stablehlo.iota dim = 2 : tensor<2x3xi32>": "'iota_dimension' is not a dimension",
    f'"stablehlo.add"(%x, %i) : ({MATRIX}, tensor<2x3xi32>) -> {MATRIX}': "requires the same element type",
    f'"stablehlo.add"(%x, %y) : ({MATRIX}, {ROW}) -> {MATRIX}': "of another rank",
    f'"stablehlo.dynamic_gather"(%x, %s, %n) <{{dimension_numbers = #stablehlo.gather<{GATHER}>}}> : '
    f"({MATRIX}, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x?xf32>": "slices whose dimensions do not fit",
    '"stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = '
    "[0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>}> : "
    f"({MATRIX}, tensor<3x1xi32>) -> tensor<3x2xf32>": "slices of size 2 along dimension 0",
    f'"stablehlo.batch_norm_inference"(%x, %y, %z, %z, %z) <{{epsilon = 0.5 : f32, feature_index = 0 : i64}}> : '
    f"({MATRIX}, {ROW}, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> {MATRIX}": "the sizes 2 and 3 differ",
    f"tosa.reduce_max %x {{axis = 7 : i32}} : ({MATRIX}) -> {MATRIX}": "'axis' is not a dimension",
    f"tosa.concat %x, %x {{axis = 2 : i32}} : ({MATRIX}, {MATRIX}) -> {MATRIX}": "'axis' is not a dimension",
    f"tosa.add %x, %i : ({MATRIX}, tensor<2x3xi32>) -> {MATRIX}": "requires the same element type",
    f"tosa.transpose %x {{perms = array<i32: 0>}} : ({MATRIX}) -> {MATRIX}": "'perms' has 1 numbers, not 2",
    "stablehlo.convolution(%v, %v) dim_numbers = [b, 0, f]x[0, i, o]->[b, 7, f], window = {stride = [1]} "
    "{feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x2x2xi32>, tensor<1x2x2xi32>) "
    "-> tensor<1x2x2xi32>": "dimensions of a convolution that are not b, f and 1 numbers",
    "tosa.scatter %v, %w, %p : (tensor<1x2x2xi32>, tensor<1x2xi32>, tensor<1x2x1xi32>) -> tensor<1x2x2xi32>":
    "rows of other sizes",
    "tosa.rescale %i, %f, %q, %u, %u {scale32 = true, rounding_mode = SINGLE_ROUND, per_channel = false, "
    "input_unsigned = false, output_unsigned = false} : (tensor<2x3xi32>, tensor<1xf32>, tensor<1xi8>, "
    "tensor<1xi32>, tensor<1xi32>) -> tensor<2x3xi32>": "multipliers or shifts that are not integers",
}  # fmt: skip


def program(line: str) -> str:
    """A function of which LINE is the operation."""
    arguments = f"%x: {MATRIX}, %y: {ROW}, %z: tensor<2xf32>, %i: tensor<2x3xi32>, %s: tensor<3x1xi32>"
    arguments += ", %v: tensor<1x2x2xi32>, %w: tensor<1x2xi32>, %p: tensor<1x2x1xi32>, %f: tensor<1xf32>"
    arguments += ", %q: tensor<1xi8>, %u: tensor<1xi32>, %c: tensor<3xcomplex<f32>>"
    return f"func.func @f({arguments}, %n: tensor<2xi32>) {{\n  %r = {line}\n  return\n}}\n"


@pytest.mark.parametrize("line", INVALID)
def test_an_invalid_operation_has_one_located_diagnostic(line: str) -> None:
    (found,) = (each for each in loads(program(line)).diagnostics if each.severity.value == "error")
    assert (found.code, found.place.line) == ("V110", 2)
    assert INVALID[line] in found.message


def test_what_is_invalid_is_not_executed(volcli: Run) -> None:
    text = program(next(iter(INVALID)))
    ran = volcli("run", "--input", "iota", "-", input=text)
    assert "'stablehlo.transpose' op 'permutation' has 1 numbers, not 2" in ran.stderr
    assert (ran.returncode != 0, "V900" in ran.stderr) == (True, False)


@pytest.mark.parametrize("seed", seeds(12, of=400))
def test_mutants_are_answered_or_refused(seed: int) -> None:
    assert list(failures(mutant(seed))) == []
