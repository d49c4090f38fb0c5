"""Races of parallel loops and operations, and what is none (random programs: tests/oracles/memory)."""

from __future__ import annotations

import random
from itertools import product

import pytest

import volcli
from volcli.execution.runs.inputs import Inputs
from volcli.model.memory.checks.races.races import RaceAnswer, Races, RaceVerdict
from volcli.model.memory.loops.loops import LoopKind, Loops

FREE, RACE, UNKNOWN = RaceVerdict.FREE, RaceVerdict.RACE, RaceVerdict.UNKNOWN
NUMBERS = "\n".join(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 8))


GIVEN = "%m: memref<16xf32>, %o: memref<16xindex>, %x: f32, %n: index"


def raced(body: str, arguments: str = GIVEN) -> list[RaceAnswer]:
    text = f"func.func @f({arguments}) {{\n{NUMBERS}\n{body}\n return }}"
    return Races(volcli.load(text).units[0].models()[0].memory).all()


def kinds_of(body: str, arguments: str) -> list[LoopKind]:
    text = f"func.func @f({arguments}) {{\n{NUMBERS}\n{body}\n return }}"
    return [answer.kind for answer in Loops(volcli.load(text).units[0].models()[0].memory).all()]


def one(body: str, arguments: str = GIVEN) -> RaceAnswer:
    (answer,) = raced(body, arguments)
    return answer


LOOPS = {
    "affine": "affine.parallel (%i) = (0) to (8) {{ {} }}",
    "scf": "scf.parallel (%i) = (%c0) to (%c8) step (%c1) {{ {} scf.reduce }}",
    "forall": "scf.forall (%i) in (8) {{ {} }}",
    "marked": "affine.for %i = 0 to 8 {{ {} }} {{volcli.parallel}}",
}


@pytest.mark.parametrize("loop", LOOPS)
def test_two_iterations_that_meet_are_a_race_and_that_is_shown(loop: str) -> None:
    body = "%h = arith.divui %i, %two : index\n memref.store %i, %o[%h] : memref<16xindex>\n"
    answer = one(f"%two = arith.constant 2 : index\n{LOOPS[loop].format(body)}")
    assert answer.verdict is RACE
    witness = answer.races[0].witness
    assert witness is not None
    assert witness.source != witness.sink
    assert witness.source[0] // 2 == witness.sink[0] // 2 == witness.element[0]


@pytest.mark.parametrize("loop", LOOPS)
def test_iterations_with_elements_of_their_own_do_not_race(loop: str) -> None:
    body = "%v = memref.load %m[%i] : memref<16xf32>\n memref.store %v, %m[%i] : memref<16xf32>\n"
    assert one(LOOPS[loop].format(body)).verdict is FREE


def test_a_sequential_loop_is_not_asked() -> None:
    assert raced("affine.for %i = 0 to 8 { affine.store %x, %m[0] : memref<16xf32> }") == []


def test_reading_is_no_race() -> None:
    assert (
        one("affine.parallel (%i) = (0) to (8) { %v = affine.load %m[0] : memref<16xf32> }").verdict is FREE
    )


def test_one_iteration_does_not_race_with_itself() -> None:
    body = "affine.parallel (%i) = (0) to (1) { affine.for %j = 0 to 4 { affine.store %x, %m[0] : memref<16xf32> } }"
    assert one(body).verdict is FREE


def test_an_outer_loop_gives_each_inner_one_elements_of_its_own() -> None:
    body = """affine.parallel (%i) = (0) to (4) { affine.parallel (%j) = (0) to (4) {
        affine.store %j, %o[%i] : memref<16xindex> } }"""
    outer, inner = raced(body)
    assert (outer.verdict, inner.verdict) == (FREE, RACE)


def test_the_second_of_two_induction_variables() -> None:
    answer = one("affine.parallel (%i, %j) = (0, 0) to (4, 4) { affine.store %j, %o[%i] : memref<16xindex> }")
    assert answer.verdict is RACE
    assert answer.races[0].witness is not None
    assert answer.races[0].witness.source[0] == answer.races[0].witness.sink[0]


def test_a_later_iteration_may_write_what_an_earlier_one_reads() -> None:
    body = """affine.parallel (%i) = (0) to (8) {
        %v = affine.load %m[%i + 1] : memref<16xf32>
        affine.store %v, %m[%i] : memref<16xf32> }"""
    assert one(body).verdict is RACE


