"""Summaries of functions: what calls do to memory, against runs of the programs."""

from __future__ import annotations

from typing import Any

import islpy as isl
import pytest

import volcli
from tests.model.call_programs import Run, carried
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.loops import Loops
from volcli.presburger.build import DIM

HELPERS = """
func.func private @put(%m: memref<12xf32>, %i: index, %x: f32) {
  memref.store %x, %m[%i] : memref<12xf32>
  return
}
func.func private @get(%m: memref<12xf32>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<12xf32>
  return %v : f32
}
func.func private @next(%m: memref<12xf32>, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %v = func.call @get(%m, %j) : (memref<12xf32>, index) -> f32
  return %v : f32
}
func.func private @pair(%a: memref<12xf32>, %b: memref<12xf32>, %i: index) {
  %v = memref.load %a[%i] : memref<12xf32>
  memref.store %v, %b[%i] : memref<12xf32>
  return
}
func.func private @row(%m: memref<12xf32>, %from: index, %to: index) {
  affine.for %i = %from to %to {
    %v = affine.load %m[%i - 1] : memref<12xf32>
    affine.store %v, %m[%i] : memref<12xf32>
  }
  return
}
func.func private @evens(%m: memref<12xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n step 2 {
    affine.store %x, %m[%i] : memref<12xf32>
  }
  return
}
func.func private @fresh(%m: memref<12xf32>, %i: index, %x: f32) -> f32 {
  memref.store %x, %m[%i] : memref<12xf32>
  %v = memref.load %m[%i] : memref<12xf32>
  return %v : f32
}
func.func private @some(%m: memref<12xf32>, %i: index, %n: index, %x: f32) {
  %is = arith.cmpi slt, %i, %n : index
  scf.if %is {
    memref.store %x, %m[%i] : memref<12xf32>
  }
  return
}
func.func private @scratch(%m: memref<12xf32>, %i: index, %x: f32) -> f32 {
  %l = memref.alloc() : memref<12xf32>
  memref.store %x, %l[%i] : memref<12xf32>
  %v = memref.load %l[%i] : memref<12xf32>
  memref.store %v, %m[%i] : memref<12xf32>
  return %v : f32
}
func.func private @two(%m: memref<3x4xf32>, %i: index, %x: f32) {
  affine.for %j = 0 to 4 { affine.store %x, %m[symbol(%i), %j] : memref<3x4xf32> }
  return
}
func.func private @nothing(%m: memref<12xf32>, %i: index) {
  return
}
func.func private @down(%m: memref<12xf32>, %i: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is = arith.cmpi sgt, %i, %c0 : index
  scf.if %is {
    memref.store %x, %m[%i] : memref<12xf32>
    %j = arith.subi %i, %c1 : index
    func.call @down(%m, %j, %x) : (memref<12xf32>, index, f32) -> ()
  }
  return
}
"""
ARGUMENTS = "%m: memref<12xf32>, %o: memref<12xf32>, %q: memref<3x4xf32>, %n: index, %x: f32"
PUT = "func.call @put(%m, {}, %x) : (memref<12xf32>, index, f32) -> ()"
GET = "%v{} = func.call @get(%m, {}) : (memref<12xf32>, index) -> f32"


def nest(body: str, until: str = "8") -> str:
    return f"affine.for %i = 1 to {until} {{\n{body}\n}}"


