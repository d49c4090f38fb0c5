"""tile-symbolic and parallelize of loops without an order, over i32, and between products: executed as written."""

from __future__ import annotations

import pytest

import volcli
from tests.campaigns.stepped import judged, left_behind
from tests.passes.rewrites.test_tile_carried import POINTS, function, rewritten
from tests.rewriting.mixed_loops import drawn_mixed
from tests.rewriting.stepped import MEMORY

_REDUCE = """scf.reduce(%x : i64) {{
      ^bb0(%l: i64, %k: i64):
        %o = arith.{0} %l, %k : i64
        scf.reduce.return %o : i64
      }}"""


def reduced(combine: str) -> str:
    """What a loop of two variables without an order combines."""
    return function(f"""  %s = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %n) step (%c1, %b) init (%init) -> i64 {{
      %x = memref.load %r[%i, %j] : {MEMORY}
      {_REDUCE.format(combine)}
  }}""")


SUM = reduced("addi")
ROWS = function(f"""  %s = scf.for %i = %c0 to %n step %a iter_args(%u = %init) -> (i64) {{
    %t = scf.parallel (%j) = (%i) to (%n) step (%c1) init (%u) -> i64 {{
      %x = memref.load %r[%i, %j] : {MEMORY}
      {_REDUCE.format("addi")}
    }}
    scf.yield %t : i64
  }}""")
PARALLEL = function(f"""  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %a) {{
    %y = arith.index_cast %j : index to i64
    memref.store %y, %m[%i, %j] : {MEMORY}
  }}""", "%init")  # fmt: skip
FORALL = function(f"""  scf.forall (%i, %j) in (%n, %n) {{
    %y = arith.index_cast %j : index to i64
    memref.store %y, %m[%i, %j] : {MEMORY}
  }}""", "%init")  # fmt: skip
NARROW = function(f"""  %ni = arith.index_cast %n : index to i32
  %zi = arith.constant 0 : i32
  %ai = arith.index_cast %a : index to i32
  scf.for %w = %zi to %ni step %ai : i32 {{
    %i = arith.index_cast %w : i32 to index
    %y = arith.extsi %w : i32 to i64
    memref.store %y, %m[%i, %i] : {MEMORY}
  }}""", "%init")  # fmt: skip
PRODUCT = function(f"""  %s = arith.maxsi %a, %c1 : index
  scf.for %i = %c0 to %n step %c1 {{
    %p = arith.muli %i, %s : index
    %e = arith.addi %p, %s : index
    %q = arith.minsi %e, %n : index
    scf.for %j = %p to %q step %c1 {{
      memref.store %init, %m[%i, %j] : {MEMORY}
    }}
  }}""", "%init")  # fmt: skip


@pytest.mark.parametrize(
    ("text", "options"),
    [
        pytest.param(SUM, "sizes=%a,%b", marks=pytest.mark.slow),
        (reduced("xori"), "sizes=%a"),
        pytest.param(ROWS, "sizes=%a,%b hyperplanes='i,j'", marks=pytest.mark.slow),
        pytest.param(PARALLEL, "sizes=%b,%a", marks=pytest.mark.slow),
        (FORALL, "sizes=%a"),
        (NARROW, "sizes=%b"),
        pytest.param(PRODUCT, "sizes=%b,%a", marks=pytest.mark.slow),
    ],
)
def test_tiles_of_loops(text: str, options: str) -> None:
    after, said = rewritten(text, f"tile-symbolic{{{options} assume-noalias-args}}")
    assert after.count("scf.for") > text.count("scf.for")
    assert not [each for each in said if "not checked" not in each]
    assert [left_behind(after, point) for point in POINTS] == [left_behind(text, point) for point in POINTS]


@pytest.mark.parametrize("text", [pytest.param(PARALLEL, marks=pytest.mark.slow), NARROW])
def test_blocks_of_loops(text: str) -> None:
    after, said = rewritten(text, "parallelize{processors=%b assume-noalias-args}")
    assert "scf.parallel (%processor)" in after
    assert not [each for each in said if "not checked" not in each]
    assert [left_behind(after, point) for point in POINTS] == [left_behind(text, point) for point in POINTS]


def test_a_size_times_a_large_value_fits() -> None:
    """2^40 * 2^30 is more than an index has: the inner loop of the second iteration begins after its end."""
    after, _ = rewritten(PRODUCT, "tile-symbolic{sizes=%b,%b assume-noalias-args}")
    assert after != PRODUCT
    point = (2, 2**40, 2**30)
    assert left_behind(PRODUCT, point) is not None
    assert left_behind(after, point) == left_behind(PRODUCT, point)


@pytest.mark.parametrize(
    ("text", "pipeline", "reason"),
    [
        (SUM, "parallelize{processors=%b}", "it combines a value, and processors would have a part of it each"),
        (PRODUCT.replace("%a, %c1", "%a, %n"), "tile-symbolic{sizes=%b,%a}", "the order of the loops depends on the sign of a value"),
    ],
)  # fmt: skip
def test_what_is_refused(text: str, pipeline: str, reason: str) -> None:
    program = volcli.loads(text)
    program.run(pipeline)
    (said,) = program.diagnostics
    assert said.place is not None
    assert said.message.endswith(reason)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_larger_functions(number: int) -> None:
    assert judged(drawn_mixed(f"tests/{number}"), "tile-symbolic{sizes=%a assume-noalias-args}") != "wrong"