def test_sums_of_the_loop_itself_are_no_race() -> None:
    body = """%s = affine.parallel (%i) = (0) to (8) reduce ("addf") -> f32 {
          %v = affine.load %m[%i] : memref<16xf32>
          affine.yield %v : f32
        }"""
    assert one(body).verdict is FREE


ATOMIC = "%m: memref<16xf32>, %k: memref<?xindex>, %x: f32, %n: index"
UPDATE = "%u = memref.atomic_rmw addf %x, %m[%c0] : (f32, memref<16xf32>) -> f32\n"


def test_atomic_updates_do_not_race_with_each_other() -> None:
    assert one(LOOPS["affine"].format(UPDATE), ATOMIC).verdict is FREE


def test_a_load_races_with_an_atomic_update() -> None:
    body = f"{UPDATE} %v = memref.load %m[%c0] : memref<16xf32>\n"
    answer = one(LOOPS["affine"].format(body), ATOMIC)
    assert answer.verdict is RACE
    assert all("memref.load" in {r.first.op.name, r.second.op.name} for r in answer.races)


def test_memory_of_an_iteration_is_its_own() -> None:
    body = """%a = memref.alloca() : memref<4xf32>
        memref.store %x, %a[%c0] : memref<4xf32>
        %v = memref.load %a[%c0] : memref<4xf32>
        memref.store %v, %m[%i] : memref<16xf32>"""
    assert one(LOOPS["affine"].format(body)).verdict is FREE


def test_loaded_indices_are_unknown() -> None:
    body = "%j = memref.load %k[%i] : memref<?xindex>\n memref.store %i, %o[%j] : memref<16xindex>\n"
    answer = one(LOOPS["affine"].format(body), "%o: memref<16xindex>, %k: memref<?xindex>")
    assert (answer.verdict, answer.races[0].witness) == (UNKNOWN, None)
    assert answer.because


@pytest.mark.parametrize(
    "inside", ['"other.touch"(%m) : (memref<16xf32>) -> ()', '"other.print"() : () -> ()']
)
def test_what_nobody_knows_is_unknown(inside: str) -> None:
    answer = one(LOOPS["affine"].format(inside))
    assert (answer.verdict, bool(answer.because)) == (UNKNOWN, True)


def test_two_arguments_are_different_memory_only_if_that_is_assumed() -> None:
    body = "%v = memref.load %o[%c0] : memref<16xf32>\n memref.store %v, %m[%i] : memref<16xf32>\n"
    answer = one(LOOPS["affine"].format(body), "%m: memref<16xf32>, %o: memref<16xf32>")
    assert (answer.verdict, answer.assumptions) == (FREE, ("%m and %o are different memory",))


def test_two_halves_of_a_buffer_do_not_meet() -> None:
    body = """%a = memref.subview %m[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
        %b = memref.subview %m[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
        affine.parallel (%i) = (0) to (8) {
          %v = affine.load %a[7 - %i] : memref<8xf32, strided<[1]>>
          affine.store %v, %b[%i] : memref<8xf32, strided<[1], offset: 8>>
        }"""
    assert one(body).verdict is FREE


# -- operations with loops of their own ----------------------------------------------------------------


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(30))
def test_linalg_on_buffers_against_enumeration(seed: int) -> None:
    """c[f(l)] = a[g(l)] over one buffer: two points that differ in a parallel iterator, and meet."""
    chance = random.Random(seed)
    kinds = [chance.choice(["parallel", "reduction"]) for _ in range(2)]
    write, read = ([chance.randint(0, 2), chance.randint(0, 3), chance.randint(0, 2)] for _ in range(2))
    text = f"""linalg.generic {{
        indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>,
          affine_map<(d0, d1) -> (d0 * {read[0]} + d1 * {read[1]} + {read[2]})>,
          affine_map<(d0, d1) -> (d0 * {write[0]} + d1 * {write[1]} + {write[2]})>],
        iterator_types = ["{kinds[0]}", "{kinds[1]}"]}}
        ins(%t, %m : memref<3x4xf32>, memref<16xf32>) outs(%m : memref<16xf32>) {{
      ^bb0(%p: f32, %q: f32, %r: f32):
        linalg.yield %q : f32
      }}"""
    points = list(product(range(3), range(4)))
    apart = [k for k, kind in enumerate(kinds) if kind == "parallel"]

    def at(weights: list[int], point: tuple[int, int]) -> int:
        return point[0] * weights[0] + point[1] * weights[1] + weights[2]

    races = any(
        at(write, p) in (at(write, q), at(read, q))
        for p, q in product(points, points)
        if any(p[k] != q[k] for k in apart)
    )
    if not apart:
        assert raced(text, "%t: memref<3x4xf32>, %m: memref<16xf32>") == []
    else:
        answer = one(text, "%t: memref<3x4xf32>, %m: memref<16xf32>")
        assert answer.verdict is (RACE if races else FREE)


