"""Bands and fusions against an enumeration of which iterations meet in which order."""

from __future__ import annotations

import random
from itertools import product

import pytest

import volcli
from volcli.model.memory.loops.fusions import Fusion, Fusions
from volcli.model.memory.loops.legality import Legality
from volcli.model.memory.loops.loops import Loops

Row = tuple[int, int, int]  # a * i + b * j + c
Access = tuple[bool, Row, Row]  # whether it writes, and two subscripts


def legality_of(text: str) -> Legality:
    (model,) = volcli.load(text).units[0].models()
    return Legality(Loops(model.memory))


def fusions_of(text: str) -> list[Fusion]:
    (model,) = volcli.load(text).units[0].models()
    return list(Fusions(Loops(model.memory)).all())


def access_text(number: int, access: Access) -> str:
    writes, *rows = access
    subscripts = ", ".join(f"{a} * %i + {b} * %j + {c}" for a, b, c in rows)
    if writes:
        return f"affine.store %x, %m[{subscripts}] : memref<64x64xf32>"
    return f"%v{number} = affine.load %m[{subscripts}] : memref<64x64xf32>"


def element(access: Access, i: int, j: int) -> tuple[int, ...]:
    return tuple(a * i + b * j + c for a, b, c in access[1:])


def drawn_access(rng: random.Random) -> Access:
    def row() -> Row:
        return (rng.randint(-1, 2), rng.randint(-1, 2), rng.randint(-2, 2))

    return (rng.random() < 0.6, row(), row())


def is_permutable(accesses: list[Access], sizes: tuple[int, int]) -> bool:
    """No later iteration of the nest meets an earlier one against the direction of a loop."""
    points = list(product(range(sizes[0]), range(sizes[1])))
    for source, sink in product(accesses, repeat=2):
        if not (source[0] or sink[0]):
            continue
        for before, after in product(points, repeat=2):
            distance = tuple(b - a for a, b in zip(before, after, strict=True))
            if distance > (0, 0) and min(distance) < 0 and element(source, *before) == element(sink, *after):
                return False
    return True


@pytest.mark.slow
def test_bands_of_random_nests() -> None:
    rng, found = random.Random(4), {True: 0, False: 0}
    for _ in range(60):
        accesses = [drawn_access(rng) for _ in range(rng.randint(1, 3))]
        sizes = (rng.randint(2, 4), rng.randint(2, 4))
        body = "\n".join(access_text(number, access) for number, access in enumerate(accesses))
        bands = list(legality_of(f"""func.func @f(%m: memref<64x64xf32>, %o: memref<64x64xf32>) {{
          affine.for %i = 0 to {sizes[0]} {{ affine.for %j = 0 to {sizes[1]} {{
            %x = affine.load %o[%i, %j] : memref<64x64xf32>
            {body} }} }}
          return
        }}""").bands())  # fmt: skip
        expected = is_permutable(accesses, sizes)
        assert [len(band.levels) for band in bands] == ([2] if expected else [])
        found[expected] += 1
    assert min(found.values()) > 5


def one_dimensional(rng: random.Random) -> Access:
    return (rng.random() < 0.6, (rng.randint(-1, 2), 0, rng.randint(-2, 2)), (0, 0, rng.randint(0, 1)))


@pytest.mark.slow
def test_fusions_of_random_loops() -> None:
    rng, found = random.Random(5), {True: 0, False: 0}
    for _ in range(80):
        groups = [[one_dimensional(rng) for _ in range(rng.randint(1, 2))] for _ in range(2)]
        size = rng.randint(2, 5)
        loops = "\n".join(
            f"affine.for %i = 0 to {size} {{"
            + "\n".join(access_text(k, access).replace("0 * %j + ", "") for k, access in enumerate(group))
            + "}"
            for group in groups
        )
        text = f"func.func @f(%m: memref<64x64xf32>, %x: f32) {{ {loops} return }}"
        fusions = [fusion.legal.value for fusion in fusions_of(text)]
        expected = not any(
            (source[0] or sink[0]) and element(source, i, 0) == element(sink, j, 0)
            for source, sink in product(*groups)
            for j in range(size)
            for i in range(j + 1, size)
        )
        assert fusions == ["yes" if expected else "no"]
        found[expected] += 1
    assert min(found.values()) > 5


