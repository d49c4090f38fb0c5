"""The boxes of a partition against the points of small nests, one by one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import islpy as isl
import pytest

from volcli.language.expressions import constant
from volcli.presburger.expressions.match_slice import SliceParameters
from volcli.presburger.profiles.partition import LiveNest, partitioned

Point = tuple[int, ...]

CONDITIONS: dict[str, tuple[str, tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "padded": ("1 <= 2 * i + k <= 12", (7, 5), (0,), (1,)),
    "spread": ("(i + k) mod 3 = 1 and i + k >= 2", (12, 5), (0,), (1,)),
    "spread twice": ("(i + k) mod 2 = 0 and (j + l) mod 2 = 1", (8, 8, 4, 4), (0, 1), (2, 3)),
    "a triangle": ("k <= i", (24, 6, 24), (0, 1), (2,)),
    "two triangles": ("j <= k <= i", (16, 16, 16), (0, 1), (2,)),
    "a band": ("-2 <= i - k <= 1", (20, 3, 20), (0, 1), (2,)),
    "blocks": ("floor(i / 8) = floor(k / 8)", (24, 24), (0,), (1,)),
    "nothing": ("i < 0", (8, 8), (0,), (1,)),
    "no reduction": ("i + j >= 9", (16, 16), (0, 1), ()),
}
NAMES = {2: "i, k", 3: "i, j, k", 4: "i, j, k, l"}


def nest(name: str, weight: int = 100) -> LiveNest:
    condition, sizes, split, reductions = CONDITIONS[name]
    names = NAMES[len(sizes)] if reductions else "i, j"
    box = " and ".join(f"0 <= {n} < {size}" for n, size in zip(names.split(", "), sizes, strict=True))
    domain = isl.Set(f"{{ [{names}] : {box} }}")
    live = domain.intersect(isl.Set(f"{{ [{names}] : {condition} }}"))
    return LiveNest(domain, live, tuple(map(constant, sizes)), split, reductions, weight, part_cost=512)


def points(box: SliceParameters) -> set[Point]:
    lines = [
        [o.constant + s.constant * k for k in range(n.constant)]
        for o, n, s in zip(box.offsets, box.sizes, box.strides, strict=True)
    ]
    return set(itertools.product(*lines))


def members(of: LiveNest) -> set[Point]:
    found: set[Point] = set()
    of.live.foreach_point(
        lambda p: found.add(
            tuple(p.get_coordinate_val(isl.dim_type.set, d).to_python() for d in range(len(of.extents)))
        )
    )
    return found


@pytest.mark.sample(4)
@pytest.mark.parametrize("most", [1, 2, 4, 16])
@pytest.mark.parametrize("name", CONDITIONS)
def test_parts_have_all_that_contributes_and_do_not_overlap(name: str, most: int) -> None:
    of = nest(name)
    boxes = partitioned(of, most)
    assert len(boxes) <= most
    live = members(of)
    assert live <= set().union(*map(points, boxes))
    parts = [{tuple(p[k] for k in of.split) for p in points(box)} for box in boxes]
    assert sum(map(len, parts)) == len(set().union(*parts))
    for box in boxes:
        inside = live & points(box)
        assert inside, "a part without a point that contributes"
        for r in of.reductions:
            used = {p[r] for p in inside}
            first, steps = box.offsets[r].constant, box.strides[r].constant
            assert first == min(used)
            assert first + steps * (box.sizes[r].constant - 1) == max(used)


@pytest.mark.parametrize(
    ("name", "most", "share"),
    [
        ("spread", 16, 1.0),
        ("spread twice", 16, 1.0),
        ("a triangle", 16, 1.15),
        ("two triangles", 16, 1.9),
        ("blocks", 16, 1.0),
        ("padded", 16, 1.0),
    ],
)
def test_little_more_than_what_contributes_is_left(name: str, most: int, share: float) -> None:
    of = nest(name, 10_000)
    total = sum(len(points(box)) for box in partitioned(of, most))
    assert total <= share * len(members(of))


def test_a_part_must_save_what_its_code_costs() -> None:
    assert len(partitioned(nest("padded", 1), 16)) == 1
    assert len(partitioned(nest("padded", 10_000), 16)) > 1


def test_without_shorter_reductions_all_points_stay() -> None:
    of = nest("padded", 1)
    every = set(itertools.product(range(7), range(5)))
    boxes = partitioned(of, 16, shorten=False)
    assert set().union(*map(points, boxes)) == every


def random_live(chance: random.Random) -> LiveNest:
    """Some of the points of a small nest, by a few random conditions."""
    conditions: list[Callable[[], str]] = [
        lambda: f"i + k {chance.choice(('>=', '<='))} {chance.randint(0, 14)}",
        lambda: f"(i + {chance.randint(1, 2)} * k) mod {chance.randint(2, 4)} = {chance.randint(0, 1)}",
        lambda: f"j - k {chance.choice(('>=', '<='))} {chance.randint(-4, 4)}",
        lambda: f"{chance.randint(1, 3)} * i - k >= {chance.randint(-4, 4)}",
    ]
    both = [chance.choice(conditions)() for _ in range(chance.randint(1, 2))]
    text = f" {chance.choice(('and', 'or'))} ".join(f"({each})" for each in both)
    domain = isl.Set("{ [i, j, k] : 0 <= i < 9 and 0 <= j < 7 and 0 <= k < 6 }")
    live = domain.intersect(isl.Set(f"{{ [i, j, k] : {text} }}"))
    return LiveNest(domain, live, tuple(map(constant, (9, 7, 6))), (0, 1), (2,), 200, part_cost=512)


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(40))
def test_random_conditions(seed: int) -> None:
    chance = random.Random(seed)
    of = random_live(chance)
    boxes = partitioned(of, chance.choice((3, 8, 16)))
    assert members(of) <= set().union(*map(points, boxes))
    parts = [{p[:2] for p in points(box)} for box in boxes]
    assert sum(map(len, parts)) == len(set().union(*parts))
