"""Bands and fusions against an enumeration of which iterations meet in which order."""

from __future__ import annotations

import random
from itertools import product

import volcli
from volcli.model.memory.legality import Legality
from volcli.model.memory.loops import Loops

Row = tuple[int, int, int]  # a * i + b * j + c
Access = tuple[bool, Row, Row]  # whether it writes, and two subscripts


def legality_of(text: str) -> Legality:
    (model,) = volcli.load(text).units[0].models()
    return Legality(Loops(model.memory))


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


def test_bands_of_random_nests() -> None:
    rng, found = random.Random(4), {True: 0, False: 0}
    for _ in range(60):
        accesses = [drawn_access(rng) for _ in range(rng.randint(1, 3))]
        sizes = (rng.randint(2, 4), rng.randint(2, 4))
        body = "\n".join(access_text(number, access) for number, access in enumerate(accesses))
        bands = list(legality_of(f"""func.func @f(%m: memref<64x64xf32>, %x: f32) {{
          affine.for %i = 0 to {sizes[0]} {{ affine.for %j = 0 to {sizes[1]} {{ {body} }} }}
          return
        }}""").bands())  # fmt: skip
        expected = is_permutable(accesses, sizes)
        assert [len(band.levels) for band in bands] == ([2] if expected else [])
        found[expected] += 1
    assert min(found.values()) > 5


def one_dimensional(rng: random.Random) -> Access:
    return (rng.random() < 0.6, (rng.randint(-1, 2), 0, rng.randint(-2, 2)), (0, 0, rng.randint(0, 1)))


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
        fusions = [fusion.legal.value for fusion in legality_of(text).fusions()]
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
    legality = legality_of("""func.func @f(%m: memref<8xf32>, %x: f32) {
      affine.for %i = 0 to 8 { affine.store %x, %m[%i] : memref<8xf32> }
      affine.store %x, %m[0] : memref<8xf32>
      affine.for %i = 0 to 8 { affine.store %x, %m[%i] : memref<8xf32> }
      affine.for %i = 0 to 7 { affine.store %x, %m[%i] : memref<8xf32> }
      return
    }""")
    assert list(legality.fusions()) == []


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
    legality = legality_of("""func.func @f(%m: memref<8xf32>, %n: memref<8xf32>, %x: f32) {
      affine.for %i = 0 to 8 { affine.store %x, %m[%i] : memref<8xf32> }
      memref.dealloc %m : memref<8xf32>
      affine.for %i = 0 to 8 { affine.store %x, %n[%i] : memref<8xf32> }
      affine.for %i = 0 to 8 { func.call @g() : () -> () }
      affine.for %i = 0 to 4 { affine.for %j = 0 to 4 { func.call @g() : () -> () } }
      return
    }
    func.func private @g()""")
    (fusion,) = legality.fusions()
    assert (fusion.legal.value, fusion.because) == ("unknown", "the effects of 'func.call' are unknown")
    assert list(legality.bands()) == []
