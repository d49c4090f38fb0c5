"""What loops carry between accesses that are alike: the same as between each two of them."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.dependences.answers import Dependence
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.loops.loops import LoopAnswer, LoopKind, Loops

ALIKE = "\n".join(
    f"      %v{k} = affine.load %m[%i + {k % 3}] : memref<?xf32>\n"
    f"      affine.store %v{k}, %m[%i + {k % 2}] : memref<?xf32>"
    for k in range(30)
)
GUARDED = "\n".join(
    f"      affine.if affine_set<(d0) : (d0 - {5 * (k % 2)} >= 0)>(%i) {{\n"
    f"        %w{k} = affine.load %m[%i] : memref<?xf32>\n"
    f"        affine.store %w{k}, %m[%i] : memref<?xf32>\n      }}\n"
    f"      %v{k} = affine.load %m[%j] : memref<?xf32>"
    for k in range(20)
)
"""Stores that are written in one way, of which every other one does not run in all iterations."""
SUMS = "\n".join(
    f"      %v{k} = affine.load %m[0] : memref<?xf32>\n      %s{k} = arith.addf %v{k}, %x : f32\n"
    f"      affine.store %s{k}, %m[0] : memref<?xf32>"
    for k in range(9)
)
OF_UNKNOWN = ALIKE + '\n      "some.op"(%m) : (memref<?xf32>) -> ()'
PROGRAM = """func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
BODY
    }
  }
  return
}
"""


def place(dependence: Dependence) -> tuple[int, int, int]:
    return dependence.source.number, dependence.sink.number, dependence.depth


def answers(body: str) -> tuple[Memory, list[LoopAnswer]]:
    (unit,) = volcli.loads(PROGRAM.replace("BODY", body)).units
    (model,) = unit.models()
    return model.memory, model.loops.all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("body", [ALIKE, GUARDED, SUMS, OF_UNKNOWN])
def test_pairs_have_the_dependences_of_their_classes(body: str) -> None:
    memory, found = answers(body)
    pairs = list(memory.partners.pairs(memory.sites))
    for depth, answer in enumerate(found, 1):
        expected = [
            each for source, sink in pairs for each in memory.carried(source, sink) if each.depth == depth
        ]
        carried = [*answer.carried]
        assert [*map(place, carried)] == sorted(map(place, expected))
        assert len(answer.carried) == len(expected) > 0
        by_place = {place(each): each for each in expected}
        for each in carried:
            other = by_place[place(each)]
            assert (each.verdict, each.hull, each.kind) == (other.verdict, other.hull, other.kind)
            assert (each.because, each.assumptions) == (other.because, other.assumptions)


@pytest.mark.parametrize("body", [ALIKE, GUARDED])
def test_there_are_fewer_classes_than_pairs_and_their_places_are_known(body: str) -> None:
    _, found = answers(body)
    for answer in found:
        places = [*map(place, answer.carried)]
        first = answer.carried.first_ones()
        assert 0 < len(first) < len(places) / 20
        assert [answer.carried.position(each) for each in first] == [places.index(place(e)) for e in first]
        assert place(answer.carried[0]) == places[0]
        assert place(answer.carried[-1]) == places[-1]


def test_what_runs_in_other_iterations_is_not_alike() -> None:
    _, found = answers(GUARDED)
    stores = {each.source.number for each in found[0].carried.first_ones() if each.source.is_write}
    assert len(stores) >= 2


def test_many_sums_are_one_reduction() -> None:
    _, (outer, inner) = answers(SUMS)
    assert [each.combine for each in inner.updates] == ["addf"]
    assert outer.kind is inner.kind


TWICE = """func.func @f(%m: memref<?xf32>, %n: index, %s: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.muli %s, %c2 : index
  %end = arith.addi %n, %two : index
  scf.for %i = %n to %end step %s {
    %before = arith.subi %i, %c1 : index
    %next = arith.addi %i, %s : index
    %v = memref.load %m[%before] : memref<?xf32>
    memref.store %v, %m[%AT] : memref<?xf32>
  }
  return
}"""


@pytest.mark.parametrize(
    ("stored_at", "kind"),
    [("next", LoopKind.PARALLEL), ("before", LoopKind.PARALLEL), ("c1", LoopKind.CARRIED)],
)
def test_two_iterations_are_one_step_apart_or_two_or_more(stored_at: str, kind: LoopKind) -> None:
    """`%i + s` is `%j - 1` for no later iteration: %j is `%i + s`, or %i + 2 s or more, which there is not."""
    memory = volcli.loads(TWICE.replace("AT", stored_at)).units[0].models()[0].memory
    assert [each.kind for each in Loops(memory).all()] == [kind]