def test_a_product_of_matrices_does_not_race() -> None:
    body = "linalg.matmul ins(%a, %b : memref<4x3xf32>, memref<3x5xf32>) outs(%c : memref<4x5xf32>)"
    answer = one(body, "%a: memref<4x3xf32>, %b: memref<3x5xf32>, %c: memref<4x5xf32>")
    assert answer.verdict is FREE


def test_the_lanes_of_a_vector_are_no_iterations() -> None:
    assert raced("vector.store %w, %m[%c0] : memref<16xf32>, vector<4xf32>",
                 "%m: memref<16xf32>, %w: vector<4xf32>") == []  # fmt: skip


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(24))
def test_words_and_bytes_of_one_buffer_against_enumeration(seed: int) -> None:
    """c[l] = a[l] where c and a are views of one buffer of bytes, each with elements of its own width."""
    chance = random.Random(seed)
    count = 4
    widths = [chance.choice([8, 16, 32]) for _ in range(2)]
    shifts = [chance.choice([0, 1, 2, 4, 8, 16, 20]) for _ in range(2)]
    views = "\n".join(
        f"%s{k} = arith.constant {shift} : index\n"
        f"%v{k} = memref.view %m[%s{k}][] : memref<64xi8> to memref<{count}xi{width}>"
        for k, (width, shift) in enumerate(zip(widths, shifts, strict=True))
    )
    identity = "affine_map<(i) -> (i)>"
    text = f"""{views}
      %z = arith.constant 0 : i{widths[1]}
      linalg.generic {{indexing_maps = [{identity}, {identity}], iterator_types = ["parallel"]}}
        ins(%v0 : memref<{count}xi{widths[0]}>) outs(%v1 : memref<{count}xi{widths[1]}>) {{
      ^bb0(%a: i{widths[0]}, %b: i{widths[1]}):
        %use = arith.addi %a, %a : i{widths[0]}
        %same = arith.trunci %use : i{widths[0]} to i1
        %r = arith.select %same, %z, %z : i{widths[1]}
        linalg.yield %r : i{widths[1]}
      }}"""

    def bytes_of(view: int, point: int) -> set[int]:
        size = widths[view] // 8
        return set(range(shifts[view] + point * size, shifts[view] + (point + 1) * size))

    races = any(
        bytes_of(1, p) & (bytes_of(0, q) | bytes_of(1, q))
        for p, q in product(range(count), repeat=2)
        if p != q
    )
    answer = one(text, "%m: memref<64xi8>")
    assert answer.verdict is (RACE if races else FREE)


# -- slices that are inserted in parallel --------------------------------------------------------------


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(30))
def test_slices_of_forall_against_enumeration(seed: int) -> None:
    chance = random.Random(seed)
    first, step, size, stride = (
        chance.randint(0, 2),
        chance.randint(0, 6),
        chance.randint(1, 4),
        chance.randint(1, 3),
    )
    text = f"""%r = scf.forall (%i) in (5) shared_outs(%o = %t) -> (tensor<64xf32>) {{
        %from = affine.apply affine_map<(d0) -> ({step} * d0 + {first})>(%i)
        scf.forall.in_parallel {{
          tensor.parallel_insert_slice %p into %o[%from] [{size}] [{stride}] : tensor<{size}xf32> into tensor<64xf32>
        }} }}"""

    def slice_of(iteration: int) -> set[int]:
        return {step * iteration + first + k * stride for k in range(size)}

    meet = [(a, b) for a, b in product(range(5), range(5)) if a < b and slice_of(a) & slice_of(b)]
    arguments = f"%t: tensor<64xf32>, %p: tensor<{size}xf32>"
    answer = one(text, arguments)
    assert answer.verdict is (RACE if meet else FREE)
    assert kinds_of(text, arguments) == [LoopKind.CARRIED if meet else LoopKind.PARALLEL]
    for race in answer.races:
        assert race.witness is not None
        pair = sorted((race.witness.source[0], race.witness.sink[0]))
        assert tuple(pair) in meet
        assert set(race.witness.element) <= slice_of(pair[0]) & slice_of(pair[1])


