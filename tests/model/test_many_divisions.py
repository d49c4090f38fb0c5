"""Numbers of many nested divisions in a body have an answer, in reasonable time: one that is not exact."""

from __future__ import annotations

from tests.enumeration import model_of


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
