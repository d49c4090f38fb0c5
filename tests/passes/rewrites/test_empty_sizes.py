"""Allocations and slices without elements: what the rewrites print is read by mlir-opt."""

from __future__ import annotations

import subprocess

import pytest

import volcli

EMPTY = """
func.func @slice(%n: index, %s: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty(%n, %c0) : tensor<?x?xf32>
  %r = tensor.extract_slice %e[0, 0] [%n, %c0] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %i = tensor.insert_slice %s into %e[0, 0] [%n, %c0] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  return %r, %i : tensor<?x?xf32>, tensor<?x?xf32>
}
func.func @end(%n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty(%c3) : tensor<?xf32>
  %r = tensor.extract_slice %e[%c3] [%c0] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
func.func @least(%a: index, %b: index) -> (tensor<?x?xf32>, tensor<0x?xf32>) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %x = arith.minsi %a, %c0 : index
  %y = arith.minsi %b, %c6 : index
  %t = tensor.empty(%y, %x) : tensor<?x?xf32>
  %u = tensor.empty(%y) : tensor<0x?xf32>
  return %t, %u : tensor<?x?xf32>, tensor<0x?xf32>
}
func.func @buffer(%a: index, %b: index) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %x = arith.minsi %a, %c0 : index
  %y = arith.minsi %b, %c6 : index
  %t = memref.alloc(%x, %y) : memref<?x?xf32>
  return %t : memref<?x?xf32>
}
"""


@pytest.mark.slow
@pytest.mark.mlir
@pytest.mark.parametrize("pipeline", ["infer-shapes{refine-types}", "reify-bounds{pad-allocs}"])
def test_sizes_of_0_are_printed_as_mlir_opt_reads_them(pipeline: str) -> None:
    text = volcli.load(EMPTY).run(pipeline).text()
    ran = subprocess.run(["mlir-opt-22"], input=text, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_what_is_bounded_beside_a_size_of_0_is_padded_all_the_same() -> None:
    text = volcli.load(EMPTY).run("reify-bounds{pad-allocs}").text()
    assert "tensor<6x?xf32>" in text
    assert "tensor<0x6xf32>" not in text


@pytest.mark.slow
@pytest.mark.mlir
@pytest.mark.parametrize("sizes", ["2,2", "1,0", "0,2"])
@pytest.mark.parametrize(("m", "n", "k"), [(5, 3, 0), (0, 3, 4), (5, 0, 4)])
def test_tiles_of_nothing_are_no_slices(sizes: str, m: int, n: int, k: int) -> None:
    """A slice that begins where its tensor ends is none, even if it is empty."""
    a, b, c = (f"tensor<{x}x{y}xi32>" for x, y in ((m, k), (k, n), (m, n)))
    program = volcli.load(f"""
func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
  %y = linalg.matmul ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
  return %y : {c}
}}
""").run(f"tile{{sizes={sizes}}}")
    assert {each.code for each in program.diagnostics} <= {"V310"}
    ran = subprocess.run(["mlir-opt-22"], input=program.text(), capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
