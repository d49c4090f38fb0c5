"""Passes whose sets are large: in another process they say the same, and one that does not end costs one answer."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import islpy as isl
import pytest

import volcli
from tests.conftest import ROOT
from volcli.api.program import Program
from volcli.diagnostics import Diagnostic, UsageError
from volcli.limits import presburger as limits
from volcli.passes import base
from volcli.passes.analyses.value_bounds import bounds_fact
from volcli.passes.base import Pass, Unit, together
from volcli.presburger.limits import worker

HASH = ROOT / "testdata" / "errors" / "V305.mlir"
PIPELINE = "value-bounds,dependences,memory-flow,check-accesses,nests"


def said(program: Program) -> tuple[object, ...]:
    json = [fact.to_json() for fact in program.facts]
    return json, program.diagnostics, [fact.where.operation for fact in program.facts], program.text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["memory/strangers.mlir", "linalg/conv_layer.mlir", "memory/reductions.mlir"]
)
def test_a_worker_says_what_the_main_process_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "testdata" / name
    pipeline = f"infer-shapes,sparsity-regions,{PIPELINE}"
    here = volcli.load(path, split=True, timeout=None).run(pipeline)
    monkeypatch.setattr(limits, "LIGHT", 1)
    there = volcli.load(path, split=True).run(pipeline)
    assert said(there)[:2] == said(here)[:2]
    assert there.text() == here.text()
    for unit, other in zip(there.units, here.units, strict=True):
        for fact, same in zip(unit.facts, other.facts, strict=True):
            mine, its = unit.operation(fact.where), other.operation(same.where)
            assert (mine is None, its is None) == (False, False)
            assert unit.parsed.written_at(mine) == other.parsed.written_at(its)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "pipeline"),
    [
        ("rewrites/stencil.mlir", "tile{sizes=32}"),
        ("rewrites/upsampling.mlir", "partition{assume-finite}"),
        ("mars/jacobi_1d.mlir", "mars{tile='t + i: 8, t - i: 8' allocate}"),
        ("memory/shifted_rows.mlir", "mark-parallel"),
    ],
)
def test_what_is_tried_out_in_a_worker_is_rewritten_alike(
    name: str, pipeline: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that tests of what rewritten programs compute may do without workers."""
    text = (ROOT / "testdata" / name).read_text()
    here = volcli.loads(text, timeout=None).run(pipeline)
    monkeypatch.setattr(limits, "LIGHT", 1)
    there = volcli.loads(text).run(pipeline)
    assert any(unit.rewritten for unit in here.units)
    assert (there.text(), there.diagnostics) == (here.text(), here.diagnostics)


@dataclass(frozen=True)
class Where(Pass):
    """Say which process asks."""

    name = "where"
    summary = "the process"
    by_function = True

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            if model.name == "large":
                points = isl.Set("{ [i, j, k] : 0 <= i < j < k <= 1000 }")
                assert points.count_val().to_python() == 166_666_500
            unit.diagnostics.append(Diagnostic("V303", f"{model.name} {os.getpid()}"))


@pytest.mark.slow
def test_only_the_function_that_needs_it_goes_to_a_worker() -> None:
    functions = (f"func.func private @{name}(%a: index) {{ return }}" for name in ("small", "large", "other"))
    program = volcli.loads("\n".join(functions))
    assert program.diagnostics == []
    program.units[0].run(Where())
    assert [one.code for one in program.diagnostics] == ["V303"] * 3, program.diagnostics
    names, processes = zip(*(one.message.split() for one in program.diagnostics), strict=True)
    assert names == ("small", "large", "other")
    assert processes[0] == processes[2] == str(os.getpid()) != processes[1]


@pytest.fixture(scope="module")
def hashed() -> Program:
    return volcli.load(HASH, budget=10**12, timeout=3)  # the four that are known take most of a second


@pytest.mark.slow
def test_no_answer_hangs(hashed: Program) -> None:
    hashed.run("dependences")
    found = hashed.function("hash").dependences()
    unknown = [one for one in found if one.verdict == "unknown"]
    assert unknown
    reasons = [one.reason or "" for one in unknown]
    assert all(why.startswith("time: ") and why.endswith("(not reproducible)") for why in reasons)
    assert len(found) > len(unknown)  # all others are known
    assert {one.code for one in hashed.diagnostics} == {"V305"}


def test_a_file_has_the_time_of_ten_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float | None] = []
    spent = iter(range(0, 10**6, 30))  # half of what each function may take
    monkeypatch.setattr(base, "seconds_of_workers", lambda: float(next(spent)))
    monkeypatch.setattr(
        base, "bounded", lambda work, afresh, seconds, both: given.append(seconds) or worker.Done(work())
    )
    functions = (f"func.func private @f{k}(%a: index) {{ return }}" for k in range(30))
    volcli.loads("\n".join(functions)).run("value-bounds")
    assert given == [60.0] * 19 + [30.0] + [3.0] * 10


