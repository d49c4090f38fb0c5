"""The picture of an access that is out of bounds: exactly the elements that it names, inside and outside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

import volcli
from volcli.api.access_pictures import outside_pictures
from volcli.api.spots import BY_PLACE, spots_at
from volcli.presburger.measures.points import few_points
from volcli.report.drawing.raster import SetPicture

Element = tuple[int, ...]


def pictures(text: str, line: int) -> Iterator[SetPicture]:
    """The pictures of LINE, the first of the function TEXT being 1."""
    program = volcli.loads(text).run(BY_PLACE)
    (spot,) = spots_at(program.units, program.source.name, line, None)
    return (each.sets for each in outside_pictures(spot))


def layers(picture: SetPicture) -> dict[str, set[Element]]:
    return {each.text: set(few_points(each.points, 1000) or ()) for each in picture.layers}


def divided(named: set[Element], shape: Element, verb: str) -> dict[str, set[Element]]:
    """NAMED elements of a buffer with this SHAPE, as a picture has them."""
    buffer = set(product(*map(range, shape)))
    found = {verb: named & buffer, "out of bounds": named - buffer, "others": buffer - named}
    return {text: points for text, points in found.items() if points}


def without_name(found: dict[str, set[Element]]) -> dict[str, set[Element]]:
    return {text.removeprefix("the ").split(" of %")[0]: points for text, points in found.items()}


@pytest.mark.parametrize(("a", "b", "step"), [(2, 1, 2), (1, -1, 3), (3, 0, 1), (-1, 2, 2)])
def test_elements_of_an_access_are_those_of_an_enumeration(a: int, b: int, step: int) -> None:
    text = f"""func.func @f(%m: memref<9x7xf32>) {{
  affine.for %i = 0 to 5 {{
    affine.for %j = 0 to 9 step {step} {{
      %x = affine.load %m[%i * {a} + %j * {b}, %j - 1] : memref<9x7xf32>
    }}
  }}
  return
}}"""
    (picture,) = pictures(text, 4)
    named = {(a * i + b * j, j - 1) for i in range(5) for j in range(0, 9, step)}
    assert without_name(layers(picture)) == divided(named, (9, 7), "read")


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_elements_between_those_of_a_strided_slice_are_not_taken(stride: int) -> None:
    text = f"""func.func @f(%t: tensor<20xf32>) {{
  affine.for %i = 8 to 13 step 4 {{
    %s = tensor.extract_slice %t[%i] [5] [{stride}] : tensor<20xf32> to tensor<5xf32>
  }}
  return
}}"""
    named = {(i + k * stride,) for i in (8, 12) for k in range(5)}
    expected = divided(named, (20,), "taken")
    found = [without_name(layers(each)) for each in pictures(text, 3)]
    assert found == ([expected] if "out of bounds" in expected else [])


def test_sizes_are_those_of_the_witness() -> None:
    text = """func.func @f(%m: memref<?xf32>) {
  %x = affine.load %m[3] : memref<?xf32>
  return
}"""
    (picture,) = pictures(text, 2)
    size = int(picture.title.rpartition("= ")[2])
    assert picture.title == f"elements of %m for dim(%m, 0) = {size}"
    assert without_name(layers(picture)) == divided({(3,)}, (size,), "read")


def test_what_is_in_bounds_has_no_picture() -> None:
    text = """func.func @f(%m: memref<9xf32>) {
  %x = affine.load %m[3] : memref<9xf32>
  return
}"""
    assert [*pictures(text, 2)] == []


def test_elements_that_are_not_known_exactly_have_no_picture() -> None:
    text = """func.func @f(%m: memref<9xf32>, %p: memref<9xindex>) {
  affine.for %i = 0 to 10 {
    %k = affine.load %p[%i] : memref<9xindex>
    %x = memref.load %m[%k] : memref<9xf32>
  }
  return
}"""
    assert [each.title for each in pictures(text, 3)] == ["elements of %p"]
    assert [*pictures(text, 4)] == []