def test_what_is_in_between_keeps_loops_apart() -> None:
    found = fusions_of("""func.func @f(%m: memref<8xf32>, %x: f32) {
      affine.for %i = 0 to 8 { affine.store %x, %m[%i] : memref<8xf32> }
      affine.store %x, %m[0] : memref<8xf32>
      affine.for %i = 0 to 8 { affine.store %x, %m[%i] : memref<8xf32> }
      affine.for %i = 0 to 7 { affine.store %x, %m[%i] : memref<8xf32> }
      return
    }""")
    assert found == []


def test_a_nest_with_a_carried_value_is_no_band() -> None:
    legality = legality_of("""func.func @f(%x: f32) -> f32 {
      %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> (f32) {
        %s = affine.for %j = 0 to 8 iter_args(%b = %a) -> (f32) {
          %t = arith.addf %b, %b : f32
          affine.yield %t : f32
        }
        affine.yield %s : f32
      }
      return %r : f32
    }""")
    assert list(legality.bands()) == []


def test_what_is_freed_or_called_keeps_its_order() -> None:
    text = """func.func @f(%m: memref<8xf32>, %n: memref<8xf32>, %x: f32) {
      affine.for %i = 0 to 8 { affine.store %x, %m[%i] : memref<8xf32> }
      memref.dealloc %m : memref<8xf32>
      affine.for %i = 0 to 8 { affine.store %x, %n[%i] : memref<8xf32> }
      affine.for %i = 0 to 8 { func.call @g() : () -> () }
      affine.for %i = 0 to 4 { affine.for %j = 0 to 4 { func.call @g() : () -> () } }
      return
    }
    func.func private @g()"""
    (fusion,) = fusions_of(text)
    assert fusion.legal.value == "unknown"
    assert fusion.because == "the effects of @g are unknown"
    assert list(legality_of(text).bands()) == []


# -- effects in the nest -------------------------------------------------------------------------------

BETWEEN = {
    "alloc": ("%b = memref.alloc() : memref<6xf32>", ""),
    "alloca": ("%b = memref.alloca() : memref<6xf32>", ""),
    "dynamic": ("%b = memref.alloc(%n) : memref<?xf32>", ""),
    "freed": ("%b = memref.alloc() : memref<6xf32>", "memref.dealloc %b : memref<6xf32>"),
    "print": ("vector.print %x : f32", ""),
    "call": ("func.call @g() : () -> ()", ""),
    "unknown": ('"other.op"() : () -> ()', ""),
    "in a branch": (
        "scf.if %c { %b = memref.alloc() : memref<6xf32> memref.dealloc %b : memref<6xf32> }", ""
    ),
}  # fmt: skip
ARGUMENTS = "%m: memref<8x8xf32>, %n: index, %x: f32, %c: i1"


@pytest.mark.parametrize("between", BETWEEN)
def test_what_stands_between_two_loops_makes_the_nest_imperfect(between: str) -> None:
    before, after = BETWEEN[between]
    text = f"""func.func private @g()
    func.func @f({ARGUMENTS}) {{
      affine.for %i = 0 to 6 {{
        {before}
        affine.for %j = 0 to 6 {{ affine.store %x, %m[%i, %j] : memref<8x8xf32> }}
        {after}
      }}
      return
    }}"""
    (model,) = [model for model in volcli.load(text).units[0].models() if model.name == "f"]
    assert list(Legality(Loops(model.memory)).bands()) == []


def test_what_the_innermost_iteration_allocates_is_its_own() -> None:
    text = f"""func.func @f({ARGUMENTS}) {{
      affine.for %i = 0 to 6 {{ affine.for %j = 0 to 6 {{
        %b = memref.alloc() : memref<6xf32>
        affine.store %x, %b[%j] : memref<6xf32>
        %v = affine.load %b[%j] : memref<6xf32>
        affine.store %v, %m[%i, %j] : memref<8x8xf32>
        memref.dealloc %b : memref<6xf32>
      }} }}
      return
    }}"""
    (band,) = legality_of(text).bands()
    assert (len(band.levels), band.assumptions) == (2, ())


