"""What is asked of memory is asked once for all that are alike: buffers, relations, layers of a network."""

from __future__ import annotations

from itertools import product

import islpy as isl
import pytest

import volcli
from volcli.facts.access import AccessFact
from volcli.facts.bounds import BoundsFact
from volcli.facts.dependences import DependenceFact
from volcli.facts.fact import Fact
from volcli.facts.loops import LoopFact
from volcli.model.memory.accesses.partners import Partners
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.dependences.answers import Dependence
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.flow.last_writers import Writes
from volcli.model.memory.flow.projections import greatest
from volcli.model.memory.flow.solver import FlowSolver
from volcli.model.values.elimination.elimination import Elimination
from volcli.presburger.relations.relation import Relation

LAYER = """
  %a{k} = memref.alloc() : memref<9x9xf32>
  affine.for %i{k} = 0 to 9 {{
    affine.for %j{k} = 1 to 9 {{
      affine.store %x, %a{k}[%i{k}, %j{k}] : memref<9x9xf32>
      %v{k} = affine.load %a{k}[%i{k}, %j{k} - 1] : memref<9x9xf32>
    }}
  }}
"""


def memory_of(text: str) -> Memory:
    return volcli.loads(text).units[0].models()[0].memory


def network(layers: int) -> str:
    body = "".join(LAYER.format(k=k) for k in range(layers))
    return f"func.func @f(%x: f32) {{{body}  return\n}}\n"


