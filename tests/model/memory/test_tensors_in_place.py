"""A tensor that lies in a buffer for writing may be overwritten there by what makes a new tensor of it."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.flow.flows import MemoryFlow

TEXT = """
func.func private @take(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%m: memref<4xf32>, %v: f32, %e: tensor<4xf32>, %go: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = bufferization.to_tensor %m restrict @WRITABLE : memref<4xf32> to tensor<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  @BODY
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}"""
FILL = "%u = linalg.fill ins(%v : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>"
OVERWRITTEN = [
    FILL,
    "%u = tensor.insert %v into %t[%c1] : tensor<4xf32>",
    "%u = tensor.insert_slice %e into %t[0] [4] [1] : tensor<4xf32> into tensor<4xf32>",
    """%p = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %u = linalg.fill ins(%v : f32) outs(%p : tensor<2xf32>) -> tensor<2xf32>""",
    """%u = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %t) -> tensor<4xf32> {
    %n = tensor.insert %v into %a[%i] : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }""",
    """%s = scf.if %go -> tensor<4xf32> { scf.yield %t : tensor<4xf32> } else { scf.yield %e : tensor<4xf32> }
  %u = tensor.insert %v into %s[%c0] : tensor<4xf32>""",
    "%u = func.call @take(%t) : (tensor<4xf32>) -> tensor<4xf32>",
]
LEFT_ALONE = [
    "%u = tensor.extract %t[%c0] : tensor<4xf32>",
    "%u = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>",
    "%u = tensor.insert_slice %t into %e[0] [4] [1] : tensor<4xf32> into tensor<4xf32>",
]


def is_exact(body: str, writable: str) -> bool:
    """Whether the last writer of %x is known."""
    (unit,) = volcli.load(TEXT.replace("@BODY", body).replace("@WRITABLE", writable)).units
    memory = next(model.memory for model in unit.models() if model.name == "f")
    reads = [read for flow in MemoryFlow(memory).all() for read in flow.reads]
    (last,) = [read for read in reads if read.site.op.name == "memref.load"]
    return last.is_exact and [write.writer.op.name for write in last.writers] == ["memref.store"]


@pytest.mark.parametrize("body", OVERWRITTEN)
def test_what_makes_a_tensor_in_place_may_write_the_buffer(body: str) -> None:
    assert not is_exact(body, "writable")


@pytest.mark.parametrize("body", [*LEFT_ALONE, *(each for each in OVERWRITTEN if "@take" not in each)])
def test_a_tensor_that_is_not_writable_is_copied(body: str) -> None:
    assert is_exact(body, "")


@pytest.mark.parametrize("body", LEFT_ALONE)
def test_what_reads_a_tensor_leaves_it_alone(body: str) -> None:
    assert is_exact(body, "writable")
