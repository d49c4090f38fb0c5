"""tile-symbolic and parallelize of loops that carry values: executed beside the loops that they stand for."""

from __future__ import annotations

import pytest

import volcli
from tests.campaigns.stepped import left_behind
from tests.rewriting.stepped import MEMORY

POINTS = ((5, 2, 3), (0, 2, 2))


def function(body: str, last: str = "%s") -> str:
    """A function with BODY, which computes LAST from %r."""
    return f"""func.func @f(%m: {MEMORY}, %r: {MEMORY}, %n: index, %a: index, %b: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = arith.constant 5 : i64
{body}
  memref.store {last}, %m[%c0, %c0] : {MEMORY}
  return
}}
"""


def summed(combine: str, first: str = "%c0") -> str:
    """A value that a nest of two loops, the inner one from FIRST on, combines with what it reads."""
    return function(f"""  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %init) -> (i64) {{
    %t = scf.for %j = {first} to %n step %c1 iter_args(%v = %u) -> (i64) {{
      %x = memref.load %r[%i, %j] : {MEMORY}
      %w = {combine} : i64
      scf.yield %w : i64
    }}
    scf.yield %t : i64
  }}""")


SUM = summed("arith.addi %v, %x overflow<nsw>")
ORDERED = summed("arith.subi %x, %v", "%i")
AFFINE = function(f"""  %s = affine.for %i = 0 to %n iter_args(%u = %init) -> (i64) {{
    %t = affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n iter_args(%v = %u) -> (i64) {{
      %x = affine.load %r[%i, %j] : {MEMORY}
      %k = affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%j) -> i64 {{
        %w = arith.xori %v, %x : i64
        affine.yield %w : i64
      }} else {{
        affine.yield %v : i64
      }}
      affine.yield %k : i64
    }}
    affine.yield %t : i64
  }}""")
SWAPPED = function(f"""  %s:2 = scf.for %i = %c0 to %n step %a iter_args(%u = %init, %q = %init) -> (i64, i64) {{
    %x = memref.load %r[%i, %i] : {MEMORY}
    %w = arith.addi %u, %x : i64
    scf.yield %q, %w : i64, i64
  }}""", "%s#1")  # fmt: skip
BESIDE = function(f"""  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %init) -> (i64) {{
    %x = memref.load %r[%i, %c0] : {MEMORY}
    %w = arith.addi %u, %x : i64
    scf.for %j = %c0 to %n step %c1 {{
      %y = arith.index_cast %j : index to i64
      memref.store %y, %m[%i, %j] : {MEMORY}
    }}
    scf.yield %w : i64
  }}""")
CHAIN = function(f"""  %s = scf.for %i = %c0 to %n step %c1 iter_args(%u = %init) -> (i64) {{
    %t = scf.for %j = %c0 to %n step %b iter_args(%v = %u) -> (i64) {{
      %x = memref.load %r[%i, %j] : {MEMORY}
      %w = arith.addi %v, %x : i64
      scf.yield %w : i64
    }}
    %z = scf.for %k = %i to %n step %c1 iter_args(%v = %t) -> (i64) {{
      %x = memref.load %r[%k, %i] : {MEMORY}
      %w = arith.subi %x, %v : i64
      scf.yield %w : i64
    }}
    scf.yield %z : i64
  }}""")
ROWS = function(f"""  affine.for %i = 0 to %n {{
    %t = affine.for %j = max affine_map<(d0)[s] -> (d0, s - 4)>(%i)[%n] to %n iter_args(%v = %init) -> (i64) {{
      %x = affine.load %r[%i, %j + 1] : {MEMORY}
      %w = arith.addi %v, %x : i64
      affine.yield %w : i64
    }}
    affine.store %t, %m[%i, 0] : {MEMORY}
  }}""", "%init")  # fmt: skip
KEPT = function(f"""  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %init, %q = %init) -> (i64, i64) {{
    %w = arith.muli %u, %q : i64
    memref.store %q, %m[%i, %i] : {MEMORY}
    scf.yield %w, %q : i64, i64
  }}""", "%s#0")  # fmt: skip


def rewritten(text: str, pipeline: str) -> tuple[str, list[str]]:
    """What becomes of TEXT, and what is said of it."""
    program = volcli.loads(text)
    program.run(pipeline)
    assert "V900" not in {each.code for each in program.diagnostics}
    return program.text(annotate="none"), [each.message for each in program.diagnostics]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (SUM, "sizes=%a,%b"),
        pytest.param(SUM, "sizes=%b,%a hyperplanes='i+j, i'", marks=pytest.mark.slow),
        (ORDERED, "sizes=%a"),
        (ORDERED, "sizes=%a outermost=%j hyperplanes=j"),
        (AFFINE, "sizes=%a"),
        (SWAPPED, "sizes=%b"),
        pytest.param(BESIDE, "sizes=%a,%b hyperplanes='i, j|i'", marks=pytest.mark.slow),
        (CHAIN, "sizes=%a"),
        (ROWS, "sizes=%a"),
        (KEPT, "sizes=%a"),
    ],
)
def test_what_is_carried_goes_through_the_tiles(text: str, options: str) -> None:
    after, said = rewritten(text, f"tile-symbolic{{{options} assume-noalias-args}}")
    assert after.count("scf.for") > text.count("scf.for")
    assert not [each for each in said if "not checked" not in each]
    assert [left_behind(after, point) for point in POINTS] == [left_behind(text, point) for point in POINTS]


