"""memory-flow, check-accesses and check-races: findings, facts and annotations."""

from __future__ import annotations

from typing import Any

import pytest

import volcli
from volcli.facts.preconditions import PreconditionFact


def run(pipeline: str, body: str, arguments: str = "%m: memref<9xf32>, %x: f32, %n: index") -> Any:
    """The report of one pipeline on a function."""
    return volcli.load(f"func.func @f({arguments}) {{\n{body}\n return }}").run(pipeline)


def findings(pipeline: str, body: str, arguments: str = "%m: memref<9xf32>, %x: f32, %n: index") -> list[str]:
    return [d.code for d in run(pipeline, body, arguments).diagnostics]


LOCAL = "%a = memref.alloc() : memref<9xf32>\n"


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        (f"{LOCAL} %v = affine.load %a[0] : memref<9xf32>", ["V205"]),
        # Only if %n <= 0: whoever calls this knows better.
        (f"{LOCAL} affine.for %i = 0 to %n {{ affine.store %x, %a[%i] : memref<9xf32> }}"
         "\n %v = affine.load %a[0] : memref<9xf32>", []),
        # Outside of the buffer: that is not about what is written.
        (f"{LOCAL} affine.for %i = 0 to 9 {{ affine.store %x, %a[%i] : memref<9xf32> }}"
         "\n %v = affine.load %a[9] : memref<9xf32>\n %w = affine.load %a[8] : memref<9xf32>", []),
        # Somebody else may have written it.
        (f'{LOCAL} "other.fill"(%a) : (memref<9xf32>) -> ()\n %v = affine.load %a[0] : memref<9xf32>', []),
        ("%v = affine.load %m[0] : memref<9xf32>", []),
        (f"{LOCAL} affine.store %x, %a[0] : memref<9xf32>", ["V206"]),
        ("affine.store %x, %m[0] : memref<9xf32>\n affine.store %x, %m[0] : memref<9xf32>", ["V206"]),
        # Some of what a loop writes is read: the operation is of use.
        (f"{LOCAL} affine.for %i = 0 to 9 {{ affine.store %x, %a[%i] : memref<9xf32> }}"
         "\n %v = affine.load %a[3] : memref<9xf32>", []),
        ("affine.for %i = 3 to 2 { affine.store %x, %m[0] : memref<9xf32> }", []),
    ],
)  # fmt: skip
def test_what_is_read_or_written_in_vain(body: str, codes: list[str]) -> None:
    assert findings("memory-flow", body) == codes


def test_a_store_that_is_dead_only_if_arguments_differ_is_no_finding_unless_they_do() -> None:
    body = """affine.store %x, %m[0] : memref<9xf32>
        %v = affine.load %o[0] : memref<9xf32>
        affine.store %v, %m[0] : memref<9xf32>"""
    arguments = "%m: memref<9xf32>, %o: memref<9xf32>, %x: f32"
    assert findings("memory-flow", body, arguments) == []
    assert findings("memory-flow{assume-noalias-args}", body, arguments) == ["V206"]


def test_conditions_on_the_arguments_are_named_once() -> None:
    found = run("check-accesses", """affine.for %i = 0 to %n {
          %v = affine.load %m[%i] : memref<9xf32>
          affine.store %v, %m[%i] : memref<9xf32>
          affine.store %x, %m[%i + 1] : memref<9xf32>
        }""")  # fmt: skip
    (diagnostic,) = found.diagnostics
    assert diagnostic.code == "V204"
    assert diagnostic.message == "@f needs %n <= 8, for 3 accesses, the first at 3:16"
    assert found.exit_code == 0
    assert [fact.verdict for fact in found.facts[1:]] == ["out-of-bounds"] * 3


def test_what_is_asserted_of_the_arguments_is_believed() -> None:
    body = """%c9 = arith.constant 9 : index
        %fits = arith.cmpi sle, %n, %c9 : index
        cf.assert %fits, "at most 9"
        affine.for %i = 0 to %n { affine.store %x, %m[%i] : memref<9xf32> }"""
    assert findings("check-accesses", body) == []


def test_out_of_bounds_in_any_case_is_an_error_with_an_example() -> None:
    found = run("check-accesses", "affine.for %i = 0 to 9 { affine.store %x, %m[%i + 1] : memref<9xf32> }")
    (diagnostic,) = found.diagnostics
    assert diagnostic.code == "V203"
    assert (
        "writes %m[%i + 1] out of bounds: index 9 in dimension 0 of size 9, at %i = 8 (1 of 9)"
        in diagnostic.message
    )
    assert found.exit_code == 1
    assert found.facts[0].to_json()["witness"] == {
        "iteration": [8], "index": [9], "dimension": 0, "size": 9, "parameters": {},
    }  # fmt: skip


def test_a_race_is_one_finding_for_each_loop() -> None:
    found = run("check-races", """affine.parallel (%i) = (1) to (9) {
          %v = affine.load %m[%i - 1] : memref<9xf32>
          affine.store %v, %m[%i] : memref<9xf32>
          affine.store %v, %m[0] : memref<9xf32>
        }""")  # fmt: skip
    (diagnostic,) = found.diagnostics
    assert diagnostic.code == "V207"
    assert len(found.facts[0].pairs) == 3
    assert diagnostic.message.endswith("; 2 more")