def test_tiles_with_a_shorter_last_one() -> None:
    text = """%r = scf.forall (%i) = (0) to (100) step (16) shared_outs(%o = %t) -> (tensor<100xf32>) {
        %h = affine.min affine_map<(d0) -> (16, -d0 + 100)>(%i)
        %p = tensor.extract_slice %t[%i] [%h] [1] : tensor<100xf32> to tensor<?xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %p into %o[%i] [%h] [1] : tensor<?xf32> into tensor<100xf32>
        } }"""
    assert one(text, "%t: tensor<100xf32>").verdict is FREE


INSERTS = {
    "one slot for all": ("[3] [4] [1]", RACE, LoopKind.CARRIED),
    "one slot for two": ("[%half] [1] [1]", RACE, LoopKind.CARRIED),
    "the next one's": ("[%i] [2] [1]", RACE, LoopKind.CARRIED),
    "its own": ("[%i] [1] [1]", FREE, LoopKind.PARALLEL),
    "interleaved": ("[%i] [4] [8]", FREE, LoopKind.PARALLEL),
    "data": ("[%data] [1] [1]", UNKNOWN, LoopKind.UNKNOWN),
    "a product": ("[%product] [1] [1]", UNKNOWN, LoopKind.UNKNOWN),
    "as many as an argument": ("[%i] [%n] [1]", RACE, LoopKind.CARRIED),
    "none": ("[0] [0] [1]", FREE, LoopKind.PARALLEL),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", INSERTS)
def test_loops_and_races_say_the_same_of_what_forall_inserts(name: str) -> None:
    window, verdict, kind = INSERTS[name]
    size = window.split("] [")[1]
    part = "tensor<?xf32>" if size == "%n" else f"tensor<{size}xf32>"
    text = f"""%r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<64xf32>) {{
        %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
        %data = tensor.extract %where[%i] : tensor<8xindex>
        %product = arith.muli %i, %n : index
        scf.forall.in_parallel {{
          tensor.parallel_insert_slice %p into %o{window} : {part} into tensor<64xf32>
        }} }}"""
    arguments = f"%t: tensor<64xf32>, %p: {part}, %where: tensor<8xindex>, %n: index"
    assert (one(text, arguments).verdict, kinds_of(text, arguments)) == (verdict, [kind])


def test_two_tensors_that_are_shared_do_not_meet_and_two_loops_have_each_its_own() -> None:
    loop = """%{r}:2 = scf.forall (%i) in (4) shared_outs(%o = %t, %q = %t) -> (tensor<4xf32>, tensor<4xf32>) {{
        %back = affine.apply affine_map<(d0) -> (3 - d0)>(%i)
        scf.forall.in_parallel {{
          tensor.parallel_insert_slice %p into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
          tensor.parallel_insert_slice %p into %q[%back] [1] [1] : tensor<1xf32> into tensor<4xf32>
        }} }}"""
    text = f"scf.for %k = %c0 to %c8 step %c1 {{ {loop.format(r='r')} {loop.format(r='s')} }}"
    arguments = "%t: tensor<4xf32>, %p: tensor<1xf32>"
    assert [answer.verdict for answer in raced(text, arguments)] == [FREE, FREE]
    assert kinds_of(text, arguments) == [LoopKind.PARALLEL] * 3


@pytest.mark.parametrize(
    ("region", "verdict"),
    [
        ("memref.store %y, %m[%c0] : memref<16xf32>", UNKNOWN),
        ("%v = memref.load %m[%c1] : memref<16xf32>", UNKNOWN),
        ("memref.store %y, %k[%c1] : memref<16xf32>", UNKNOWN),
        ("%v = memref.load %k[%c1] : memref<16xf32>", FREE),
        ("%v = func.call @g() : () -> f32", UNKNOWN),
        ("%l = memref.alloca() : memref<16xf32>\n memref.store %y, %l[%c1] : memref<16xf32>", FREE),
        ("%v = memref.atomic_rmw addf %y, %k[%c1] : (f32, memref<16xf32>) -> f32", FREE),
    ],
)
def test_what_the_region_of_an_operation_accesses_is_a_part_of_its_points(
    region: str, verdict: RaceVerdict
) -> None:
    text = f"""
        func.func private @g() -> f32
        func.func @f(%m: memref<16xf32>, %k: memref<16xf32>) {{
          {NUMBERS}
          linalg.map outs(%m : memref<16xf32>) (%o: f32) {{
            %y = arith.constant 1.0 : f32
            {region}
            linalg.yield %y : f32
          }}
          return
        }}"""
    (answer,) = Races(volcli.load(text).units[0].models()[-1].memory).all()
    assert answer.verdict is verdict
    assert (answer.because is None) is (verdict is FREE)


def test_the_example_of_points_in_views_of_bytes_has_the_loops_around_them() -> None:
    body = """
      affine.for %t = 0 to 4 {
        %x = memref.view %bytes[%c0][%m, %k] : memref<?xi8> to memref<?x?xf32>
        %y = memref.view %bytes[%c0][%k, %n] : memref<?xi8> to memref<?x?xf32>
        %z = memref.view %bytes[%c0][%m, %n] : memref<?xi8> to memref<?x?xf32>
        linalg.matmul ins(%x, %y : memref<?x?xf32>, memref<?x?xf32>) outs(%z : memref<?x?xf32>)
      }"""
    answer = one(body, "%bytes: memref<?xi8>, %m: index, %k: index, %n: index")
    assert answer.verdict is RACE
    witness = answer.races[0].witness
    assert witness is not None
    assert witness.source[0] == witness.sink[0]
    assert witness.source[1:3] != witness.sink[1:3]


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("body", "always"),
    [
        ("affine.parallel (%i) = (0) to (symbol(%n)) { affine.store %i, %m[0] : memref<?xindex> }", True),
        ("affine.parallel (%i) = (0) to (8) { affine.store %i, %m[symbol(%n)] : memref<?xindex> }", True),
        ("affine.parallel (%i) = (0) to (symbol(%n)) { affine.for %j = 0 to %k { "
         "affine.store %j, %m[%i + %j] : memref<?xindex> } }", True),
        ("affine.parallel (%i) = (0) to (symbol(%n)) { affine.store %i, %m[%i floordiv 4] : memref<?xindex> }", True),
        ("affine.parallel (%i) = (0) to (symbol(%n)) { affine.store %i, %m[%i mod 4] : memref<?xindex> }", False),
        ("affine.parallel (%i) = (0) to (8) { affine.if affine_set<(i)[k] : (k - i >= 0)>(%i)[%k] { "
         "affine.store %i, %m[0] : memref<?xindex> } }", False),
    ],
)  # fmt: skip
def test_a_race_whenever_loops_have_two_iterations_is_one_in_any_case(body: str, always: bool) -> None:
    answer = one(body, "%m: memref<?xindex>, %n: index, %k: index")
    assert (answer.verdict, answer.always) == (RACE, always)


