"""A process that reads one program after the other keeps those that are in use."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation

import volcli

PROGRAM = """
func.func @f(%n: index, %m: memref<?xf32>) {
  %one = arith.constant 1 : f32
  affine.for %i = 0 to %n {
    affine.store %one, %m[%i] : memref<?xf32>
  }
  return
}
"""


@pytest.fixture(autouse=True)
def _as_in_a_process_of_its_own() -> Iterator[None]:
    """The collector looks at everything, as often as Python has it."""
    before = gc.get_threshold()
    gc.unfreeze()
    gc.collect()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)
    gc.freeze()


def read() -> weakref.ref[Operation]:
    """A function of a program that nobody keeps."""
    (unit,) = volcli.load(PROGRAM).units
    return weakref.ref(unit.models()[0].function)


@pytest.mark.slow
def test_programs_are_freed_without_a_call_of_the_collector() -> None:
    functions = [read() for _ in range(120)]
    assert sum(function() is not None for function in functions) < 100


OTHER = """
func.func @f(%n: index) -> !other.type {
  %r = "other.make"(%n) {other.note = #other.note<3>} : (index) -> !other.type
  return %r : !other.type
}
"""


def made() -> Operation:
    """The operation in a program that no dialect defines."""
    (unit,) = volcli.load(OTHER).run("value-bounds").units
    return next(op for op in unit.models()[0].function.walk() if op.name == "builtin.unregistered")


def test_what_no_dialect_defines_has_one_class_in_all_programs() -> None:
    first = made()
    classes = len(UnregisteredOp.__subclasses__())
    second = made()
    assert type(first) is type(second)
    assert first.attributes == second.attributes
    assert first.results[0].type == second.results[0].type
    assert len(UnregisteredOp.__subclasses__()) == classes
