"""Buffers whose type says where their elements lie, against an enumeration of the places."""

from __future__ import annotations

import random
from itertools import product

import pytest

import volcli
from volcli.model.memory.checks.races.races import Races, RaceVerdict
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.loops.loops import LoopKind, Loops

OVERLAP = "the layout of %m does not overlap itself"


def memory_of(text: str) -> Memory:
    return volcli.load(text).units[0].models()[0].memory


def nest(kind: str, sizes: tuple[int, int], at: str = "%i, %j", loop: str = "affine.for %i = 0 to {}") -> str:
    """Each iteration writes a number of its own."""
    kind = kind.replace("xf32", "xindex")
    return f"""func.func @f(%m: {kind}) {{
      {loop.format(sizes[0])} {{ affine.for %j = 0 to {sizes[1]} {{
        %x = affine.apply affine_map<(i, j) -> (100 * i + j)>(%i, %j)
        affine.store %x, %m[{at}] : {kind}
      }} }}
      return
    }}"""


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(60))
def test_the_outer_loop_against_the_places_of_the_elements(seed: int) -> None:
    chance = random.Random(seed)
    sizes = (chance.randint(1, 5), chance.randint(1, 5))
    strides = tuple(chance.choice([0, 1, 2, 3, 4, 5, -1, -3]) for _ in range(2))
    if seed % 3:
        offset = chance.choice(["", ", offset: ?", ", offset: 7"])
        layout = f"strided<[{strides[0]}, {strides[1]}]{offset}>"
    else:
        layout = f"affine_map<(a, b) -> ({strides[0]} * a + {strides[1]} * b + 20)>"
    made = memory_of(nest(f"memref<{sizes[0]}x{sizes[1]}xf32, {layout}>", sizes))
    places: dict[int, set[int]] = {}
    for i, j in product(range(sizes[0]), range(sizes[1])):
        places.setdefault(strides[0] * i + strides[1] * j, set()).add(i)
    carries = any(len(iterations) > 1 for iterations in places.values())
    outer, _ = Loops(made).all()
    assert (outer.kind, outer.assumptions) == (LoopKind.CARRIED if carries else LoopKind.PARALLEL, ())
    (flow,) = MemoryFlow(made).all()
    assert flow.is_exact
    assert flow.live_out is not None
    assert flow.live_out.count_val().to_python() == len(places)
    (write,) = flow.writes
    assert write.dead is not None
    assert write.dead.count_val().to_python() == sizes[0] * sizes[1] - len(places)


@pytest.mark.parametrize("layout", ["strided<[?, 1]>", "strided<[?, ?], offset: ?>", "strided<[7, ?]>"])
def test_a_stride_that_is_not_static_is_assumed_not_to_overlap(layout: str) -> None:
    kind = f"memref<6x7xf32, {layout}>"
    outer, inner = Loops(memory_of(nest(kind, (6, 7)))).all()
    assert (outer.kind, outer.assumptions) == (LoopKind.PARALLEL, (OVERLAP,))
    assert (inner.kind, inner.assumptions) == (LoopKind.PARALLEL, (OVERLAP,))
    parallel = nest(kind, (6, 7), loop="affine.parallel (%i) = (0) to ({})")
    (answer,) = Races(memory_of(parallel)).all()
    assert (answer.verdict, answer.assumptions) == (RaceVerdict.FREE, (OVERLAP,))


def test_what_overlaps_whatever_the_other_stride_is_is_unknown() -> None:
    outer, _ = Loops(memory_of(nest("memref<6x7xf32, strided<[?, 0]>>", (6, 7)))).all()
    assert outer.kind is LoopKind.UNKNOWN


def test_the_stride_of_one_element_does_not_matter() -> None:
    outer, _ = Loops(memory_of(nest("memref<6x1xf32, strided<[1, ?]>>", (6, 1)))).all()
    assert (outer.kind, outer.assumptions) == (LoopKind.PARALLEL, ())


def test_a_size_that_is_not_static_may_be_large() -> None:
    """Rows of 4 lie 4 apart: a row of 5 overlaps the next one."""
    kind = "memref<?x?xf32, strided<[4, 1]>>"
    assert Loops(memory_of(nest(kind, (6, 4)))).all()[0].kind is LoopKind.PARALLEL
    assert Loops(memory_of(nest(kind, (6, 5)))).all()[0].kind is LoopKind.CARRIED


def test_a_reinterpretation_of_an_overlapping_buffer_lies_where_the_buffer_does() -> None:
    made = memory_of("""func.func @f(%m: memref<5x4xf32, strided<[2, 1]>>, %x: f32) {
      %v = memref.reinterpret_cast %m to offset: [0], sizes: [12], strides: [1]
        : memref<5x4xf32, strided<[2, 1]>> to memref<12xf32>
      affine.for %i = 0 to 5 {
        affine.store %x, %m[%i, 0] : memref<5x4xf32, strided<[2, 1]>>
        %r = affine.load %v[2 * %i + 2] : memref<12xf32>
      }
      return
    }""")
    (loop,) = Loops(made).all()
    assert [d.hull for d in loop.carried] == [((1, 1),)]


def test_one_element_needs_no_assumption() -> None:
    made = memory_of("""func.func @f(%m: memref<8xf32, strided<[?]>>, %x: f32, %y: f32) {
      affine.store %x, %m[3] : memref<8xf32, strided<[?]>>
      affine.store %y, %m[3] : memref<8xf32, strided<[?]>>
      return
    }""")
    (flow,) = MemoryFlow(made).all()
    assert flow.assumptions == ()
    assert flow.writes[0].dead is not None
    assert not flow.writes[0].dead.is_empty()