def test_what_callers_have_to_avoid() -> None:
    text = """func.func private @f(%m: memref<?xf32>, %n: index) {
        affine.parallel (%i) = (0) to (symbol(%n)) {
          %v = affine.load %m[%i + 4] : memref<?xf32>
          affine.store %v, %m[%i] : memref<?xf32>
        }
        return
      }
      func.func @few(%m: memref<?xf32>) {
        %n = arith.constant 4 : index
        call @f(%m, %n) : (memref<?xf32>, index) -> ()
        return
      }
      func.func @many(%m: memref<?xf32>) {
        %n = arith.constant 5 : index
        call @f(%m, %n) : (memref<?xf32>, index) -> ()
        return
      }
      func.func @any(%m: memref<?xf32>, %k: index) {
        %n = affine.apply affine_map<(k) -> (k + 1)>(%k)
        call @f(%m, %n) : (memref<?xf32>, index) -> ()
        return
      }"""
    found = [(each.code, each.message) for each in volcli.load(text).run("check-races").diagnostics]
    assert found == [
        ("V208", "'func.call' op passes %n = 5, but to have no race, @f needs %n <= 4"),
        ("V215", "to have no race, @any needs %k <= 3, because of the operation at 20:9"),
    ]


# -- writes of one value -----------------------------------------------------------------------------------

