"""tosa.rescale, table and resize by numbers worked out by hand, and where they are undefined."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.shared.running import Code, tensor
from volcli.execution.outcomes import Defect, Undefined, Unsupported

RESCALE = """
func.func @f(%x: tensor<?xIN>, %m: tensor<1xi32>, %s: tensor<1xi8>) -> tensor<?xOUT> {
  %i = "tosa.const"() <{values = dense<ZERO_IN> : tensor<1xIN>}> : () -> tensor<1xIN>
  %o = "tosa.const"() <{values = dense<ZERO_OUT> : tensor<1xOUT>}> : () -> tensor<1xOUT>
  %r = tosa.rescale %x, %m, %s, %i, %o {scale32 = true, rounding_mode = ROUNDING, per_channel = false,
    input_unsigned = UNSIGNED_IN, output_unsigned = UNSIGNED_OUT}
    : (tensor<?xIN>, tensor<1xi32>, tensor<1xi8>, tensor<1xIN>, tensor<1xOUT>) -> tensor<?xOUT>
  return %r : tensor<?xOUT>
}"""
DEFAULTS = {
    "ZERO_IN": "0", "ZERO_OUT": "0", "ROUNDING": "SINGLE_ROUND", "UNSIGNED_IN": "false", "UNSIGNED_OUT": "false",
    "IN": "i32", "OUT": "i32",
}  # fmt: skip
DTYPES: dict[str, Any] = {"i8": np.int8, "i16": np.int16, "i32": np.int32}


def _rescaled(numbers: list[int], multiplier: int, shift: int, **changed: str) -> list[int]:
    text, words = RESCALE, DEFAULTS | changed
    for name in ("ZERO_IN", "ZERO_OUT", "UNSIGNED_IN", "UNSIGNED_OUT", "ROUNDING"):
        text = text.replace(name, words[name])
    text = text.replace("xIN>", f"x{words['IN']}>").replace("xOUT>", f"x{words['OUT']}>")
    (found,) = Code(text)(
        tensor(numbers, DTYPES[words["IN"]]), tensor([multiplier], np.int32), tensor([shift], np.int8)
    )
    return found.data.tolist()


def test_half_a_unit_is_rounded_up() -> None:
    """Times a half: 1.5 is 2, and -1.5 is -1."""
    numbers = list(range(-5, 6))
    halves = [math.floor(Fraction(n, 2) + Fraction(1, 2)) for n in numbers]
    assert _rescaled(numbers, 1 << 30, 31) == halves == [-2, -2, -1, -1, 0, 0, 1, 1, 2, 2, 3]


def test_two_roundings_move_halves_away_from_zero() -> None:
    """Times a quarter, with a shift of 32: 2^31 is half a unit, and 2^30 a quarter more."""
    numbers = [-6, -3, -2, -1, 1, 2, 3, 6]
    double = [math.floor(Fraction(n, 4) + Fraction(1, 2) + Fraction(1 if n >= 0 else -1, 4)) for n in numbers]
    assert _rescaled(numbers, 1 << 30, 32, ROUNDING="DOUBLE_ROUND") == double
    single = [math.floor(Fraction(n, 4) + Fraction(1, 2)) for n in numbers]
    assert _rescaled(numbers, 1 << 30, 32) == single != double
    assert _rescaled(numbers, 1 << 29, 31, ROUNDING="DOUBLE_ROUND") == single


def test_zero_points_signs_and_limits() -> None:
    one = (1 << 30, 30)
    assert _rescaled([-128, 0, 127], *one, IN="i8", OUT="i8", ZERO_IN="-128", ZERO_OUT="-1") == [-1, 127, 127]
    unsigned = _rescaled([-1, -128, 127], *one, IN="i8", UNSIGNED_IN="true", ZERO_IN="-1")
    assert unsigned == [0, 128 - 255, 127 - 255]
    assert _rescaled([-5, 200, 300], *one, OUT="i8", UNSIGNED_OUT="true") == [0, 200 - 256, -1]
    assert _rescaled([-5, 200], *one, OUT="i8", UNSIGNED_OUT="true", ZERO_OUT="-56") == [195 - 256, -1]


@pytest.mark.parametrize(("multiplier", "shift"), [(1, 1), (1, 63), (-1, 30)])
def test_a_scale_outside_of_its_range_is_undefined(multiplier: int, shift: int) -> None:
    with pytest.raises(Undefined) as caught:
        _rescaled([1], multiplier, shift)
    assert caught.value.kind is Defect.CONTRACT


def test_a_rounding_that_the_implementation_chooses_is_not_executed() -> None:
    with pytest.raises(Unsupported, match="implementation chooses"):
        _rescaled([1], 1, 30, ROUNDING="INEXACT_ROUND")


def test_a_table_of_16_bits_is_interpolated() -> None:
    """Entry k is 100 k - 3: between two of them, 128 steps of 100."""
    code = Code("""
