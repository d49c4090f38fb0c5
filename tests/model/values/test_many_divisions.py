"""Numbers of many nested divisions in a body have an answer, in reasonable time: one that is not exact."""

from __future__ import annotations

import pytest

from tests.shared.enumeration import model_of
from volcli.limits.presburger import LIGHT
from volcli.presburger.limits.budget import Watch, watched


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
