"""Slices stop where mlir-opt's runtime verification has an assertion that fails, and nowhere else."""

from __future__ import annotations

import itertools
import subprocess

import numpy as np
import pytest

import volcli
from tests.shared.running import Code, memory, tensor
from volcli.execution.outcomes import Defect, Undefined

TEXT = """
func.func @tensor(%t: tensor<?x?xf32>, %o: index, %p: index, %n: index, %m: index, %s: index) {
  %r = tensor.extract_slice %t[%o, %p] [%n, %m] [%s, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return
}
func.func @memory(%t: memref<?x?xf32>, %o: index, %p: index, %n: index, %m: index, %s: index) {
  %r = memref.subview %t[%o, %p] [%n, %m] [%s, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
  return
}
"""
ARGUMENTS = [
    (o, p, n, m, s)
    for o, n, s in itertools.product(range(-1, 6), (0, 1, 2, 4), (1, 2))
    for p, m in ((0, 3), (1, 0), (3, 0), (4, 0), (2, 2), (2, 1))
]


def _stop(code: Code, name: str, numbers: tuple[int, ...]) -> Undefined | None:
    elements = np.zeros((4, 3), np.float32)
    try:
        code(memory(*elements) if name == "memory" else tensor(elements), *numbers, function=name)
    except Undefined as stopped:
        return stopped
    return None


@pytest.mark.mlir
@pytest.mark.parametrize("name", ["tensor", "memory"])
def test_slices_are_as_mlir_opt_verifies(mlir_opt: str, name: str) -> None:
    option = "--generate-runtime-verification"
    verified = subprocess.run(
        [mlir_opt, option], input=TEXT, capture_output=True, text=True, check=True
    ).stdout
    ours, theirs = Code(TEXT), Code(volcli.loads(verified.replace("\\0A", " ").replace("\\22", "'")))
    stops = 0
    for numbers in ARGUMENTS:
        found, wanted = _stop(ours, name, numbers), _stop(theirs, name, numbers)
        assert (found is None) == (wanted is None), (numbers, found, wanted)
        if found is not None:
            is_empty = 0 in numbers[2:4]
            assert found.kind is (Defect.CONTRACT if is_empty else Defect.BOUNDS), numbers
            stops += 1
    assert 50 < stops < len(ARGUMENTS) - 50
