"""Examples are compared for symbols that have them, and such executions end: a trace has each access."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

import volcli
from tests.oracles.mars import enumeration
from tests.oracles.mars.claims import Comparison, compared
from tests.oracles.mars.enumeration import If, Loop, Node, Program, TooLong, execute
from tests.oracles.mars.kernels import Writer, affine, nest, tilings
from tests.oracles.mars.one_flow import OneFlow
from tests.oracles.mars.said import least_values
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Tiled, entangled


def cube(kind: str, size: int) -> Program:
    """Three loops of SIZE iterations with a store, a condition that never holds, or a sum in the innermost one."""
    store: Node = Writer.at_one().sets("a[i,j]", "a[i,j]")
    never = If(((affine("-1"), 0),), (store,))
    loop = nest([("i", 0, size), ("j", 0, size), ("k", 0, size)], never if kind == "condition" else store)
    (middle,) = loop.body
    assert isinstance(middle, Loop)
    (inner,) = middle.body
    assert isinstance(inner, Loop)
    inner = replace(inner, sum=9 if kind == "sum" else 0)
    return Program((replace(loop, body=(replace(middle, body=(inner,)),)),))


@pytest.mark.parametrize("kind", ["store", "condition", "sum"])
def test_long_executions_are_left(kind: str) -> None:
    assert execute(cube(kind, 3), 200).places == execute(cube(kind, 3)).places
    with pytest.raises(TooLong):
        execute(cube(kind, 2000), 1000)


@pytest.mark.parametrize(("accesses", "wrong"), [(100, True), (5, False)])
def test_an_example_whose_execution_is_long_is_not_compared(
    monkeypatch: pytest.MonkeyPatch, accesses: int, wrong: bool
) -> None:
    """The tile 0 is whole for n = 5, which 15 accesses show to read x[3], too."""
    program = Program((nest([("i", 0, "n")], Writer.at_one().sets("b[i]", "x[i]", "x[0]")),), {"n": 3})
    found = Comparison(Tiled(program, tilings("i:4")), {"b": Array((None,)), "x": Array((None,))})
    analysed = volcli.loads(found.text)
    analysed.run("mars{tile='i:4' assume-noalias-args}")
    facts = [copy.deepcopy(dict(fact.to_json())) for fact in analysed.facts]
    assert facts[0]["sets"][1]["set"] == "{ x[d0] : 0 < d0 <= 3 }"
    facts[0]["sets"][1]["set"] = "{ x[d0] : 0 < d0 <= 2 }"
    facts[0]["classes"][0]["sets"][1]["count"] = "2"
    monkeypatch.setattr(enumeration, "ACCESSES", accesses)
    found.of(facts)
    assert bool(found.wrong) == wrong


@pytest.mark.parametrize("columns", [6, 12])
def test_tiles_in_several_spaces_need_each_other_through_tiles_of_one(columns: int) -> None:
    """The first statement of a row reads what the last tile of the row before wrote, and that one the first tile's."""
    w = Writer.at_one()
    loop = nest([("i", 1, 9), ("j", 0, columns)], w.sets("b[0]", "b[0]"))
    program = Program((replace(loop, body=(w.sets("b[0]", "b[0]"), *loop.body)),))
    tiled = Tiled(program, (*tilings("i:4, j:8"), *tilings("i:4")))
    assert entangled(tiled, execute(program))


def test_an_example_that_larger_loops_have_is_compared_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second tile of four iterations has its sets from n = 10 on, and the program is drawn with 6."""
    compared_at: list[int] = []
    check = OneFlow.check_example

    def noted(at: OneFlow, *of: Any) -> None:
        compared_at.append(at.values["n"])
        check(at, *of)

    monkeypatch.setattr(OneFlow, "check_example", noted)
    w = Writer.at_one()
    sums = w.sets("b[i]", "b[i]", "b[i+1]"), w.sets("a[i+8,j-1]", "a[i+8,j-1]", "a[i-j+8,2*j-1]")
    inner = Loop("j", (affine(1), affine("i")), (affine("n-1"),), 1, sums)
    program = Program((nest([("i", 0, "n+1")], inner),), {"n": 6})
    found = compared(Tiled(program, tilings("i:4")), {"a": Array((None, None)), "b": Array((None,))})
    assert not found.wrong
    assert 10 in compared_at
    assert least_values("[n] -> { [t0] : 4t0 <= n }", (9,), {"n": 10, "m": 3}) == {"n": 36, "m": 3}
    assert least_values("[n] -> { [t0] : 4t0 <= n <= 8 }", (9,), {"n": 10}) is None
    assert least_values("[n, m] -> { [t0] : 4t0 <= n <= m }", (9,), {}, {"m": 40}) == {"n": 36, "m": 40}
    assert least_values("[n] -> { [t0] : t0 + n < 0 }", (0,), {}) == {"n": -4}
    assert least_values("[dim_x] -> { [t0] : t0 + dim_x < 0 }", (0,), {}) is None
