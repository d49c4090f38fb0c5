"""Numbers of many nested divisions in a body have an answer, in reasonable time: one that is not exact."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import islpy as isl
import pytest

from tests.shared.enumeration import model_of
from volcli.limits import values as limits
from volcli.limits.presburger import LIGHT
from volcli.model.values.terms.constraint_set import Known, complement, simple, surely_outside
from volcli.presburger.limits.budget import BudgetExceeded, Watch, watched
from volcli.presburger.sets.unwieldy import divisions


def text_of(steps: int) -> str:
    """`%x[i]` where a number that is divided STEPS times is below i, else 0."""
    lines = ["%n0 = arith.addi %i, %five : index"]
    for k in range(steps):
        lines += [
            f"%q{k} = arith.divui %n{k}, %five : index",
            f"%m{k} = arith.subi %q{k}, %i : index",
            f"%n{k + 1} = arith.remui %m{k}, %five : index",
        ]
    chain = "\n    ".join(lines)
    return f"""func.func @f(%x: tensor<11xf32>) -> tensor<11xf32> {{
  %z = arith.constant 0.0 : f32
  %five = arith.constant 5 : index
  %r = tensor.generate {{
  ^bb0(%i: index):
    {chain}
    %c = arith.cmpi ult, %n{steps}, %i : index
    %a = tensor.extract %x[%i] : tensor<11xf32>
    %s = arith.select %c, %a, %z : f32
    tensor.yield %s : f32
  }} : tensor<11xf32>
  return %r : tensor<11xf32>
}}
"""


def test_a_long_chain_is_not_exact() -> None:
    model = model_of(text_of(6))
    (result,) = model.results()
    assert model.maps.to_inputs(result).inexact is not None


def test_a_short_one_is() -> None:
    model = model_of(text_of(1))
    (result,) = model.results()
    assert model.maps.to_inputs(result).inexact is None


def bytes_of(steps: int) -> str:
    """STEPS operations on 8 bits, each of which may wrap around, with a sum that may behind each."""
    names = ("addi", "muli", "subi", "xori", "shrui", "andi", "ori", "muli", "addi", "divui", "remsi")
    lines: list[str] = []
    for k in range(steps):
        lines += [
            f"%k{k} = arith.constant {k % 5 + 2} : i8",
            f"%q{k} = arith.{names[k % len(names)]} %r{k}, %k{k} : i8",
            f"%r{k + 1} = arith.addi %q{k}, %b : i8",
        ]
    chain = "\n  ".join(lines)
    return f"""func.func @f(%r0: i8, %b: i8) -> index {{
  {chain}
  %i = arith.index_castui %r{steps} : i8 to index
  return %i : index
}}
"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("steps", [12, 24])
def test_a_chain_of_bytes_costs_few_operations(steps: int) -> None:
    with watched(Watch(3 * LIGHT)):  # no query may take more: else NeedsWorker is raised
        model = model_of(bytes_of(steps))
        (found,) = (model.bounds.bounds(value) for value, _ in model.bounds.variables())
    assert (found.lower.constant, found.upper.constant) == (0, 255)
    assert not found.lower.constant_exact


@pytest.mark.sample(1)
@pytest.mark.parametrize("steps", range(1, 12))
def test_a_chain_of_bytes_lies_between_its_bounds(steps: int) -> None:
    model = model_of(bytes_of(steps))
    (found,) = (model.bounds.bounds(value) for value, _ in model.bounds.variables())
    assert found.lower.constant is not None
    assert found.upper.constant is not None
    numbers = {byte_of(steps, a, b) for a in range(256) for b in range(256)}
    assert found.lower.constant <= min(numbers)
    assert max(numbers) <= found.upper.constant
    if found.lower.constant_exact:
        assert found.lower.constant == min(numbers)
    if found.upper.constant_exact:
        assert found.upper.constant == max(numbers)


def byte_of(steps: int, number: int, added: int) -> int:
    """What `bytes_of` computes, of two numbers without signs."""
    for k in range(steps):
        right = k % 5 + 2
        signed = number - 256 if number >= 128 else number
        number = (
            number + right,
            number * right,
            number - right,
            number ^ right,
            number >> right,
            number & right,
            number | right,
            number * right,
            number + right,
            number // right,
            abs(signed) % right * (1 if signed >= 0 else -1),
        )[k % 11]
        number = (number + added) % 256
    return number


def _divided(pieces: int) -> isl.Set:
    """PIECES that have four divisions each, of different numbers."""
    parts = (
        f"x mod {7 + k} >= 2 and (x + 2y) mod {5 + k} >= 1 and (y + 3z) mod {4 + k} >= 1 "
        f"and (x + y + z) mod {3 + k} >= 1 and x + {k}y + z >= {k} and y <= 5x + {k}z"
        for k in range(pieces)
    )
    return isl.Set("[x, y, z] -> { : " + " or ".join(f"({part})" for part in parts) + " }")


def _holds(points: isl.Set, numbers: Sequence[int]) -> bool:
    for position, number in enumerate(numbers):
        name = points.find_dim_by_name(isl.dim_type.param, "xyz"[position])
        if name >= 0:
            points = points.fix_val(isl.dim_type.param, name, isl.Val(number))
    return not points.is_empty()


def test_what_is_outside_of_many_divisions_is_a_part_of_the_complement() -> None:
    points = _divided(4)
    with pytest.raises(BudgetExceeded):
        complement(points)
    with watched(Watch(LIGHT)):
        outside = surely_outside(points)
    assert outside.is_disjoint(points)
    few = isl.Set("[x, y, z] -> { : x mod 3 = 0 or y mod 2 = 0 }")
    assert surely_outside(few).is_equal(few.complement())


def test_an_exact_set_of_too_many_divisions_is_a_superset_that_says_so() -> None:
    points = _divided(9)
    assert divisions(points) > limits.DIVISIONS_OF_A_SET
    found = simple(Known(points))
    assert (found.exact, found.because) == (False, "more than 32 divisions in all alternatives")
    assert divisions(found.points) <= limits.DIVISIONS_OF_A_PIECE
    inside = [each for each in product(range(-6, 7, 3), repeat=3) if _holds(points, each)]
    assert inside
    assert all(_holds(found.points, each) for each in inside)
    assert simple(Known(_divided(2))).exact