func.func @f(%x: tensor<4xi16>, %t: tensor<513xi16>) -> tensor<4xi32> {
  %r = tosa.table %x, %t : (tensor<4xi16>, tensor<513xi16>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}""")
    table = np.arange(513) * 100 - 25600
    (found,) = code(tensor([0, 1, -1, 32767], np.int16), tensor(table, np.int16))
    assert found.data.tolist() == [0, 100, -100, 32767 * 100]


RESIZE = """
func.func @f(%x: tensor<1x?x?x1xKIND>, %s: !tosa.shape<4>, %o: !tosa.shape<2>, %b: !tosa.shape<2>)
    -> tensor<1x?x?x1xRESULT> {
  %r = tosa.resize %x, %s, %o, %b {mode = MODE}
    : (tensor<1x?x?x1xKIND>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x1xRESULT>
  return %r : tensor<1x?x?x1xRESULT>
}"""


def _resized(
    rows: list[list[Any]], mode: str, *shapes: list[int], kind: str = "f32", result: str = "f32"
) -> Any:
    code = Code(RESIZE.replace("MODE", mode).replace("KIND", kind).replace("RESULT", result))
    x = np.array(rows, DTYPES.get(kind, np.float32))[None, :, :, None]
    (found,) = code(tensor(x, x.dtype), *shapes)
    return found.data[0, :, :, 0].tolist()


def test_between_two_elements_lies_their_mean() -> None:
    rows = [[0.0, 8.0], [4.0, 12.0]]
    grown = _resized(rows, "BILINEAR", [2, 1, 2, 1], [0, 0], [0, 0])
    assert grown == [[0, 4, 8], [2, 6, 10], [4, 8, 12]]
    units = _resized([[0, 8], [4, 12]], "BILINEAR", [2, 1, 2, 1], [0, 0], [0, 0], kind="i8", result="i32")
    assert units == [[4 * each for each in row] for row in grown]
    nearest = _resized(rows, "NEAREST_NEIGHBOR", [2, 1, 2, 1], [0, 0], [0, 0])
    assert nearest == [[0, 8, 8], [4, 12, 12], [4, 12, 12]]


def test_an_element_in_front_of_the_first_is_the_first() -> None:
    """Positions -1/2, 1/2, 3/2 of two elements, and 1/2 behind the last."""
    found = _resized([[0.0, 8.0]], "BILINEAR", [1, 1, 2, 2], [0, -1], [0, 1])
    assert found == [[0, 4, 8]]


def test_steps_that_do_not_fit_are_undefined() -> None:
    for shapes in (([2, 3, 2, 1], [0, 0], [0, 0]), ([0, 1, 2, 1], [0, 0], [0, 0])):
        with pytest.raises(Undefined) as caught:
            _resized([[0.0, 8.0], [4.0, 12.0]], "BILINEAR", *shapes)
        assert caught.value.kind is Defect.CONTRACT
