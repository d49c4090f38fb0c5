"""The last writers of what is read, what nothing wrote, and what nothing reads (random programs: tests/oracles/memory)."""

from __future__ import annotations

from itertools import product

import islpy as isl
import pytest

import volcli
from volcli.facts.flow import BufferFact
from volcli.limits import memory as limits
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.answers import BufferFlow, ReadFlow, WriteFlow
from volcli.model.memory.flow.flows import MemoryFlow


def memory_of(text: str) -> Memory:
    return volcli.load(text).units[0].models()[0].memory


def flow(text: str, **options: int) -> list[BufferFlow]:
    """The buffers of the first function of TEXT."""
    return MemoryFlow(memory_of(text), **options).all()


def function(body: str, arguments: str = "%m: memref<9xf32>, %x: f32, %n: index") -> str:
    return f"func.func @f({arguments}) {{\n{body}\n  return\n}}\n"


def reads(found: list[BufferFlow]) -> list[ReadFlow]:
    return sorted((r for buffer in found for r in buffer.reads), key=lambda r: r.site.number)


def writes(found: list[BufferFlow]) -> list[WriteFlow]:
    return sorted((w for buffer in found for w in buffer.writes), key=lambda w: w.site.number)


def same(points: isl.Set | isl.Map | None, text: str) -> bool:
    """Whether POINTS, without parameters, are those of TEXT."""
    assert points is not None
    kind = isl.Map if isinstance(points, isl.Map) else isl.Set
    return bool(points.project_out_all_params().is_equal(kind(text)))


def is_dead(write: WriteFlow) -> bool:
    assert write.dead is not None
    assert write.runs is not None
    return not write.runs.is_empty() and bool(write.dead.is_equal(write.runs))


LOCAL = "%a = memref.alloc() : memref<9xf32>\n"


def test_a_value_flows_from_the_last_write_before_a_read() -> None:
    (read,) = reads(flow(function("""
        affine.for %i = 0 to 9 {
          affine.store %x, %m[%i] : memref<9xf32>
          %v = affine.load %m[%i - 2] : memref<9xf32>
        }""")))  # fmt: skip
    (writer,) = read.writers
    assert writer.exact
    assert same(writer.pairs, "{ [i] -> [i + 2] : 0 <= i <= 6 }")
    assert same(read.unwritten, "{ [i] -> [i - 2] : 0 <= i <= 1 }")


def test_what_is_written_in_between_hides_what_was_written_before() -> None:
    found = flow(
        function("""
        affine.for %i = 0 to 9 { affine.store %x, %m[%i] : memref<9xf32> }
        affine.for %i = 0 to 4 { affine.store %x, %m[2 * %i] : memref<9xf32> }
        %v = affine.load %m[4] : memref<9xf32>
        %w = affine.load %m[5] : memref<9xf32>""")
    )
    assert [[w.writer.number for w in read.writers] for read in reads(found)] == [[1], [0]]
    assert same(writes(found)[0].dead, "{ [0]; [2]; [4]; [6] }")


def test_an_index_with_a_stride_leaves_the_elements_between_as_they_were() -> None:
    """isl's own flow analysis says that nothing is left of the first store."""
    found = flow(
        function("""
        affine.store %x, %m[1] : memref<9xf32>
        affine.for %i = 0 to 2 { affine.store %x, %m[(2 * %i) mod 6] : memref<9xf32> }""")
    )
    assert not any(is_dead(write) for write in writes(found))
    assert same(found[0].live_out, "{ [0]; [1]; [2] }")


def test_elements_that_are_read_as_they_were_are_live_in() -> None:
    (buffer,) = flow(
        function("""
        affine.for %i = 1 to 9 {
          %v = affine.load %m[%i - 1] : memref<9xf32>
          affine.store %v, %m[%i] : memref<9xf32>
        }""")
    )
    assert same(buffer.live_in, "{ [0] }")
    assert same(buffer.live_out, "{ [d] : 1 <= d <= 8 }")


def test_a_buffer_of_each_iteration_has_nothing_of_the_one_before() -> None:
    found = flow(
        function("""
        affine.for %i = 0 to 4 {
          %a = memref.alloca() : memref<9xf32>
          %v = affine.load %a[%i] : memref<9xf32>
          affine.store %x, %a[%i + 1] : memref<9xf32>
        }""")
    )
    assert reads(found)[0].writers == ()
    assert same(reads(found)[0].never_written, "{ [i] -> [i] : 0 <= i <= 3 }")
    assert is_dead(writes(found)[0])


