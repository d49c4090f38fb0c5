"""Summaries of functions: what calls do to memory, against runs of the programs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import islpy as isl
import pytest

import volcli
from tests.model.memory.call_programs import carried, sources
from tests.model.memory.summary_programs import ARGUMENTS, C3, HELPERS, PROGRAMS
from tests.shared.recorded import Recorded, Run
from volcli.execution.runs.inputs import Inputs
from volcli.model.memory.buffers.buffers import Origin
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.loops.loops import Loops
from volcli.presburger.sets.build import DIM


def program_of(body: str) -> volcli.Program:
    return volcli.loads(f"{HELPERS}\nfunc.func @main({ARGUMENTS}) {{\n{body}\nreturn }}")


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_loops_and_flow_against_runs(name: str) -> None:
    body, expected = PROGRAMS[name]
    program = program_of(body)
    main = program.function("main")
    memory = main.unit.models()[-1].memory
    runs = _runs(program, (4, 6, 9))
    answers = Loops(memory).all()
    for answer, kind in zip(answers, expected, strict=True):
        assert not kind or answer.kind.value == kind
        depth = len(memory.nests.levels(answer.op.parent))
        truth = [carried(run, answer.op, depth) for run in runs.values()]
        if answer.kind.value == "parallel":
            assert not any(truth)
        elif answer.kind.value == "carried":
            assert any(truth)
    for n, run in runs.items():
        _check_flow(memory, run, n)


def _runs(program: volcli.Program, numbers: tuple[int, ...]) -> dict[int, Run]:
    """Executions of @main for each %n."""
    recorded = Recorded(program)
    return {n: recorded.run(Inputs(numbers={"n": n}, kind="zeros"), "main") for n in numbers}


def _random(seed: int) -> str:
    """Functions that access two buffers and call those before them, and a @main that calls them in loops."""
    draw = random.Random(seed)

    def index(names: list[str]) -> str:
        chosen = draw.choice(names)
        return draw.choice(
            [chosen, f"{chosen} + 1", f"{chosen} - 1", f"2 * {chosen}", f"{chosen} mod 3", "2"]
        )

    def statement(names: list[str], called: int, depth: int) -> str:
        memref = draw.choice(["%a", "%b"])
        number = draw.randrange(10**9)
        match draw.choice(["load", "store", "store", "call", "call", "loop", "if"]):
            case "load":
                return f"%v{number} = affine.load {memref}[{_symbols(index(names))}] : memref<12xf32>"
            case "store" if draw.random() < 0.5:
                lines = f"%t{number} = arith.index_cast {draw.choice(names)} : index to i64\n"
                lines += f"%f{number} = arith.sitofp %t{number} : i64 to f32\n"
                return f"{lines}affine.store %f{number}, {memref}[{_symbols(index(names))}] : memref<12xf32>"
            case "call" if called:
                given = draw.choice([("%a", "%b"), ("%b", "%a"), ("%a", "%b"), ("%a", "%a")])
                callee, passed = f"@h{draw.randrange(called)}", draw.choice(names)
                kinds = "(memref<12xf32>, memref<12xf32>, index, f32) -> ()"
                return f"func.call {callee}({', '.join(given)}, {passed}, %x) : {kinds}"
            case "loop" if depth < 2:
                inner = f"%l{number}"
                body = "\n".join(statement([*names, inner], called, depth + 1) for _ in range(2))
                return f"affine.for {inner} = {draw.randint(0, 2)} to {draw.randint(2, 5)} {{\n{body}\n}}"
            case "if" if depth < 2:
                body = statement(names, called, depth + 1)
                condition = f"%c{number} = arith.cmpi slt, {draw.choice(names)}, %c3 : index"
                return f"{condition}\nscf.if %c{number} {{\n{body}\n}}"
            case _:
                return f"affine.store %x, {memref}[{_symbols(index(names))}] : memref<12xf32>"

    functions = [
        f"func.func private @h{k}(%a: memref<12xf32>, %b: memref<12xf32>, %n: index, %x: f32) {{\n"
        + "%c3 = arith.constant 3 : index\n"
        + "\n".join(statement(["%n"], k, 0) for _ in range(draw.randint(1, 3)))
        + "\nreturn }"
        for k in range(3)
    ]
    body = "\n".join(statement(["%i", "%n"], 3, 0) for _ in range(draw.randint(1, 3)))
    main = f"""func.func @main(%a: memref<12xf32>, %b: memref<12xf32>, %n: index, %x: f32) {{
      %c3 = arith.constant 3 : index
      affine.for %i = 1 to 6 {{\n{body}\n}}
      return }}"""
    return "\n".join([*functions, main])


def _symbols(index: str) -> str:
    return index.replace("%n", "symbol(%n)")


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(40))
def test_random_functions_against_runs(seed: int) -> None:
    """Accesses may be anywhere: those of which an index is out of bounds are no accesses of any buffer here."""
    program = volcli.loads(_random(seed))
    assert not [each for each in program.diagnostics if each.code.startswith("V1")]
    memory = program.function("main").unit.models()[-1].memory
    inside = {n: run for n, run in _runs(program, (1, 2, 4)).items() if run.stopped is None}
    for answer in Loops(memory).all():
        depth = len(memory.nests.levels(answer.op.parent))
        truth = [carried(run, answer.op, depth) for run in inside.values()]
        if answer.kind.value == "parallel":
            assert not any(truth)
    for n, run in inside.items():
        _check_flow(memory, run, n)


def _check_flow(memory: Any, run: Run, n: int) -> None:
    """Each source of a value is one that volcli names; all that it names exactly are sources.

    Where an assertion fails, nothing is said of what does not run any more.
    """
    read_from = sources(run)
    for flow in MemoryFlow(memory).all():
        name = memory.bounds.name_of(flow.root.value)
        for op in dict.fromkeys(read.site.op for read in flow.reads):
            reads = [read for read in flow.reads if read.site.op is op]  # a call may read in several places
            if any(read.unwritten is None for read in reads):
                continue
            own = {(s, at) for s, (of, at), argument in read_from if of is op and f"%{argument}" == name}
            claimed = {
                (writer.writer.op, pair[: len(writer.writer.levels)], pair[len(writer.writer.levels) :])
                for read in reads
                for writer in read.writers
                for pair in _points(writer.pairs, n)
            }
            named = {(*s, r) for s, r in own if s is not None}
            before = {r for s, r in own if s is None}
            unwritten = {each for read in reads for each in _points(read.unwritten.domain(), n)}
            assert named <= claimed
            assert before <= unwritten
            if all(read.is_exact for read in reads) and run.stopped is None:
                assert (named, before) == (claimed, unwritten)


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


TWO = """func.func private @two(%a: memref<8xf32>, %b: memref<8xf32>) {
  affine.for %i = 0 to 7 {
    %v = affine.load %a[%i] : memref<8xf32>
    affine.store %v, %b[%i + 1] : memref<8xf32>
  }
  return
}
func.func private @between(%c: memref<8xf32>, %d: memref<8xf32>) {
  func.call @two(%d, %c) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
func.func @main(%m: memref<8xf32>, %n: memref<8xf32>) {
  %l = memref.alloc() : memref<8xf32>
  func.call @between(FIRST, SECOND) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}"""
DIFFERENT = "%a and %b are different memory"


@pytest.mark.parametrize(
    ("first", "second", "assumption"),
    [
        ("%l", "%m", f"{DIFFERENT}, as in all calls of the function"),
        ("%m", "%n", DIFFERENT),
    ],
)
def test_arguments_that_all_callers_pass_apart_are_said_to_be(
    first: str, second: str, assumption: str
) -> None:
    program = volcli.loads(TWO.replace("FIRST", first).replace("SECOND", second))
    (loop,) = program.function("two").loops()
    assert (loop.kind, loop.assumptions) == ("parallel", (assumption,))
    public = volcli.loads(
        TWO.replace("private @between", "@between").replace("FIRST", "%l").replace("SECOND", "%m")
    )
    assert public.function("two").loops()[0].assumptions == (DIFFERENT,)


def test_arguments_for_which_callers_pass_one_buffer_are_one() -> None:
    """Through two calls; a load of element i behind the store of it in iteration i - 1 is carried."""
    together = volcli.loads(TWO.replace("FIRST", "%m").replace("SECOND", "%m"))
    (loop,) = together.function("two").loops()
    assert (loop.kind, loop.assumptions) == ("carried", ())
    public = volcli.loads(
        TWO.replace("private @between", "@between").replace("FIRST", "%m").replace("SECOND", "%m")
    )
    assert public.function("two").loops()[0].assumptions == (DIFFERENT,)


def test_a_call_that_passes_one_memref_twice_does_what_its_function_does_then() -> None:
    """Element i is read after element i was written: only [0] comes from before."""
    text = """
    func.func private @shift(%x: memref<8xf32>, %y: memref<8xf32>) {
      affine.for %i = 0 to 7 {
        %v = affine.load %x[%i] : memref<8xf32>
        affine.store %v, %y[%i + 1] : memref<8xf32>
      }
      return
    }
    func.func @f(%m: memref<8xf32>) {
      call @shift(%m, %m) : (memref<8xf32>, memref<8xf32>) -> ()
      return
    }"""
    (flow,) = MemoryFlow(volcli.loads(text).function("f").unit.models()[-1].memory).all()
    assert flow.is_exact
    assert flow.live_in is not None
    assert flow.live_out is not None
    assert flow.live_in.is_equal(isl.Set("{ [0] }"))
    assert flow.live_out.is_equal(isl.Set("{ [i] : 1 <= i < 8 }"))


def test_arguments_for_which_one_of_two_calls_passes_one_buffer_may_be_one() -> None:
    other = "  func.call @two(%l, %m) : (memref<8xf32>, memref<8xf32>) -> ()\n  return\n}"
    text = TWO.replace("FIRST", "%m").replace("SECOND", "%m")
    several = volcli.loads(text.removesuffix("  return\n}") + other)
    (loop,) = several.function("two").loops()
    assert (loop.kind, loop.assumptions) == ("unknown", ())
    assert "a call passes one buffer for several arguments" in loop.reason


def test_a_view_of_a_buffer_beside_another_one_may_be_apart() -> None:
    """Two halves of one buffer are passed: that they are different memory is assumed, as before."""
    call = "func.call @between(FIRST, SECOND) : (memref<8xf32>, memref<8xf32>) -> ()"
    views = """%c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %s = memref.alloc() : memref<64xi8>
  %x = memref.view %s[%c0][] : memref<64xi8> to memref<8xf32>
  %y = memref.view %s[%c32][] : memref<64xi8> to memref<8xf32>
  func.call @between(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()"""
    (loop,) = volcli.loads(TWO.replace(call, views)).function("two").loops()
    assert (loop.kind, loop.assumptions) == ("parallel", (DIFFERENT,))


def test_a_loop_around_calls_that_assert_assumes_what_they_do() -> None:
    program = program_of(PROGRAMS["an assertion in a call"][0])
    (answer,) = Loops(program.function("main").unit.models()[-1].memory).all()
    assert answer.assumptions == ("its assertions hold",)


KEEPS = """
memref.global "private" @keep : memref<1xmemref<9xi64>> = uninitialized
func.func private @save(%a: memref<9xi64>) {
  %g = memref.get_global @keep : memref<1xmemref<9xi64>>
  affine.store %a, %g[0] : memref<1xmemref<9xi64>>
  return
}
func.func private @put(%x: i64) {
  %g = memref.get_global @keep : memref<1xmemref<9xi64>>
  %a = affine.load %g[0] : memref<1xmemref<9xi64>>
  affine.store %x, %a[2] : memref<9xi64>
  return
}
func.func @f(%x: i64) -> i64 {
  %a = memref.alloc() : memref<9xi64>
  func.call @save(%a) : (memref<9xi64>) -> ()
  func.call @put(%x) : (i64) -> ()
  %v = affine.load %a[2] : memref<9xi64>
  return %v : i64
}
func.func @g(%x: i64) {
  %a = memref.alloc() : memref<9xi64>
  func.call @save(%a) : (memref<9xi64>) -> ()
  affine.store %x, %a[2] : memref<9xi64>
  return
}
"""


def test_a_buffer_that_a_called_function_keeps_is_known_to_others(tmp_path: Path) -> None:
    (tmp_path / "keeps.mlir").write_text(KEEPS)
    assert (
        volcli.check([str(tmp_path)]).findings == []
    )  # @f reads what @put has written; @g writes for others
    flows = MemoryFlow(volcli.loads(KEEPS).function("f").unit.models()[2].memory).all()
    assert not any(flow.is_exact for flow in flows if flow.root.origin is Origin.ALLOCATION)


def test_what_a_call_that_may_fail_writes_it_writes_at_most() -> None:
    body = C3 + "func.call @check(%m, %c3, %n, %x) : (memref<12xf32>, index, index, f32) -> ()"
    memory = program_of(body).function("main").unit.models()[-1].memory
    assert [site.access.partial for site in memory.sites] == [
        "an assertion in the called function may fail"
    ] * 2
    assert not next(iter(MemoryFlow(memory).all())).is_exact


BEFORE_AND_BEHIND = """
func.func private @other(memref<8xindex>)
func.func private @get(%m: memref<8xindex>, %i: index) -> index {
  %v = memref.load %m[%i] : memref<8xindex>
  return %v : index
}
func.func private @copy(%m: memref<8xindex>, %o: memref<8xindex>, %i: index) {
  %v = func.call @get(%m, %i) : (memref<8xindex>, index) -> index
  memref.store %v, %o[%i] : memref<8xindex>
  return
}
func.func private @swap(%m: memref<8xindex>, %o: memref<8xindex>, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is = arith.cmpi sgt, %i, %c0 : index
  scf.if %is {
    memref.store %i, %o[%i] : memref<8xindex>
    %j = arith.subi %i, %c1 : index
    func.call @swap(%o, %m, %j) : (memref<8xindex>, memref<8xindex>, index) -> ()
  }
  return
}
func.func private @view(%m: memref<8xindex>, %i: index) {
  %s = memref.subview %m[1] [4] [1] : memref<8xindex> to memref<4xindex, strided<[1], offset: 1>>
  memref.store %i, %s[%i] : memref<4xindex, strided<[1], offset: 1>>
  return
}
func.func private @keep(%m: memref<8xindex>, %k: memref<memref<8xindex>>) {
  memref.store %m, %k[] : memref<memref<8xindex>>
  return
}
func.func private @local(%m: memref<8xindex>, %i: index) {
  %l = memref.alloc() : memref<8xindex>
  memref.copy %m, %l : memref<8xindex> to memref<8xindex>
  memref.store %i, %l[%i] : memref<8xindex>
  return
}
func.func private @unknown(%m: memref<8xindex>, %i: index) {
  "some.thing"(%m) : (memref<8xindex>) -> ()
  return
}
func.func @main(%m: memref<8xindex>, %o: memref<8xindex>, %k: memref<memref<8xindex>>, %i: index) {
  %a = memref.load %m[%i] : memref<8xindex>
  @CALL
  %b = memref.load %m[%i] : memref<8xindex>
  %z = arith.subi %a, %b : index
  return
}
"""
TWO_AND_NUMBER, ONE = "(memref<8xindex>, memref<8xindex>, index) -> ()", "(memref<8xindex>, index) -> ()"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("call", "is_same"),
    [
        (f"%v = func.call @get(%m, %i) : {ONE.replace('()', 'index')}", True),
        (f"func.call @copy(%m, %o, %i) : {TWO_AND_NUMBER}", True),
        (f"func.call @copy(%o, %m, %i) : {TWO_AND_NUMBER}", False),
        (f"func.call @copy(%m, %m, %i) : {TWO_AND_NUMBER}", False),
        (f"func.call @swap(%m, %o, %i) : {TWO_AND_NUMBER}", False),
        (f"func.call @view(%m, %i) : {ONE}", False),
        (f"func.call @view(%o, %i) : {ONE}", True),
        (f"func.call @local(%m, %i) : {ONE}", True),
        (f"func.call @unknown(%m, %i) : {ONE}", False),
        ("func.call @keep(%m, %k) : (memref<8xindex>, memref<memref<8xindex>>) -> ()", False),
        ("func.call @other(%m) : (memref<8xindex>) -> ()", False),
        (f"scf.while : () -> () {{ %p = arith.cmpi eq, %a, %i : index\nscf.condition(%p) }} do {{\n"
         f"func.call @copy(%o, %m, %i) : {TWO_AND_NUMBER}\nscf.yield }}", False),
    ],
)  # fmt: skip
def test_what_is_loaded_behind_a_call_that_does_not_write_it(call: str, is_same: bool) -> None:
    found = volcli.loads(BEFORE_AND_BEHIND.replace("@CALL", call)).run("value-bounds").facts
    rows = [fact.rows()[0] for fact in found if fact.function == "main"]
    assert (next(row[1] for row in rows if row[0] == "%z") == "[0, 0]") is is_same
