"""simplify-bounds: what is written anew, what stays, and that both compute the same."""

from __future__ import annotations

import pytest

import volcli
from tests.passes.rewrites.bound_trees import TELL, broken, simplified, told
from tests.shared.enumeration import run
from tests.shared.execution import needs_runner

CONSTANTS = "".join(f"%c{k} = arith.constant {k} : index\n" for k in (0, 1, 2, 4, 8, 10, 16, 19, 32, 64))
FIGURE = """%p = arith.muli %M, %a : index
  %q = arith.addi %p, %b : index
"""

# Figure 5-6, where OTHER is 4: a chain of choices that asks %k twice.
CHAIN = (
    "%k = arith.cmpi sge, %n, %c0 : index\n%l = arith.cmpi sge, %m, %c4 : index\n"
    "%x = arith.cmpi slt, %m, OTHER : index\n%both = arith.andi %k, %l : i1\n%also = arith.andi %x, %k : i1\n"
    "%y = arith.select %also, %b, %c : index\n%r = arith.select %both, %a, %y : index"
)


def again(bound: str) -> str:
    """The chain, which compares %n once more, with BOUND."""
    compared = f"%g = arith.cmpi sge, %n, {bound} : index\n%also = arith.andi %x, %g : i1"
    return CHAIN.replace("OTHER", "%c4").replace("%also = arith.andi %x, %k : i1", compared)


# name: arguments, a body that computes %r, and the cycles that are left of it
BETTER = {
    "a chain of choices": (
        "%n: index, %m: index, %a: index, %b: index, %c: index",
        CHAIN.replace("OTHER", "%c4"),
        4,
    ),
    "a chain of choices that compares both twice": (
        "%n: index, %m: index, %a: index, %b: index, %c: index",
        again("%c0"),
        4,
    ),
    "table 5.1, row 3": (
        "%p: index, %q: index",
        "%x = arith.subi %p, %c2 : index\n%y = arith.subi %p, %c1 : index\n%m = arith.minsi %x, %c0 : index\n"
        "%k = arith.minsi %q, %m : index\n%l = arith.minsi %p, %k : index\n%r = arith.minsi %l, %y : index",
        5,
    ),
    "table 5.1, row 2": (
        "%a: index, %p: index, %q: index, %s: index",
        "%x = arith.maxsi %a, %c1 : index\n%y = arith.subi %x, %c1 : index\n%z = arith.maxsi %y, %c0 : index\n"
        "%u = arith.muli %z, %c16 : index\n%v = arith.addi %u, %q : index\n%c15 = arith.constant 15 : index\n"
        "%w = arith.addi %v, %c15 : index\n%l = arith.minsi %w, %p : index\n%r = arith.maxsi %l, %s : index",
        11,
    ),
    "figure 5-3, lower": (
        "%M: index, %a: index, %b: index",
        FIGURE + "%x = arith.maxsi %q, %c0 : index\n%y = arith.minsi %x, %c19 : index\n"
        "%r = arith.maxsi %y, %c10 : index",
        8,
    ),
    "an affine map": (
        "%n: index",
        "%r = affine.min affine_map<()[s0] -> (s0, s0 + 1, 8, s0 floordiv 2 + 9 - s0 floordiv 2)>()[%n]",
        2,
    ),
    "shared by all": (
        "%p: index, %q: index, %s: index",
        "%x = arith.addi %p, %s : index\n%y = arith.addi %q, %s : index\n%r = arith.maxsi %x, %y : index",
        3,
    ),
    "unsigned": (
        "%t: tensor<?xf32>, %u: tensor<?xf32>",
        "%n = tensor.dim %t, %c0 : tensor<?xf32>\n%m = tensor.dim %u, %c0 : tensor<?xf32>\n"
        "%x = arith.minui %n, %m : index\n%r = arith.maxui %x, %n : index",
        0,
    ),
    "of the index dialect": ("%n: index, %m: index", "%x = index.mins %n, %m\n%r = index.maxs %x, %n", 0),
    "a choice that is a minimum": (
        "%n: index, %m: index",
        "%k = arith.cmpi sgt, %n, %m : index\n%x = arith.select %k, %m, %n : index\n%r = arith.maxsi %x, %n : index",
        0,
    ),
    "a condition that repeats an outer one": (
        "%M: index, %N: index, %a: index, %b: index, %c: index",
        "%k = arith.cmpi sge, %M, %c0 : index\n%l = arith.cmpi sge, %N, %c0 : index\n%g = arith.cmpi slt, %M, %c0 : index\n"
        "%x = arith.select %l, %a, %b : index\n%y = arith.select %g, %a, %x : index\n%r = arith.select %k, %y, %c : index",
        4,
    ),
    "where its condition holds": (
        "%n: index, %b: index",
        "%k = arith.cmpi sge, %n, %c8 : index\n%x = arith.maxsi %n, %c4 : index\n%r = arith.select %k, %x, %b : index",
        2,
    ),
    "what it is in the other case": (
        "%n: index",
        "%k = arith.cmpi eq, %n, %c0 : index\n%r = arith.select %k, %c0, %n : index",
        0,
    ),
    "behind an assertion": (
        "%n: index, %m: index",
        '%k = arith.cmpi sle, %n, %m : index\ncf.assert %k, "n <= m"\n%r = arith.minsi %n, %m : index',
        2,
    ),
}  # fmt: skip
IN_LOOPS = {
    "tiles that divide": (
        "%m: memref<64xf32>",
        "scf.for %i = %c0 to %c64 step %c32 {\n%r = affine.min affine_map<(d0) -> (32, 64 - d0)>(%i)\nTOLD\n}",
        0,
    ),
    "tiles of a size that is a value": (
        "%n: index, %b: index",
        '%k = arith.cmpi sge, %b, %c1 : index\n%l = arith.cmpi sge, %n, %c1 : index\ncf.assert %k, "b >= 1"\n'
        'cf.assert %l, "n >= 1"\n%t = arith.ceildivsi %n, %b : index\nscf.for %i = %c0 to %t step %c1 {\n'
        "%o = arith.muli %i, %b : index\n%x = arith.subi %n, %o : index\n%y = arith.minsi %x, %b : index\n"
        "%r = arith.maxsi %y, %c1 : index\nTOLD\n}",
        4 + 24 + 3 + 1 + 2,
    ),
    "a step that is a value": (
        "%n: index, %b: index",
        "%s = arith.maxsi %b, %c1 : index\nscf.for %i = %c0 to %n step %s {\n"
        "%r = affine.max affine_map<(d0)[s0] -> (s0 - d0, 1)>(%i)[%n]\nTOLD\n}",
        2 + 1,
    ),
    "the first of two": (
        "%n: index",
        "affine.for %i = 0 to 10 {\n%x = arith.subi %c10, %i : index\n%y = arith.minsi %x, %c16 : index\n"
        "%r = arith.maxsi %y, %c1 : index\nTOLD\n}",
        1,
    ),
    "in a branch": (
        "%n: index, %m: index",
        "%k = arith.cmpi slt, %n, %m : index\nscf.if %k {\n%x = arith.addi %n, %c1 : index\n"
        "%r = arith.minsi %x, %m : index\nTOLD\n}",
        3,
    ),
}  # fmt: skip
KEPT = {
    "a chain of choices with a case of its own": (
        "%n: index, %m: index, %a: index, %b: index, %c: index",
        CHAIN.replace("OTHER", "%c2"),
    ),
    "a chain of choices whose second case needs more": (
        "%n: index, %m: index, %a: index, %b: index, %c: index",
        again("%c1"),
    ),
    "a chain of choices whose second case needs less": (
        "%n: index, %m: index, %a: index, %b: index, %c: index",
        "%d = arith.subi %c0, %c1 : index\n" + again("%d"),
    ),
    "two that may be less": ("%n: index, %m: index", "%r = arith.minsi %n, %m : index"),
    "numbers without a sign that may be negative": (
        "%n: index, %m: index",
        "%x = arith.minui %n, %m : index\n%r = arith.minsi %x, %n : index",
    ),
    "a choice": (
        "%n: index, %m: index",
        "%k = arith.cmpi slt, %n, %c4 : index\n%r = arith.select %k, %n, %m : index",
    ),
    "what others use, too": (
        "%n: index, %m: index",
        "%x = arith.addi %n, %c1 : index\n%y = arith.addi %m, %c1 : index\nfunc.call @tell(%x) : (index) -> ()\n"
        "func.call @tell(%y) : (index) -> ()\n%r = arith.minsi %x, %y : index",
    ),
    "narrow integers": ("%i: i32, %j: i32", "%x = arith.minsi %i, %j : i32\n%r = arith.index_cast %x : i32 to index"),
}  # fmt: skip