def test_views_and_sizes_between_two_loops_do_not_matter() -> None:
    text = f"""func.func @f({ARGUMENTS}) {{
      affine.for %i = 0 to 6 {{
        %row = memref.subview %m[%i, 0] [1, 8] [1, 1]
          : memref<8x8xf32> to memref<8xf32, strided<[1], offset: ?>>
        affine.for %j = 0 to 6 {{ affine.store %x, %row[%j] : memref<8xf32, strided<[1], offset: ?>> }}
      }}
      return
    }}"""
    (band,) = legality_of(text).bands()
    assert len(band.levels) == 2


INSIDE = {
    "nothing": ("", 1),
    "print": ("vector.print %v : f32", 0),
    "call": ("func.call @g() : () -> ()", 0),
    "unknown": ('"other.op"() : () -> ()', 0),
    "alloc": ("%b = memref.alloca() : memref<4xf32>", 0),
    "own dealloc": (
        "%b = memref.alloc() : memref<4xf32> memref.dealloc %b : memref<4xf32>", 0
    ),
    "dealloc": ("scf.if %c { memref.dealloc %a : memref<4xf32> }", 0),
}  # fmt: skip


@pytest.mark.parametrize("inside", INSIDE)
def test_what_has_effects_beside_its_accesses_has_no_lanes(inside: str) -> None:
    line, count = INSIDE[inside]
    text = f"""func.func private @g()
    func.func @f(%m: memref<64xf32>, %c: i1) {{
      %a = memref.alloc() : memref<4xf32>
      affine.for %i = 5 to 64 {{
        %v = affine.load %m[%i - 5] : memref<64xf32>
        {line}
        affine.store %v, %m[%i] : memref<64xf32>
      }}
      return
    }}"""
    (model,) = [model for model in volcli.load(text).units[0].models() if model.name == "f"]
    vectors = list(Legality(Loops(model.memory)).vectors())
    assert [lanes for _, lanes in vectors] == [5] * count


# -- parallel loops ------------------------------------------------------------------------------------

PARALLEL = {
    "affine": "affine.parallel (%i) = (0) to (6) {{ {} }}",
    "scf": "scf.parallel (%i) = (%c0) to (%c6) step (%c1) {{ {} scf.reduce }}",
    "forall": "scf.forall (%i) in (6) {{ {} }}",
    "marked": "affine.for %i = 0 to 6 {{ {} }} {{volcli.parallel}}",
}
CONSTANTS = "\n".join(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 6))


def fused(first: str, second: str, offset: int) -> Fusion:
    """The loop that stores to %a[i + 2], and the one that loads from %a[i + 2 + OFFSET], fused."""
    at = {
        shift: f"%k{shift} = affine.apply affine_map<(d0) -> (d0 + {shift})>(%i)" for shift in (2, 2 + offset)
    }
    store = f"{at[2]} memref.store %x, %a[%k2] : memref<16xf32>\n"
    load = f"{at[2 + offset]} %v = memref.load %a[%k{2 + offset}] : memref<16xf32> memref.store %v, %b[%i] : memref<16xf32>\n"
    (fusion,) = fusions_of(f"""func.func @f(%x: f32) {{
      {CONSTANTS}
      %a = memref.alloc() : memref<16xf32>
      %b = memref.alloc() : memref<16xf32>
      {first.format(store)}
      {second.format(load)}
      return
    }}""")
    return fusion


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", PARALLEL)
@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2])
def test_a_parallel_loop_takes_what_needs_its_own_iteration_only(kind: str, offset: int) -> None:
    loop = PARALLEL[kind]
    assert fused(loop, loop, offset).legal.value == ("yes" if offset == 0 else "no")
    sequential = "affine.for %i = 0 to 6 {{ {} }}"
    if kind != "scf":  # its bounds are values
        assert fused(sequential, loop, offset).legal.value == ("yes" if offset <= 0 else "no")
        assert fused(loop, sequential, offset).legal.value == ("yes" if offset == 0 else "no")


