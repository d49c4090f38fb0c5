"""Bursts against addresses that are computed element by element, and against all ways to cover them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence

import islpy as isl
import pytest
from xdsl.ir import Attribute

import volcli
from volcli.facts.mars import MarsFact
from volcli.model.mars.partition.bursts import BurstRules, MemoryOrder, Transfer, memory_order
from volcli.passes.analyses.mars import Mars

Address = Callable[..., int]

LAYOUTS: list[tuple[str, Sequence[int], Address]] = [
    ("memref<4x8xf32>", (4, 8), lambda i, j: 8 * i + j),
    ("memref<?x8xf32>", (5, 8), lambda i, j: 8 * i + j),
    ("memref<3x4x2xf32>", (3, 4, 2), lambda i, j, k: 8 * i + 2 * j + k),
    ("memref<6x1xf32>", (6, 1), lambda i, j: i + j),
    ("memref<4x8xf32, strided<[1, 4], offset: 3>>", (4, 8), lambda i, j: i + 4 * j + 3),
    ("memref<4x4xf32, strided<[8, 2]>>", (4, 4), lambda i, j: 8 * i + 2 * j),
    ("memref<4x4xf32, strided<[10, 1], offset: ?>>", (4, 4), lambda i, j: 10 * i + j),
    ("memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>", (4, 8), lambda i, j: 4 * j + i),
    ("memref<4x8xf32, affine_map<(d0, d1) -> (d0 * 16 + d1 + 5)>>", (4, 8), lambda i, j: 16 * i + j + 5),
    (
        "memref<6x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1 floordiv 4, d0 mod 2, d1 mod 4)>>",
        (6, 8),
        lambda i, j: ((i // 2 * 2 + j // 4) * 2 + i % 2) * 4 + j % 4,
    ),
]

UNKNOWN = [
    ("memref<4x?xf32>", (4, 8), lambda i, j: 20 * i + j),
    ("memref<2x?x4xf32>", (2, 3, 4), lambda i, j, k: 40 * i + 4 * j + k),
    ("memref<4x4xf32, strided<[?, 1]>>", (4, 4), lambda i, j: 9 * i + j),
    ("memref<4x4xf32, strided<[1, ?]>>", (4, 4), lambda i, j: i + 9 * j),
    ("memref<4x4xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1 * 2)>>", (4, 4), lambda i, j: 9 * i + 2 * j),
]
"""Sizes and strides that the type leaves open are large here: no more elements are neighbours than it says."""


def type_of(text: str) -> Attribute:
    unit = volcli.loads(f"func.func @f(%a: {text}) {{\n  return\n}}\n").functions[0].unit
    (model,) = unit.models()
    return model.function.regions[0].block.args[0].type


def drawn_points(chance: random.Random, sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """A box of elements, all of it or a part."""
    ranges = [sorted((chance.randrange(size), chance.randrange(size))) for size in sizes]
    box = list(itertools.product(*(range(low, high + 1) for low, high in ranges)))
    return box if chance.random() < 0.5 else [point for point in box if chance.random() < 0.7] or box[:1]


def set_of(points: Sequence[tuple[int, ...]]) -> isl.Set:
    return isl.Set("{ " + "; ".join(str(list(point)) for point in points) + " }")


def runs_of(addresses: Sequence[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for address in sorted(addresses):
        if found and found[-1][1] == address:
            found[-1] = found[-1][0], address + 1
        else:
            found.append((address, address + 1))
    return found


def begins(order: MemoryOrder, points: Sequence[tuple[int, ...]]) -> int:
    return order.begins(set_of(points)).count_val().to_python()


@pytest.mark.parametrize(("text", "sizes", "address"), LAYOUTS, ids=[each[0] for each in LAYOUTS])
def test_runs_are_those_of_the_addresses(text: str, sizes: Sequence[int], address: Address) -> None:
    chance, order = random.Random(text), memory_order(type_of(text))
    assert order.is_known
    for _ in range(6):
        points = drawn_points(chance, sizes)
        runs = runs_of([address(*point) for point in points])
        assert order.runs(set_of(points)) == (None if "offset: ?" in text else runs)
        assert begins(order, points) == len(runs)


@pytest.mark.parametrize(("text", "sizes", "address"), UNKNOWN, ids=[each[0] for each in UNKNOWN])
def test_open_sizes_and_strides_give_the_most_bursts(
    text: str, sizes: Sequence[int], address: Address
) -> None:
    chance, order = random.Random(text), memory_order(type_of(text))
    assert not order.is_known
    assert order.runs(set_of([(0,) * len(sizes)])) is None
    for _ in range(6):
        points = drawn_points(chance, sizes)
        assert begins(order, points) == len(runs_of([address(*point) for point in points]))


@pytest.mark.parametrize("seed", range(40))
def test_aligned_bursts_of_a_least_length_are_as_few_as_can_be(seed: int) -> None:
    chance = random.Random(seed)
    rules = BurstRules(chance.choice((1, 2, 4, 8)), chance.choice((0, 3, 4, 8, 12)))
    width = chance.choice((1, 2, 4))
    elements = sorted(chance.sample(range(14), chance.randint(1, 7)))
    found = Transfer.of(runs_of(elements), width, rules)
    assert found == fewest(elements, width, rules)


def fewest(elements: Sequence[int], width: int, rules: BurstRules) -> Transfer:
    """Of all ways to cut ELEMENTS into bursts, one of the fewest: each moves what is between its first and last byte.

    Blocks that hold nothing are moved only to make a burst as long as it must be.
    """
    options: list[tuple[int, int]] = []
    for cuts in itertools.product((False, True), repeat=len(elements) - 1):
        groups = [[elements[0]]]
        for cut, element in zip(cuts, elements[1:], strict=True):
            groups.append([element]) if cut else groups[-1].append(element)
        sizes = [_size(group, width, rules) for group in groups]
        if None not in sizes:
            options.append((len(groups), sum(size or 0 for size in sizes)))
    bursts, _ = min(options)
    return Transfer(bursts, min(size for count, size in options if count == bursts))


def _size(group: Sequence[int], width: int, rules: BurstRules) -> int | None:
    """The bytes of one burst that moves GROUP; None if it would pass over blocks that it need not move."""
    block = rules.alignment
    needed = {byte // block for each in group for byte in range(each * width, (each + 1) * width)}
    first, least = min(needed), -(-rules.least // block)
    until = max(max(needed) + 1, first + least)
    is_one = all(each in needed or each < first + least for each in range(first, until))
    return (until - first) * block if is_one else None


@pytest.mark.parametrize("rules", [BurstRules(), BurstRules(8), BurstRules(16), BurstRules(1, 32)])
@pytest.mark.parametrize(("reads", "size"), [((26, 1, 23, 13, 24), 6), ((19, 10), 7), ((3, 14, 22), 8)])
def test_sets_lie_in_the_order_of_fewest_bursts_by_the_rules(
    reads: Sequence[int], size: int, rules: BurstRules
) -> None:
    loads = "\n".join(f"%r{d} = affine.load %a[%i - {d}] : memref<120xf32>" for d in reads)
    text = f"""func.func @f(%a: memref<120xf32>) {{
  affine.for %i = 30 to 120 {{
    {loads}
    affine.store %r{reads[0]}, %a[%i] : memref<120xf32>
  }}
  return
}}"""
    unit = volcli.loads(text).functions[0].unit
    Mars(tile=f"i:{size}", burst_alignment=rules.alignment, least_burst=rules.least).apply(unit)
    (fact,) = (each for each in unit.facts if isinstance(each, MarsFact) and each.kind == "produced")
    consumers = [set(each.consumers) for each in fact.sets]
    counts = [int(count or 0) for _, count in fact.classes[0].members]
    assert fact.layout is not None
    assert fact.layout.is_best
    bursts = {
        each: _bursts(each, consumers, counts, rules) for each in itertools.permutations(range(len(counts)))
    }
    assert fact.layout.bursts == bursts[fact.layout.order] == min(bursts.values())


def _bursts(
    order: Sequence[int], consumers: Sequence[set[str]], counts: Sequence[int], rules: BurstRules
) -> int:
    """How often all consumers of a block with sets in ORDER begin to read: each reads its own sets."""
    found = 0
    for tile in set().union(*consumers):
        places = [tile in consumers[k] for k in order for _ in range(counts[k])]
        found += fewest([place for place, is_read in enumerate(places) if is_read], 4, rules).bursts
    return found