def module(cases: dict[str, tuple[str, str]]) -> str:
    """A function for each of CASES, which tells %r."""
    told = "func.call @tell(%r) : (index) -> ()"
    functions: list[str] = []
    for number, (arguments, body) in enumerate(cases.values()):
        text = body.replace("TOLD", told) if "TOLD" in body else f"{body}\n{told}"
        functions.append(f"func.func @f{number}({arguments}) {{\n{CONSTANTS}{text}\nreturn\n}}")
    return "\n".join([TELL, *functions])


EVERY = {name: (arguments, body) for name, (arguments, body, _) in {**BETTER, **IN_LOOPS}.items()}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", EVERY)
def test_what_takes_less_is_written_anew(name: str) -> None:
    text = module({name: EVERY[name]})
    after = simplified(text)
    *_, total = volcli.loads(after).function("f0").costs() or (None,)
    expected = {**BETTER, **IN_LOOPS}[name][2]
    assert (0 if total is None else total.cycles) == expected, after
    assert simplified(after) == after


@pytest.mark.parametrize("name", KEPT)
def test_what_does_not_is_left_alone(name: str) -> None:
    program = run(module({name: KEPT[name]}), "simplify-bounds")
    assert not any(unit.rewritten for unit in program.units)


def types(arguments: str) -> list[str]:
    return [each.split(": ", 1)[1] for each in arguments.split(", ")]


@pytest.mark.slow
@needs_runner
def test_numbers_stay_what_they_are(mlir_opt: str) -> None:
    cases = {name: each for name, each in EVERY.items() if "assert" not in each[1]}
    functions = [(f"f{number}", types(arguments)) for number, (arguments, _) in enumerate(cases.values())]
    text = module(cases)
    expected = told(mlir_opt, text, functions, 8)
    assert len(expected) >= 8 * (len(BETTER) - 1)
    assert told(mlir_opt, simplified(text), functions, 8) == expected


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize("trees", [5, pytest.param(20, marks=pytest.mark.fuzz)])
def test_random_trees(mlir_opt: str, trees: int) -> None:
    """Trees in loops and branches, executed before and after."""
    assert broken(mlir_opt, [f"trees/{number}" for number in range(trees)]) == []
