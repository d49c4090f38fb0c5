"""Programs with tiles are equal to those without, and to no others: mutants are judged by what they run."""

from __future__ import annotations

import itertools
import os
import random
import re
import signal

import pytest

import volcli
from tests.rewriting.nest_runs import left_by
from volcli.facts.differences import DIFFERENT, EQUAL
from volcli.rewriting.changes.comparing import is_alike_counted

pytestmark = pytest.mark.usefixtures("short_trials")
SIGNATURE = "%m: memref<?x?xf32>, %s: memref<?x?xf32>, %n: index, %k: index, %a: index, %b: index"


def nest(body: str) -> str:
    """A function of BODY."""
    return f"func.func @f({SIGNATURE}) {{\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n{body}\nreturn\n}}\n"


NESTS = {
    "copy": """
scf.for %i = %c0 to %n step %c1 {
  scf.for %j = %c0 to %k step %c1 {
    %x = memref.load %s[%i, %j] : memref<?x?xf32>
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }
}""",
    "prefix": """
scf.for %i = %c1 to %n step %c1 {
  scf.for %j = %c1 to %k step %c1 {
    %p = arith.subi %i, %c1 : index
    %q = arith.subi %j, %c1 : index
    %x = memref.load %m[%p, %j] : memref<?x?xf32>
    %y = memref.load %m[%i, %q] : memref<?x?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %m[%i, %j] : memref<?x?xf32>
  }
}""",
    "triangle": """
affine.for %i = 0 to %n {
  affine.for %j = 0 to min affine_map<(i)[k] -> (i + 1, k)>(%i)[%k] {
    %x = affine.load %m[%j, %i] : memref<?x?xf32>
    %y = affine.load %s[%i, %j] : memref<?x?xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %m[%j, %i] : memref<?x?xf32>
  }
}""",
    "sums": """
scf.for %i = %c0 to %n step %c1 {
  scf.for %j = %c0 to %k step %c1 {
    %x = memref.load %m[%i, %c0] : memref<?x?xf32>
    %y = memref.load %s[%i, %j] : memref<?x?xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %m[%i, %c0] : memref<?x?xf32>
  }
}""",
}
CASES = [(name, "sizes=%a,%b") for name in NESTS]
TWICE = "sizes=%a,%b,%b,%a levels=2"


def tiled(body: str, options: str) -> str:
    program = volcli.load(nest(body))
    program.run(f"tile-symbolic{{{options} assume-noalias-args}}")
    assert program.diagnostics == []
    assert program.units[0].unchecked == []
    return program.text()


def verdict(before: str, after: str) -> tuple[str, tuple[str, ...]]:
    (found,) = volcli.load(before).diff(volcli.load(after))
    return found.verdict, found.assumptions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"), [*CASES, ("copy", TWICE), pytest.param("sums", TWICE, marks=pytest.mark.fuzz)]
)
def test_tiles_of_any_sizes_are_equal(name: str, options: str) -> None:
    """By `diff`, in both directions, and by the check behind the rewrite."""
    before, after = nest(NESTS[name]), tiled(NESTS[name], options)
    assert verdict(before, after)[0] == EQUAL
    assert verdict(after, before)[0] == EQUAL


CONSTANT = """
func.func @f(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  %a = arith.constant 8 : index
  %b = arith.constant 5 : index
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.for %l = 0 to 64 {
        %x = affine.load %A[%i, %l] : memref<64x64xf32>
        %y = affine.load %B[%l, %j] : memref<64x64xf32>
        %z = affine.load %C[%i, %j] : memref<64x64xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %C[%i, %j] : memref<64x64xf32>
      }
    }
  }
  return
}
"""


@pytest.mark.slow
def test_nine_loops_over_tiles_of_numbers_are_equal() -> None:
    """Integer sets would have to be composed through all of them."""
    program = volcli.load(CONSTANT)
    program.run("tile-symbolic{sizes=%b,%b,%a,%a,%b,%b levels=2 assume-noalias-args}")
    assert program.units[0].unchecked == []
    assert verdict(CONSTANT, program.text())[0] == EQUAL


COPY_OF_TILES = """
scf.for %o = %c0 to %n step %a {
  %e = arith.addi %o, %a : index
  %u = arith.minsi %e, %n : index
  scf.for %i = %o to %u step %c1 {
    scf.for %j = %c0 to %k step %c1 {
      %x = memref.load %s[%i, %j] : memref<?x?xf32>
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
    }
  }
}"""


