"""The transforms of Winograd convolutions: together a convolution, and each as mlir-opt decomposes it."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from xdsl.dialects.builtin import ShapedType

import volcli
from tests.shared.running import Code, held, memory, tensor
from volcli.execution.numbers.values import Tensor

ALGORITHMS = {"F_2_3": (2, 3), "F_4_3": (4, 3), "F_2_5": (2, 5)}
KINDS = ["f32", "f64", "f16"]
SHAPES = [(True, True), (True, False), (False, True)]


def _transform(which: str, algorithm: str, kind: str, shape: tuple[int, ...], result: tuple[int, ...]) -> str:
    source, target = (f"tensor<{'x'.join(map(str, each))}x{kind}>" for each in (shape, result))
    return (
        f"func.func @{which}(%a: {source}, %o: {target}) -> {target} {{\n"
        f"  %r = linalg.winograd_{which}_transform fmr({algorithm}) ins(%a : {source}) outs(%o : {target})"
        f" -> {target}\n  return %r : {target}\n}}\n"
    )


def _program(algorithm: str, kind: str, *, high: bool = True, wide: bool = True) -> str:
    """A convolution of two images of 3 channels with 4 filters, 2 by 3 tiles; a dimension may have size 1."""
    m, r = ALGORITHMS[algorithm]
    rows, columns = (2 if high else 1), (3 if wide else 1)
    a, b = (m + r - 1 if high else 1), (m + r - 1 if wide else 1)
    y, x = (rows * m if high else 1), (columns * m if wide else 1)
    image = (2, y + r - 1 if high else 1, x + r - 1 if wide else 1, 3)
    return (
        _transform("filter", algorithm, kind, (4, r if high else 1, r if wide else 1, 3), (a, b, 3, 4))
        + _transform("input", algorithm, kind, image, (a, b, rows, columns, 2, 3))
        + _transform("output", algorithm, kind, (a, b, rows, columns, 2, 4), (2, y, x, 4))
    )


def _run(code: Code, which: str, source: Tensor, seed: int = 1) -> Tensor:
    """The transform of SOURCE, onto random numbers."""
    start = np.random.default_rng(seed).standard_normal(_shape(code, which, 1))
    return code(source, tensor(start, source.data.dtype), function=which)[0]


def _shape(code: Code, which: str, position: int) -> tuple[int, ...]:
    """The sizes of an argument."""
    kind = code.functions[which].regions[0].blocks[0].args[position].type
    assert isinstance(kind, ShapedType)
    return tuple(kind.get_shape())


def _sources(code: Code, dtype: type) -> dict[str, Tensor]:
    chance = np.random.default_rng(0)
    return {name: tensor(chance.standard_normal(_shape(code, name, 0)), dtype) for name in code.functions}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize(("high", "wide"), SHAPES)
def test_they_make_a_convolution(algorithm: str, high: bool, wide: bool) -> None:
    """Filters and images transformed, multiplied at each point, and transformed back."""
    code = Code(_program(algorithm, "f64", high=high, wide=wide))
    sources = _sources(code, np.float64)
    filters, images = (_run(code, which, sources[which]) for which in ("filter", "input"))
    products = np.einsum("abcf,abrsnc->abrsnf", filters.data, images.data)
    found = _run(code, "output", tensor(products, np.float64), seed=2).data
    zeros = _run(code, "output", tensor(products * 0, np.float64), seed=2).data  # what it was added to
    windows = np.lib.stride_tricks.sliding_window_view(
        sources["input"].data, sources["filter"].data.shape[1:3], (1, 2)
    )
    wanted = np.einsum("nyxchw,fhwc->nyxf", windows, sources["filter"].data) + zeros
    np.testing.assert_allclose(found, wanted, atol=1e-5)


EACH_ONCE = [
    (KINDS[(row + column) % 3], algorithm, *shape)
    for row, algorithm in enumerate(ALGORITHMS)
    for column, shape in enumerate(SHAPES)
]
"""Each algorithm with each shape: each of the two with each kind of number once."""


@pytest.mark.mlir
@pytest.mark.sample(3)
@pytest.mark.parametrize(("kind", "algorithm", "high", "wide"), EACH_ONCE)
def test_each_is_what_mlir_opt_makes_of_it(
    mlir_opt: str, kind: str, algorithm: str, high: bool, wide: bool
) -> None:
    text = _program(algorithm, kind, high=high, wide=wide)
    option = "-test-linalg-transform-patterns=test-decompose-winograd-ops"
    decomposed = subprocess.run([mlir_opt, option], input=text, capture_output=True, text=True, check=True)
    code, other = Code(text), Code(volcli.loads(decomposed.stdout))
    dtype = {"f32": np.float32, "f64": np.float64, "f16": np.float16}[kind]
    for name, source in _sources(code, dtype).items():
        np.testing.assert_array_equal(_run(code, name, source).data, _run(other, name, source).data)


def test_memory_is_transformed_too() -> None:
    """With memory in the place of tensors, the result is in the memory."""
    text = (
        "func.func @f(%a: memref<1x3x3x1xf32>, %o: memref<4x4x1x1xf32>) {\n"
        "  linalg.winograd_filter_transform fmr(F_2_3)"
        " ins(%a : memref<1x3x3x1xf32>) outs(%o : memref<4x4x1x1xf32>)\n  return\n}\n"
    )
    target = memory(*np.zeros((4, 4, 1, 1)))
    Code(text)(memory(*np.arange(9).reshape(1, 3, 3, 1)), target)
    points = np.array([[-1, 0, 0], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5], [0, 0, 1]])
    wanted = points @ np.arange(9).reshape(3, 3) @ points.T
    np.testing.assert_array_equal(np.array(held(target)).reshape(4, 4), wanted)
