"""Views of arrays: the same element, reached by another index.

subview [2, 1] [4, 6] [1, 2]       e -> ((e - offset) / stride)
transpose                          e -> the coordinates in another order
reinterpret_cast                   e -> its address; or with the first coordinate from the end
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles.mars.enumeration import Affine, Point


@dataclass(frozen=True)
class View:
    """A KIND of view of an array of SIZES; OFFSETS and STRIDES are those of a subview, ORDER of a transpose."""

    kind: str
    sizes: tuple[int, ...]
    offsets: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    order: tuple[int, ...] = ()

    def index(self, forms: Sequence[Affine]) -> tuple[Affine, ...]:
        """FORMS in the array as forms in the view."""
        if self.kind == "subview":
            rows = zip(forms, self.offsets, self.strides, strict=True)
            return tuple(_divided(form.plus(-offset), stride) for form, offset, stride in rows)
        if self.kind == "transpose":
            return tuple(forms[k] for k in self.order)
        if self.kind == "reversed":
            return _combined([(forms[0], -1)]).plus(self.sizes[0] - 1), *forms[1:]
        return (_combined(list(zip(forms, self._steps, strict=True))),)

    @property
    def _steps(self) -> list[int]:
        """How far elements are apart, in row-major order."""
        return [math.prod(self.sizes[k + 1 :]) for k in range(len(self.sizes))]

    def declared(self, name: str, array: str, element: str) -> tuple[str, str]:
        """The line that makes it as NAME of ARRAY, and its type."""
        source = f"memref<{'x'.join(map(str, self.sizes))}x{element}>"
        steps, total = self._steps, math.prod(self.sizes)
        if self.kind == "subview":
            sizes = [-(-(s - o) // t) for s, o, t in zip(self.sizes, self.offsets, self.strides, strict=True)]
            apart = [a * b for a, b in zip(steps, self.strides, strict=True)]
            first = sum(a * b for a, b in zip(steps, self.offsets, strict=True))
            kind = _strided(sizes, element, apart, first)
            parts = "".join(str(list(each)) for each in (self.offsets, sizes, self.strides))
            return f"{name} = memref.subview {array}{parts} : {source} to {kind}", kind
        if self.kind == "transpose":
            names = [f"d{k}" for k in range(len(self.sizes))]
            to = ", ".join(names[k] for k in self.order)
            kind = _strided([self.sizes[k] for k in self.order], element, [steps[k] for k in self.order], 0)
            line = f"{name} = memref.transpose {array} ({', '.join(names)}) -> ({to}) : {source} to {kind}"
            return line, kind
        first, sizes, apart, kind = 0, [total], [1], f"memref<{total}x{element}>"
        if self.kind == "reversed":
            first, sizes, apart = (self.sizes[0] - 1) * steps[0], list(self.sizes), [-steps[0], *steps[1:]]
            kind = _strided(sizes, element, apart, first)
        to = f"offset: [{first}], sizes: {sizes}, strides: {apart}"
        return f"{name} = memref.reinterpret_cast {array} to {to} : {source} to {kind}", kind


def _strided(sizes: Sequence[int], element: str, strides: Sequence[int], offset: int) -> str:
    layout = f"strided<{list(strides)}{f', offset: {offset}' if offset else ''}>"
    return f"memref<{'x'.join(map(str, sizes))}x{element}, {layout}>"


def _divided(form: Affine, by: int) -> Affine:
    return Affine(tuple((name, factor // by) for name, factor in form.factors), form.constant // by)


def _combined(terms: Sequence[tuple[Affine, int]]) -> Affine:
    factors: dict[str, int] = {}
    for form, times in terms:
        for name, factor in form.factors:
            factors[name] = factors.get(name, 0) + factor * times
    return Affine(tuple(factors.items()), sum(form.constant * times for form, times in terms))


def drawn_view(
    chance: random.Random, index: Sequence[Affine], sizes: Sequence[int], elements: Sequence[Point]
) -> View:
    """A view of an array of SIZES in which the access at INDEX finds all of its ELEMENTS."""
    sizes = tuple(sizes)
    kind = chance.choice(("subview", "subview", "transpose", "flat", "reversed"))
    if kind == "transpose":
        return View(kind, sizes, order=tuple(chance.sample(range(len(sizes)), len(sizes))))
    if kind != "subview":
        return View(kind, sizes)
    least = list(map(min, zip(*elements, strict=True))) if elements else [0] * len(sizes)
    steps = [math.gcd(*(factor for _, factor in form.factors)) or 1 for form in index]
    strides = tuple(chance.choice((1, step)) for step in steps)
    offsets = [
        form.constant % stride if stride > 1 else chance.randint(0, low)
        for form, stride, low in zip(index, strides, least, strict=True)
    ]
    return View(kind, sizes, tuple(offsets), strides)