@pytest.mark.slow
def test_a_step_that_may_be_zero_is_not_equal() -> None:
    """A size is taken as it is given: with 0 the loop has no meaning, and the program before has one."""
    found, assumptions = verdict(nest(NESTS["copy"]), nest(COPY_OF_TILES))
    assert found == DIFFERENT
    assert "the step of %o is positive" in assumptions


@pytest.mark.slow
def test_a_divisor_that_only_tiles_need_is_not_equal() -> None:
    """Without tiles nothing is divided, and what is computed is the same: for 0 AFTER is undefined all the same."""
    body = f"\n%t = arith.divsi %n, %a : index{COPY_OF_TILES}"
    (found,) = volcli.load(nest(NESTS["copy"])).diff(volcli.load(nest(body)))
    assert found.verdict == DIFFERENT
    assert any("'arith.divsi' op is undefined" in str(each) for each in found.outputs), found.outputs


def test_tiles_that_reverse_a_dependence_are_not_equal() -> None:
    """m[i, j] = m[i - 1, j + 1]: tiles of j do not keep the order."""
    points = """
    %p = arith.subi %i, %c1 : index
    %q = arith.addi %j, %c1 : index
    %x = memref.load %m[%p, %q] : memref<?x?xf32>
    memref.store %x, %m[%i, %j] : memref<?x?xf32>"""
    before = nest(f"scf.for %i = %c1 to %n step %c1 {{ scf.for %j = %c0 to %k step %c1 {{ {points} }} }}")
    after = nest(f"""
scf.for %o = %c0 to %k step %a {{
  %e = arith.addi %o, %a : index
  %u = arith.minsi %e, %k : index
  scf.for %i = %c1 to %n step %c1 {{
    scf.for %j = %o to %u step %c1 {{ {points} }}
  }}
}}""")
    assert verdict(before, after)[0] != EQUAL


def mutants(text: str, chance: random.Random, count: int) -> list[str]:
    """Versions of TEXT in which one operation on numbers is another one."""
    lines = text.splitlines()
    found: list[str] = []
    places = [
        k for k, line in enumerate(lines) if re.search(r"arith\.(\w+i|constant) ?.*: index|scf\.for", line)
    ]
    while len(found) < count:
        k = chance.choice(places)
        names = [m[1] for line in lines[:k] for m in re.finditer(r"(%\w+) = arith\.\S+ .*: index", line)]
        line = lines[k]
        change = chance.randrange(3)
        if "constant" in line:
            new = re.sub(
                r"constant (-?\d+)", lambda m: f"constant {int(m[1]) + chance.choice((-1, 1))}", line
            )
        elif change == 0 and "arith." in line:
            other = chance.choice(("addi", "subi", "minsi", "maxsi", "muli"))
            new = re.sub(r"arith\.(\w+)", f"arith.{other}", line)
        else:
            head, equals, tail = line.partition(" = ")
            operands = list(re.finditer(r"%\w+", tail))
            old = chance.choice(operands)
            other = chance.choice([*names, "%n", "%k", "%a", "%b"])
            new = head + equals + tail[: old.start()] + other + tail[old.end() :]
        if new != line:
            found.append("\n".join([*lines[:k], new, *lines[k + 1 :]]))
    return found


POINTS = [
    *itertools.product((0, 1, 3, 4), (0, 2, 5), (1, 2, 3), (1, 2, 7)),
    (-2, 3, 2, 2),
    (3, -1, 2, 2),
    (3, 3, 0, -4),
]


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, pytest.param(10, marks=pytest.mark.fuzz)])
@pytest.mark.parametrize(("name", "options"), [CASES[0], CASES[2]])
def test_what_runs_otherwise_is_not_equal(name: str, options: str, count: int) -> None:
    """A mutant that leaves other terms behind for some sizes is not equal, unless an assumption excludes these."""
    before, after = nest(NESTS[name]), tiled(NESTS[name], options)
    function = volcli.load(before).units[0].models()[0].function
    expected = {point: left_by(function, point) for point in POINTS}
    for text in [after, *mutants(after, random.Random(name), count)]:
        models = volcli.load(text).units[0].models()
        if not models:  # a value that is not there
            continue
        made = models[0].function
        wrong = [point for point in POINTS if left_by(made, point) != expected[point]]
        if not wrong:
            continue
        assert text != after
        found, assumptions = verdict(before, text)
        excluded = any("is positive" in each for each in assumptions) and all(
            left_by(made, point) is None for point in wrong
        )
        assert found != EQUAL or excluded, (wrong[0], text)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are copies of this one")
