"""Slices of slices in the coordinates of the first, against the elements that each of them has."""

from __future__ import annotations

import itertools
import random

import pytest

import volcli
from volcli.facts.slices import SlicesFact

Element = tuple[int, ...]
SHAPE = (9, 12)


def part(chance: random.Random, size: int) -> tuple[int, int, int]:
    """An offset, a size and a stride within so many elements."""
    stride = chance.choice((1, 1, 2))
    count = chance.randint(1, max(1, (size - 1) // stride))
    return chance.randint(0, size - 1 - (count - 1) * stride), count, stride


def drawn(seed: int) -> tuple[str, dict[str, list[Element]]]:
    """A program of slices of slices, and the elements of each in their order."""
    chance = random.Random(seed)
    lines: list[str] = []
    elements = {"t": list(itertools.product(*map(range, SHAPE)))}
    shapes: dict[str, tuple[int, ...]] = {"t": SHAPE}
    types = {"t": "tensor<9x12xf32>"}
    for number in range(4):
        source, name = chance.choice(list(shapes)), f"s{number}"
        shape = shapes[source]
        if chance.random() < 0.3:
            unknown = f"tensor<{'?x' * len(shape)}f32>"
            lines.append(f"%{source}c{number} = tensor.cast %{source} : {types[source]} to {unknown}")
            source = f"{source}c{number}"
            elements[source], shapes[source], types[source] = (
                elements[source[: -len(f"c{number}")]],
                shape,
                unknown,
            )
        rows = [part(chance, size) for size in shape]
        ones = [d for d, (_, size, _) in enumerate(rows) if size == 1]
        is_reduced = len(ones) < len(rows) and chance.random() < 0.5  # all of them, for which is clear then
        reduced = tuple(size for d, (_, size, _) in enumerate(rows) if not (is_reduced and d in ones))
        offsets, sizes, strides = (", ".join(map(str, column)) for column in zip(*rows, strict=True))
        kind = f"tensor<{''.join(f'{size}x' for size in reduced)}f32>"
        lines.append(
            f"%{name} = tensor.extract_slice %{source}[{offsets}] [{sizes}] [{strides}] "
            f": {types[source]} to {kind}"
        )
        at = dict(zip(itertools.product(*map(range, shape)), elements[source], strict=True))
        indices = itertools.product(*([o + s * k for k in range(n)] for o, n, s in rows))
        elements[name] = [at[index] for index in indices]
        shapes[name], types[name] = reduced, kind
    body = "\n  ".join(lines)
    return f"func.func @f(%t: tensor<9x12xf32>) {{\n  {body}\n  return\n}}", elements


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(60))
def test_random_slices_of_slices(seed: int) -> None:
    text, elements = drawn(seed)
    facts = volcli.loads(text).run("compare-slices").facts
    for fact in facts:
        assert isinstance(fact, SlicesFact)
        left, right = (elements[name.removeprefix("%")] for name in (fact.left, fact.right))
        expected = "equal" if left == right else "overlap" if set(left) & set(right) else "disjoint"
        assert (fact.source, fact.relation) == ("%t", expected), text


def relations(text: str) -> dict[tuple[str, str], str]:
    facts = volcli.loads(text).run("compare-slices").facts
    return {(f.left, f.right): f.relation for f in facts if isinstance(f, SlicesFact)}


def test_views_of_views_behind_a_cast() -> None:
    found = relations("""
func.func @f(%m: memref<?xf32>, %n: index) {
  %upper = memref.subview %m[%n] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  %same = memref.cast %upper : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  %first = memref.subview %same[0] [4] [1]
    : memref<?xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  %lower = memref.subview %m[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %again = memref.subview %m[%n] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}""")
    assert found["%first", "%lower"] == "disjoint"
    assert found["%first", "%again"] == "equal"
    assert ("%upper", "%first") not in found  # a part of it, as its place says


def test_a_view_that_has_no_slice_as_its_elements_is_a_base() -> None:
    found = relations("""
func.func @f(%t: tensor<4x6xf32>) {
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %a = tensor.extract_slice %flat[0] [6] [1] : tensor<24xf32> to tensor<6xf32>
  %b = tensor.extract_slice %t[0, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  return
}""")
    assert found == {}