WRITES = {
    "an argument": ("memref.store %x, %m[%c0] : memref<16xf32>", FREE),
    "a constant": ("%z = arith.constant 1.0 : f32\n memref.store %z, %m[%c0] : memref<16xf32>", FREE),
    "a sum of arguments": ("%z = arith.addf %x, %x : f32\n memref.store %z, %m[%c0] : memref<16xf32>", FREE),
    "a fill": ("linalg.fill ins(%x : f32) outs(%m : memref<16xf32>)", FREE),
    "two constants that are equal": (
        "%z = arith.constant 1.0 : f32\n %w = arith.constant 1.0 : f32\n"
        "memref.store %z, %m[%c0] : memref<16xf32>\n memref.store %w, %m[%c0] : memref<16xf32>", FREE),
    "two constants": (
        "%z = arith.constant 1.0 : f32\n %w = arith.constant 2.0 : f32\n"
        "memref.store %z, %m[%c0] : memref<16xf32>\n memref.store %w, %m[%c0] : memref<16xf32>", RACE),
    "zeros of both signs": (
        "%z = arith.constant 0.0 : f32\n %w = arith.constant -0.0 : f32\n"
        "memref.store %z, %m[%c0] : memref<16xf32>\n memref.store %w, %m[%c0] : memref<16xf32>", RACE),
    "two arguments": (
        "memref.store %x, %m[%c0] : memref<16xf32>\n memref.store %y, %m[%c0] : memref<16xf32>", RACE),
    "a value that is read, too": (
        "memref.store %x, %m[%c0] : memref<16xf32>\n %v = memref.load %m[%c0] : memref<16xf32>", RACE),
    "the iteration": ("memref.store %i, %o[%c0] : memref<16xindex>", RACE),
    "the iteration, less itself": (
        "%d = arith.subi %i, %i : index\n memref.store %d, %o[%c0] : memref<16xindex>", UNKNOWN),
    "an inner iteration": (
        "scf.for %j = %c0 to %c8 step %c1 { memref.store %j, %o[%j] : memref<16xindex> }", UNKNOWN),
    "what is loaded": (
        "%v = memref.load %o[%c1] : memref<16xindex>\n memref.store %v, %o[%c0] : memref<16xindex>", RACE),
}  # fmt: skip


@pytest.mark.sample(4)
@pytest.mark.parametrize("what", WRITES)
@pytest.mark.parametrize("loop", LOOPS)
def test_writes_of_one_value_do_not_race_and_a_run_shows_the_others(loop: str, what: str) -> None:
    """Arguments have different numbers in the run, and are different values where they have equal ones.

    A run asks for the same values: numbers that only sets show to be equal are several values there.
    """
    body, verdict = WRITES[what]
    text = f"""
      func.func @f(%m: memref<16xf32>, %o: memref<16xindex>, %x: f32, %y: f32) {{
        {NUMBERS}
        {LOOPS[loop].format(body)}
        return
      }}"""
    program = volcli.loads(text)
    memory = program.units[0].models()[-1].memory
    answer = Races(memory).all()[0]
    assert answer.verdict is verdict
    assert Loops(memory).all()[0].kind is (LoopKind.PARALLEL if verdict is FREE else LoopKind.CARRIED)
    for y, seed in product((1, 2), (None, 3)):
        ran = program.function("f").run(Inputs(numbers={"x": 1, "y": y}), shuffle=seed)
        assert (ran.undefined is not None) is (verdict is not FREE)


LEAST = """affine.parallel (%i) = (0) to (SIZE) {
    %v = affine.min affine_map<(d0) -> (2, 4 - d0)>(%i)
    affine.store %v, %o[%i floordiv 8] : memref<16xindex> }"""