@pytest.mark.parametrize("text", [SUM, AFFINE, ROWS])
def test_tiles_around_what_is_carried_are_compared(text: str) -> None:
    """The tiles are taken out of the new program, and what is left is the old one."""
    after, said = rewritten(text, "tile-symbolic{sizes=%a assume-noalias-args}")
    assert "%i_tile" in after
    assert not said


def test_rows_that_combine_are_distributed() -> None:
    """The loop around them carries nothing, and an affine loop inside is one of scf."""
    after, said = rewritten(ROWS, "parallelize{processors=%a assume-noalias-args}")
    assert "scf.parallel (%processor)" in after
    assert "affine" not in after
    assert not said
    assert [left_behind(after, point) for point in POINTS] == [left_behind(ROWS, point) for point in POINTS]


def test_flags_are_about_the_order_that_changes() -> None:
    """In another order the sum may overflow between its terms."""
    assert "overflow<nsw>" not in rewritten(SUM, "tile-symbolic{sizes=%a,%b}")[0]
    assert "overflow<nsw>" in rewritten(SUM, "tile-symbolic{sizes=%a}")[0]


FLOATS = SUM.replace("i64", "f64").replace("5 : f64", "5.0 : f64").replace(" overflow<nsw>", "")


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        (ORDERED, "sizes=%a,%b", "it makes %u in the order of its iterations"),
        (ORDERED, "sizes=%a,%b hyperplanes='i,j'", "%u would be made in another order of the iterations"),
        (CHAIN, "sizes=%a,%b hyperplanes='i, j|k'", "%u would be made in another order of the iterations"),
        (SUM, "sizes=%a,%b hyperplanes='i,j' wavefront=2", "it carries a value, and tiles of one wave have no order"),
        (ROWS, "sizes=%a,%b hyperplanes='i,j'", "what a loop inside carries begins again in each iteration of the one around it"),
        (FLOATS.replace("addi", "addf"), "sizes=%a,%b hyperplanes='i,j'", "%u would be combined in another order, which needs reassoc of arith.addf"),
        (FLOATS.replace("addi", "addf"), "sizes=%a,%b", "it is only legal if reassoc of arith.addf"),
        (SUM, "sizes=%a hyperplanes=z", "it has no loops over %z"),
    ],
)  # fmt: skip
def test_an_order_that_has_to_be_kept(text: str, options: str, reason: str) -> None:
    program = volcli.loads(text)
    program.run(f"tile-symbolic{{{options} assume-noalias-args}}")
    assert program.text(annotate="none").strip() == text.strip()
    (said,) = program.diagnostics
    assert said.place is not None
    assert said.message.partition(" is not tiled: ")[2] == reason


def test_a_loop_that_no_function_has() -> None:
    program = volcli.loads(SUM)
    program.run("parallelize{processors=%a loops=%z}")
    (said,) = program.diagnostics
    assert said.place is not None
    assert said.message == "@f is not distributed: it has no loop over %z"


BACK = function(f"""  %s = arith.constant 3 : i64
  scf.for %i = %c0 to %n step %c1 {{
    scf.for %j = %c0 to %n step %c1 {{
      %k = arith.subi %n, %j : index
      %i1 = arith.addi %i, %c1 : index
      %x = memref.load %m[%i, %k] : {MEMORY}
      memref.store %x, %m[%i1, %j] : {MEMORY}
    }}
  }}""")


@pytest.mark.slow
def test_a_later_tile_decides_whatever_the_others_say() -> None:
    """A row depends on the whole row before: in tiles of one row each, and of one size or another along it."""
    after, _ = rewritten(BACK, "tile-symbolic{sizes=%c1,%b hyperplanes='i,j'}")
    assert "%j_tile" in after
    assert [left_behind(after, point) for point in POINTS] == [left_behind(BACK, point) for point in POINTS]
    for options in ("sizes=%a,%b hyperplanes='i,j'", "sizes=%c1,%b hyperplanes='j,i'"):
        assert rewritten(BACK, f"tile-symbolic{{{options}}}")[0].strip() == BACK.strip()
    assert (
        rewritten(BACK, "tile-symbolic{sizes=%c1,%b hyperplanes='i,j' wavefront=2}")[0].strip()
        == BACK.strip()
    )
