"""Symbols are looked up in tables of the module, which keep no program alive."""

from __future__ import annotations

import gc
import weakref

from xdsl.ir import Operation

import volcli

PROGRAM = """
func.func @f(%n: index) -> index {
  %r = call @g(%n) : (index) -> index
  return %r : index
}
func.func private @g(%n: index) -> index {
  return %n : index
}
"""


def analysed() -> weakref.ref[Operation]:
    """A function of a program whose calls were looked at."""
    (unit,) = volcli.load(PROGRAM).units
    models = unit.models()
    for model in models:
        for value in model.values():
            model.bounds.bounds(value)
    return weakref.ref(models[0].function)


def test_a_program_that_was_analysed_is_freed() -> None:
    function = analysed()
    gc.collect()
    assert function() is None