class Count:
    """A function that counts its calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.calls = 0
        inner = getattr(owner, name)

        def counted(*arguments: object, **options: object) -> object:
            self.calls += 1
            return inner(*arguments, **options)

        monkeypatch.setattr(owner, name, counted)


def test_equal_layers_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Count(monkeypatch, Relation, "pairs")
    examples = Count(monkeypatch, Relation, "meeting")
    calls: list[tuple[int, int]] = []
    for layers in (1, 6):
        memory = memory_of(network(layers))
        found = list(memory.dependences())
        assert [(d.source.number, d.sink.number, d.depth) for d in found] == [
            (2 * k, 2 * k + 1, 2) for k in range(layers)
        ]
        for witness in map(memory.witness, found):
            assert witness is not None
            assert (witness.source, witness.sink, witness.element) == ((0, 1), (0, 2), (0, 1))
        calls.append((steps.calls, examples.calls))
        steps.calls = examples.calls = 0
    assert calls[0] == calls[1]


def test_witnesses_of_shifted_pairs_name_their_own_elements() -> None:
    shifted = """func.func @f(%m: memref<64xf32>, %x: f32) {
      affine.for %i = 0 to 9 {
        affine.store %x, %m[%i + 2] : memref<64xf32>
        %v = affine.load %m[%i + 1] : memref<64xf32>
        affine.store %x, %m[%i + 40] : memref<64xf32>
        %w = affine.load %m[%i + 39] : memref<64xf32>
      }
      return
    }"""
    memory = memory_of(shifted)
    found = [memory.witness(each) for each in memory.dependences()]
    assert [(w.source, w.sink, w.element) for w in found if w] == [((0,), (1,), (2,)), ((0,), (1,), (40,))]


def test_the_flow_of_equal_layers_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = Count(monkeypatch, FlowSolver, "solved")
    flows = MemoryFlow(memory_of(network(6))).all()
    assert solved.calls == 1
    assert [flow.root.value.name_hint for flow in flows] == [f"a{k}" for k in range(6)]
    for k, flow in enumerate(flows):
        (read,), (write,) = flow.reads, flow.writes
        assert (write.site.number, read.site.number) == (2 * k, 2 * k + 1)
        (writer,) = read.writers
        assert (writer.writer, writer.reader) == (write.site, read.site)
        assert writer.pairs.is_equal(isl.Map("{ [i, j] -> [i, j + 1] : 0 <= i <= 8 and 1 <= j <= 7 }"))


def test_different_buffers_are_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Site, Site]] = []
    inner = Memory.between

    def between(self: Memory, source: Site, sink: Site) -> tuple[Dependence, ...]:
        asked.append((source, sink))
        return inner(self, source, sink)

    monkeypatch.setattr(Memory, "between", between)
    memory = memory_of(network(6))
    assert len(list(memory.dependences())) == 6
    assert asked
    assert all(source.place.root == sink.place.root for source, sink in asked)


MIXED = """func.func @f(%m: memref<8xf32>, %o: memref<8xf32>, %s: memref<?xf32, strided<[?]>>, %x: f32, %c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %k = arith.constant 1 : index
  affine.for %i = 0 to 8 {
    %v = affine.load %o[%i] : memref<8xf32>
    affine.store %v, %a[%i] : memref<8xf32>
    %w = affine.load %m[%i] : memref<8xf32>
    %e = arith.select %c, %a, %m : memref<8xf32>
    memref.store %w, %e[%k] : memref<8xf32>
    affine.store %w, %s[%i] : memref<?xf32, strided<[?]>>
    func.call @g() : () -> ()
  }
  return
}
func.func private @g()
"""


def test_pairs_and_assumptions_are_those_of_all_pairs() -> None:
    memory = memory_of(MIXED)
    every = [(a, b) for a, b in product(memory.sites, memory.sites) if a.is_write or b.is_write]
    answers = [
        memory.dependence(a, b, depth) for a, b in every for depth in range(1, memory.common(a, b) + 2)
    ]
    pairs = set(Partners().pairs(memory.sites))
    assert 0 < len(pairs) < len(every)
    assert all(a.verdict.value == "independent" for a in answers if (a.source, a.sink) not in pairs)
    assert [p for p in every if p in pairs] == list(Partners().pairs(memory.sites))
    assumed = tuple(dict.fromkeys(text for answer in answers for text in answer.assumptions))
    assert len(assumed) > 1
    assert memory.assumed.of(memory.sites) == assumed


UNROLLED = """func.func @f(%m: memref<64xf32>, %x: f32) {{
  affine.for %i = 0 to 48 step 4 {{
{body}
  }}
  return
}}"""


def test_last_writers_among_many_writes() -> None:
    """Compared with running it: four stores, a load of what the last but one of these or the iteration before left."""
    stores = [f"    affine.store %x, %m[%i + {k}] : memref<64xf32>" for k in (0, 1, 2, 3, 5, 4)]
    load = "    %v = affine.load %m[%i + 1] : memref<64xf32>"
    text = UNROLLED.format(body="\n".join([*stores[:3], load, *stores[3:]]))
    (flow,) = MemoryFlow(memory_of(text)).all()
    (read,) = flow.reads
    last: dict[int, tuple[int, int]] = {}
    expected: set[tuple[int, int, int]] = set()
    for i in range(0, 48, 4):
        for site, offset in enumerate((0, 1, 2, None, 3, 5, 4)):
            if offset is None:
                expected.add((*last[i + 1], i))
            else:
                last[i + offset] = site, i
    for writer in read.writers:
        assert writer.exact
    found = {(writer.writer.number, *point) for writer in read.writers for point in points_of(writer.pairs)}
    assert found == expected
    assert read.unwritten is not None
    assert read.unwritten.is_empty()


def points_of(pairs: isl.Map) -> list[tuple[int, ...]]:
    found: list[isl.Point] = []
    flat = pairs.wrap().flatten()
    flat.foreach_point(found.append)
    rank = range(flat.dim(isl.dim_type.set))
    return [tuple(p.get_coordinate_val(isl.dim_type.set, k).to_python() for k in rank) for p in found]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ("{ [x] -> [t, u] : 0 <= t <= x and 0 <= u < 3 }", "{ [x] -> [x, 2] : x >= 0 }"),
        ("{ [x] -> [t] : t mod 3 = 0 and 0 <= t <= x; [x] -> [1] : x = 2 }",
         "{ [x] -> [t] : t mod 3 = 0 and t <= x < t + 3 and t >= 0 and x != 2; [2] -> [1] }"),
        ("{ [x] -> [t = 2] : x mod 4 = 0; [x] -> [t = 0] : x mod 4 = 1; [x] -> [x] : x mod 4 = 2; "
         "[x] -> [t] : 2 * t = x - 1 and x mod 4 = 3 }",
         "{ [x] -> [t = 2] : x mod 4 = 0; [x] -> [t = 0] : x mod 4 = 1; [x] -> [x] : x mod 4 = 2; "
         "[x] -> [t] : 2 * t = x - 1 and x mod 4 = 3 }"),
        ("{ [x] -> [t] : 0 <= t < 4 and (x + t) mod 2 = 0; [x] -> [4] : x mod 5 = 0; [x] -> [5] : x mod 7 = 0;"
         "[x] -> [6] : x mod 11 = 0 }",
         "{ [x] -> [6] : x mod 11 = 0; [x] -> [5] : x mod 7 = 0 and x mod 11 != 0;"
         "[x] -> [4] : x mod 5 = 0 and x mod 7 != 0 and x mod 11 != 0;"
         "[x] -> [t] : 2 <= t < 4 and (x + t) mod 2 = 0 and x mod 5 != 0 and x mod 7 != 0 and x mod 11 != 0 }"),
    ],
)  # fmt: skip
def test_the_greatest_time_is_that_of_the_definition(points: str, expected: str) -> None:
    found = greatest(isl.Map(points))
    assert found is not None
    assert found.is_equal(isl.Map(expected))


def test_where_there_is_no_greatest_time_nothing_is_said() -> None:
    assert greatest(isl.Map("{ [x] -> [t] : t >= x }")) is None


@pytest.mark.parametrize(("option", "kind"), [("loops-only", LoopFact), ("pairs-only", DependenceFact)])
def test_loops_or_pairs_alone_are_those_of_all_dependences(option: str, kind: type[Fact]) -> None:
    text = network(3)
    alone = volcli.loads(text).run(f"dependences{{{option}=true}}").facts
    everything = volcli.loads(text).run("dependences").facts
    assert alone
    assert all(isinstance(fact, kind) for fact in alone)
    assert alone == [fact for fact in everything if isinstance(fact, kind)]
    assert len(everything) > len(alone)


REPEATED = """func.func @f(%m: memref<16xf32>, %x: f32) {
  affine.for %i = 0 to 16 {
    affine.store %x, %m[%i] : memref<16xf32>
    %a = affine.load %m[%i] : memref<16xf32>
    %b = affine.load %m[%i] : memref<16xf32>
    affine.store %a, %m[7] : memref<16xf32>
    %c = affine.load %m[%i] : memref<16xf32>
  }
  return
}"""


def test_equal_reads_behind_equal_writes_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Count(monkeypatch, Writes, "_last")
    (flow,) = MemoryFlow(memory_of(REPEATED)).all()
    assert asked.calls == 3  # %a with %b; %c, behind one more write; what is left behind
    store, other = (write.site for write in flow.writes)
    found = [
        {writer.writer: writer.pairs for writer in read.writers if writer.reader is read.site}
        for read in flow.reads
    ]
    first, second, third = found
    assert set(first) == set(second) == {store}
    assert set(third) == {store, other}
    for read in (first, second):
        assert read[store].is_equal(isl.Map("{ [i] -> [i] : 0 <= i <= 15 }"))
    assert third[store].is_equal(isl.Map("{ [i] -> [i] : 0 <= i <= 15 and i != 7 }"))
    assert third[other].is_equal(isl.Map("{ [7] -> [7] }"))


def test_the_bounds_of_constant_loops_are_found_without_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Count(monkeypatch, Elimination, "joint")
    program = volcli.loads("""func.func @f() {
      affine.for %i = 2 to 40 step 3 {
        affine.for %j = 0 to 7 {
        }
      }
      return
    }""")
    program.run("value-bounds")
    bounds = [(f.lower.constant, f.upper.constant) for f in program.facts if isinstance(f, BoundsFact)]
    assert bounds == [(2, 38), (0, 6)]
    assert asked.calls == 0


def test_accesses_in_tiles_are_in_bounds_by_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Count(monkeypatch, AccessChecks, "of")
    program = volcli.loads("""func.func @f(%m: memref<18x18xf32>, %t: memref<4xi1>) {
      affine.for %k = 0 to 4 {
        %c = affine.load %t[%k] : memref<4xi1>
        cf.assert %c, "about something else"
      }
      affine.for %ii = 0 to 18 step 8 {
        affine.for %i = affine_map<(d0) -> (d0)>(%ii) to min affine_map<(d0) -> (d0 + 8, 18)>(%ii) {
          affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
            %v = affine.load %m[%i, %j] : memref<18x18xf32>
          }
        }
      }
      return
    }""")
    program.run("check-accesses")
    _, fact = (fact for fact in program.facts if isinstance(fact, AccessFact))
    count = sum(1 for ii in range(0, 18, 8) for i in range(ii, min(ii + 8, 18)) for _ in range(i + 1))
    assert (fact.verdict, fact.total) == ("in-bounds", count)
    assert asked.calls == 0


DYNAMIC = """
func.func @f(%m: memref<?xf32>, %n: index, %x: f32) {{
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<?xf32>
  {opening}
  affine.for %i = 0 to %d {{ affine.store %x, %m[%i] : memref<?xf32> }}
  affine.for %j = 0 to %d {{ affine.store %x, %m[%j] : memref<?xf32> }}
  affine.for %k = 0 to %n {{ affine.store %x, %m[%k] : memref<?xf32> }}
  affine.for %l = 0 to %d {{
    affine.for %p = 0 to affine_map<(d0) -> (d0)>(%l) {{ affine.store %x, %m[%p] : memref<?xf32> }}
  }}
  affine.for %q = 0 to %d {{
    affine.for %r = 0 to affine_map<(d0) -> (d0)>(%q) {{ affine.store %x, %m[%r] : memref<?xf32> }}
  }}
  {closing}
  return
}}
"""
GUARDED = ("%is = arith.cmpi sgt, %n, %c0 : index\nscf.if %is {", "}")


@pytest.mark.parametrize(("opening", "closing"), [("", ""), GUARDED])
def test_nests_with_equal_bounds_over_arguments_have_one_domain(opening: str, closing: str) -> None:
    memory = memory_of(DYNAMIC.format(opening=opening, closing=closing))
    one, same, other, inner, alike = (memory.instances.domains.of(site.op) for site in memory.sites)
    assert one.points is same.points
    assert inner.points is alike.points
    assert one.exact
    assert not one.is_whole
    assert not other.points.is_equal(one.points)
    assert one.kept is not same.kept


def test_nests_in_branches_of_their_own_have_their_own_domains() -> None:
    """%n is another bound of the iterations in each."""
    branch = """
      %is{k} = arith.cmpi sgt, %n, %c{k} : index
      scf.if %is{k} {{ affine.for %i{k} = 0 to 9 {{ affine.store %x, %m[%i{k}] : memref<9xf32> }} }}
    """
    body = "".join(branch.format(k=k) for k in (3, 5))
    constants = "".join(f"%c{k} = arith.constant {k} : index\n" for k in (3, 5))
    memory = memory_of(f"func.func @f(%m: memref<9xf32>, %n: index, %x: f32) {{ {constants} {body} return }}")
    first, second = (memory.instances.domains.of(site.op).points for site in memory.sites)
    assert second.is_strict_subset(first)


def test_of_writes_to_one_element_the_last_one_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that was unrolled: each iteration writes m[i] several times."""
    times = Count(monkeypatch, Writes, "_greatest_of_several")
    lines = "".join(
        f"affine.store %x, %m[%i] : memref<9xf32>\n%v{k} = affine.load %m[%i] : memref<9xf32>\n"
        for k in range(8)
    )
    text = f"""func.func @f(%m: memref<9xf32>, %x: f32) {{
      affine.for %i = 0 to 9 {{ affine.for %k = 0 to 4 {{ {lines} }} }}
      affine.for %j = 0 to 9 {{ %y = affine.load %m[%j] : memref<9xf32> }}
      return
    }}"""
    memory = memory_of(text)
    (flow,) = MemoryFlow(memory).all()
    (source,) = flow.reads[-1].writers
    assert source.writer is [site for site in memory.sites if site.is_write][-1]
    assert source.pairs.is_equal(isl.Map("{ [i, 3] -> [i] : 0 <= i < 9 }"))
    assert times.calls == 0
