"""Programs of tosa against the linalg form that mlir-opt makes of them: regions and zeros are equal.

The value that is returned is compared: the forms have other values on the way to it. That they compute the same
is in `tests/execution/test_tosa_lowered.py`.
"""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

import volcli

PIPELINE = (
    "builtin.module(func.func(tosa-optional-decompositions,tosa-to-linalg-named,tosa-to-linalg,"
    "tosa-to-tensor,tosa-to-arith))"
)
ZERO = '%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>'
PADDED = (
    "%p = tosa.const_shape {{values = dense<[{}]> : tensor<{}xindex>}} : () -> !tosa.shape<{}>\n"
    "  %y = tosa.pad %x, %p, %z : (tensor<{}>, !tosa.shape<{}>, tensor<1xf32>) -> tensor<{}>"
)
CONVOLUTION = (
    "%r = tosa.{} %{}, %w, %b, %z, %z {{acc_type = f32, pad = array<i64: {}>, stride = array<i64: {}>, "
    "dilation = array<i64: {}>}} : (tensor<{}>, tensor<{}>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<{}>"
)
POOL = (
    "%r = tosa.{} %{}{} {{{}kernel = array<i64: {}>, pad = array<i64: {}>, stride = array<i64: {}>}} : "
    "(tensor<{}>{}) -> tensor<{}>"
)


def padded(widths: str, before: str, after: str) -> str:
    count = widths.count(",") + 1
    return PADDED.format(widths, count, count, before, count, after)


def convolution(name: str, of: str, pad: str, stride: str, dilation: str, x: str, w: str, r: str) -> str:
    return CONVOLUTION.format(name, of, pad, stride, dilation, x, w, r)


X, W = "1x6x6x2xf32", "3x3x3x2xf32"
PROGRAMS: dict[str, tuple[str, str, list[str]]] = {
    "conv": (f"%x: tensor<{X}>, %w: tensor<{W}>, %b: tensor<3xf32>", "1x6x6x3xf32",
             [ZERO, convolution("conv2d", "x", "1, 1, 1, 1", "1, 1", "1, 1", X, W, "1x6x6x3xf32")]),
    "conv stride": (f"%x: tensor<1x7x7x2xf32>, %w: tensor<{W}>, %b: tensor<3xf32>", "1x3x4x3xf32",
                    [ZERO, convolution("conv2d", "x", "0, 0, 1, 1", "2, 2", "1, 1", "1x7x7x2xf32", W, "1x3x4x3xf32")]),
    "conv dilation": (f"%x: tensor<{X}>, %w: tensor<{W}>, %b: tensor<3xf32>", "1x6x4x3xf32",
                      [ZERO, convolution("conv2d", "x", "2, 2, 1, 1", "1, 1", "2, 2", X, W, "1x6x4x3xf32")]),
    "pad and conv": (f"%x: tensor<1x4x4x2xf32>, %w: tensor<{W}>, %b: tensor<3xf32>", "1x6x6x3xf32",
                     [ZERO, padded("0, 0, 1, 1, 1, 1, 0, 0", "1x4x4x2xf32", X),
                      convolution("conv2d", "y", "1, 1, 1, 1", "1, 1", "1, 1", X, W, "1x6x6x3xf32")]),
    "depthwise": ("%x: tensor<1x5x5x3xf32>, %w: tensor<3x3x3x1xf32>, %b: tensor<3xf32>", "1x5x5x3xf32",
                  [ZERO, convolution("depthwise_conv2d", "x", "1, 1, 1, 1", "1, 1", "1, 1", "1x5x5x3xf32",
                                     "3x3x3x1xf32", "1x5x5x3xf32")]),
    "matmul": ("%x: tensor<1x3x4xf32>, %w: tensor<1x4x2xf32>", "1x3x2xf32",
               [ZERO, "%r = tosa.matmul %x, %w, %z, %z : (tensor<1x3x4xf32>, tensor<1x4x2xf32>, tensor<1xf32>, "
                      "tensor<1xf32>) -> tensor<1x3x2xf32>"]),
    "pad and matmul": ("%x: tensor<1x3x2xf32>, %w: tensor<1x4x2xf32>", "1x5x2xf32",
                       [ZERO, padded("0, 0, 1, 1, 2, 0", "1x3x2xf32", "1x5x4xf32"),
                        "%r = tosa.matmul %y, %w, %z, %z : (tensor<1x5x4xf32>, tensor<1x4x2xf32>, tensor<1xf32>, "
                        "tensor<1xf32>) -> tensor<1x5x2xf32>"]),
    "max pool": ("%x: tensor<1x6x6x2xf32>", "1x3x3x2xf32",
                 [POOL.format("max_pool2d", "x", "", "", "2, 2", "0, 0, 0, 0", "2, 2", X, "", "1x3x3x2xf32")]),
    "pad and max pool": ("%x: tensor<1x4x4x2xf32>", "1x5x5x2xf32",
                         [ZERO, padded("0, 0, 1, 1, 1, 1, 0, 0", "1x4x4x2xf32", X),
                          POOL.format("max_pool2d", "y", "", "", "2, 2", "0, 0, 0, 0", "1, 1", X, "", "1x5x5x2xf32")]),
    "average pool": ("%x: tensor<1x6x6x2xf32>", "1x3x3x2xf32",
                     [ZERO, POOL.format("avg_pool2d", "x", ", %z, %z", "acc_type = f32, ", "2, 2", "0, 0, 0, 0", "2, 2",
                                        X, ", tensor<1xf32>, tensor<1xf32>", "1x3x3x2xf32")]),
    **{
        f"pad and {name}": ("%x: tensor<2x3xf32>", "4x1xf32",
                    [ZERO, padded("1, 1, 0, 2", "2x3xf32", "4x5xf32"),
                     f"%r = tosa.{name} %y {{axis = 1 : i32}} : (tensor<4x5xf32>) -> tensor<4x1xf32>"])
        for name in ("reduce_sum", "reduce_max", "reduce_min", "reduce_product")
    },
    "pad and add": ("%x: tensor<2x3xf32>, %w: tensor<4x1xf32>", "4x5xf32",
                    [ZERO, padded("1, 1, 0, 2", "2x3xf32", "4x5xf32"),
                     "%r = tosa.add %y, %w : (tensor<4x5xf32>, tensor<4x1xf32>) -> tensor<4x5xf32>"]),
    "pad and concat": ("%x: tensor<2x3xf32>, %w: tensor<4x2xf32>", "4x7xf32",
                       [ZERO, padded("1, 1, 0, 2", "2x3xf32", "4x5xf32"),
                        "%r = tosa.concat %y, %w {axis = 1 : i32} : (tensor<4x5xf32>, tensor<4x2xf32>) -> tensor<4x7xf32>"]),
    "pad and reverse": ("%x: tensor<2x3xf32>", "4x5xf32",
                        [ZERO, padded("1, 1, 0, 2", "2x3xf32", "4x5xf32"),
                         "%r = tosa.reverse %y {axis = 1 : i32} : (tensor<4x5xf32>) -> tensor<4x5xf32>"]),
    "pad and transpose": ("%x: tensor<2x3xf32>", "5x4xf32",
                          [ZERO, padded("1, 1, 0, 2", "2x3xf32", "4x5xf32"),
                           "%r = tosa.transpose %y {perms = array<i32: 1, 0>} : (tensor<4x5xf32>) -> tensor<5x4xf32>"]),
    "pad and slice": ("%x: tensor<2x3xf32>", "2x4xf32",
                      [ZERO, padded("1, 1, 0, 2", "2x3xf32", "4x5xf32"),
                       "%s = tosa.const_shape {values = dense<[1, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
                       "  %n = tosa.const_shape {values = dense<[2, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
                       "  %r = tosa.slice %y, %s, %n : (tensor<4x5xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x4xf32>"]),
    "pad and tile": ("%x: tensor<2x3xf32>", "8x5xf32",
                     [ZERO, padded("1, 1, 0, 2", "2x3xf32", "4x5xf32"),
                      "%n = tosa.const_shape {values = dense<[2, 1]> : tensor<2xindex>} : () -> !tosa.shape<2>\n"
                      "  %r = tosa.tile %y, %n : (tensor<4x5xf32>, !tosa.shape<2>) -> tensor<8x5xf32>"]),
    "pad and multiply": ("%x: tensor<2x3xf32>, %w: tensor<4x5xf32>", "4x5xf32",
                         [ZERO, padded("1, 1, 0, 2", "2x3xf32", "4x5xf32"),
                          '%h = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>\n'
                          "  %r = tosa.mul %y, %w, %h : (tensor<4x5xf32>, tensor<4x5xf32>, tensor<1xi8>) -> tensor<4x5xf32>"]),
}  # fmt: skip
"""By name: arguments, the type of the result, the lines."""

