"""Domains, hulls, packed layouts and slices of random volumes, against enumeration in plain Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import islpy as isl
import pytest

import volcli
from tests.oracles.elements.compare import enumerate_set
from tests.oracles.interpreter.affine import Index
from volcli.facts.volumes import BoxText, VolumeFact

Kept = Callable[[Index], bool]


@dataclass(frozen=True)
class Volume:
    """A tensor of a SHAPE of which the elements KEPT may be other than zero; PLACE is where it has them from."""

    name: str
    shape: Index
    kept: Kept
    place: Callable[[Index], Index]

    @property
    def elements(self) -> set[Index]:
        return {point for point in product(*map(range, self.shape)) if self.kept(point)}


def constraint(chance: random.Random) -> tuple[str, Callable[[Index, Index], bool]]:
    """A condition on i and j, mostly of a triangle or a band, and what it says of (i, j) and the sizes."""
    a, b = chance.choice(((1, -1), (-1, 1), (1, -1), (-1, 1), (1, 1), (-1, -1), (1, 0), (2, -1), (-1, 2)))
    c = chance.randint(-2, 3) + (4 if (a, b) == (-1, -1) else 0)
    size = chance.choice((0, 0, 0, 1))  # of s1
    text = f"i * {a} + j * {b} + s1 * {size} + {c} >= 0"
    return text, lambda at, sizes: at[0] * a + at[1] * b + sizes[1] * size + c >= 0


def argument(chance: random.Random) -> tuple[str, Callable[[Index], Volume]]:
    """The domain of a matrix %m, and what that is for each shape."""
    rows = [constraint(chance) for _ in range(chance.choice((1, 1, 2)))]
    text = f"affine_set<(i, j)[s0, s1] : ({', '.join(text for text, _ in rows)})>"

    def of(shape: Index) -> Volume:
        return Volume("%m", shape, lambda at: all(holds(at, shape) for _, holds in rows), lambda at: at)

    return text, of


def drawn(seed: int) -> tuple[str, list[Volume]]:
    """A function of a matrix with a domain, of slices of it, and of a transpose; and what these are."""
    chance = random.Random(seed)
    shape = chance.randint(1, 6), chance.randint(1, 6)
    domain, of = argument(chance)
    volumes = [of(shape)]
    lines: list[str] = []
    for number in range(3):
        source = chance.choice(volumes)
        name = f"%v{number}"
        if len(source.shape) == 2 and chance.random() < 0.15:
            sizes: Index = source.shape[::-1]
            lines.append(f"%e{number} = tensor.empty() : {_type(sizes)}")
            lines.append(
                f"{name} = linalg.transpose ins(%{source.name[1:]} : {_type(source.shape)}) "
                f"outs(%e{number} : {_type(sizes)}) permutation = [1, 0]"
            )
            volumes.append(_moved(name, sizes, source, lambda at: at[::-1]))
            continue
        offsets = tuple(chance.randrange(size) for size in source.shape)
        strides = tuple(chance.choice((1, 1, 2, 3)) for _ in source.shape)
        sizes = tuple(
            chance.randint(1, (size - offset - 1) // stride + 1)
            for size, offset, stride in zip(source.shape, offsets, strides, strict=True)
        )
        dropped = [d for d, size in enumerate(sizes) if size == 1 and chance.random() < 0.5]
        kept = [d for d in range(len(sizes)) if d not in dropped]
        result = tuple(sizes[d] for d in kept)
        lines.append(
            f"{name} = tensor.extract_slice {source.name}{[*offsets]} {[*sizes]} {[*strides]} : "
            f"{_type(source.shape)} to {_type(result)}"
        )

        def place(
            at: Index, kept: list[int] = kept, offsets: Index = offsets, strides: Index = strides
        ) -> Index:
            full = dict(zip(kept, at, strict=True))
            return tuple(
                o + s * full.get(d, 0) for d, (o, s) in enumerate(zip(offsets, strides, strict=True))
            )

        volumes.append(_moved(name, result, source, place))
    body = "\n".join(f"  {line}" for line in lines)
    return f"func.func @f(%m: {_type(shape)} {{volcli.domain = {domain}}}) {{\n{body}\n  return\n}}", volumes


def _type(shape: Index) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}f32>"


def _moved(name: str, shape: Index, source: Volume, place: Callable[[Index], Index]) -> Volume:
    return Volume(name, shape, lambda at: source.kept(place(at)), place)


def number(text: str, names: dict[str, int]) -> int:
    """An expression of the NAMES; `/` is of numbers that it divides."""
    python = text.replace("^", "**").replace("floordiv", "//").replace("mod", "%")
    found = eval(python, {"min": min, "max": max}, names)
    assert found == int(found)
    return int(found)


def box(text: BoxText, names: dict[str, int]) -> list[tuple[int, ...]]:
    """Offset, size and stride of each dimension."""
    parts = (text.offset, text.size, text.stride or ("1",) * len(text.size))
    return [tuple(number(each, names) for each in row) for row in zip(*parts, strict=True)]


def judge(fact: VolumeFact, volume: Volume, names: dict[str, int]) -> None:
    """What FACT says of VOLUME is so, where the parameters are as in NAMES."""
    assert fact.domain is not None
    domain = fact.domain.set
    for name, value in names.items():
        position = domain.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            domain = domain.fix_val(isl.dim_type.param, position, isl.Val(value))
    elements = volume.elements
    assert enumerate_set(domain.project_out_all_params()) == elements
    ends = [(min(column), max(column) - min(column) + 1) for column in zip(*elements, strict=True)]
    if elements:
        is_box = elements == set(product(*(range(low, low + size) for low, size in ends)))
        assert fact.is_box == is_box if not names else is_box or not fact.is_box
    if fact.hull is not None and elements:
        assert [row[:2] for row in box(fact.hull, names)] == ends
    if fact.packed is not None:
        axes = [f"d{d}" for d in range(len(volume.shape))]
        found = [number(fact.packed, {**names, **dict(zip(axes, e, strict=True))}) for e in sorted(elements)]
        assert found == list(range(len(elements)))
    if fact.slice is not None:
        rows = box(fact.slice, names)
        moving = iter(range(len(volume.shape)))
        dims = [next(moving, None) if stride else None for _, _, stride in rows]
        for point in product(*map(range, volume.shape)):
            said = tuple(
                o + (0 if d is None else s * point[d]) for (o, _, s), d in zip(rows, dims, strict=True)
            )
            assert said == volume.place(point)
    elif fact.kind == "view":
        assert fact.reason


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(40))
def test_of_static_sizes(seed: int) -> None:
    text, volumes = drawn(seed)
    facts = {fact.value: fact for fact in volcli.loads(text).function("f").volumes()}
    for volume in volumes:
        judge(facts[volume.name], volume, {})


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(40))
def test_of_dynamic_sizes(seed: int) -> None:
    domain, of = argument(random.Random(seed))
    text = f"func.func @f(%m: tensor<?x?xf32> {{volcli.domain = {domain}}}) {{\n  return\n}}"
    (fact,) = volcli.loads(text).function("f").volumes()
    for shape in product(range(5), repeat=2):
        judge(fact, of(shape), {"m_d0": shape[0], "m_d1": shape[1]})


@pytest.mark.slow
def test_some_of_these_are_packed() -> None:
    texts = [drawn(seed)[0] for seed in range(40)]
    facts = [fact for text in texts for fact in volcli.loads(text).function("f").volumes()]
    assert sum(fact.packed is not None for fact in facts) >= 4
    assert sum(fact.slice is not None for fact in facts) >= 40
