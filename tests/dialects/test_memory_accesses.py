"""Which elements the operations of affine, memref, vector, bufferization and func read and write."""

from __future__ import annotations

import re
from itertools import product

import pytest
from xdsl.ir import Operation

import volcli
from tests.dialects.memory_cases import Point, accesses, box, elements, first, shape_of, the_access
from volcli.facts.access import AccessFact
from volcli.language import questions
from volcli.language.expressions import ANY, NotAffine
from volcli.language.memory import Effect

ROW, COLUMN = "%i: index", "%j: index"
V = "%v: vector<4xf32>"


def only(arguments: str, body: str) -> Operation:
    """The last operation of BODY, `%r = name ...` or `name ...`."""
    return first(re.findall(r"^(?:%\w+ = )?(\w+\.\w+)", body, re.MULTILINE)[-1], arguments, body)


def touched(arguments: str, body: str, **given: int) -> dict[Effect, set[Point]]:
    """The elements that the one operation of BODY reads, and those that it writes."""
    found: dict[Effect, set[Point]] = {}
    for access in accesses(only(arguments, body)):
        found.setdefault(access.effect, set()).update(elements(access, given))
    return found


# -- single elements -----------------------------------------------------------------------------------


def test_affine_load_applies_its_map() -> None:
    body = "%r = affine.load %m[%i * 2 + symbol(%j), (%i + 1) floordiv 3] : memref<32x8xf32>"
    for i in range(9):
        assert touched(f"%m: memref<32x8xf32>, {ROW}, {COLUMN}", body, i=i, j=5) == {
            Effect.READ: {(2 * i + 5, (i + 1) // 3)}
        }


def test_affine_store_stores_its_operand() -> None:
    op = only(f"%x: f32, %m: memref<8xf32>, {ROW}", "affine.store %x, %m[%i mod 3] : memref<8xf32>")
    (write,) = accesses(op)
    assert (write.effect, write.stored) == (Effect.WRITE, op.operands[0])
    assert [elements(write, {"i": i}) for i in range(4)] == [{(0,)}, {(1,)}, {(2,)}, {(0,)}]


def test_an_index_that_is_divided_by_a_symbol_is_unknown() -> None:
    (read,) = accesses(
        only(
            f"%m: memref<8x8xf32>, {ROW}, {COLUMN}",
            "%r = affine.load %m[%i, %i mod symbol(%j)] : memref<8x8xf32>",
        )
    )
    assert str(read.index[0]) == "%i"
    assert read.index[1] is ANY


def test_memref_load_and_store() -> None:
    load, store = (
        "%r = memref.load %m[%j, %i] : memref<8x8xf32>",
        "memref.store %x, %m[%j, %i] : memref<8x8xf32>",
    )
    arguments = f"%x: f32, %m: memref<8x8xf32>, {ROW}, {COLUMN}"
    assert touched(arguments, load, i=2, j=3) == {Effect.READ: {(3, 2)}}
    assert touched(arguments, store, i=2, j=3) == {Effect.WRITE: {(3, 2)}}
    (stored,) = accesses(only(arguments, store))
    assert stored.stored is not None
    assert stored.stored.name_hint == "x"


@pytest.mark.parametrize(("kind", "is_stored"), [("addf", False), ("assign", True)])
def test_an_atomic_update_reads_and_writes(kind: str, is_stored: bool) -> None:
    arguments = f"%x: f32, %m: memref<8xf32>, {ROW}"
    body = f"%r = memref.atomic_rmw {kind} %x, %m[%i] : (f32, memref<8xf32>) -> f32"
    assert touched(arguments, body, i=3) == {Effect.READ: {(3,)}, Effect.WRITE: {(3,)}}
    op = only(arguments, body)
    assert (the_access(op, Effect.WRITE).stored is op.operands[0]) == is_stored


def test_a_generic_atomic_update_reads_and_writes() -> None:
    op = first(
        "memref.generic_atomic_rmw", f"%m: memref<8xf32>, {ROW}",
        "%r = memref.generic_atomic_rmw %m[%i] : memref<8xf32> {\n^bb0(%c: f32):\nmemref.atomic_yield %c : f32\n}",
    )  # fmt: skip
    assert [(a.effect, elements(a, {"i": 3})) for a in accesses(op)] == [
        (Effect.READ, {(3,)}), (Effect.WRITE, {(3,)}),
    ]  # fmt: skip


# -- whole buffers -------------------------------------------------------------------------------------


def test_a_copy_reads_all_of_one_and_writes_all_of_the_other() -> None:
    op = only(
        "%a: memref<?x3xf32>, %b: memref<4x?xf32>", "memref.copy %a, %b : memref<?x3xf32> to memref<4x?xf32>"
    )
    read, write = the_access(op, Effect.READ), the_access(op, Effect.WRITE)
    assert (read.memref, write.memref) == tuple(op.operands)
    assert elements(read, {}) == elements(write, {}) == box(4, 3)
    assert read.parallel == write.parallel == {0, 1}


def test_a_reallocation_copies_what_fits() -> None:
    for before, after in [(8, 4), (4, 8)]:
        body = f"%r = memref.realloc %m : memref<{before}xf32> to memref<{after}xf32>"
        found = touched(f"%m: memref<{before}xf32>", body)
        assert found == dict.fromkeys(Effect, box(4))


@pytest.mark.parametrize(
    ("body", "effects"),
    [
        ("%r = bufferization.to_buffer %t : tensor<3x4xf32> to memref<3x4xf32>", set()),
        ("%r = bufferization.clone %m : memref<3x4xf32> to memref<3x4xf32>", {Effect.READ, Effect.WRITE}),
        (
            "bufferization.materialize_in_destination %t in writable %m : (tensor<3x4xf32>, memref<3x4xf32>) -> ()",
            {Effect.WRITE},
        ),
    ],
)
def test_between_tensors_and_buffers_all_elements_go(body: str, effects: set[Effect]) -> None:
    found = touched("%m: memref<3x4xf32>, %t: tensor<3x4xf32>", body)
    assert found == dict.fromkeys(effects, box(3, 4))


# -- vectors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "effect"),
    [
        ("%r = affine.vector_load %m[%i + 1, %j * 2] : memref<9x30xf32>, vector<4xf32>", Effect.READ),
        ("affine.vector_store %v, %m[%i + 1, %j * 2] : memref<9x30xf32>, vector<4xf32>", Effect.WRITE),
    ],
)
def test_a_vector_from_affine_subscripts_on(body: str, effect: Effect) -> None:
    found = touched(f"%m: memref<9x30xf32>, {V}, {ROW}, {COLUMN}", body, i=3, j=7)
    assert found == {effect: {(4, 14), (4, 15), (4, 16), (4, 17)}}


@pytest.mark.parametrize(
    ("body", "effect"),
    [
        ("%r = vector.load %m[%i, %j] : memref<9x30xf32>, vector<4xf32>", Effect.READ),
        ("vector.store %v, %m[%i, %j] : memref<9x30xf32>, vector<4xf32>", Effect.WRITE),
    ],
)
def test_a_vector_from_an_index_on(body: str, effect: Effect) -> None:
    found = touched(f"%m: memref<9x30xf32>, {V}, {ROW}, {COLUMN}", body, i=3, j=7)
    assert found == {effect: {(3, 7), (3, 8), (3, 9), (3, 10)}}


def test_a_vector_of_two_dimensions() -> None:
    body = "%r = vector.load %m[%i, %i, %j] : memref<9x9x30xf32>, vector<2x3xf32>"
    found = touched(f"%m: memref<9x9x30xf32>, {ROW}, {COLUMN}", body, i=3, j=7)
    assert found == {Effect.READ: {(3, 3 + a, 7 + b) for a, b in box(2, 3)}}


def test_a_buffer_of_vectors_has_one_such_element() -> None:
    body = "%r = vector.load %m[%i] : memref<9xvector<4xf32>>, vector<4xf32>"
    assert touched(f"%m: memref<9xvector<4xf32>>, {ROW}", body, i=3) == {Effect.READ: {(3,)}}


def test_how_long_a_scalable_vector_is_is_not_known() -> None:
    (read,) = accesses(
        only(
            f"%m: memref<9x30xf32>, {ROW}", "%r = vector.load %m[%i, %i] : memref<9x30xf32>, vector<[4]xf32>"
        )
    )
    assert read.index[1] is ANY
    assert read.partial == "a scalable vector"


def test_more_lanes_than_the_buffer_has_dimensions_for() -> None:
    op = only(
        "%m: memref<f32>, %k: vector<4xi1>, %v: vector<4xf32>",
        "%r = vector.maskedload %m[], %k, %v : memref<f32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    )
    with pytest.raises(NotAffine):
        questions.accesses(op)


MASKED = {
    "vector.maskedload": "%r = vector.maskedload %m[%i, %j], %k, %v : memref<9x30xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    "vector.maskedstore": "vector.maskedstore %m[%i, %j], %k, %v : memref<9x30xf32>, vector<4xi1>, vector<4xf32>",
    "vector.expandload": "%r = vector.expandload %m[%i, %j], %k, %v : memref<9x30xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>",
    "vector.compressstore": "vector.compressstore %m[%i, %j], %k, %v : memref<9x30xf32>, vector<4xi1>, vector<4xf32>",
    "vector.transfer_write": "vector.transfer_write %v, %m[%i, %j], %k {in_bounds = [true]} : vector<4xf32>, memref<9x30xf32>",
}  # fmt: skip


@pytest.mark.parametrize("body", MASKED.values(), ids=MASKED)
def test_a_mask_that_is_data_leaves_some_lanes_alone(body: str) -> None:
    (access,) = accesses(only(f"%m: memref<9x30xf32>, %k: vector<4xi1>, {V}, {ROW}, {COLUMN}", body))
    assert access.partial == "a mask"
    assert elements(access, {"i": 3, "j": 7}) == {(3, 7 + lane) for lane in range(4)}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", ["vector.maskedload", "vector.maskedstore", "vector.transfer_write"])
@pytest.mark.parametrize(
    ("mask", "count"),
    [("%k = vector.create_mask %n : vector<4xi1>", n) for n in (-1, 0, 2, 4, 9)]
    + [("%k = vector.constant_mask [3] : vector<4xi1>", 3)],
)
def test_a_mask_that_is_made_of_sizes_says_which_lanes(name: str, mask: str, count: int) -> None:
    arguments = f"%m: memref<9x30xf32>, {V}, {ROW}, {COLUMN}, %n: index"
    (access,) = accesses(first(name, arguments, f"{mask}\n{MASKED[name]}"))
    assert access.partial is None
    assert elements(access, {"i": 3, "j": 7, "n": count}) == {(3, 7 + k) for k in range(4) if k < count}


def test_a_transfer_under_a_mask() -> None:
    body = (
        "%k = vector.create_mask %n : vector<4xi1>\n"
        "vector.mask %k { vector.transfer_write %v, %m[%i, %j] {in_bounds = [true]} : vector<4xf32>, memref<9x30xf32> }"
        " : vector<4xi1>"
    )
    (access,) = accesses(
        first("vector.transfer_write", f"%m: memref<9x30xf32>, {V}, {ROW}, {COLUMN}, %n: index", body)
    )
    assert elements(access, {"i": 3, "j": 7, "n": 2}) == {(3, 7), (3, 8)}


@pytest.mark.parametrize(
    ("body", "effect"),
    [
        (
            "%r = vector.gather %m[%i, %j] [%x], %k, %v : memref<9x30xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>"
            " into vector<4xf32>", Effect.READ,
        ),
        (
            "vector.scatter %m[%i, %j] [%x], %k, %v : memref<9x30xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>",
            Effect.WRITE,
        ),
    ],
)  # fmt: skip
def test_indices_that_are_data(body: str, effect: Effect) -> None:
    arguments = f"%m: memref<9x30xf32>, %x: vector<4xindex>, %k: vector<4xi1>, {V}, {ROW}, {COLUMN}"
    (access,) = accesses(only(arguments, body))
    assert (access.effect, access.index) == (effect, (ANY, ANY))
    assert access.partial is not None
    (fact,) = volcli.loads(f"func.func @f({arguments}) {{\n{body}\nreturn\n}}").run("check-accesses").facts
    assert isinstance(fact, AccessFact)
    assert (fact.verdict, fact.because) == ("unknown", "indices that are data")


# -- transfers -----------------------------------------------------------------------------------------


def transferred(
    shape: Point, window: Point, dims: tuple[int | None, ...], inside: tuple[bool, ...], start: Point
) -> set[Point]:
    """The elements of the window, lane by lane; those after the end of a dimension are not there."""
    found: set[Point] = set()
    for lanes in box(*window):
        index = list(start)
        for lane, d in zip(lanes, dims, strict=True):
            if d is not None:
                index[d] += lane
        may_leave = [d for d, promised in zip(dims, inside, strict=True) if d is not None and not promised]
        if all(index[d] < shape[d] for d in may_leave):
            found.add(tuple(index))
    return found


SHAPE, WINDOW = (6, 5, 4), (3, 2)
DIMS: list[tuple[int | None, ...]] = [(1, 2), (2, 0), (0, 1), (None, 2), (1, None), (None, None)]


@pytest.mark.sample(4)
@pytest.mark.parametrize("inside", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("dims", DIMS)
def test_a_transfer_of_permuted_and_broadcast_dimensions(
    dims: tuple[int | None, ...], inside: tuple[bool, ...]
) -> None:
    results = ", ".join("0" if d is None else f"d{d}" for d in dims)
    promises = ", ".join(map(str, inside)).lower()
    body = (
        "%r = vector.transfer_read %m[%i, %j, %i], %p"
        f" {{permutation_map = affine_map<(d0, d1, d2) -> ({results})>, in_bounds = [{promises}]}}"
        " : memref<6x?x4xf32>, vector<3x2xf32>"
    )
    (read,) = accesses(only(f"%m: memref<6x?x4xf32>, %p: f32, {ROW}, {COLUMN}", body))
    assert read.partial is None
    for i, j in product(range(-2, 7), range(-2, 7)):
        found = elements(read, {"i": i, "j": j}, {"m": SHAPE})
        assert found == transferred(SHAPE, WINDOW, dims, inside, (i, j, i))


def test_a_mask_has_the_order_of_the_buffer() -> None:
    body = (
        "%k = vector.create_mask %a, %b : vector<2x3xi1>\n"
        "vector.transfer_write %w, %m[%i, %j], %k"
        " {permutation_map = affine_map<(d0, d1) -> (d1, d0)>, in_bounds = [true, true]}"
        " : vector<3x2xf32>, memref<9x9xf32>"
    )
    arguments = f"%m: memref<9x9xf32>, %w: vector<3x2xf32>, {ROW}, {COLUMN}, %a: index, %b: index"
    (write,) = accesses(only(arguments, body))
    assert elements(write, {"i": 4, "j": 5, "a": 1, "b": 2}) == {(4, 5), (4, 6)}


def test_a_mask_without_lanes() -> None:
    body = (
        "%k = vector.create_mask %n : vector<1xi1>\n"
        "%r = vector.transfer_read %m[%i], %p, %k {permutation_map = affine_map<(d0) -> (0)>, in_bounds = [true]}"
        " : memref<9xf32>, vector<4xf32>"
    )
    (read,) = accesses(only(f"%m: memref<9xf32>, %p: f32, {ROW}, %n: index", body))
    assert elements(read, {"i": 4, "n": 1}) == {(4,)}
    assert elements(read, {"i": 4, "n": 0}) == set()


def test_a_transfer_to_a_tensor_accesses_no_memory() -> None:
    body = "%r = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>"
    assert touched(f"%t: tensor<8xf32>, {V}, {ROW}", body) == {}


# -- DMA -----------------------------------------------------------------------------------------------

LINES = f"%a: memref<40xf32>, %b: memref<40xf32, 1>, %t: memref<2xi32>, {ROW}, {COLUMN}, %n: index"
STARTS = {
    "affine": "affine.dma_start %a[%i + 1], %b[%j], %t[1], %n : memref<40xf32>, memref<40xf32, 1>, memref<2xi32>",
    "memref": "%c1 = arith.constant 1 : index\n%i1 = arith.addi %i, %c1 : index\n"
    "memref.dma_start %a[%i1], %b[%j], %n, %t[%c1] : memref<40xf32>, memref<40xf32, 1>, memref<2xi32>",
}  # fmt: skip


@pytest.mark.parametrize("body", STARTS.values(), ids=STARTS)
def test_a_transfer_of_a_line(body: str) -> None:
    op = only(LINES, body)
    read, write, *tag = accesses(op)
    given = {"i": 3, "j": 20, "n": 4, "i1": 4, "c1": 1}
    assert elements(read, given) == {(4,), (5,), (6,), (7,)}
    assert elements(write, given) == {(20,), (21,), (22,), (23,)}
    assert [elements(access, given) for access in tag] == [{(1,)}, {(1,)}]
    assert [shape_of(access.memref) for access in (read, write, *tag)] == [(40,), (40,), (2,), (2,)]


@pytest.mark.parametrize(
    ("arguments", "body"),
    [
        (
            LINES,
            "affine.dma_start %a[%i], %b[%j], %t[1], %n, %n, %n : memref<40xf32>, memref<40xf32, 1>, memref<2xi32>",
        ),
        (
            f"%a: memref<4x4xf32>, %b: memref<4x4xf32, 1>, %t: memref<2xi32>, {ROW}, {COLUMN}, %n: index",
            "affine.dma_start %a[%i, %i], %b[%j, %j], %t[1], %n"
            " : memref<4x4xf32>, memref<4x4xf32, 1>, memref<2xi32>",
        ),
    ],
)
def test_where_a_transfer_of_strides_or_rows_goes_is_not_said(arguments: str, body: str) -> None:
    read, write, *_ = accesses(only(arguments, body))
    assert set(read.index) == set(write.index) == {ANY}


def test_awaiting_a_transfer_comes_behind_its_start() -> None:
    op = only(LINES, "affine.dma_wait %t[1], %n : memref<2xi32>")
    assert [(a.effect, elements(a, {})) for a in accesses(op)] == [(e, {(1,)}) for e in Effect]


# -- calls ---------------------------------------------------------------------------------------------


def test_a_call_may_do_anything_to_what_it_is_given() -> None:
    op = only(
        "%m: memref<4x4xf32>, %u: memref<*xf32>, %n: index",
        "func.call @g(%m, %u, %n) : (memref<4x4xf32>, memref<*xf32>, index) -> ()",
    )
    found = [(a.effect, a.memref.name_hint, a.index, a.partial) for a in accesses(op)]
    assert found == [
        (effect, name, index, "the memory effects of @g are unknown")
        for name, index in (("m", (ANY, ANY)), ("u", (ANY,)))
        for effect in Effect
    ]


# -- nothing -------------------------------------------------------------------------------------------

NOTHING = {
    "memref.dealloc": "memref.dealloc %m : memref<4x4xf32>",
    "memref.dim": "%r = memref.dim %m, %i : memref<4x4xf32>",
    "memref.rank": "%r = memref.rank %m : memref<4x4xf32>",
    "memref.cast": "%r = memref.cast %m : memref<4x4xf32> to memref<?x4xf32>",
    "memref.subview": "%r = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32>",
    "memref.prefetch": "memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x4xf32>",
    "affine.prefetch": "affine.prefetch %m[%i, %i], read, locality<3>, data : memref<4x4xf32>",
    "arith.select": "%r = arith.select %b, %m, %m : memref<4x4xf32>",
    "scf.for": "%r = scf.for %k = %i to %i step %i iter_args(%a = %m) -> memref<4x4xf32> {\nscf.yield %a : memref<4x4xf32>\n}",
    "scf.yield": "%r = scf.if %b -> memref<4x4xf32> {\nscf.yield %m : memref<4x4xf32>\n} else {\nscf.yield %m : memref<4x4xf32>\n}",
    "affine.for": "%r = affine.for %k = 0 to 4 iter_args(%a = %m) -> memref<4x4xf32> {\naffine.yield %a : memref<4x4xf32>\n}",
    "cf.br": "cf.br ^b(%m : memref<4x4xf32>)\n^b(%x: memref<4x4xf32>):",
    "bufferization.dealloc": "bufferization.dealloc (%m : memref<4x4xf32>) if (%b)",
    "memref.distinct_objects": "%r:2 = memref.distinct_objects %m, %m : memref<4x4xf32>, memref<4x4xf32>",
}  # fmt: skip


@pytest.mark.parametrize("name", NOTHING)
def test_what_takes_a_buffer_and_accesses_no_element(name: str) -> None:
    op = first(name, f"%m: memref<4x4xf32>, {ROW}, %b: i1", NOTHING[name])
    assert questions.accesses(op) == ()


def test_nobody_knows_what_unknown_operations_access() -> None:
    op = first("some.use", "%m: memref<4xf32>", '"some.use"(%m) : (memref<4xf32>) -> ()')
    assert questions.accesses(op) is None