@pytest.mark.parametrize(
    ("use", "outlives"),
    [
        ("memref.dealloc %a : memref<9xf32>", False),
        ('"other.keep"(%a) : (memref<9xf32>) -> ()', True),
        ("memref.copy %a, %a : memref<9xf32> to memref<9xf32>", False),
        ("%v = memref.cast %a : memref<9xf32> to memref<?xf32>\nfunc.call @g(%v) : (memref<?xf32>) -> ()", True),
        ("memref.store %a, %all[%n] : memref<?xmemref<9xf32>>", True),
    ],
)  # fmt: skip
def test_who_else_may_read_a_buffer_later(use: str, outlives: bool) -> None:
    text = function(
        f"{LOCAL} memref.store %x, %a[%n] : memref<9xf32>\n{use}",
        "%x: f32, %n: index, %all: memref<?xmemref<9xf32>>",
    )
    buffers = flow(f"{text} func.func private @g(memref<?xf32>)")
    assert [b.outlives for b in buffers if "alloc" in str(b.root.value.owner)] == [outlives]


def test_a_buffer_that_is_returned_through_a_view_is_not_written_in_vain() -> None:
    (buffer,) = flow(f"""func.func @f(%x: f32, %n: index) -> memref<?xf32> {{
        {LOCAL} memref.store %x, %a[%n] : memref<9xf32>
        %v = memref.cast %a : memref<9xf32> to memref<?xf32>
        return %v : memref<?xf32> }}""")
    assert buffer.outlives
    assert not is_dead(buffer.writes[0])


def test_a_buffer_that_one_of_two_branches_gives_may_be_returned() -> None:
    (_, buffer) = flow(f"""func.func @f(%x: f32, %c: i1, %m: memref<9xf32>, %n: index) -> memref<9xf32> {{
        {LOCAL} memref.store %x, %m[%n] : memref<9xf32>
        memref.store %x, %a[%n] : memref<9xf32>
        %r = arith.select %c, %a, %m : memref<9xf32>
        return %r : memref<9xf32> }}""")
    assert not is_dead(buffer.writes[0])


@pytest.mark.parametrize(
    "between",
    [
        "vector.maskedstore %m[%n], %mask, %v : memref<9xf32>, vector<4xi1>, vector<4xf32>",
        '"other.touch"(%m) : (memref<9xf32>) -> ()',
        "%q = arith.select %c, %m, %o : memref<9xf32>\n memref.store %x, %q[%n] : memref<9xf32>",
        "affine.for %j = 0 to 2 { %k = memref.load %i[%j] : memref<9xindex>\n memref.store %x, %m[%k] : memref<9xf32> }",
        "%k = arith.muli %n, %n : index\n memref.store %x, %m[%k] : memref<9xf32>",
        "scf.while : () -> () { %k = memref.load %i[%n] : memref<9xindex>\n %d = arith.cmpi eq, %k, %n : index\n "
        "scf.condition(%d) } do { memref.store %x, %m[%n] : memref<9xf32>\n scf.yield }",
    ],
)  # fmt: skip
def test_a_write_that_may_or_may_not_happen_hides_nothing_and_is_not_sure(between: str) -> None:
    arguments = (
        "%m: memref<9xf32>, %o: memref<9xf32>, %x: f32, %n: index, %i: memref<9xindex>, %c: i1, "
        "%mask: vector<4xi1>, %v: vector<4xf32>"
    )
    found = flow(function(f"""
        memref.store %x, %m[%n] : memref<9xf32>
        {between}
        %r = memref.load %m[%n] : memref<9xf32>""", arguments))  # fmt: skip
    last = next(read for read in reads(found) if read.site.access.memref is writes(found)[0].site.access.memref
                and "memref.load" in read.site.op.name)  # fmt: skip
    assert len(last.writers) == 2
    assert not any(writer.exact for writer in last.writers)
    assert all(writer.because for writer in last.writers)
    assert not is_dead(writes(found)[0])


