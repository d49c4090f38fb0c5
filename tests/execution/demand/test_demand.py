"""Elements on demand: equal to those of the whole execution bit by bit, and computed without the rest."""

# pyright: reportUnknownMemberType=false
# Elements are numbers of any dtype.

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

import volcli
from tests.execution.programs import drawn
from tests.execution.programs.peer import text_of
from tests.shared.seeds import seeds
from volcli.diagnostics import UsageError
from volcli.execution.memory.machine import Options
from volcli.execution.numbers.terms import Terms
from volcli.execution.numbers.values import Tensor
from volcli.execution.runs.engine import DemandedElements, execute
from volcli.execution.runs.inputs import Inputs

BIG = 1 << 20


def parsed(text: str) -> tuple[ModuleOp, dict[str, Operation]]:
    """The module of TEXT, and its functions."""
    module = volcli.loads(text).units[0].parsed.module
    assert isinstance(module, ModuleOp)
    return module, {op.sym_name.data: op for op in module.walk() if isinstance(op, FuncOp)}


def same(one: Any, other: Any) -> bool:
    """Whether two scalars have the same bits, or are the same term."""
    if isinstance(one, np.generic):
        return isinstance(other, np.generic) and one.dtype == other.dtype and one.tobytes() == other.tobytes()
    return one is other or (isinstance(one, int) and one == other)


def compare_elements(text: str, kind: str, chance: random.Random, few: int = 4) -> int:
    """Compare FEW elements of each tensor of @f in TEXT with the whole execution; how many were compared."""
    module, functions = parsed(text)
    function = functions["f"]
    block = function.regions[0].blocks[0]
    names = [each.name_hint or "" for each in block.args]
    values: list[SSAValue] = [*block.args, *(result for op in block.ops for result in op.results)]
    values = [value for value in values if isinstance(value.type, TensorType)]
    terms, inputs, compared = Terms(), Inputs(kind=kind, seed=chance.randrange(1000)), 0
    options = Options(symbolic=kind == "terms", traced=frozenset(values))
    whole = execute(module, function, names, inputs, options, terms)
    assert whole.stopped is None, whole.stopped
    for value, tensor in whole.trace:
        assert isinstance(tensor, Tensor)
        places = (
            [tuple(chance.randrange(n) for n in tensor.shape) for _ in range(few)] if tensor.count else []
        )
        demand = DemandedElements("%v", value, places)
        asked = Options(symbolic=kind == "terms", traced=frozenset((value,)), demands=True)
        found = execute(module, function, names, inputs, asked, terms, demand=demand)
        assert found.stopped is None, found.stopped
        for at, (_, element) in zip(places, found.trace, strict=True):
            assert same(tensor.element(at), element), (value.name_hint, at, tensor.element(at), element)
            compared += 1
    return compared


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, of=60))
def test_whole_programs(seed: int) -> None:
    """Random programs print the same lines if each tensor is computed on demand."""
    for number in range(seed * 5, seed * 5 + 5):
        drafted = drawn(number, 7)
        module, functions = parsed(text_of([drafted]))
        lines = [
            execute(module, functions[f"main_{drafted.name}"], (), Inputs(), Options(demands=demands)).printed
            for demands in (False, True)
        ]
        assert lines[0] == lines[1]


