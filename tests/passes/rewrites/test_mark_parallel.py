"""mark-parallel: the loops that become parallel, against mlir-opt's affine-parallelize; what is written is executed."""

from __future__ import annotations

import random
import re
import subprocess
from functools import cache

import pytest

import volcli
from tests.oracles.memory.draw import programs
from tests.passes.rewrites.parallel_cases import CASES, MATRIX
from tests.shared.execution import executed, needs_runner
from volcli.loading.driver import Program

pytestmark = pytest.mark.usefixtures("checked_at_once")

OPTIONS = ["", "{parallel-reductions}"]
EACH = "%t = arith.index_cast %i : index to i64\n %v = arith.sitofp %t : i64 to f32\n"
"""A float %v of the iteration %i."""


def marked(text: str, options: str = "") -> Program:
    return volcli.load(text, timeout=None).run(f"mark-parallel{options}")


def kinds(text: str) -> str:
    """The loops of a program in the order of its text: f is affine.for, p affine.parallel."""
    return "".join(found[0] for found in re.findall(r"\baffine\.(for|parallel)\b", text))


def all_cases() -> str:
    return "".join(case.function(name) for name, case in CASES.items())


def by_mlir_opt(mlir_opt: str, text: str, *options: str) -> str:
    ran = subprocess.run(
        [mlir_opt, "-split-input-file", *options],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stderr[:2000]
    return ran.stdout


def functions(text: str) -> dict[str, str]:
    """The text of each function of one module, by its name."""
    pieces = re.split(r"(?=func\.func @)", text)
    return {re.findall(r"@(\w+)", piece)[0]: piece for piece in pieces[1:]}


# -- which loops ---------------------------------------------------------------------------------------


def test_which_loops_of_one_case_become_parallel() -> None:
    case = next(iter(CASES.values()))
    assert kinds(marked(case.function("f")).text()) == case.kinds
    assert kinds(marked(case.function("f"), "{parallel-reductions}").text()) == case.reduced


@cache
def all_marked(options: str) -> str:
    """All cases after the pass, which several tests look at."""
    return marked(all_cases(), options).text()


@pytest.mark.slow
def test_which_loops_become_parallel() -> None:
    found = [functions(all_marked(options)) for options in OPTIONS]
    assert {name: [kinds(texts[name]) for texts in found] for name in CASES} == {
        name: [case.kinds, case.reduced] for name, case in CASES.items()
    }


WRONG_THERE = "conditions"
"""mlir-opt takes the condition of an affine.if to hold in its else region, too (docs/deviations.md)."""


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_the_loops_that_mlir_opt_makes_parallel(options: str, mlir_opt: str) -> None:
    pipeline = f"-pass-pipeline=builtin.module(func.func(affine-parallelize{options.replace('}', '=1}')}))"
    theirs = functions(by_mlir_opt(mlir_opt, all_cases(), pipeline))
    ours = functions(all_marked(options))
    pairs = {name: list(zip(kinds(ours[name]), kinds(theirs[name]), strict=True)) for name in CASES}
    assert {name for name, loops in pairs.items() if ("f", "p") in loops} == {WRONG_THERE}


@pytest.mark.slow
@pytest.mark.parametrize("count", [24, pytest.param(400, marks=pytest.mark.fuzz)])
def test_random_nests_are_accepted_and_no_loop_is_left_out(count: int, mlir_opt: str) -> None:
    """More loops than mlir-opt's, and all of its own."""
    texts = [program.text for program in programs(5, count, plain=True)]
    ours = [marked(text).text() for text in texts]
    theirs = by_mlir_opt(mlir_opt, "// -----\n".join(texts), "-affine-parallelize").split("// -----\n")
    assert by_mlir_opt(mlir_opt, "// -----\n".join(ours)).count("affine.parallel") > count
    pairs = [pair for a, b in zip(ours, theirs, strict=True) for pair in zip(kinds(a), kinds(b), strict=True)]
    assert pairs.count(("f", "p")) == 0
    assert pairs.count(("p", "f")) > count // 30


# -- executed ------------------------------------------------------------------------------------------

SAMPLES = 3
FILL = f"""
func.func @fill(%m: {MATRIX}, %seed: index) {{
  affine.for %i = 0 to 24 {{
    affine.for %j = 0 to 24 {{
      %k = affine.apply affine_map<(d0, d1)[s0] -> ((d0 * 7 + d1 * 13 + s0 * 5) mod 11 - 4)>(%i, %j)[%seed]
      %n = arith.index_cast %k : index to i64
      %x = arith.sitofp %n : i64 to f32
      affine.store %x, %m[%i, %j] : {MATRIX}
    }}
  }}
  return
}}
func.func @show(%m: {MATRIX}) {{
  %c0 = arith.constant 0 : i64
  %c31 = arith.constant 31 : i64
  affine.for %i = 0 to 24 {{
    %row = affine.for %j = 0 to 24 iter_args(%h = %c0) -> (i64) {{
      %x = affine.load %m[%i, %j] : {MATRIX}
      %n = arith.fptosi %x : f32 to i64
      %k = arith.muli %h, %c31 : i64
      %l = arith.addi %k, %n : i64
      affine.yield %l : i64
    }}
    vector.print %row : i64
  }}
  return
}}
"""


def main(seed: int) -> str:
    """Each function with SAMPLES random inputs; what it returns is printed, and a number for each row."""
    chance = random.Random(seed)
    lines = [f"%a = memref.alloc() : {MATRIX}", f"%b = memref.alloc() : {MATRIX}"]
    for name in CASES:
        for sample in range(SAMPLES):
            tag = f"{name}_{sample}"
            lines += [f"%{k}_{tag} = arith.constant {chance.randint(0, 30)} : index" for k in "anb"]
            lines += [f"call @fill(%{k}, %{k}_{tag}) : ({MATRIX}, index) -> ()" for k in "ab"]
            lines.append(f"%r_{tag} = call @{name}(%a, %b, %n_{tag}) : ({MATRIX}, {MATRIX}, index) -> f32")
            lines.append(f"vector.print %r_{tag} : f32")
            lines += [f"call @show(%{k}) : ({MATRIX}) -> ()" for k in "ab"]
    return FILL + "func.func @main() {\n" + "\n".join([*lines, "return"]) + "\n}\n"


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("options", OPTIONS)
def test_what_is_computed_stays_the_same(options: str, mlir_opt: str) -> None:
    """Sums are of small integers: they are exact in any order."""
    rewritten = all_marked(options)
    assert kinds(rewritten).count("p") > 20
    expected = executed(mlir_opt, all_cases() + main(1))
    assert len(expected.splitlines()) == len(CASES) * SAMPLES * 49
    assert len(set(expected.splitlines())) > 300
    assert executed(mlir_opt, rewritten + main(1)) == expected


# -- how it is written ---------------------------------------------------------------------------------

NEST = """func.func @nest(%m: memref<8x8x8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 8 {
        affine.store %x, %m[%i, %j, %k] : memref<8x8x8xf32>
      }
    }
  }
  affine.parallel (%i) = (0) to (8) {
    affine.for %j = 0 to 8 {
      affine.store %x, %m[%i, %j, 0] : memref<8x8x8xf32>
    }
  }
  return
}
"""


@pytest.mark.slow
@pytest.mark.parametrize(("most", "expected"), [(0, "ppppp"), (1, "pffpf"), (2, "ppfpp"), (3, "ppppp")])
def test_so_many_parallel_loops_in_one_another(most: int, expected: str) -> None:
    assert kinds(marked(NEST, f"{{max-nested={most}}}").text()) == expected


@pytest.mark.sample(1)
@pytest.mark.parametrize("most", [1, 2, 3])
def test_as_many_as_for_mlir_opt(most: int, mlir_opt: str) -> None:
    pipeline = f"-pass-pipeline=builtin.module(func.func(affine-parallelize{{max-nested={most}}}))"
    ours = marked(NEST, f"{{max-nested={most}}}").text()
    assert kinds(by_mlir_opt(mlir_opt, NEST, pipeline)) == kinds(ours)


def test_an_inner_loop_counts_though_the_outer_one_stays() -> None:
    text = NEST.replace("affine.store %x, %m[%i, %j, %k]", EACH + "affine.store %v, %m[0, %j, %k]")
    assert kinds(marked(text, "{max-nested=1}").text()) == "fpfpf"


def test_names_and_attributes_are_kept() -> None:
    text = """func.func @f(%m: memref<8xf32>, %x: f32, %y: f32) -> (f32, f32) {
  %r:2 = affine.for %i = 0 to 8 step 2 iter_args(%s = %x, %p = %y) -> (f32, f32) {
    %a = affine.load %m[%i] : memref<8xf32>
    %t = arith.addf %s, %a fastmath<contract> : f32
    %u = arith.mulf %a, %p : f32
    affine.yield %t, %u : f32, f32
  } {some.note = 3 : i64}
  return %r#1, %r#0 : f32, f32
}
"""
    assert (
        marked(text, "{parallel-reductions}").text()
        == """func.func @f(%m: memref<8xf32>, %x: f32, %y: f32) -> (f32, f32) {
  %r:2 = affine.parallel (%i) = (0) to (8) step (2) reduce ("addf", "mulf") -> (f32, f32) {
    %a = affine.load %m[%i] : memref<8xf32>
    affine.yield %a, %a : f32, f32
  } {some.note = 3 : i64}
  %t = arith.addf %x, %r#0 fastmath<contract> : f32
  %u = arith.mulf %y, %r#1 : f32
  return %u, %t : f32, f32
}
"""
    )


@pytest.mark.slow
def test_what_is_promised_of_partial_sums_does_not_stay() -> None:
    """-1 + 2147483647 + 1 does not overflow in this order; -1 + (2147483647 + 1) does, and `nsw` made it poison."""
    text = """func.func @f(%m: memref<8xi32>, %q: memref<8xf32>, %x: i32, %y: f32) -> (i32, f32) {
  %r:2 = affine.for %i = 0 to 8 iter_args(%s = %x, %p = %y) -> (i32, f32) {
    %v = affine.load %m[%i] : memref<8xi32>
    %w = affine.load %q[%i] : memref<8xf32>
    %t = arith.addi %s, %v overflow<nsw> : i32
    %u = arith.addf %p, %w fastmath<fast> : f32
    affine.yield %t, %u : i32, f32
  }
  return %r#0, %r#1 : i32, f32
}
"""
    made = marked(text, "{parallel-reductions}").text()
    plain = marked(text.replace("fastmath<fast>", "fastmath<reassoc>"), "{parallel-reductions}")
    assert "parallel if nsz of arith.addf" in [each.message for each in plain.diagnostics]
    assert "%t = arith.addi %x, %r#0 : i32\n" in made
    assert "%u = arith.addf %y, %r#1 fastmath<reassoc,nsz,arcp,contract,afn> : f32\n" in made


def test_without_a_parallel_loop_the_text_stays_as_it_was() -> None:
    text = "// a remark\n" + CASES["prefix_sums"].function("f")
    program = marked(text, "{parallel-reductions}")
    assert program.annotated() == text
    assert not any(unit.rewritten for unit in program.units)


@pytest.mark.parametrize(
    "body",
    [
        "func.call @nothing() : () -> ()",
        "vector.print %x : f32",
        "memref.dealloc %m : memref<8xf32>",
        EACH + "affine.store %v, %m[0] : memref<8xf32>",
        '"other.look"(%m) : (memref<8xf32>) -> ()',
    ],
)
def test_what_needs_an_order_stays_in_order(body: str) -> None:
    text = f"""func.func private @nothing()
func.func @f(%m: memref<8xf32>, %x: f32) {{
  affine.for %i = 0 to 8 {{
    {body}
  }}
  return
}}
"""
    assert kinds(marked(text, "{parallel-reductions}").text()) == "f"


def test_a_loop_that_writes_one_value_to_one_element_becomes_parallel() -> None:
    text = """func.func @f(%m: memref<8xf32>, %x: f32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %m[0] : memref<8xf32>
  }
  return
}
"""
    assert kinds(marked(text).text()) == "p"


def test_reductions_that_affine_parallel_does_not_have_stay() -> None:
    """`x - e` is a sum for the analysis; xori is none of affine.parallel's."""
    text = CASES["sum"].function("f").replace("arith.addf %s, %x", "arith.subf %s, %x")
    assert kinds(marked(text, "{parallel-reductions}").text()) == "f"
    text = CASES["integers"].function("f").replace("arith.ori", "arith.xori")
    assert kinds(marked(text, "{parallel-reductions}").text()) == "f"


# -- assumptions ---------------------------------------------------------------------------------------


def test_what_is_assumed_of_arguments_is_said_at_the_loop() -> None:
    text = CASES["rows"].function("f")
    said = [d for unit in marked(text).units for d in unit.diagnostics]
    assert [(d.code, d.message) for d in said] == [("V308", "parallel if %a and %b are different memory")] * 2
    assert [(d.place.line, d.place.column) for d in said if d.place] == [(4, 1), (5, 11)]


def test_and_not_if_it_is_known() -> None:
    text = CASES["rows"].function("f")
    program = marked(text, "{assume-noalias-args}")
    assert [d.code for unit in program.units for d in unit.diagnostics] == []
    assert kinds(program.text()) == "pp"


def test_that_assertions_hold_is_always_said() -> None:
    text = """func.func @f(%m: memref<8xf32>, %x: f32, %b: i1) {
  affine.for %i = 0 to 8 {
    cf.assert %b, "no"
    affine.store %x, %m[%i] : memref<8xf32>
  }
  return
}
"""
    for options in ("", "{assume-noalias-args}"):
        said = [d.message for unit in marked(text, options).units for d in unit.diagnostics]
        assert said == ["parallel if its assertions hold"]
