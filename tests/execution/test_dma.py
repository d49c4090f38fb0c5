"""Transfers: what is read at their start is there after they were awaited, and not before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.shared.running import Code, held, memory
from volcli.execution.outcomes import Defect, Undefined

MEMREF = """
func.func @f(%a: memref<6x8xf32>, %b: memref<32xf32, 1>, %tag: memref<2xi32>, %n: index, %wait: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %x = arith.constant -1.0 : f32
  memref.dma_start %a[%c1, %c2], %b[%c3], %n, %tag[%c1]{strided} : memref<6x8xf32>, memref<32xf32, 1>, memref<2xi32>
  memref.store %x, %a[%c1, %c3] : memref<6x8xf32>
  memref.dma_wait %tag[{awaited}], %wait : memref<2xi32>
  return
}}
"""
AFFINE = """
func.func @f(%a: memref<6x8xf32>, %b: memref<32xf32, 1>, %tag: memref<2xi32>, %n: index, %wait: index) {{
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c1 = arith.constant 1 : index
  affine.dma_start %a[%c1, %c3 - 1], %b[%c1 + 2], %tag[1], %n{strided} : memref<6x8xf32>, memref<32xf32, 1>, memref<2xi32>
  affine.dma_wait %tag[%c1], %wait : memref<2xi32>
  return
}}
"""


def _code(text: str, *, strided: bool = False, awaited: str = "%c1") -> Code:
    return Code(text.format(strided=", %c16, %c2" if strided else "", awaited=awaited))


def _given() -> tuple[np.ndarray, list[object]]:
    source = np.arange(48, dtype=np.float32).reshape(6, 8)
    tag = memory(0, 0, dtype=np.int32)
    return source.reshape(-1), [memory(*source), memory(*[-5.0] * 32), tag]


@pytest.mark.parametrize("text", [MEMREF, AFFINE])
@pytest.mark.parametrize(("strided", "count"), [(False, 7), (False, 0), (True, 5)])
def test_elements_are_there_after_the_wait(text: str, strided: bool, count: int) -> None:
    source, (a, b, tag) = _given()
    _code(text, strided=strided)(a, b, tag, count, count)
    wanted = np.full(32, -5.0)
    at = [k // 2 * 16 + k % 2 if strided else k for k in range(count)]
    wanted[3 : 3 + count] = source[10:][at]
    assert held(b) == wanted.tolist()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "wait", "awaited", "kind", "message"),
    [
        (30, 30, "%c1", Defect.BOUNDS, "a transfer of 30 elements from [3] on leaves memory of 32"),
        (4, 5, "%c1", Defect.CONTRACT, "5 elements are awaited of a transfer of 4"),
        (4, 4, "%c0", Defect.CONTRACT, "no transfer with this tag was started"),
        (4, 4, "%c3", Defect.BOUNDS, "index 3 is not in dimension 0 of size 2"),
        (-1, -1, "%c1", Defect.CONTRACT, "a transfer of -1 elements"),
    ],
)
def test_what_is_undefined(count: int, wait: int, awaited: str, kind: Defect, message: str) -> None:
    _, (a, b, tag) = _given()
    with pytest.raises(Undefined) as found:
        _code(MEMREF, awaited=awaited)(a, b, tag, count, wait)
    assert found.value.kind is kind
    assert message in found.value.message


def test_elements_in_flight_are_not_there() -> None:
    """What is read before the wait is a number that nothing has written."""
    text = """
    func.func @f(%a: memref<4xi32>, %b: memref<4xi32>, %tag: memref<1xi32>, %i: index) -> i32 {
      %c0 = arith.constant 0 : index
      %n = arith.constant 3 : index
      memref.dma_start %a[%c0], %b[%c0], %n, %tag[%c0] : memref<4xi32>, memref<4xi32>, memref<1xi32>
      %x = memref.load %b[%i] : memref<4xi32>
      memref.dma_wait %tag[%c0], %n : memref<1xi32>
      %y = memref.load %b[%i] : memref<4xi32>
      %r = arith.addi %x, %y : i32
      return %r : i32
    }
    """
    code = Code(text)

    def result(i: int) -> str:
        arguments = [memory(*range(k, k + 4), dtype=np.int32) for k in (1, 5)]
        return repr(code(*arguments, memory(0, dtype=np.int32), i)[0])

    assert [result(0), result(3)] == ["uninitialized", "16"]