@pytest.mark.slow
def test_no_rewriting_hangs() -> None:
    program = volcli.load(HASH, budget=10**12, timeout=1).run("mark-parallel")
    assert "affine.parallel" not in program.text()
    assert "affine.for" in program.text()
    assert {one.code for one in program.diagnostics} == {"V305"}


def test_a_claim_that_cannot_be_read_is_refused_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LIGHT", 1)
    program = volcli.loads("func.func @f(%a: index) { return }")
    assert program.compare("%a + 1 > %a").verdict.value == "proved"
    with pytest.raises(UsageError, match="no index or integer value"):
        program.compare("%b > 0")


@pytest.mark.slow
def test_many_small_answers_end_as_well_and_the_rest_of_the_file_is_analysed() -> None:
    stores = "affine.store %x, %m[%i, %k] : memref<9x?xf32>\n" * 1200
    program = volcli.loads(
        f"func.func @many(%m: memref<9x?xf32>, %x: f32, %k: index) {{\naffine.for %i = 0 to 9 {{\n{stores}}}\n"
        "return\n}\n"
        "func.func @few(%m: memref<9xf32>, %x: f32) {\naffine.for %i = 0 to 9 {\n"
        "affine.store %x, %m[%i] : memref<9xf32>\n}\nreturn\n}\n".replace("%k]", "symbol(%k)]"),
        timeout=0.3,
        budget=10**9,
    )
    program.run("dependences")
    assert [one.kind for one in program.function("few").loops()] == ["parallel"]
    assert [one.code for one in program.diagnostics] == ["V305"]
    assert "dependences: incomplete: time: more than 0.3 s (not reproducible)" in str(program.diagnostics[0])


def test_dependences_are_listed_up_to_a_budget() -> None:
    stores = "affine.store %x, %m[0] : memref<9xf32>\n" * 30
    program = volcli.loads(f"func.func @f(%m: memref<9xf32>, %x: f32) {{\n{stores}return\n}}\n", budget=2000)
    program.run("dependences")
    assert len(program.facts) == 100
    (said,) = program.diagnostics
    assert said.code == "V302"
    assert said.message == "@f: the first 100 dependences are listed; the others are omitted"


@pytest.mark.slow
def test_values_that_go_through_very_many_loops_are_no_internal_error() -> None:
    """A memref.load of an index that 200 loops carry inwards: each needs what the one around it begins with."""
    depth = 200
    text = "func.func @f(%m: memref<4xf32>, %n: index) {\n%a = arith.constant 4 : index\n"
    for i in range(depth):
        text += f"%r{i} = scf.for %i{i} = %n to %n step %a iter_args(%a{i} = %a{i - 1 if i else ''}) -> (index) {{\n"
    text += f"%x = memref.load %m[%a] : memref<4xf32>\nscf.yield %a{depth - 1} : index\n}}\n"
    text += "".join(f"scf.yield %r{i + 1} : index\n}}\n" for i in reversed(range(depth - 1)))
    program = volcli.loads(f"{text}return\n}}\n").run("check-accesses")
    assert {each.code for each in program.diagnostics} <= {"V302"}


@dataclass(frozen=True)
class Slow(Pass):
    """Bounds of all values, the last of which never ends."""

    name = "slow"
    summary = "time that runs out"
    by_function = True

    def apply(self, unit: Unit) -> None:
        for model in unit.models():
            asked = list(model.bounds.variables())
            for value, dim in asked:  # in the order of the text
                while (value, dim) == asked[-1]:
                    pass
                unit.facts.append(bounds_fact(unit, model, value, dim))


SEVERAL = """func.func @f(%n: index) {
  %c = arith.constant 4 : index
  %a = arith.minsi %n, %c : index
  %b = arith.maxsi %a, %c : index
  return
}
"""


@pytest.mark.slow
def test_what_a_worker_found_before_its_time_was_over_is_kept() -> None:
    program = volcli.loads(SEVERAL, timeout=0.5).run("value-bounds")
    every = [fact.to_json() for fact in program.facts]
    program = volcli.loads(SEVERAL, timeout=0.5)
    program.units[0].run(Slow())
    assert [fact.to_json() for fact in program.facts] == every[:-1] != []
    (said,) = program.diagnostics
    assert (said.code, said.message) == ("V305", "slow: incomplete: time: more than 0.5 s (not reproducible)")


def test_what_is_found_last_completes_what_was_kept() -> None:
    """A fact that was found first stays, and what was said at last of the limits of that one is left out."""
    unit = volcli.loads(SEVERAL).run("value-bounds").units[0]
    first, last = unit.facts[:1], [replace(fact, reason="limited") for fact in unit.facts]
    limited = [Diagnostic("V302", "limited", fact.where.place) for fact in unit.facts[:2]]
    assert together((first, []), (last, limited)) == ([*first, *last[1:]], limited[1:])
    assert together((unit.facts, []), ([], [])) == (unit.facts, [])
