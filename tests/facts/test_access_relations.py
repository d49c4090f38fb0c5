"""The access relations and the distances in one fact: distances are what the relations say, by definition."""

from __future__ import annotations

import islpy as isl
import pytest

import volcli
from tests.conftest import ROOT
from volcli.facts.dependences import DependenceFact
from volcli.presburger.sets.build import DIM


def distances(source: isl.Map, sink: isl.Map, depth: int, common: int) -> isl.Set:
    """`{ j - i : source(i) = sink(j), i and j equal before DEPTH and in order there }`, in COMMON loops."""
    pairs = source.apply_range(sink.reverse())
    for k in range(min(depth - 1, common)):
        pairs = pairs.equate(DIM.in_, k, DIM.out, k)
    if depth <= common:
        pairs = pairs.order_lt(DIM.in_, depth - 1, DIM.out, depth - 1)
    for kind in (DIM.in_, DIM.out):
        pairs = pairs.project_out(kind, common, pairs.dim(kind) - common)
    return pairs.deltas()


@pytest.mark.slow
def test_distances_are_those_of_the_relations() -> None:
    files = sorted((ROOT / "testdata" / "memory").glob("*.mlir"))
    functions = [function for path in files for function in volcli.load(path, split=True).functions]
    compared = [fact for function in functions for fact in function.dependences() if is_compared(fact)]
    assert {fact.kind for fact in compared} == {"RAW", "WAR", "WAW"}
    assert len(compared) > 20


def is_compared(fact: DependenceFact) -> bool:
    source, sink = fact.source.relation, fact.sink.relation
    if source is None or sink is None or fact.distances is None or fact.reason is not None:
        return False
    if source.map.get_tuple_name(DIM.out) != sink.map.get_tuple_name(DIM.out):
        return False  # two buffers, which may be one
    found = distances(source.map, sink.map, fact.depth, len(fact.hull))
    assert found.is_equal(fact.distances.set), (fact, found)
    return True


def test_an_access_through_a_view_goes_to_the_buffer() -> None:
    text = """func.func @f(%m: memref<16xf32>) {
      %v = memref.subview %m[4] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
      affine.for %i = 0 to 8 {
        %x = affine.load %v[%i] : memref<8xf32, strided<[1], offset: 4>>
        affine.store %x, %m[%i + 5] : memref<16xf32>
      }
      return
    }"""
    (found,) = volcli.loads(text).function("f").dependences("RAW")
    assert found.sink.relation is not None
    assert found.sink.relation.map.is_equal(isl.Map("{ [i] -> m[i + 4] : 0 <= i < 8 }"))


def test_what_is_not_known_exactly_has_no_relation() -> None:
    """%k is loaded: the store goes to one unknown element in each iteration."""
    text = """func.func @f(%m: memref<16xf32>, %n: memref<16xindex>, %x: f32) {
      affine.for %i = 0 to 8 {
        %k = affine.load %n[%i] : memref<16xindex>
        memref.store %x, %m[%k] : memref<16xf32>
      }
      return
    }"""
    stores = [
        d.source for d in volcli.loads(text).function("f").dependences() if d.source.op == "memref.store"
    ]
    assert stores
    assert {store.relation for store in stores} == {None}


def test_each_relation_is_named_once() -> None:
    """Of hundreds of accesses in one loop there are ten thousands of pairs."""
    lines = "\n".join(f"affine.store %x, %m[%i + {k}] : memref<400xf32>" for k in range(60))
    program = volcli.loads(
        f"func.func @f(%m: memref<400xf32>, %x: f32) {{\naffine.for %i = 0 to 300 {{\n{lines}\n}}\nreturn }}"
    )
    facts = [f for f in program.run("dependences").facts if isinstance(f, DependenceFact)]
    assert len({id(end.relation) for f in facts for end in (f.source, f.sink)}) == 60
    assert len(facts) > 1_000