def test_a_write_in_a_loop_that_does_not_end_reaches_nothing_after_it() -> None:
    """Where %c holds, the loop goes on for ever; where not, its second region does not run."""
    found = flow(function("""
        memref.store %x, %m[%n] : memref<9xf32>
        scf.while : () -> () { scf.condition(%c) } do { memref.store %x, %m[%n] : memref<9xf32>
          scf.yield }
        %r = memref.load %m[%n] : memref<9xf32>""", "%m: memref<9xf32>, %x: f32, %n: index, %c: i1"))  # fmt: skip
    (last,) = reads(found)
    assert [(each.writer, each.exact) for each in last.writers] == [(writes(found)[0].site, True)]


def test_a_loaded_index_is_one_number_where_it_is_loaded_once() -> None:
    """A store at an index that the program loads once hides an earlier store at the same index."""
    found = flow(
        function(
            """
        %k = memref.load %i[%n] : memref<9xindex>
        memref.store %x, %m[%k] : memref<9xf32>
        memref.store %x, %m[%k] : memref<9xf32>""",
            "%m: memref<9xf32>, %x: f32, %n: index, %i: memref<9xindex>",
        )
    )
    assert [is_dead(write) for write in writes(found)] == [True, False]


def test_blocks_that_branch_back_are_a_loop() -> None:
    found = flow("""func.func @f(%m: memref<9xf32>, %x: f32, %c: i1) {
        %c0 = arith.constant 0 : index
        cf.br ^first
      ^first:
        %v = memref.load %m[%c0] : memref<9xf32>
        cf.br ^second
      ^second:
        memref.store %x, %m[%c0] : memref<9xf32>
        cf.cond_br %c, ^first, ^end
      ^end:
        return }""")
    (writer,) = reads(found)[0].writers
    assert writer.exact
    assert not is_dead(writes(found)[0])


def test_without_a_budget_it_is_unknown_and_says_so() -> None:
    found = flow(function("""
        affine.for %i = 0 to 9 {
          affine.store %x, %m[%i] : memref<9xf32>
          %v = affine.load %m[%i - 2] : memref<9xf32>
        }"""), operations=10)  # fmt: skip
    assert reads(found)[0].unwritten is None
    assert (reads(found)[0].because or "").startswith("budget")
    assert writes(found)[0].dead is None
    (buffer,) = found
    assert buffer.live_in is not None
    assert buffer.live_out is not None
    assert buffer.live_in.is_equal(isl.Set("{ [d] }"))
    assert buffer.live_out.is_equal(isl.Set("{ [d] }"))


def test_two_arguments_are_different_memory_only_if_that_is_assumed() -> None:
    body = "memref.store %x, %m[%n] : memref<9xf32>\n %v = memref.load %o[%n] : memref<9xf32>"
    found = flow(function(body, "%m: memref<9xf32>, %o: memref<9xf32>, %x: f32, %n: index"))
    assert [buffer.assumptions for buffer in found] == [("%m and %o are different memory",)] * 2


def test_the_points_of_an_operation_write_and_read_in_its_order() -> None:
    """m[i + j] = m[i + j] + ..., for all i < 3 and j < 3: by enumeration."""
    (read,) = reads(
        flow(
            function(
                """
        affine.store %x, %m[2] : memref<9xf32>
        linalg.generic {
            indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0 + d1)>],
            iterator_types = ["reduction", "reduction"]}
            ins(%t : memref<3x3xf32>) outs(%m : memref<9xf32>) {
        ^bb0(%p: f32, %q: f32):
          %s = arith.addf %p, %q : f32
          linalg.yield %s : f32
        }""",
                "%m: memref<9xf32>, %t: memref<3x3xf32>, %x: f32",
            )
        )
    )[1:]
    # Of the points (0, 0), (0, 1), ... the first one that goes to each element reads what was there.
    firsts = {min(p for p in product(range(3), repeat=2) if sum(p) == element) for element in range(5)}
    assert read.unwritten is not None
    assert {(element,) for element in (sum(p) for p in firsts) if element != 2} == _points(
        read.unwritten.range()
    )
    assert [writer.writer.number for writer in read.writers] == [0, 3]
    assert all(writer.exact for writer in read.writers)


def _points(points: isl.Set) -> set[tuple[int, ...]]:
    found: list[isl.Point] = []
    points.foreach_point(found.append)
    count = points.dim(isl.dim_type.set)
    return {tuple(p.get_coordinate_val(isl.dim_type.set, k).to_python() for k in range(count)) for p in found}


POINTS = "indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["