TENSORS = """
func.func @f(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>, %b: tensor<5xf32>, %n: tensor<6x8xi32>) -> tensor<40xf32> {
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant dense<1.5> : tensor<6x5xf32>
  %empty = tensor.empty() : tensor<6x5xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<6x5xf32>) -> tensor<6x5xf32>
  %turned = tensor.empty() : tensor<5x6xf32>
  %none = arith.constant dense<0> : tensor<8xi32>
  %p = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x5xf32>) outs(%init : tensor<6x5xf32>) -> tensor<6x5xf32>
  %q, %k = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<6x5xf32>, tensor<5xf32>) outs(%p, %turned : tensor<6x5xf32>, tensor<5x6xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32, %d: f32):
    %s = arith.addf %u, %v : f32
    %s2 = arith.mulf %s, %o : f32
    linalg.yield %s, %s2 : f32, f32
  } -> (tensor<6x5xf32>, tensor<5x6xf32>)
  %m = arith.mulf %q, %scale : tensor<6x5xf32>
  %padded = tensor.pad %m low[1, 2] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %row = arith.minui %i, %c2 : index
    %xe = tensor.extract %x[%row, %j] : tensor<6x8xf32>
    tensor.yield %xe : f32
  } : tensor<6x5xf32> to tensor<7x8xf32>
  %sums = linalg.reduce ins(%n : tensor<6x8xi32>) outs(%none : tensor<8xi32>) dimensions = [0]
    (%a: i32, %o: i32) { %r = arith.addi %a, %o : i32 linalg.yield %r : i32 }
  %slice = tensor.extract_slice %padded[1, 0] [3, 4] [2, 2] : tensor<7x8xf32> to tensor<3x4xf32>
  %placed = tensor.insert_slice %slice into %x[0, 1] [3, 4] [2, 2] : tensor<3x4xf32> into tensor<6x8xf32>
  %one = tensor.insert %zero into %placed[%c2, %c2] : tensor<6x8xf32>
  %flat = tensor.collapse_shape %one [[0, 1]] : tensor<6x8xf32> into tensor<48xf32>
  %wide = tensor.expand_shape %flat [[0, 1, 2]] output_shape [4, 3, 4] : tensor<48xf32> into tensor<4x3x4xf32>
  %both = tensor.concat dim(1) %wide, %wide : (tensor<4x3x4xf32>, tensor<4x3x4xf32>) -> tensor<4x6x4xf32>
  %soft = linalg.softmax dimension(1) ins(%x : tensor<6x8xf32>) outs(%x : tensor<6x8xf32>) -> tensor<6x8xf32>
  %sixths = tensor.generate {
  ^bb0(%i: index):
    %e = tensor.extract %soft[%c2, %i] : tensor<6x8xf32>
    tensor.yield %e : f32
  } : tensor<8xf32>
  %conv0 = tensor.extract_slice %flat[0] [40] [1] : tensor<48xf32> to tensor<40xf32>
  return %conv0 : tensor<40xf32>
}
"""
TOSA = """
func.func @f(%x: tensor<1x6x6x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %y: tensor<1x1x1x4xf32>,
             %l: tensor<2x5x4xf32>, %r: tensor<2x4x3xf32>) {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>,
      stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x6x6x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x4xf32>
  %s = tosa.add %c, %y : (tensor<1x6x6x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x6x6x4xf32>
  %m = tosa.reduce_sum %s {axis = 2 : i32} : (tensor<1x6x6x4xf32>) -> tensor<1x6x1x4xf32>
  %v = tosa.reverse %m {axis = 1 : i32} : (tensor<1x6x1x4xf32>) -> tensor<1x6x1x4xf32>
  %t = tosa.transpose %v {perms = array<i32: 0, 3, 2, 1>} : (tensor<1x6x1x4xf32>) -> tensor<1x4x1x6xf32>
  %mm = tosa.matmul %l, %r, %z, %z
      : (tensor<2x5x4xf32>, tensor<2x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x5x3xf32>
  %cc = tosa.concat %mm, %mm {axis = 1 : i32} : (tensor<2x5x3xf32>, tensor<2x5x3xf32>) -> tensor<2x10x3xf32>
  return
}
"""
STABLEHLO = """
func.func @f(%x: tensor<3x4x5xf32>, %y: tensor<3x5x2xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x4x5xf32>, tensor<3x5x2xf32>) -> tensor<3x4x2xf32>
  %b = stablehlo.broadcast_in_dim %d, dims = [0, 2, 3] : (tensor<3x4x2xf32>) -> tensor<3x6x4x2xf32>
  %p = stablehlo.pad %d, %z, low = [0, 1, 2], high = [1, 0, 0], interior = [0, 1, 0]
      : (tensor<3x4x2xf32>, tensor<f32>) -> tensor<4x8x4xf32>
  %s = stablehlo.slice %b [0:3, 1:5:2, 0:4, 0:2] : (tensor<3x6x4x2xf32>) -> tensor<3x2x4x2xf32>
  %r = stablehlo.reduce(%s init: %z) applies stablehlo.add across dimensions = [1, 2]
      : (tensor<3x2x4x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %e = stablehlo.exponential %r : tensor<3x2xf32>
  %w = stablehlo.constant dense<[[[2.0]], [[0.5]], [[1.0]]]> : tensor<3x1x1xf32>
  %v = stablehlo.slice %d [0:3, 0:4, 0:1] : (tensor<3x4x2xf32>) -> tensor<3x4x1xf32>
  %c = stablehlo.convolution(%v, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {stride = [1], pad = [[1, 1]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<3x4x1xf32>, tensor<3x1x1xf32>) -> tensor<3x4x1xf32>
  return
}
"""


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ["random", "iota", "terms"])
@pytest.mark.parametrize("text", [TENSORS, TOSA, STABLEHLO], ids=["tensors", "tosa", "stablehlo"])
def test_elements_of_all_values(text: str, kind: str) -> None:
    """Each tensor of a program, element by element."""
    assert compare_elements(text, kind, random.Random(3)) > 20


def element(text: str, show: str, **options: Any) -> Any:
    """What `--print SHOW` prints of @f, with terms as inputs."""
    found = volcli.loads(text).function("f").run(Inputs(kind="terms"), show=show, **options)
    assert found.diagnostic is None, found.diagnostic
    ((name, value),) = found.trace
    assert name == show
    return str(value)


