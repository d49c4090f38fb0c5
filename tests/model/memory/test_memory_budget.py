"""What costs too much is unknown, and says so: never independent, never in bounds."""

from __future__ import annotations

import volcli
from volcli.model.memory.dependences.answers import DependenceVerdict
from volcli.model.memory.loops.loops import LoopKind, Loops

TEXT = """func.func @f(%m: memref<64xf32>) {
  affine.for %i = 0 to 60 {
    %x = affine.load %m[(%i * 3) mod 7 + %i floordiv 2] : memref<64xf32>
    affine.store %x, %m[(%i * 5) mod 11 + %i floordiv 3] : memref<64xf32>
  }
  return
}"""


def test_an_exceeded_budget_is_unknown() -> None:
    program = volcli.load(TEXT, budget=20)
    (model,) = program.units[0].models()
    (loop,) = Loops(model.memory).all()
    assert loop.kind is LoopKind.UNKNOWN
    assert loop.because is not None
    assert loop.because.startswith("budget: more than 20")
    source, sink = model.memory.sites
    assert model.memory.dependence(sink, source, 1).verdict is DependenceVerdict.UNKNOWN


def test_with_the_usual_budget_it_is_known() -> None:
    (model,) = volcli.load(TEXT).units[0].models()
    (loop,) = Loops(model.memory).all()
    assert loop.kind is LoopKind.CARRIED
