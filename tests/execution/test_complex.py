"""Operations of complex, on numbers and on tensors: their formulas, also where a part is infinite."""

from __future__ import annotations

import numpy as np
import pytest

from tests.execution.running import Code, tensor

A, B = complex(2, -3), complex(-1, 4)
BINARY = {
    "add": complex(1, 1), "sub": complex(3, -7), "mul": complex(10, 11),
    "eq": 0, "neq": 1,
}  # fmt: skip
UNARY = {"neg": complex(-2, 3), "conj": complex(2, 3), "re": 2.0, "im": -3.0}
OF = {"eq": "i1", "neq": "i1", "re": "f64", "im": "f64"}


@pytest.mark.parametrize("name", [*BINARY, *UNARY])
def test_operations_are_their_formulas(name: str) -> None:
    operands, expected = ("%a, %b", BINARY[name]) if name in BINARY else ("%a", UNARY[name])
    text = f"""func.func @f(%a: complex<f64>, %b: complex<f64>) -> {OF.get(name, "complex<f64>")} {{
      %r = complex.{name} {operands} : complex<f64>
      return %r : {OF.get(name, "complex<f64>")} }}"""
    assert Code(text)(np.complex128(A), np.complex128(B)) == (expected,)


def test_a_number_is_made_of_its_parts_element_by_element() -> None:
    text = """func.func @f(%a: tensor<2xf64>) -> tensor<2xcomplex<f64>> {
      %e = tensor.empty() : tensor<2xcomplex<f64>>
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
        iterator_types = ["parallel"]} ins(%a : tensor<2xf64>) outs(%e : tensor<2xcomplex<f64>>) {
      ^bb0(%x: f64, %o: complex<f64>):
        %one = complex.constant [0.0, 1.0] : complex<f64>
        %z = complex.create %x, %x : complex<f64>
        %s = complex.add %z, %one : complex<f64>
        linalg.yield %s : complex<f64>
      } -> tensor<2xcomplex<f64>>
      return %r : tensor<2xcomplex<f64>> }"""
    (found,) = Code(text)(tensor([np.inf, 3], np.float64))
    assert found.data.tolist() == [complex(np.inf, np.inf), complex(3, 4)]