C3 = "%c3 = arith.constant 3 : index\n"
# What @main does, and the kinds of its loops that have to be known: "" where unknown is an answer.
PROGRAMS: dict[str, tuple[str, list[str]]] = {
    "each its own": (nest(PUT.format("%i")), ["parallel"]),
    "one for all": (C3 + nest(PUT.format("%c3")), ["carried"]),
    "read, then written": (nest(f"{GET.format(0, '%i')}\n{PUT.format('%i')}"), ["parallel"]),
    "the next one": (
        nest(f"%v = func.call @next(%m, %i) : (memref<12xf32>, index) -> f32\n{PUT.format('%i')}"), ["carried"]
    ),
    "a call and an access": (
        nest(f"{PUT.format('%i')}\n%w = affine.load %m[%i - 1] : memref<12xf32>"), ["carried"]
    ),
    "from one to another": (
        nest("func.call @pair(%m, %o, %i) : (memref<12xf32>, memref<12xf32>, index) -> ()"), ["parallel"]
    ),
    "from one to itself": (
        nest("func.call @pair(%m, %m, %i) : (memref<12xf32>, memref<12xf32>, index) -> ()"), [""]
    ),
    "back and forth": (
        nest("""func.call @pair(%m, %o, %i) : (memref<12xf32>, memref<12xf32>, index) -> ()
             func.call @pair(%o, %m, %i) : (memref<12xf32>, memref<12xf32>, index) -> ()"""), ["parallel"],
    ),
    "a loop in a call": (
        C3 + "func.call @row(%m, %c3, %n) : (memref<12xf32>, index, index) -> ()\n" + nest(GET.format(0, "%i")),
        ["parallel"],
    ),
    "a loop in a call in a loop": (
        nest("func.call @row(%m, %i, %n) : (memref<12xf32>, index, index) -> ()"), ["carried"]
    ),
    "every second": (
        "func.call @evens(%m, %n, %x) : (memref<12xf32>, index, f32) -> ()\n" + nest(GET.format(0, "%i"), "%n"),
        ["parallel"],
    ),
    "its own value": (
        C3 + nest("%v = func.call @fresh(%m, %c3, %x) : (memref<12xf32>, index, f32) -> f32"), ["carried"]
    ),
    "under a condition": (
        nest("func.call @some(%m, %i, %n, %x) : (memref<12xf32>, index, index, f32) -> ()", "10"), ["parallel"]
    ),
    "local memory": (
        nest("%v = func.call @scratch(%m, %i, %x) : (memref<12xf32>, index, f32) -> f32"), ["parallel"]
    ),
    "rows": (
        "affine.for %i = 0 to 3 { func.call @two(%q, %i, %x) : (memref<3x4xf32>, index, f32) -> () }", ["parallel"]
    ),
    "rows again": (
        """affine.for %i = 0 to 3 { affine.for %j = 0 to 2 {
             func.call @two(%q, %i, %x) : (memref<3x4xf32>, index, f32) -> () } }""", ["parallel", "carried"],
    ),
    "nothing": (
        C3 + nest("func.call @nothing(%m, %c3) : (memref<12xf32>, index) -> ()"), ["parallel"]
    ),
    "a recursion": (
        nest("func.call @down(%m, %i, %x) : (memref<12xf32>, index, f32) -> ()"), [""]
    ),
    "written before the loop": (
        f"{C3}{PUT.format('%c3')}\n" + nest(GET.format(0, "%c3")), ["parallel"]
    ),
    "overwritten": (
        nest(f"{PUT.format('%i')}\n{PUT.format('%i')}\n{GET.format(0, '%i')}"), ["parallel"]
    ),
    "elements of a sum": (
        nest("%k = affine.apply affine_map<(i) -> (i floordiv 2)>(%i)\n" + PUT.format("%k")), ["carried"]
    ),
}  # fmt: skip


def program_of(body: str) -> volcli.Program:
    return volcli.loads(f"{HELPERS}\nfunc.func @main({ARGUMENTS}) {{\n{body}\nreturn }}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_loops_and_flow_against_runs(name: str) -> None:
    body, expected = PROGRAMS[name]
    program = program_of(body)
    main = program.function("main")
    memory = main.unit.models()[-1].memory
    runs = [Run(program.units[0].parsed.module, n=n) for n in (4, 6, 9)]
    answers = Loops(memory).all()
    for answer, kind in zip(answers, expected, strict=True):
        assert not kind or answer.kind.value == kind
        depth = len(memory.nests.levels(answer.op.parent))
        truth = [carried(run.trace, answer.op, depth) for run in runs]
        if answer.kind.value == "parallel":
            assert not any(truth)
        elif answer.kind.value == "carried":
            assert any(truth)
    for run, n in zip(runs, (4, 6, 9), strict=True):
        _check_flow(memory, run, n)


def _check_flow(memory: Any, run: Run, n: int) -> None:
    """Each source of a value is one that volcli names; all that it names exactly are sources."""
    found = run.trace.sources
    for flow in MemoryFlow(memory).all():
        name = memory.bounds.name_of(flow.root.value)
        for read in flow.reads:
            own = {(s, r.iteration) for s, r, e in found if r.op is read.site.op and e[0] == name}
            claimed = set()
            for writer in read.writers:
                for pair in _points(writer.pairs, n):
                    depth = len(writer.writer.levels)
                    claimed.add((writer.writer.op, pair[:depth], pair[depth:]))
            named = {(s.op, s.iteration, r) for s, r in own if s is not None}
            if read.unwritten is not None:
                assert named <= claimed
                if read.is_exact:
                    assert named == claimed
                before = {r for s, r in own if s is None}
                unwritten = set(_points(read.unwritten.domain(), n))
                assert before <= unwritten
                if read.is_exact:
                    assert before == unwritten


def _points(relation: Any, n: int) -> list[tuple[int, ...]]:
    """The points of a set, or the pairs of a relation, where the parameter is N."""
    points = relation.wrap().flatten() if isinstance(relation, isl.Map) else relation
    for k in range(points.dim(DIM.param)):
        points = points.fix_val(DIM.param, k, n)
    points = points.project_out(DIM.param, 0, points.dim(DIM.param))
    found: list[tuple[int, ...]] = []
    points.foreach_point(lambda point: found.append(_numbers(point)))
    return found


def _numbers(point: isl.Point) -> tuple[int, ...]:
    count = point.get_space().dim(DIM.set)
    return tuple(point.get_coordinate_val(DIM.set, k).to_python() for k in range(count))