pytestmark = pytest.mark.mlir


def text_of(name: str) -> str:
    arguments, result, lines = PROGRAMS[name]
    body = "\n  ".join([*lines, f"return %r : tensor<{result}>"])
    return f"func.func @f({arguments}) -> tensor<{result}> {{\n  {body}\n}}\n"


def lowered(text: str) -> str:
    """What mlir-opt makes of TEXT."""
    ran = subprocess.run(
        ["mlir-opt-22", f"--pass-pipeline={PIPELINE}"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, (text, ran.stderr)
    return ran.stdout


def returned(text: str, pipeline: str) -> dict[str, Any]:
    """The last fact of PIPELINE, which is that of what is returned."""
    return volcli.loads(text).run(pipeline).to_json()["files"][0]["facts"][-1]


def regions(text: str) -> list[Any]:
    found = returned(text, "sparsity-regions")["regions"]
    return sorted((each["kind"], each["degree"], each["count"]) for each in found)


def zeros(text: str) -> tuple[int, set[Any]]:
    """The products of all operations, and of those of the last one the zeros under each assumption.

    mlir-opt begins a sum with the bias, where TOSA ends with it: -0 and zeros are -0, and zeros and -0 are +0.
    """
    facts = [
        fact
        for fact in volcli.loads(text).run("structural-zeros").to_json()["files"][0]["facts"]
        if fact["multiplications"] and "pool" not in fact["op"]
    ]
    live = {
        (tuple(flag for flag in each["assumes"] if flag != "nsz"), each["zeros"])
        for fact in facts[-1:]
        for each in fact["live"]
    }
    return sum(fact["multiplications"] for fact in facts), live


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", PROGRAMS)
def test_regions_and_zeros_are_those_of_the_linalg_form(name: str) -> None:
    text = text_of(name)
    other, own = lowered(text), volcli.loads(text).run("as-linalg").text()
    assert "tosa.add" not in other
    assert regions(text) == regions(other) == regions(own), name
    assert zeros(text)[1] == zeros(other)[1] == zeros(own)[1], name
