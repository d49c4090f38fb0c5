"""arith.select of what is not a number: one of two values as a whole."""

from __future__ import annotations

import numpy as np
import pytest

import volcli
from tests.shared.running import Code, held, memory, tensor
from volcli.execution.runs.inputs import Inputs

WRITTEN = """func.func @f(%p: KIND, %q: KIND, %c: i1, %x: f32) -> KIND {
  %k = arith.constant 1 : index
  %s = arith.select %c, %p, %q : KIND
  %m = memref.cast %s : KIND to memref<?xf32>
  memref.store %x, %m[%k] : memref<?xf32>
  return %s : KIND
}"""


@pytest.mark.parametrize(
    "kind", ["memref<2xf32>", "memref<?xf32>", "memref<?xf32, strided<[1], offset: ?>>", "memref<*xf32>"]
)
@pytest.mark.parametrize("condition", [0, 1])
def test_memory_is_selected_and_not_copied(kind: str, condition: int) -> None:
    program = WRITTEN.replace("KIND", kind)
    if "strided" in kind:
        program = program.replace("to memref<?xf32>", f"to {kind}").replace(
            "%m[%k] : memref<?xf32>", f"%m[%k] : {kind}"
        )
    both = memory(1.0, 2.0), memory(3.0, 4.0)
    (chosen,) = Code(program)(*both, condition, np.float32(9.0))
    assert chosen is both[1 - condition]
    assert [held(each)[1] for each in both] == ([9.0, 4.0] if condition else [2.0, 9.0])


def test_terms_are_in_the_selected_memory() -> None:
    found = volcli.loads(WRITTEN.replace("KIND", "memref<2xf32>")).function("f")
    (result, *_) = found.run(Inputs(numbers={"c": 1}, kind="terms")).results
    assert [str(each) for each in result] == ["p[0]", "x"]


FREED = """func.func @f(%p: memref<2xf32>, %q: memref<2xf32>, %c: i1) -> f32 {
  %k = arith.constant 1 : index
  %s = arith.select %c, %p, %q : memref<2xf32>
  memref.dealloc %s : memref<2xf32>
  %v = memref.load %p[%k] : memref<2xf32>
  return %v : f32
}"""


@pytest.mark.parametrize(("condition", "defect"), [(0, None), (1, "lifetime")])
def test_the_end_of_the_selected_memory_is_that_of_the_other_name(condition: int, defect: str | None) -> None:
    assert volcli.loads(FREED).function("f").run(Inputs(numbers={"c": condition})).defect == defect


POISON = """func.func @f(%p: memref<2xf32>, %q: memref<2xf32>) {
  %k = arith.constant 100 : i8
  %w = arith.addi %k, %k overflow<nsw> : i8
  %c = arith.cmpi slt, %w, %k : i8
  %s = arith.select %c, %p, %q : memref<2xf32>
  return
}"""


def test_a_selection_by_poison_is_not_executed() -> None:
    """It defines nothing, and is not undefined unless it is used."""
    found = volcli.loads(POISON).function("f").run(Inputs())
    assert found.defect is None
    assert found.stopped is not None
    assert found.stopped.message == "the condition of arith.select is poison"


def test_tensors_are_selected_by_one_truth_or_by_one_each() -> None:
    program = """func.func @f(%p: tensor<2xf32>, %q: tensor<2xf32>, %c: CONDITION) -> tensor<2xf32> {
      %s = arith.select %c, %p, %q : WRITTEN
      return %s : tensor<2xf32>
    }"""
    both = tensor([1.0, 2.0]), tensor([3.0, 4.0])
    (one,) = Code(program.replace("CONDITION", "i1").replace("WRITTEN", "tensor<2xf32>"))(*both, 1)
    each = program.replace("CONDITION", "tensor<2xi1>").replace("WRITTEN", "tensor<2xi1>, tensor<2xf32>")
    (mixed,) = Code(each)(*both, tensor([0, 1], bool))
    assert (one.data.tolist(), mixed.data.tolist()) == ([1.0, 2.0], [3.0, 2.0])


PICKED = """func.func @f(%p: memref<2xf32>, %q: memref<2xf32>, %c: i1) -> f32 {
  %k = arith.constant 1 : index
  %s = arith.select %c, %FIRST, %SECOND : memref<2xf32>
  %v = memref.load %s[%k] : memref<2xf32>
  return %v : f32
}"""


def test_diff_executes_selections_of_memory() -> None:
    def program(first: str, second: str) -> volcli.Program:
        return volcli.loads(PICKED.replace("FIRST", first).replace("SECOND", second))

    (swapped,) = program("p", "q").diff(program("q", "p"))
    assert swapped.verdict == "different"
    branch = PICKED.replace(
        "arith.select %c, %FIRST, %SECOND : memref<2xf32>",
        "scf.if %c -> (memref<2xf32>) { scf.yield %p : memref<2xf32> } else { scf.yield %q : memref<2xf32> }",
    )
    (same,) = program("p", "q").diff(volcli.loads(branch))
    assert same.verdict != "different"
    assert "no difference in" in str(same.tried) or same.verdict == "equal"
