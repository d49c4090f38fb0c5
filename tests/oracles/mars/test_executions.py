"""Executions for larger symbols end: a trace has each access, and those of some examples would fill the memory."""

from __future__ import annotations

import copy
from dataclasses import replace

import pytest

import volcli
from tests.oracles.mars import enumeration
from tests.oracles.mars.claims import Comparison
from tests.oracles.mars.enumeration import If, Loop, Node, Program, TooLong, execute
from tests.oracles.mars.kernels import Writer, affine, nest, tilings
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