@pytest.mark.parametrize(("size", "pair"), [("3", None), ("4", (0, 3)), ("9", (0, 3))])
def test_the_iterations_of_an_example_write_different_numbers(
    size: str, pair: tuple[int, int] | None
) -> None:
    answer = one(LEAST.replace("SIZE", size))
    assert answer.verdict is (UNKNOWN if pair is None else RACE)
    witness = answer.races[0].witness
    assert pair == (witness and (witness.source[0], witness.sink[0]))


def test_floats_of_equal_numbers_are_not_known_to_be_different() -> None:
    cast = """%k = arith.index_cast %v : index to i32
        %w = arith.sitofp %k : i32 to f32
        affine.store %w, %m[%i floordiv 8] : memref<16xf32> }"""
    text = LEAST.replace("affine.store %v, %o[%i floordiv 8] : memref<16xindex> }", cast)
    assert one(text.replace("SIZE", "3")).verdict is UNKNOWN
    assert one(text.replace("SIZE", "4")).verdict is RACE


def test_iterations_write_different_numbers_for_some_arguments_only() -> None:
    answer = one(LEAST.replace("SIZE", "%n"))
    assert (answer.verdict, answer.always) == (RACE, False)
    assert one(LEAST.replace("SIZE", "%n").replace("2, 4 - d0", "4 - d0")).always


def test_calls_in_which_all_numbers_are_equal_may_race() -> None:
    """With one iteration of the inner loop, all of the outer one write 0."""
    calls = one(
        """affine.parallel (%i) = (0) to (2) { affine.for %j = 0 to affine_map<()[s] -> (s)>()[%n] {
          affine.store %j, %o[0] : memref<16xindex> } }"""
    ).calls
    assert calls is not None
    conditions = [str(each).partition(" : ")[2] for each in (calls.surely, calls.may)]
    assert [each[2:] for each in conditions] == [" >= 2 }", " > 0 }"]


def test_a_value_of_the_first_variable_is_one_in_iterations_that_differ_in_the_second_one() -> None:
    loop = "affine.parallel (%i, %j) = (0, 0) to (4, 4) {{ affine.store %{}, %o[%{}] : memref<16xindex> }}"
    assert one(loop.format("i", "i")).verdict is FREE
    assert one(loop.format("j", "i")).verdict is RACE


def test_a_value_of_a_sequential_loop_around_is_one_in_the_parallel_loop() -> None:
    body = """scf.for %k = %c0 to %c8 step %c1 { affine.parallel (%i) = (0) to (4) {
        affine.store %k, %o[0] : memref<16xindex> } }"""
    assert one(body).verdict is FREE
    assert kinds_of(body, GIVEN) == [LoopKind.CARRIED, LoopKind.PARALLEL]


def test_equal_numbers_that_lie_across_each_other_in_bytes_race() -> None:
    body = """%c2 = arith.constant 2 : index
        affine.parallel (%i) = (0) to (4) {
          %s = arith.muli %i, %c2 : index
          %v = memref.view %b[%s][] : memref<64xi8> to memref<4xi32>
          memref.store %w, %v[%c0] : memref<4xi32> }"""
    assert one(body, "%b: memref<64xi8>, %w: i32").verdict is RACE


@pytest.mark.parametrize(
    ("yielded", "is_race"), [("%x", False), ("%b", False), ("%a", True), ("%y", True)], ids=str
)
def test_points_that_write_one_value_do_not_race(yielded: str, is_race: bool) -> None:
    """The elements `[i + j]` of a view that overlaps itself are written by several points each."""
    text = f"""func.func @f(%m: memref<4x4xf32, strided<[1, 1]>>, %v: memref<4x4xf32>, %x: f32) {{
      linalg.generic {{
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]
      }} ins(%v, %x : memref<4x4xf32>, f32) outs(%m : memref<4x4xf32, strided<[1, 1]>>) {{
      ^bb0(%a: f32, %b: f32, %o: f32):
        %y = arith.addf %x, %x : f32
        linalg.yield {yielded} : f32
      }}
      return
    }}"""
    program = volcli.loads(text)
    (answer,) = Races(program.units[0].models()[0].memory).all()
    assert answer.verdict is (RACE if is_race else FREE)
    ran = program.function("f").run()
    assert (ran.undefined is not None) is is_race
