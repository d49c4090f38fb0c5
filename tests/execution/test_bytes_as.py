"""Bytes of memory as numbers of other types: each byte belongs to one of them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.shared.execution import left_in_memory, needs_runner
from tests.shared.running import Code, held, memory
from volcli.execution.outcomes import Stopped

POOL = """
func.func @f(%out: memref<8xf32>, %n: index) {
  %pool = memref.alloc() : memref<64xi8>
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %zero = arith.constant 0 : i8
  linalg.fill ins(%zero : i8) outs(%pool : memref<64xi8>)
  %a = memref.view %pool[%c4][] : memref<64xi8> to memref<3xf32>
  %b = memref.view %pool[%c16][%n] : memref<64xi8> to memref<?x2xf64>
  %same = memref.view %pool[%c4][] : memref<64xi8> to memref<1x3xf32>
  %k = memref.view %pool[%c48][] : memref<64xi8> to memref<4xi32>
  affine.for %i = 0 to 2 {
    %x = affine.load %out[%i] : memref<8xf32>
    affine.store %x, %a[%i] : memref<3xf32>
    %w = arith.extf %x : f32 to f64
    affine.store %w, %b[%i, 1] : memref<?x2xf64>
    %y = affine.load %same[0, %i] : memref<1x3xf32>
    affine.store %y, %out[%i + 2] : memref<8xf32>
    %v = affine.load %b[%i, 1] : memref<?x2xf64>
    %u = arith.truncf %v : f64 to f32
    affine.store %u, %out[%i + 4] : memref<8xf32>
  }
  %last = affine.load %same[0, 2] : memref<1x3xf32>
  affine.store %last, %out[6] : memref<8xf32>
  %int = affine.load %k[3] : memref<4xi32>
  %float = arith.sitofp %int : i32 to f32
  affine.store %float, %out[7] : memref<8xf32>
  memref.dealloc %pool : memref<64xi8>
  return
}
"""


def test_a_pool_of_several_types() -> None:
    given = memory(1.5, 2.5, *[-1.0] * 6)
    Code(POOL)(given, 2)
    assert held(given) == [1.5, 2.5, 1.5, 2.5, 1.5, 2.5, 0, 0]


@needs_runner
@pytest.mark.mlir
@pytest.mark.slow
def test_the_runner_prints_the_same(mlir_opt: str) -> None:
    given = memory(*range(8))
    Code(POOL)(given, 2)
    assert list(map(float, left_in_memory(mlir_opt, POOL, 8, 2))) == held(given)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "%a = memref.view %pool[%n][] : memref<16xi8> to memref<4xf32>",
            "a view of the bytes 1 to 16 of 16",
        ),
        (
            "%a = memref.view %pool[%m][] : memref<16xi8> to memref<4xf32>",
            "a view of the bytes -1 to 14 of 16",
        ),
        ("%a = memref.view %pool[%c0][%m] : memref<16xi8> to memref<?xf32>", "a view of the sizes [-1]"),
        (
            "%a = memref.view %pool[%c0][] : memref<16xi8> to memref<4xf32>\n"
            "%b = memref.view %pool[%n][] : memref<16xi8> to memref<4xi8>",
            "bytes that are parts of two numbers are not executed",
        ),
        (
            "%a = memref.view %pool[%c0][] : memref<16xi8> to memref<2xf32>\n"
            "%c4 = arith.constant 4 : index\n"
            "%b = memref.view %pool[%c4][] : memref<16xi8> to memref<1xf32>",
            "bytes that are parts of two numbers are not executed",
        ),
        (
            "%a = memref.view %pool[%c0][] : memref<16xi8> to memref<4xf32>\n"
            "%b = memref.load %pool[%n] : memref<16xi8>",
            "bytes that are viewed as numbers are not executed as bytes",
        ),
        (
            "%a = memref.view %pool[%c0][] : memref<16xi8> to memref<4xf32>\n"
            "%b = arith.constant 0 : i8\nlinalg.fill ins(%b : i8) outs(%pool : memref<16xi8>)",
            "bytes that are viewed as numbers are not executed as bytes",
        ),
        (
            "%a = memref.view %pool[%c0][] : memref<16xi8> to memref<4xf32>\n"
            "memref.dealloc %pool : memref<16xi8>\n%b = memref.load %a[%c0] : memref<4xf32>",
            "use of memory after its end",
        ),
        (
            "%a = memref.view %pool[%c0][] : memref<16xi8> to memref<4xi1>",
            "bytes as numbers of 1 bits are not executed",
        ),
    ],
)
def test_what_stops(lines: str, message: str) -> None:
    text = (
        "func.func @f(%n: index, %m: index) {\n%c0 = arith.constant 0 : index\n"
        f"%pool = memref.alloc() : memref<16xi8>\n{lines}\nreturn\n}}"
    )
    with pytest.raises(Stopped, match=re.escape(message)):
        Code(text)(1, -1)


def test_a_view_begins_at_its_own_first_element() -> None:
    """Its type states no offset; so it is 0, whatever the first byte is."""
    text = """
    func.func @f(%n: index) -> (index, f32) {
      %c8 = arith.constant 8 : index
      %c1 = arith.constant 1 : index
      %x = arith.constant 2.0 : f32
      %pool = memref.alloc() : memref<32xi8>
      %a = memref.view %pool[%c8][%n] : memref<32xi8> to memref<?xf32>
      %b = memref.cast %a : memref<?xf32> to memref<4xf32>
      memref.store %x, %b[%c1] : memref<4xf32>
      %base, %offset, %sizes, %strides = memref.extract_strided_metadata %b
        : memref<4xf32> -> memref<f32>, index, index, index
      %r = memref.load %a[%c1] : memref<?xf32>
      return %offset, %r : index, f32
    }
    """
    assert list(Code(text)(4)) == [0, 2]


def test_elements_of_which_a_byte_was_not_written() -> None:
    text = """
    func.func @f(%i: index) -> i16 {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %byte = arith.constant 3 : i8
      %pool = memref.alloc() : memref<4xi8>
      memref.store %byte, %pool[%c0] : memref<4xi8>
      memref.store %byte, %pool[%c1] : memref<4xi8>
      memref.store %byte, %pool[%c2] : memref<4xi8>
      %a = memref.view %pool[%c0][] : memref<4xi8> to memref<2xi16>
      %r = memref.load %a[%i] : memref<2xi16>
      return %r : i16
    }
    """
    code = Code(text)
    assert [repr(code(i)[0]) for i in (0, 1)] == [str(3 + (3 << 8)), "uninitialized"]
    assert np.little_endian