def test_what_carries_something_is_no_part_of_a_parallel_loop() -> None:
    (fusion,) = fusions_of("""func.func @f(%x: f32) {
      %a = memref.alloc() : memref<8xf32>
      %b = memref.alloc() : memref<8xf32>
      affine.parallel (%i) = (1) to (8) { affine.store %x, %a[%i] : memref<8xf32> }
      affine.for %i = 1 to 8 {
        %v = affine.load %b[%i - 1] : memref<8xf32>
        affine.store %v, %b[%i] : memref<8xf32>
      }
      return
    }""")
    assert fusion.legal.value == "no"


def test_what_was_loaded_decides_nothing() -> None:
    """%k may be 0 in every run: then the loops may be fused."""
    (fusion,) = fusions_of("""func.func @f(%x: f32, %p: memref<1xindex>, %a: memref<?xf32>) {
      %c0 = arith.constant 0 : index
      %k = memref.load %p[%c0] : memref<1xindex>
      affine.for %i = 0 to 8 { affine.store %x, %a[%i] : memref<?xf32> }
      affine.for %i = 0 to 8 { %v = affine.load %a[%i + symbol(%k)] : memref<?xf32> }
      return
    }""")
    assert fusion.legal.value == "unknown"
    assert fusion.because


# -- assumptions ---------------------------------------------------------------------------------------


def test_a_yes_names_the_pairs_that_it_takes_to_be_different_memory() -> None:
    """Pairs of which one is written; not two that are read."""
    text = """func.func @f(%p: memref<9x9xf32>, %q: memref<9x9xf32>, %r: memref<9x9xf32>) {
      affine.for %i = 1 to 8 { affine.for %j = 1 to 8 {
        %v = affine.load %p[%i - 1, %j + 1] : memref<9x9xf32>
        %w = affine.load %q[%i, %j] : memref<9x9xf32>
        %s = arith.addf %v, %w : f32
        affine.store %s, %r[%i, %j] : memref<9x9xf32>
      } }
      affine.for %i = 4 to 8 { affine.for %j = 1 to 8 {
        %v = affine.load %p[%i, %j - 1] : memref<9x9xf32>
        affine.store %v, %p[%i, %j] : memref<9x9xf32>
      } }
      affine.for %i = 4 to 9 {
        %v = affine.load %q[%i, 0] : memref<9x9xf32>
        %w = affine.load %p[%i - 4, 0] : memref<9x9xf32>
        affine.store %w, %p[%i, 0] : memref<9x9xf32>
      }
      return
    }"""
    first, second = legality_of(text).bands()
    assert first.assumptions == ("%p and %r are different memory", "%q and %r are different memory")
    assert second.assumptions == ()
    ((answer, lanes),) = legality_of(text).vectors()
    assert (answer.assumptions, lanes) == (("%p and %q are different memory",), 4)


def test_assertions_inside_are_named() -> None:
    text = """func.func @f(%c: i1) {
      affine.for %i = 0 to 8 { affine.for %j = 0 to 8 { cf.assert %c, "all" } }
      return
    }"""
    (band,) = legality_of(text).bands()
    assert band.assumptions == ("its assertions hold",)


@pytest.mark.parametrize(
    ("operation", "assumed"),
    [
        ("arith.addf %a, %v : f32", ("reassoc of arith.addf",)),
        ("arith.mulf %a, %v fastmath<nnan> : f32", ("reassoc of arith.mulf",)),
        ("arith.subf %a, %v : f32", ("reassoc of arith.subf",)),
        ("arith.addf %a, %v fastmath<reassoc> : f32", ()),
        ("arith.addf %a, %v fastmath<fast> : f32", ()),
        ("arith.maximumf %a, %v : f32", ()),
    ],
)
def test_lanes_that_combine_rounded_values_in_another_order_assume_it(
    operation: str, assumed: tuple[str, ...]
) -> None:
    text = f"""
        func.func @f(%m: memref<40xf32>, %x: f32) -> f32 {{
          %s = affine.for %i = 3 to 40 iter_args(%a = %x) -> f32 {{
            %v = affine.load %m[%i - 3] : memref<40xf32>
            affine.store %v, %m[%i] : memref<40xf32>
            %w = {operation}
            affine.yield %w : f32
          }}
          return %s : f32
        }}"""
    ((answer, lanes),) = legality_of(text).vectors()
    assert lanes == 3
    assert answer.assumptions == assumed
