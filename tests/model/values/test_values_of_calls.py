"""What calls return, over what they pass: bounds and claims of callers, against all executions."""

from __future__ import annotations

import random
from itertools import product

import pytest

import volcli
from volcli.model.values.terms.answers import Verdict

BODIES = (
    ("%r = affine.apply affine_map<(d0, d1) -> (d0 * 2 - d1 + 1)>(%a, %b)", lambda a, b: 2 * a - b + 1),
    ("%r = affine.min affine_map<(d0, d1) -> (d0, d1 + 1, 4)>(%a, %b)", lambda a, b: min(a, b + 1, 4)),
    ("%r = affine.apply affine_map<(d0, d1) -> (d0 floordiv 2 + d1 mod 3)>(%a, %b)", lambda a, b: a // 2 + b % 3),
    ("%r = affine.max affine_map<(d0, d1) -> (d0 - d1, 0)>(%a, %b)", lambda a, b: max(a - b, 0)),
)  # fmt: skip
RELATIONS = {"<=": lambda a, b: a <= b, "<": lambda a, b: a < b, "=": lambda a, b: a == b}


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(24))
def test_claims_that_relate_results_of_two_functions(seed: int) -> None:
    chance = random.Random(seed)
    chosen = [chance.choice(BODIES) for _ in range(2)]
    functions = "\n".join(
        f"func.func private @f{k}(%a: index, %b: index) -> index {{\n  {line}\n  return %r : index\n}}"
        for k, (line, _) in enumerate(chosen)
    )
    relation, shift = chance.choice(list(RELATIONS)), chance.randint(-2, 4)
    text = f"""{functions}
func.func @main(%left: index, %right: index) {{
  %n = affine.apply affine_map<(d0) -> (d0 mod 4)>(%left)
  %m = affine.apply affine_map<(d0) -> (d0 mod 4)>(%right)
  %x = call @f0(%n, %m) : (index, index) -> index
  %y = call @f1(%m, %x) : (index, index) -> index
  return
}}"""
    program = volcli.loads(text)
    found = program.compare(f"@main:%x {relation} @main:%y + {shift}")
    holds = []
    for n, m in product(range(4), repeat=2):
        x = chosen[0][1](n, m)
        holds.append(RELATIONS[relation](x, chosen[1][1](m, x) + shift))
    assert found.verdict is (Verdict.PROVED if all(holds) else Verdict.REFUTED), text
    assert found.never == (not any(holds))


def test_what_nothing_passed_determines_lies_between_numbers() -> None:
    bounds = volcli.loads("""
func.func private @loaded(%m: memref<4xindex>, %i: index) -> index {
  %c9 = arith.constant 9 : index
  %x = memref.load %m[%i] : memref<4xindex>
  %r = arith.minsi %x, %c9 : index
  return %r : index
}
func.func private @round(%n: index) -> index {
  %r = call @round(%n) : (index) -> index
  return %r : index
}
func.func @main(%m: memref<4xindex>, %i: index) {
  %a = call @loaded(%m, %i) : (memref<4xindex>, index) -> index
  %b = call @loaded(%m, %i) : (memref<4xindex>, index) -> index
  %c = call @round(%i) : (index) -> index
  return
}""")
    main = bounds.function("main")
    assert main.bounds("%a").upper.constant == 9
    assert bounds.compare("@main:%a = @main:%b").verdict is Verdict.UNKNOWN
    assert main.bounds("%c").upper.constant is None


def test_integers_wrap_in_the_function_as_they_do_in_the_caller() -> None:
    program = volcli.loads("""
func.func private @next(%a: i8) -> i8 {
  %c1 = arith.constant 1 : i8
  %r = arith.addi %a, %c1 : i8
  return %r : i8
}
func.func @main(%a: i8) {
  %r = call @next(%a) : (i8) -> i8
  %x = arith.index_cast %r : i8 to index
  %y = arith.index_cast %a : i8 to index
  return
}""")
    assert program.compare("@main:%x <= @main:%y + 1").verdict is Verdict.PROVED
    refuted = program.compare("@main:%x = @main:%y + 1")
    assert (refuted.verdict, refuted.never) == (Verdict.REFUTED, False)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("5 < 7", Verdict.PROVED), ("7 < 5", Verdict.REFUTED), ("2 * 3 = 6", Verdict.PROVED)],
)
def test_claims_about_numbers_alone(claim: str, verdict: Verdict) -> None:
    assert volcli.loads("func.func @f() { return }").compare(claim).verdict is verdict