MATMUL = f"""
func.func @f(%a: tensor<{BIG}x4xf32>, %b: tensor<4x{BIG}xf32>, %d: tensor<{BIG}x{BIG}xf32>) {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{BIG}x{BIG}xf32>
  %p = linalg.matmul ins(%a, %b : tensor<{BIG}x4xf32>, tensor<4x{BIG}xf32>)
      outs(%d : tensor<{BIG}x{BIG}xf32>) -> tensor<{BIG}x{BIG}xf32>
  %r = tensor.extract_slice %p[5, 7] [2, 2] [1, 1] : tensor<{BIG}x{BIG}xf32> to tensor<2x2xf32>
  %m = bufferization.to_buffer %p : tensor<{BIG}x{BIG}xf32> to memref<{BIG}x{BIG}xf32>
  return
}}
"""


def test_no_more_than_a_row_and_a_column() -> None:
    """An element of a matrix of 2^40, in 4 steps."""
    found = element(MATMUL.replace("  %m", "  // %m"), "%r[1, 0]", steps=16)
    assert found == (
        "addf(addf(addf(addf(d[6, 7], mulf(a[6, 0], b[0, 7])), mulf(a[6, 1], b[1, 7])), "
        "mulf(a[6, 2], b[2, 7])), mulf(a[6, 3], b[3, 7]))"
    )


def test_what_needs_all_elements_says_so() -> None:
    """An operation on memory reads the tensor as a whole: it does not fit, and its line is named."""
    found = volcli.loads(MATMUL).function("f").run(Inputs(kind="terms"), show="%r[1, 0]")
    assert found.stopped is not None
    assert found.stopped.code == "V019"
    assert "the program needs more than 1,024 MB of memory" in found.stopped.message
    assert found.stopped.place is not None
    assert found.stopped.place.line == 5


@pytest.mark.slow
def test_long_chains() -> None:
    """Nothing recurses over the length of a program, nor over bodies that read one another."""
    steps = 3000
    lines = [f"  %v{k + 1} = arith.addf %v{k}, %x : tensor<{BIG}xf32>" for k in range(steps)]
    text = "\n".join(
        [
            f"func.func @f(%x: tensor<{BIG}xf32>) {{",
            f"  %v0 = arith.addf %x, %x : tensor<{BIG}xf32>",
            *lines,
            "  return",
            "}",
        ]
    )
    found = volcli.loads(text).function("f").run(Inputs(kind="iota"), show=f"%v{steps}[1]")
    assert found.trace[0][1] == np.float32(steps + 2)
    bodies = [
        f"""  %v{k + 1} = tensor.generate {{
  ^bb0(%i: index):
    %e = tensor.extract %v{k}[%i] : tensor<64xf32>
    %n = arith.negf %e : f32
    tensor.yield %n : f32
  }} : tensor<64xf32>"""
        for k in range(300)
    ]
    text = "\n".join(["func.func @f(%v0: tensor<64xf32>) {", *bodies, "  return", "}"])
    assert element(text, "%v2[5]") == "negf(negf(v0[5]))"
    found = volcli.loads(text).function("f").run(Inputs(kind="iota"), show="%v300[5]")
    assert found.trace[0][1] == np.float32(5)


def test_blocks_that_run_again() -> None:
    """A body sees the values of its own run: the block assigns the same names in the next one."""
    text = """
func.func @f(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, tensor<4xf32>)
^head(%i: index, %t: tensor<4xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %f = arith.index_cast %i : index to i32
  %g = arith.sitofp %f : i32 to f32
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.mulf %a, %g : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %r : index, tensor<4xf32>)
^end:
  %u = tensor.extract_slice %t[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
  return %u : tensor<4xf32>
}
"""
    assert element(text, "%u[3]") == "mulf(mulf(mulf(mulf(x[3], 0.0), 1.0), 2.0), 3.0)"


@pytest.mark.parametrize(
    ("show", "message"),
    [
        ("%r[1]", "%r has no element [1]: its sizes are 2x2"),
        ("%r[0, 2]", "%r has no element [0, 2]: its sizes are 2x2"),
        ("%r[0, -1]", "--print '%r[0, -1]' is not of the form '%r[0, 5]'"),
        ("%i[]", "%i is computed 3 times: an element of it is not one number"),
    ],
)
def test_no_such_element(show: str, message: str) -> None:
    """One error, with what is wrong."""
    text = """
func.func @f(%x: tensor<4x4xf32>, %n: index) {
  %r = tensor.extract_slice %x[1, 1] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  affine.for %i = 0 to 3 { }
  return
}
"""
    with pytest.raises(UsageError) as caught:
        volcli.loads(text).function("f").run(show=show)
    assert caught.value.diagnostic.message == message