def test_an_exceeded_budget_is_unknown_and_no_finding() -> None:
    body = "affine.parallel (%i) = (0) to (9) { affine.store %x, %m[(%i * 3) mod 10] : memref<9xf32> }"
    text = f"func.func @f(%m: memref<9xf32>, %x: f32) {{\n{body}\n return }}"
    for pipeline in ("memory-flow", "check-accesses"):
        found = volcli.load(text, budget=5).run(pipeline)
        assert [d for d in found.diagnostics if d.code.startswith("V2")] == []
        assert any("budget" in str(fact.to_json()["reason"]) for fact in found.facts)


LOOSE = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = memref.alloc() : memref<6xindex>
  %n = memref.alloc() : memref<6xindex>
  scf.for %i = %c0 to %c6 step %c1 {
    memref.store %i, %m[%i] : memref<6xindex>
  }
  scf.for %i = %c0 to %c6 step %c1 {
    %v = memref.load %m[%i] : memref<6xindex>
    %w = memref.load %n[%i] : memref<6xindex>
  }
"""


def test_loops_that_stand_in_a_module_are_one_program() -> None:
    """Their induction variables are no arguments, and what one of them writes another one reads."""
    report = volcli.loads(f"module {{ {LOOSE} }}").run("check-accesses,memory-flow,dependences,nests")
    assert [each.code for each in report.diagnostics] == ["V205"]
    kinds = [fact.to_json()["kind"] for fact in report.facts if fact.question == "loops"]
    assert kinds == ["parallel", "parallel"]


def test_beside_functions_it_is_said_that_loops_in_a_module_are_not_analysed() -> None:
    report = volcli.loads(f"module {{ {LOOSE} func.func @f() {{ return }} }}").run(
        "check-accesses,memory-flow"
    )
    said = "'scf.for' op stands beside functions and is not analysed"
    assert [(each.code, each.message) for each in report.diagnostics] == [("V309", said)] * 2


CALLED = """
func.func private @shift(%a: @T, %b: @T) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : @T
    affine.store %x, %b[%i] : @T
  }
  return
}
func.func @f(%m: memref<64xf32>, %k: index) {
  %c3 = arith.constant 3 : index
  %c11 = arith.constant 11 : index
  affine.for %j = 0 to 4 {
    %v = memref.subview %m[%j] [8] [1] : memref<64xf32> to @T
    %w = memref.subview %m[@AT] [8] [1] : memref<64xf32> to @T
    func.call @shift(%v, %w) : (@T, @T) -> ()
  }
  return
}
"""


@pytest.mark.parametrize(("at", "codes"), [("%c3", ["V219"]), ("%c11", []), ("%k", [])])
def test_overlapping_arguments(at: str, codes: list[str]) -> None:
    """From 3 on both have %m[3] whatever %j is; from 11 on nothing, and from %k on perhaps."""
    text = CALLED.replace("@AT", at).replace("@T", "memref<8xf32, strided<[1], offset: ?>>")
    assert [each.code for each in volcli.loads(text).run("memory-flow").diagnostics] == codes


def test_arguments_that_are_only_read_may_overlap() -> None:
    text = CALLED.replace("@AT", "%c3").replace("affine.store %x, %b[%i]", "%y = affine.load %b[%i]")
    text = text.replace("@T", "memref<8xf32, strided<[1], offset: ?>>")
    assert volcli.loads(text).run("memory-flow").diagnostics == []


ROWS = """
  %m = memref.alloc() : memref<4x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  vector.store %v, %m[%c0, %c0] : memref<4x4xf32>, vector<8xf32>
  %y = memref.load %m[%c1, %c0] : memref<4x4xf32>
"""


def test_a_vector_may_go_on_behind_its_row() -> None:
    """What lies behind the end of the row is the next one, on most targets; and in a row all is known."""
    assert findings("memory-flow", ROWS, "%v: vector<8xf32>") == []
    within = ROWS.replace("8xf32", "4xf32")
    assert findings("memory-flow", within, "%v: vector<4xf32>") == ["V205", "V206"]


NEEDS = """func.func @f(%m: memref<16xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.addi %n, %c1 : index
  USE
  return
}"""


@pytest.mark.parametrize(
    ("use", "text"),
    [
        # for the greatest %n there is no iteration in the machine
        ("scf.for %i = %c0 to %k step %c1 { memref.store %x, %m[%i] : memref<16xf32> }",
         "%n <= 15, if index arithmetic does not overflow"),
        # and the element is outside
        ("memref.store %x, %m[%k] : memref<16xf32>", "-1 <= %n <= 14"),
        ("scf.for %i = %c0 to %n step %c1 { memref.store %x, %m[%i] : memref<16xf32> }", "%n <= 16"),
    ],
)  # fmt: skip
def test_what_a_function_needs_names_overflow_only_where_it_needs_something_else_then(
    use: str, text: str
) -> None:
    program = volcli.loads(NEEDS.replace("USE", use))
    facts = [each for each in program.run("check-accesses").facts if isinstance(each, PreconditionFact)]
    assert [line for each in facts for line in each.annotation()] == [f"@f needs {text}"]
