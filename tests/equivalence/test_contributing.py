"""What contributes nothing is left out, and what is left is compared operation by operation."""

from __future__ import annotations

import re
from functools import cache

import pytest

import volcli
from volcli.facts.differences import FunctionComparison

pytestmark = pytest.mark.usefixtures("short_trials")


def upsampled(layers: int, channels: int = 4) -> str:
    """LAYERS transposed convolutions of 4 x 4 taps and stride 2, each of twice the size of the one before."""
    size, value, lines = 4, "%x", ["%zero = arith.constant 0.0 : f32"]
    for k in range(layers):
        x, z = (
            f"tensor<1x{channels}x{size}x{size}xf32>",
            f"tensor<1x{channels}x{2 * size + 3}x{2 * size + 3}xf32>",
        )
        y, w = f"tensor<1x{channels}x{2 * size}x{2 * size}xf32>", f"tensor<{channels}x{channels}x4x4xf32>"
        lines += [
            f"%ze{k} = tensor.empty() : {z}",
            f"%z{k} = linalg.fill ins(%zero : f32) outs(%ze{k} : {z}) -> {z}",
            f"%u{k} = tensor.insert_slice {value} into %z{k}[0, 0, 2, 2] [1, {channels}, {size}, {size}] "
            f"[1, 1, 2, 2] : {x} into {z}",
            f"%ye{k} = tensor.empty() : {y}",
            f"%i{k} = linalg.fill ins(%zero : f32) outs(%ye{k} : {y}) -> {y}",
            f"%y{k} = linalg.conv_2d_nchw_fchw ins(%u{k}, %w{k} : {z}, {w}) outs(%i{k} : {y}) -> {y}",
            f"%t{k} = math.tanh %y{k} : {y}",
        ]
        value, size = f"%t{k}", 2 * size
    weights = ", ".join(f"%w{k}: tensor<{channels}x{channels}x4x4xf32>" for k in range(layers))
    kind = f"tensor<1x{channels}x{size}x{size}xf32>"
    body = "\n".join(f"  {line}" for line in lines)
    return (
        f"func.func @f(%x: tensor<1x{channels}x4x4xf32>, {weights}) -> {kind} {{\n{body}\n"
        f"  return {value} : {kind}\n}}\n"
    )


@cache
def rewritten(text: str) -> str:
    """TEXT with its convolutions in parts; nothing is left open."""
    program = volcli.loads(text).run("partition{assume-finite part-cost=64}")
    assert [each.message for each in program.diagnostics] == []
    return program.text(annotate="none")


def compared(before: str, after: str, *, assume_finite: bool) -> FunctionComparison:
    (found,) = volcli.loads(before).diff(volcli.loads(after), assume_finite=assume_finite)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("layers", "channels"), [(1, 4), (2, 1), *(pytest.param(n, 4, marks=pytest.mark.fuzz) for n in (2, 3))]
)
def test_a_partition_of_many_layers_is_checked(layers: int, channels: int) -> None:
    """Each layer is shown by itself: the paths through all of them are far too many.

    The check of the rewrite has left nothing open, which is what `diff` says of the texts: of one layer, both.
    """
    before = upsampled(layers, channels)
    after = rewritten(before)
    assert after.count("linalg.conv") > 3 * layers
    if layers > 1:
        return
    found = compared(before, after, assume_finite=True)
    assert found.verdict == "equal"
    assert found.assumptions == ("numbers are finite and signs of zeros do not matter",)


@pytest.mark.slow
def test_products_with_zero_count_if_numbers_may_be_infinite() -> None:
    before = upsampled(1, channels=1)
    assert compared(before, rewritten(before), assume_finite=False).verdict != "equal"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("channels", "moved_slices"),
    [(1, 1), pytest.param(1, None, marks=pytest.mark.fuzz), pytest.param(4, 1, marks=pytest.mark.fuzz)],
)
def test_a_wrong_part_is_not_equal(channels: int, moved_slices: int | None) -> None:
    """A slice of the weights, in a campaign each, is moved by one, and one is left out."""
    before = upsampled(1, channels)
    after = rewritten(before)
    taps = sorted(set(re.findall(r"extract_slice %w0(\[.*?\]) ", after)))
    assert len(taps) >= 4
    for offsets in taps[:moved_slices]:
        moved = offsets.replace("0, 0, ", "0, 0, 1 - ", 1)
        moved = re.sub(r"1 - (\d)", lambda found: str(1 - int(found[1])), moved)
        wrong = after.replace(f"%w0{offsets}", f"%w0{moved}", 1)
        assert compared(before, wrong, assume_finite=True).verdict != "equal"
    (part, name) = re.findall(r"insert_slice (%\w+) into (%\w+)", after)[-1]
    wrong = after.replace("math.tanh %y0", f"math.tanh {name}")
    assert part != name
    assert compared(before, wrong, assume_finite=True).verdict != "equal"


@pytest.mark.slow
def test_what_contributes_to_no_element_is_zero() -> None:
    """An element-wise product of which one factor is zero outside of a band, and a copy of the band into zeros."""
    before = """
func.func @f(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %s = tensor.extract_slice %x[2] [3] [1] : tensor<8xi32> to tensor<3xi32>
  %b = tensor.insert_slice %s into %z[2] [3] [1] : tensor<3xi32> into tensor<8xi32>
  %p = linalg.mul ins(%b, %y : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  return %p : tensor<8xi32>
}
"""
    after = """
func.func @f(%x: tensor<8xi32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<8xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %s = tensor.extract_slice %x[2] [3] [1] : tensor<8xi32> to tensor<3xi32>
  %t = tensor.extract_slice %y[2] [3] [1] : tensor<8xi32> to tensor<3xi32>
  %d = tensor.empty() : tensor<3xi32>
  %p = linalg.mul ins(%s, %t : tensor<3xi32>, tensor<3xi32>) outs(%d : tensor<3xi32>) -> tensor<3xi32>
  %b = tensor.insert_slice %p into %z[2] [3] [1] : tensor<3xi32> into tensor<8xi32>
  return %b : tensor<8xi32>
}
"""
    assert compared(before, after, assume_finite=False).verdict == "equal"
    for wrong in (("constant 0 : i32", "constant 1 : i32"), ("into %z[2]", "into %z[3]")):
        assert compared(before, after.replace(*wrong), assume_finite=False).verdict != "equal"
