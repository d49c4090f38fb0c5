"""How much of the code a small question passes: parts that it does not need are not even made."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType

import pytest

import volcli
import volcli_dialects
from volcli.passes.table import find_question

MINIMUM = """
func.func @f(%n: index) -> index {
  %c = arith.constant 4 : index
  %m = arith.minsi %n, %c : index
  return %m : index
}
"""
PADDED = """
func.func @f(%x: tensor<4x6xf32>) -> tensor<7x9xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 2] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x6xf32> to tensor<7x9xf32>
  return %p : tensor<7x9xf32>
}
"""
OURS = tuple(f"{Path(str(package.__file__)).parent}/" for package in (volcli, volcli_dialects))


def executed(text: str, question: str) -> set[CodeType]:
    """The named functions of ours that answer QUESTION about TEXT, once all modules are imported."""
    volcli.loads(text).run(find_question(question))
    asked = find_question(question)
    program = volcli.loads(text)
    met: set[CodeType] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OURS) and not code.co_name.startswith("<"):
            met.add(code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        program.run(asked)
    finally:
        sys.setprofile(before)
    assert program.facts
    return met


@pytest.mark.parametrize(("text", "question"), [(MINIMUM, "bounds"), (PADDED, "regions")])
def test_a_trace_has_the_engine_of_the_question(text: str, question: str) -> None:
    """What is counted below is counted: the engine is in the trace."""
    engine = {"bounds": "model/values/store", "regions": "model/volumes/knowledge"}[question]
    assert any(engine in code.co_filename for code in executed(text, question))


def test_bounds_of_a_minimum_pass_few_files() -> None:
    met = executed(MINIMUM, "bounds")
    assert len({code.co_filename for code in met}) <= 62
    assert len(met) <= 368


def test_a_static_pad_needs_few_files_of_values() -> None:
    met = executed(PADDED, "regions")
    files = {code.co_filename for code in met}
    assert 0 < sum("model/values/" in each for each in files) <= 15