def test_what_an_operation_states_and_its_region_interleave_point_by_point() -> None:
    """The store is read at the first point, although the operation writes all elements: it is live."""
    found = flow(
        function(f"""
        %a = memref.alloc() : memref<3xf32>
        affine.store %x, %a[2] : memref<3xf32>
        linalg.generic {{{POINTS}"parallel"]}} outs(%a : memref<3xf32>) {{
        ^bb0(%y: f32):
          %v = affine.load %a[2] : memref<3xf32>
          affine.store %v, %a[0] : memref<3xf32>
          linalg.yield %v : f32
        }}
        %r = affine.load %a[0] : memref<3xf32>""")
    )
    first, *_ = writes(found)
    assert not is_dead(first)
    assert not first.is_exact
    inside, after = reads(found)
    assert {w.writer.number for w in inside.writers} == {0, 1}
    assert {w.writer.number for w in after.writers} == {1, 3}
    assert not any(w.exact for w in (*inside.writers, *after.writers))


def test_a_region_that_goes_to_other_memory_leaves_the_flow_exact() -> None:
    found = flow(
        function(f"""
        %a = memref.alloc() : memref<3xf32>
        affine.store %x, %a[2] : memref<3xf32>
        linalg.generic {{{POINTS}"parallel"]}} outs(%a : memref<3xf32>) {{
        ^bb0(%y: f32):
          %v = affine.load %m[2] : memref<9xf32>
          linalg.yield %v : f32
        }}
        %r = affine.load %a[0] : memref<3xf32>""")
    )
    assert is_dead(writes(found)[0])
    assert writes(found)[0].is_exact


@pytest.mark.parametrize("offset", [0, 1, 4])
def test_a_copy_between_views_that_overlap_has_no_order(offset: int) -> None:
    """What it reads is what it has written, or what was there before."""
    view = f"memref<4xf32, strided<[1], offset: {offset}>>"
    found = flow(
        function(f"""
        {LOCAL}
        %s = memref.subview %a[0] [4] [1] : memref<9xf32> to memref<4xf32, strided<[1]>>
        %t = memref.subview %a[{offset}] [4] [1] : memref<9xf32> to {view}
        affine.for %i = 0 to 9 {{ affine.store %x, %a[%i] : memref<9xf32> }}
        memref.copy %s, %t : memref<4xf32, strided<[1]>> to {view}
        affine.for %i = 0 to 9 {{ %v = affine.load %a[%i] : memref<9xf32> }}""")
    )
    copied = {w.writer.number: w.exact for w in reads(found)[0].writers}
    assert copied == ({0: False, 2: False} if offset == 1 else {0: True})


def test_atomic_updates_of_a_parallel_loop_have_no_order() -> None:
    text = """
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %a = memref.alloc() : memref<4xf32>
        scf.{0} {{
          %u = memref.atomic_rmw assign %x, %a[{1}] : (f32, memref<4xf32>) -> f32
        }}
        %v = memref.load %a[%c0] : memref<4xf32>"""
    parallel, sequential = "parallel (%i) = (%c0) to (%c4) step (%c1)", "for %i = %c0 to %c4 step %c1"
    (writer,) = reads(flow(function(text.format(parallel, "%c0"))))[-1].writers
    assert not writer.exact
    assert writer.because == "the iterations of 'scf.parallel' are not ordered"
    assert same(writer.pairs, "{ [i] -> [] : 0 <= i <= 3 }")
    (writer,) = reads(flow(function(text.format(sequential, "%c0"))))[-1].writers
    assert writer.exact
    assert same(writer.pairs, "{ [3] -> [] }")
    (writer,) = reads(flow(function(text.format(parallel, "%i"))))[-1].writers
    assert writer.exact
    assert same(writer.pairs, "{ [0] -> [] }")


def test_memory_whose_rank_is_unknown_has_a_reason() -> None:
    found = flow(
        function(
            """
        %a = memref.cast %u : memref<*xf32> to memref<9xf32>
        %b = memref.cast %u : memref<*xf32> to memref<?xf32>
        affine.store %x, %a[0] : memref<9xf32>
        %v = affine.load %b[0] : memref<?xf32>""",
            "%u: memref<*xf32>, %x: f32",
        )
    )
    assert [r.because for r in reads(found)] == ["%b may be the same memory: its rank is not known"]