def test_a_crash_of_isl_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deep nests whose tiles are not known are compared in a process of their own."""

    def crash(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    program = volcli.load(CONSTANT)
    program.run("tile-symbolic{sizes=%a,%b,%a assume-noalias-args}")
    monkeypatch.setattr("volcli.api.differences.compared_without_tiles", crash)
    (found,) = volcli.load(CONSTANT).diff(volcli.load(program.text()))
    assert found.verdict == "unknown"
    assert found.reason == "a crash in integer set operations (SIGSEGV)"


STEPS = nest("""
scf.for %i = %c1 to %n step %b {
  %x = memref.load %m[%i, %c0] : memref<?x?xf32>
  memref.store %x, %m[%i, %c1] : memref<?x?xf32>
}""")


@pytest.mark.slow
def test_loops_in_steps_that_are_values_are_compared_by_iterations() -> None:
    """V313 says nothing: the loop over the numbers of iterations, without blocks, does the same.

    A step of at most 1 is something else, and so are blocks that leave iterations out.
    """
    program = volcli.load(STEPS)
    program.run("parallelize{processors=%k kind=scf.for}")
    assert [each.code for each in program.diagnostics] == []
    after = program.text()
    for old, new in (("maxsi %b", "minsi %b"), ("ceildivsi", "floordivsi")):
        assert old in after
        assert not is_counted_alike(STEPS, after.replace(old, new))


def is_counted_alike(before: str, after: str) -> bool:
    units = [volcli.load(text).functions[0].unit for text in (before, after)]
    one, other = ((unit.parsed, next(iter(unit.models()))) for unit in units)
    return is_alike_counted(one, other)


TWO_STEPS = nest("""
%c7 = arith.constant 7 : index
scf.for %i = %c0 to %n step %b {
  scf.for %j = %c1 to %c7 step %b {
    %p = arith.subi %i, %c1 : index
    %q = arith.subi %j, %c1 : index
    %x = memref.load %m[%p, %q] : memref<?x?xf32>
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }
}""")


@pytest.mark.slow
def test_tiles_of_points_in_steps_that_are_values_are_compared() -> None:
    """The points of a tile are b * t <= a + s * k < b * t + b: quotients by s, and none of them is a size.

    Tiles go back along %j at the distance (1, -1) in place of (1, 1): the order of the points is another one then.
    """
    program = volcli.load(TWO_STEPS)
    program.run("tile-symbolic{sizes=%a,%b assume-noalias-args}")
    assert [each.code for each in program.diagnostics] == []
    after = program.text()
    assert is_counted_alike(TWO_STEPS, after)
    back = [text.replace("%q = arith.subi", "%q = arith.addi") for text in (TWO_STEPS, after)]
    assert back[1] != after
    assert not is_counted_alike(*back)
    assert not is_counted_alike(TWO_STEPS, after.replace("maxsi %b", "minsi %b"))


def test_no_argument_shows_of_copies_without_tiles_what_they_alone_reach() -> None:
    """The step %k of the rows is no step where %k = 0: then no tile of columns is reached, nor the rows."""
    tiles = """scf.for %o = %c0 to %n step %a {{ scf.for %p = %c0 to %k step %a {{
      %oe = arith.addi %o, %a : index
      %u = arith.minsi %oe, %n : index
      %pe = arith.addi %p, %a : index
      %v = arith.minsi %pe, %k : index
      {0}
        scf.for %j = %p to %v step %c1 {{
          %x = memref.load %s[%i, %j] : memref<?x?xf32>
          memref.store %x, %m[%i, %j] : memref<?x?xf32>
        }}
      }} }} }}"""
    rows = "scf.for %i = %o to %u step %c1 {{"
    multiples = """%ok = arith.muli %o, %k : index
      %uk = arith.muli %u, %k : index
      scf.for %ik = %ok to %uk step %k {{ %i = arith.divsi %ik, %k : index"""
    before, after = (volcli.load(nest(tiles.format(each.replace("{{", "{")))) for each in (rows, multiples))
    (found,) = before.diff(after, executed=False)
    assert found.verdict != DIFFERENT
