"""MARS of kernels and of random programs against their enumeration; the enumeration itself by hand."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import volcli
from tests.oracles.mars.arrays import drawn_arrays
from tests.oracles.mars.claims import Comparison, compared
from tests.oracles.mars.drawn import drawn
from tests.oracles.mars.enumeration import Loaded, Loop, Node, Program, Statement, execute
from tests.oracles.mars.kernels import Kernel, Writer, affine, kernels, nest, tilings
from tests.oracles.mars.shrinking import shrunk
from tests.oracles.mars.texts import Array
from tests.oracles.mars.tiles import Tiled, broken, by_tile, consumed, partition, without_order
from tests.oracles.mars.transfers import Moved, Transfers
from tests.oracles.mars.views import View

KERNELS = {each.name: each for each in kernels()}


def sums() -> Kernel:
    """s[i] = s[i - 1] + x[i], in tiles of four."""
    w = Writer.at_one()
    return Kernel("sums", (nest([("i", 1, 13)], w.sets("s[i]", "s[i-1]", "x[i]")),), "i:4")


@pytest.mark.parametrize("name", ["LU", "Smith-Waterman", "ADI"])
def test_answers_about_a_kernel_are_those_of_its_execution(name: str) -> None:
    found = compared(*KERNELS[name].tiled())
    assert not found.wrong
    assert found.report.exact >= 3
    assert found.report.elements > 200


def test_what_was_written_in_no_tile_is_read_as_an_element() -> None:
    """One nest in no tile writes x, a second one, in tiles, reads it."""
    w = Writer.at_one()
    program = Program(
        (nest([("p", 0, 8)], w.sets("x[p]")), nest([("i", 0, 8)], w.sets("y[i]", "x[i]", "x[7]")))
    )
    program, arrays = drawn_arrays(None, program)
    found = compared(Tiled(program, tilings("i:4")), arrays)
    assert not found.wrong
    assert (found.report.exact, found.report.elements) == (1, 9)


def test_what_is_written_between_the_loops_is_not_read_as_an_element() -> None:
    """Row 2 reads a[0], a[1], a[2] as the rows have written them, and the elements a[3], ..., a[7]."""
    w = Writer.at_one()
    loop = nest([("i", 0, 8), ("j", 0, 8)], w.sets("b[i]", "a[j]"))
    row = w.sets("a[i]")
    program, arrays = drawn_arrays(None, Program((replace(loop, body=(row, *loop.body)),)))
    found = compared(Tiled(program, tilings("i:2, j:2")), arrays)
    assert not found.wrong
    assert (found.report.exact, [*found.report.reasons]) == (
        1,
        ["%a[%i] writes it between the loops, in no tile"],
    )


def test_a_flow_from_between_the_loops_that_is_not_answered_is_wrong() -> None:
    w = Writer.at_one()
    loop = nest([("i", 0, 8), ("j", 0, 8)], w.sets("b[i,j]", "a[i]"))
    program, arrays = drawn_arrays(None, Program((replace(loop, body=(w.sets("a[i]"), *loop.body)),)))
    found = Comparison(Tiled(program, tilings("i:2, j:2")), arrays)
    found.of([])
    assert [each.kind for each in found.wrong] == ["a flow is not answered"]


def test_a_loaded_index_leaves_its_array_unknown() -> None:
    w = Writer.at_one()
    index = w.access("m[i]")
    loaded = replace(w.access("x[i]"), index=(Loaded((), 0, affine("i"), index.number, 8),))
    statement = Statement((index, loaded, w.access("b[i,j]")), w.access("b[i,j]"))
    program, arrays = drawn_arrays(None, Program((nest([("i", 0, 8), ("j", 0, 8)], statement),)))
    found = compared(Tiled(program, tilings("i:4, j:4")), arrays)
    assert not found.wrong
    assert [*found.report.reasons] == ["%x[%qN]: %vN is a result of affine.load"]


@pytest.mark.parametrize("kind", ["subview", "transpose", "flat", "reversed"])
def test_elements_that_are_reached_through_views(kind: str) -> None:
    """Rows 2, 4, 6, ... are read through a view, and all as they are."""
    w = Writer.at_one()
    plain, seen = w.access("x[i,j]"), w.access("x[2*i+2,j+1]")
    view = View(kind, (18, 9), (2, 1), (2, 1), (1, 0))
    statement = Statement((plain, replace(seen, view=view)), w.access("b[i,j]"))
    program = Program((nest([("i", 0, 8), ("j", 0, 8)], statement),))
    arrays = {"x": Array((18, 9)), "b": Array((8, 8))}
    found = compared(Tiled(program, tilings("i:4, j:4")), arrays)
    assert not found.wrong
    assert (found.report.exact, found.report.unknown) == (1, 0)


@pytest.mark.parametrize("spelled", ["affine", "scf", "while", "cast"])
def test_loops_of_other_dialects(spelled: str) -> None:
    w = Writer.at_one()
    program, arrays = drawn_arrays(
        None, Program((nest([("i", 1, 9), ("j", 0, 8)], w.sets("a[i,j]", "a[i-1,j]")),), {}, spelled)
    )
    found = compared(Tiled(program, tilings("i:4, j:4")), arrays)
    assert not found.wrong
    assert (found.report.exact, found.report.unknown) == (2, 0)


@pytest.mark.parametrize(("tile", "illegal"), [("i:4, j:4", 0), ("i:4, -1*j:4", 2), ("-1*i:4, j:4", 0)])
def test_sums_order_the_tiles(tile: str, illegal: int) -> None:
    """Each row has a sum of its own, so that rows may run backwards, and columns may not."""
    w = Writer.at_one()
    loop = nest([("i", 0, 8), ("j", 0, 8)], w.sets("b[i,j]", "a[i,j]"))
    (inner,) = loop.body
    assert isinstance(inner, Loop)
    program, arrays = drawn_arrays(None, Program((replace(loop, body=(replace(inner, sum=9),)),)))
    found = compared(Tiled(program, tilings(tile)), arrays)
    assert not found.wrong
    assert found.report.illegal == illegal


@pytest.mark.parametrize("part", range(2))
def test_answers_about_random_programs_are_those_of_their_execution(part: int) -> None:
    answered = 0
    for number in range(4):
        found = compared(*drawn(f"oracle/{part}/{number}"))
        assert not found.wrong, (found.text, found.tiled.text)
        answered += found.report.exact
    assert answered


def test_tiles_along_a_line_that_consume_nothing_are_no_consumers() -> None:
    """Initial values of row 3 are read up to i = 3; a tile of i = 4 reads what i = 3 has written."""
    w = Writer.at_one()
    loop = nest([("i", 0, 5), ("j", "i+1", 8)], w.sets("a[i,j-1]", "a[3,j-1]"))
    found = compared(Tiled(Program((loop,)), tilings("i:1, j:2")), {"a": Array((5, 8))})
    assert not found.wrong
    assert (found.report.exact, found.report.only_whole) == (2, 1)


def test_an_array_has_no_dimensions_if_no_number_of_iterations_needs_them() -> None:
    """One iteration reads x[0] and y[0]; two of them would read x[1]."""
    w = Writer.at_one()
    program = Program((nest([("i", 0, "n")], w.sets("b[i]", "x[i]", "y[0]")),), {"n": 1})
    _, arrays = drawn_arrays(random.Random(0), program)
    assert {name for name, array in arrays.items() if array.is_scalar} == {"y"}


def test_an_example_of_arrays_that_are_too_small_is_not_compared() -> None:
    """b[9] holds for the second nest what the first one writes, if the call cannot write it: b has nine elements,
    or fewer, and the program no meaning."""
    w = Writer.at_one()
    before, called = nest([("i", 2, 14)], w.sets("b[i+1]")), nest([("u", 1, 16)], w.sets("b[16-u]"))
    after = nest([("i", 0, "n")], w.sets("a[i]", "b[i+1]", "b[15-i]"))
    nests = (replace(before, step=3), replace(called, is_called=True), after)
    arrays = {"a": Array((None,)), "b": Array((None,))}
    found = compared(Tiled(Program(nests, {"n": 1}), tilings("i:3")), arrays)
    assert not found.wrong


def test_a_tile_hands_its_last_sum_to_the_next_one() -> None:
    tiled, _ = sums().tiled()
    trace = execute(tiled.program)
    flow = consumed(tiled, trace, "s", 3, (0, 0))
    tiles = by_tile(tiled, trace, flow, 3, (0, 0))
    assert {tile: partition(held) for tile, held in tiles.items()} == {
        (k,): {frozenset({(k + 1,)}): frozenset({(4 * k + 3,)})} for k in (0, 1, 2)
    }


def test_a_tile_that_reads_from_a_later_one_is_illegal() -> None:
    w = Writer.at_one()
    program, _ = Kernel("b", (nest([("i", 0, 8)], w.sets("a[i]", "a[7-i]")),), "i:4").tiled()
    assert not broken(program, execute(program.program))
    backwards = Tiled(program.program, tilings("-1*i:4"))
    assert ("a", (0, 0), (-2,), (-1,)) in broken(backwards, execute(program.program))


def floyd_warshall(size: str, value: int) -> tuple[Tiled, dict[str, Array]]:
    """All shortest paths of VALUE nodes in tiles of four; the number of nodes is SIZE in the program."""
    body: Node = Writer.at_one().sets("d[i,j]", "d[i,j]", "d[i,k]", "d[k,j]")
    nests = (nest([("k", 0, size), ("i", 0, size), ("j", 0, size)], body),)
    program, arrays = drawn_arrays(None, Program(nests, {} if size.isdigit() else {size: value}))
    return Tiled(program, tilings("k:4, i:4, j:4")), arrays


def test_tiles_of_shortest_paths_run_in_some_order_and_not_in_the_lexicographic_one() -> None:
    """The tile (1, 0, 0) reads what (1, 0, 1) writes, and none reads what is written after it."""
    tiled, arrays = floyd_warshall("n", 13)
    trace = execute(tiled.program)
    assert broken(tiled, trace)
    assert not without_order(tiled, trace)
    found = compared(tiled, arrays)
    assert not found.wrong
    assert found.report.illegal == 2
    assert found.report.exact == 2
    assert found.report.tiles == 64


def test_tiles_that_need_values_of_each_other_have_no_order() -> None:
    """Elements are swapped between the ends: tile 0 reads of 1 and 1 of 0, and an answer would be wrong."""
    w = Writer.at_one()
    program = Program((nest([("t", 1, 3), ("i", 0, 8)], w.sets("a[t,i]", "a[t-1,7-i]")),))
    tiled, arrays = Tiled(program, tilings("i:4")), drawn_arrays(None, program)[1]
    assert without_order(tiled, execute(program)) == broken(tiled, execute(program))
    found = compared(tiled, arrays)
    assert not found.wrong
    assert found.report.illegal


def test_sums_move_each_value_once() -> None:
    """Twelve of x and s[0] are read, three sums are handed on, and written, and the others are left."""
    tiled, arrays = sums().tiled()
    transfers = Transfers(tiled, execute(tiled.program), arrays)
    assert transfers.as_declared() == Moved(elements=13 + 3 + 3 + 9, bursts=4 + 1 + 3 + 3 + 4)
    assert transfers.by_sets() == Moved(elements=13 + 3 + 3 + 9, bursts=4 + 1 + 3 + 3 + 4)


def _drop_tile(facts: list[dict[str, Any]]) -> None:
    facts[0]["covers"] = "{ [t0] : t0 = 0 }"


def _more(facts: list[dict[str, Any]]) -> None:
    facts[0]["sets"][0]["consumers"] = ["(1)", "(2)"]


def _larger(facts: list[dict[str, Any]]) -> None:
    facts[0]["sets"][0]["set"] = "{ s[i] : 2 <= i <= 3 }"


def _count(facts: list[dict[str, Any]]) -> None:
    facts[0]["classes"][0]["sets"][0]["count"] = "2"


def _bursts(facts: list[dict[str, Any]]) -> None:
    facts[0]["layout"]["row_major"]["bursts"] = "2"


def _access(facts: list[dict[str, Any]]) -> None:
    facts[1]["classes"][0]["sets"] = []


def _silent(facts: list[dict[str, Any]]) -> None:
    del facts[:3]


@pytest.mark.parametrize("change", [_drop_tile, _more, _larger, _count, _bursts, _access, _silent])
def test_a_changed_answer_is_wrong(change: Callable[[list[dict[str, Any]]], None]) -> None:
    tiled, arrays = sums().tiled()
    comparison = Comparison(tiled, arrays)
    program = volcli.loads(comparison.text)
    program.run(f"mars{{tile='{tiled.text}' assume-noalias-args}}")
    facts = [copy.deepcopy(dict(fact.to_json())) for fact in program.facts]
    assert facts[0]["array"] == "%s"
    comparison.of(facts)
    assert not comparison.wrong
    change(facts)
    comparison.of(facts)
    assert comparison.wrong


def test_what_a_failure_needs_is_left_of_a_program() -> None:
    """Of twelve loads and stores, the one that reads y[j] with i as its row stays."""

    def reads_the_transposed(tiled: Tiled, _: object) -> bool:
        trace = execute(tiled.program)
        return any(
            place.access.array == "a"
            and (1, 0) in {point for point, element, _ in trace.reads[number] if element == (0, 1)}
            for number, place in trace.places.items()
            if not place.is_write
        )

    tiled, arrays = shrunk(*KERNELS["mvt"].tiled(), reads_the_transposed)
    (nest_left,) = tiled.program.nests
    assert set(arrays) == {"a"}
    assert len(execute(tiled.program).places) == 1
    assert nest_left.name == "i"