def test_each_access_names_the_buffers_that_have_to_be_others() -> None:
    found = flow(
        function(
            """
        affine.store %x, %m[0] : memref<9xf32>
        %v = affine.load %k[0] : memref<9xf32>
        %w = affine.load %m[0] : memref<9xf32>""",
            "%m: memref<9xf32>, %k: memref<9xf32>, %x: f32",
        )
    )
    assumed = ("%m and %k are different memory",)
    assert [each.assumptions for each in writes(found)] == [assumed]  # %k is read
    assert [each.assumptions for each in reads(found)] == [assumed, ()]  # nothing but %m is written


STEPPED = """
func.func @f(%m: memref<64x64xf32>, %x: f32) {
  affine.for %a = 0 to 24 step 8 {
    %l = memref.alloc() : memref<64xf32>
    affine.for %b = affine_map<(d0) -> (d0 + 1)>(%a) to 30 step 3 {
      affine.store %x, %l[%b] : memref<64xf32>
      affine.store %x, %m[%a, %b] : memref<64x64xf32>
      affine.for %c = affine_map<(d0) -> (d0)>(%a) to affine_map<(d0) -> (d0 + 8)>(%a) {
        %v = affine.load %m[%a, %c] : memref<64x64xf32>
        %w = affine.load %l[%c] : memref<64xf32>
      }
    }
  }
  return
}
"""


def test_the_flow_between_loops_with_steps_is_that_of_running_them() -> None:
    found = reads(flow(STEPPED))
    expected: list[set[tuple[int, ...]]] = [set(), set()]
    unwritten: list[set[tuple[int, ...]]] = [set(), set()]
    for a in range(0, 24, 8):
        last: dict[int, int] = {}
        for b in range(a + 1, 30, 3):
            last[b] = b
            for c in range(a, a + 8):
                for k in range(2):
                    if c in last:
                        expected[k].add((a, last[c], a, b, c))
                    else:
                        unwritten[k].add((a, b, c))
    for k, read in enumerate(found):
        assert read.is_exact
        (writer,) = read.writers
        assert points_in(writer.pairs.wrap().flatten()) == expected[k]
        assert read.unwritten is not None
        assert points_in(read.unwritten.domain()) == unwritten[k]
    dead = {write.site.number: write.dead for write in writes(flow(STEPPED))}
    assert dead[1] is not None
    assert dead[1].is_empty()  # it is left behind by the function
    read_later = {(a, w) for a, w, *_ in expected[1]}
    local = {(a, b) for a in range(0, 24, 8) for b in range(a + 1, 30, 3)}
    assert dead[0] is not None
    assert points_in(dead[0]) == local - read_later


def test_buffers_that_differ_in_the_steps_of_loops_have_answers_of_their_own() -> None:
    body = "".join(f"""
        affine.for %i{step} = 0 to {5 * step} step {step} {{
          affine.store %x, %{name}[%i{step} floordiv {step}] : memref<9xf32>
          %v{step} = affine.load %{name}[%i{step} floordiv {step}] : memref<9xf32>
        }}""" for name, step in (("m", 4), ("n", 7)))  # fmt: skip
    found = reads(flow(function(body, "%m: memref<9xf32>, %n: memref<9xf32>, %x: f32")))
    for read, step in zip(found, (4, 7), strict=True):
        (writer,) = read.writers
        assert points_in(writer.pairs.wrap().flatten()) == {(i, i) for i in range(0, 5 * step, step)}


def test_writes_of_outer_iterations_are_asked_only_where_the_inner_ones_give_nothing() -> None:
    """Four writers in one loop and one before it, against running them."""
    body = """
        affine.for %i = 0 to 9 { affine.store %x, %m[%i] : memref<9xf32> }
        affine.for %t = 0 to 3 {
          affine.for %i = 1 to 8 {
            %v = affine.load %m[%i - 1] : memref<9xf32>
            affine.store %x, %m[%i] : memref<9xf32>
          }
          affine.store %x, %m[%t] : memref<9xf32>
        }"""
    (read,) = reads(flow(function(body)))
    last: dict[int, tuple[int, ...]] = {i: (0, i) for i in range(9)}
    expected: dict[int, set[tuple[int, ...]]] = {}
    for t in range(3):
        for i in range(1, 8):
            expected.setdefault(last[i - 1][0], set()).add((*last[i - 1][1:], t, i))
            last[i] = 2, t, i
        last[t] = 3, t
    found = {w.writer.number: points_in(w.pairs.wrap().flatten()) for w in read.writers}
    assert found == expected


