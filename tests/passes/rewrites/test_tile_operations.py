"""tile-symbolic and parallelize of operations on memrefs: these become loops, which are tiled, and compute what they did."""

from __future__ import annotations

import pytest

import volcli
from tests.rewriting.rewritten import Pair, differences
from tests.shared.execution import needs_runner

_MEMORY = """
func.func @f({arguments}, %a: index, %b: index) -> tensor<{result}> {{
  %seven = arith.constant 7 : i64
{inputs}
  %out = memref.alloc({sizes}) : memref<{result}>
  linalg.fill ins(%seven : i64) outs(%out : memref<{result}>)
{body}
  %t = bufferization.to_tensor %out restrict : memref<{result}> to tensor<{result}>
  return %t : tensor<{result}>
}}
"""


def _function(body: str, inputs: dict[str, str], result: str) -> str:
    """A function that fills a buffer with 7 and runs BODY on it and INPUTS."""
    arguments = ", ".join(f"%{name}: tensor<{shape}>" for name, shape in inputs.items())
    lines = "\n".join(
        f"  %{name}m = bufferization.to_buffer %{name} : tensor<{shape}> to memref<{shape}>"
        for name, shape in inputs.items()
    )
    sizes = ""
    if "?" in result:
        sizes = "%rows, %columns"
        lines += """
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %rows = memref.dim %xm, %zero : memref<?x?xi64>
  %columns = memref.dim %ym, %one : memref<?x?xi64>"""
    return _MEMORY.format(arguments=arguments, inputs=lines, result=result, sizes=sizes, body=body)


MATMUL = (
    "  linalg.matmul ins(%xm, %ym : memref<?x?xi64>, memref<?x?xi64>) outs(%out : memref<?x?xi64>)",
    {"x": "?x?xi64", "y": "?x?xi64"},
    "?x?xi64",
)
CONVOLUTION = (
    """  linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
    ins(%xm, %ym : memref<1x7x6x2xi64>, memref<3x2x2x3xi64>) outs(%out : memref<1x3x4x3xi64>)""",
    {"x": "1x7x6x2xi64", "y": "3x2x2x3xi64"},
    "1x3x4x3xi64",
)
GENERIC = (
    """  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (i, j)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%xm : memref<4x5xi64>) outs(%out : memref<5x3xi64>) {
  ^bb0(%e: i64, %s: i64):
    %n = linalg.index 1 : index
    %m = arith.index_cast %n : index to i64
    %p = arith.muli %e, %m : i64
    %q = arith.addi %s, %p : i64
    linalg.yield %q : i64
  }""",
    {"x": "4x5xi64"},
    "5x3xi64",
)


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("operation", "options", "tiles"),
    [
        (MATMUL, "sizes=%a,%b,%a", 3),
        (MATMUL, "sizes=%a,%b,%b,%a levels=2", 8),
        (CONVOLUTION, "sizes=%a,%a,%b,%b", 8),
        (GENERIC, "sizes=%a,%b,%a", 3),
    ],
    ids=["matmul", "two levels", "convolution", "generic"],
)
def test_operations_are_tiled_as_loops(
    operation: tuple[str, dict[str, str], str], options: str, tiles: int, mlir_opt: str
) -> None:
    """For sizes from -9 to 9 that are drawn for each of the calls."""
    text = _function(*operation)
    after = rewritten(text, options)
    assert after.count("_tile") >= tiles
    sizes = (5, 4, 4, 3) if "?" in text else ()
    assert not any(differences(mlir_opt, [Pair(text, after, sizes)] * 4))


@pytest.mark.slow
@needs_runner
def test_operations_are_distributed_as_loops(mlir_opt: str) -> None:
    text = _function(*MATMUL)
    after = rewritten(text, "processors=%a", "parallelize")
    assert after.count("scf.parallel") == 2
    assert not any(differences(mlir_opt, [Pair(text, after, (5, 4, 4, 3))] * 2))


def test_operations_that_stay() -> None:
    """With more sizes than loops, nothing is changed."""
    text = _function(*MATMUL)
    program = volcli.load(text)
    program.run("tile-symbolic{sizes=%a,%b,%a,%b}")
    reason = "loops may be interchanged, and sizes are given for 4"
    assert [each.message for each in program.diagnostics] == [
        f"linalg.fill is not tiled: 2 {reason}",
        f"linalg.matmul is not tiled: 3 {reason}",
    ]
    assert program.text() == volcli.load(text).text()


def rewritten(text: str, options: str, name: str = "tile-symbolic") -> str:
    """TEXT behind the pass; nothing is said but of the buffer that is filled, which may have too few loops."""
    program = volcli.load(text)
    program.run(f"{name}{{{options} assume-noalias-args}}")
    messages = [each for each in program.diagnostics if each.code != "V313"]
    assert all("linalg.fill is not tiled" in each.message for each in messages)
    return program.text()
