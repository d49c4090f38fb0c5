"""Volumes, arrays, views and slices (IMPACT 2023, definitions 4.1 to 4.9)."""

from __future__ import annotations

import islpy as isl
import pytest

from tests.shared.enumeration import box_points, pairs_of
from volcli.language.expressions import constant, loops
from volcli.language.slices import Slice
from volcli.model.volumes.domains.parts import Volume
from volcli.presburger.sets import build


def volume(text: str, *names: str) -> Volume:
    return Volume("V", names, isl.Set(text))


@pytest.mark.parametrize(
    ("text", "rank", "hyperrectangle", "array"),
    [
        ("{ [i, j] : 0 <= i < 4 and 0 <= j < 3 }", 2, True, True),
        ("{ [i, j] : 1 <= i < 4 and 0 <= j < 3 }", 2, True, False),
        ("{ [i, j] : 0 <= i <= j < 3 }", 2, False, False),
        ("{ [i] : 0 <= i < 8 and i mod 2 = 0 }", 1, False, False),
        ("{ [] }", 0, True, True),
        ("[n] -> { [i] : 0 <= i < n }", 1, True, True),
        ("[n] -> { [i] : n <= i < 2n }", 1, True, False),
        ("{ [0, 5]; [1, 0] }", 2, False, False),
    ],
)
def test_kinds_of_volumes(text: str, rank: int, hyperrectangle: bool, array: bool) -> None:
    v = volume(text, *(f"d{d}" for d in range(rank)))
    assert (v.rank, v.is_hyperrectangle, v.is_array) == (rank, hyperrectangle, array)


def test_text() -> None:
    v = volume("{ [i, j] : 0 <= i < 4 and 0 <= j < 3 }", "h", "w")
    assert str(v) == "{ V[h, w] : 0 <= h <= 3 and 0 <= w <= 2 }"
    assert isl.Set(v.text(isl.Set("{ [1, 2] }"))).is_equal(isl.Set("{ V[1, 2] }"))


@pytest.mark.parametrize("kept", [(0, 1), (0,), (1,), ()])
def test_a_slice_is_a_view(kept: tuple[int, ...]) -> None:
    """`i |-> offset + i * stride` on the kept dimensions, the offset on the others."""
    offset, stride = (1, 2), (2, 3)
    index = Slice([constant(o) for o in offset], [constant(s) for s in stride], kept).index()
    domain = build.box(tuple(constant(3) for _ in kept))
    found = pairs_of(build.relation(len(kept), index).intersect_domain(domain))
    expected = set()
    for i in box_points(*(3 for _ in kept)):
        at = dict(zip(kept, i, strict=True))
        expected.add(
            (i, tuple(o + at.get(d, 0) * s for d, (o, s) in enumerate(zip(offset, stride, strict=True))))
        )
    assert found == expected


def test_the_identity_slice() -> None:
    assert Slice([constant(0)] * 2, [constant(1)] * 2, (0, 1)).index() == loops(2)