def points_in(points: isl.Set) -> set[tuple[int, ...]]:
    """The points of a finite set."""
    found: list[isl.Point] = []
    points.foreach_point(found.append)
    rank = range(points.dim(isl.dim_type.set))
    return {tuple(p.get_coordinate_val(isl.dim_type.set, k).to_python() for k in rank) for p in found}


# -- what has no order --------------------------------------------------------------------------------------

LAUNCHED = """
func.func @f(%x: f32, %m: memref<9xf32>) {{
  affine.store %x, %m[0] : memref<9xf32>
  "u.in"() ({{
    {inner}
    "u.use"(%m) : (memref<9xf32>) -> ()
    %v = affine.load %m[0] : memref<9xf32>
  }}) : () -> ()
  affine.store %x, %m[0] : memref<9xf32>
  return
}}
"""
NESTED = '"u.in"() ({ "u.in"() ({ "u.use"(%m) : (memref<9xf32>) -> () }) : () -> () }) : () -> ()\n'


def test_flow_that_costs_too_much_is_at_most_all_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """None but those that show to run after the read; and nothing is called exact, dead or never written."""
    text = LAUNCHED.format(inner="")
    exact = flow(text)
    monkeypatch.setattr(limits, "UNORDERED_CASES", 0)
    found = flow(text)
    reason = "budget: more than 0 cases in which accesses have no order"
    assert {each.because for each in found} == {reason}
    (read,) = (each for each in reads(found) if each.site.op.name == "affine.load")
    assert not any(each.exact for each in read.writers)
    (before,) = (each for each in reads(exact) if each.site.op.name == "affine.load")
    for writer in before.writers:
        (same_one,) = (each for each in read.writers if each.writer.number == writer.writer.number)
        assert writer.pairs.is_subset(same_one.pairs)
    assert before.unwritten is not None
    assert read.unwritten is not None
    assert before.unwritten.is_subset(read.unwritten)
    assert read.never_written is not None
    assert read.never_written.is_empty()
    last = max(writes(found), key=lambda each: each.site.number)
    assert last.site not in {each.writer for each in read.writers}  # it runs after the whole operation
    assert not any(map(is_dead, writes(found)))


def test_many_cases_without_an_order_are_soon_too_many() -> None:
    (found,) = (each for each in flow(LAUNCHED.format(inner=NESTED * 3)) if each.root.value.name_hint == "m")
    assert (
        found.because == f"budget: more than {limits.UNORDERED_CASES} cases in which accesses have no order"
    )
    assert all(read.writers for read in found.reads)


def test_rows_of_a_buffer_say_what_is_at_most() -> None:
    """As JSON does by `exact`."""
    call = "call @g(%m) : (memref<4xf32>) -> ()"
    text = f"func.func private @g(memref<4xf32>)\nfunc.func @f(%m: memref<4xf32>) {{ {call} return }}"
    buffer = next(
        fact for fact in volcli.loads(text).run("memory-flow").facts if isinstance(fact, BufferFact)
    )
    assert [row[1:] for row in buffer.rows()] == [
        ("live in", "at most { [d0] }"),
        ("live out", "at most { [d0] }"),
        ("", "at most: the memory effects of @g are unknown"),
    ]


def test_of_an_index_with_many_divisions_the_written_elements_are_known_at_most_and_soon() -> None:
    """The sum of a quotient and two remainders, which is at most 481 in 1000 iterations."""
    index = "((%i floordiv 7) * 3 + (%i mod 11) * 5 + (%i floordiv 13) mod 17) mod 1000"
    body = f"affine.for %i = 0 to 1000 {{ affine.store %x, %m[{index}] : memref<1000xf32> }}"
    text = function(body, "%m: memref<1000xf32>, %x: f32")
    program = volcli.loads(text)
    written = [(3 * (i // 7) + i % 11 * 5 + i // 13 % 17) % 1000 for i in range(1000)]
    (buffer,) = (each for each in program.run("memory-flow").facts if isinstance(each, BufferFact))
    assert buffer.content()["live_out"] == f"at most {{ [d0] : {min(written)} <= d0 <= {max(written)} }}"
    reason = program.run("element-maps").facts[-1].certainty.reason
    assert reason == "%m is memory: budget: more than 20000 integer set operations"
    assert not [each for each in program.diagnostics if each.code == "V305"]  # what the clock ends
