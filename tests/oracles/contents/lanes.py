"""Random functions on memrefs of f32 that move lanes: constant masks, known indices, rows that are packed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from tests.oracles.contents import truth

SHAPES: Mapping[str, truth.Point] = {"%a": (9,), "%b": (9,), "%m": (4, 8), "%x": ()}
"""The shapes of the arguments of @f."""

_HEADER = """\
func.func @f(%a: memref<9xf32>, %b: memref<9xf32>, %m: memref<4x8xf32>, %x: f32) -> vector<4xf32> {
  %z = arith.constant 0.0 : f32
  %zs = arith.constant dense<0.0> : vector<4xf32>
  %k = vector.step : vector<4xindex>"""


def drawn(seed: int) -> str:
    """A module with a function @f that writes its arguments, and returns four lanes."""
    return _Drawing(random.Random(seed)).module()


class _Drawing:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._lines: list[str] = []
        self._count = 0
        self._vectors = ["%zs"]
        self._loops: list[str] = []

    def module(self) -> str:
        for _ in range(self._chance.randint(2, 5)):
            self._statement()
        self._read()
        return "\n".join([_HEADER, *self._lines, f"  return {self._vectors[-1]} : vector<4xf32>", "}", ""])

    def _statement(self) -> None:
        kinds = [self._read, self._write, self._write, self._added]
        kinds += [] if self._loops else [self._loop]
        self._chance.choice(kinds)()

    def _new(self, text: str, prefix: str = "v") -> str:
        self._count += 1
        self._lines.append(f"  %{prefix}{self._count} = {text}")
        return f"%{prefix}{self._count}"

    def _loop(self) -> None:
        self._count += 1
        variable, known = f"%i{self._count}", len(self._vectors)
        self._lines.append(f"  affine.for {variable} = 0 to {self._chance.randint(2, 3)} {{")
        self._loops.append(variable)
        for _ in range(self._chance.randint(1, 2)):
            self._statement()
        self._loops.pop()
        del self._vectors[known:]
        self._lines.append("  }")

    def _added(self) -> None:
        left, right = (self._chance.choice(self._vectors) for _ in range(2))
        self._vectors.append(self._new(f"arith.addf {left}, {right} : vector<4xf32>"))

    def _mask(self) -> str:
        if self._chance.random() < 0.2:
            return self._new(f"vector.constant_mask [{self._chance.randint(0, 4)}] : vector<4xi1>", "k")
        bits = ", ".join(self._chance.choice(("true", "true", "false")) for _ in range(4))
        return self._new(f"arith.constant dense<[{bits}]> : vector<4xi1>", "k")

    def _indices(self, most: int) -> str:
        """Four indices of at most MOST: constants, or a function of the lane."""
        if self._chance.random() < 0.3:
            factor = self._new(
                f"arith.constant dense<{self._chance.choice((1, most // 3))}> : vector<4xindex>", "k"
            )
            return self._new(f"arith.muli %k, {factor} : vector<4xindex>", "k")
        numbers = ", ".join(str(self._chance.randint(0, most)) for _ in range(4))
        return self._new(f"arith.constant dense<[{numbers}]> : vector<4xindex>", "k")

    def _start(self, most: int) -> str:
        if self._loops and most > 1 and self._chance.random() < 0.7:
            return self._loops[-1]
        return self._new(f"arith.constant {self._chance.randint(0, most)} : index", "k")

    def _place(self, lanes: int) -> tuple[str, str]:
        """An element after which there are so many LANES, and the type of its buffer."""
        if self._chance.random() < 0.7:
            return f"{self._chance.choice(('%a', '%b'))}[{self._start(9 - lanes)}]", "memref<9xf32>"
        return f"%m[{self._start(3)}, {self._start(8 - lanes)}]", "memref<4x8xf32>"

    def _read(self) -> None:
        before = self._chance.choice(self._vectors)
        kinds: list[Callable[[str], str]] = [self._masked, self._expanded, self._gathered, self._transferred]
        self._vectors.append(self._new(self._chance.choice(kinds)(before)))

    def _masked(self, before: str) -> str:
        mask, (place, kind) = self._mask(), self._place(4)
        return f"vector.maskedload {place}, {mask}, {before} : {kind}, {_OF_MASK} into vector<4xf32>"

    def _expanded(self, before: str) -> str:
        mask, (place, kind) = self._mask(), self._place(4)
        return f"vector.expandload {place}, {mask}, {before} : {kind}, {_OF_MASK} into vector<4xf32>"

    def _gathered(self, before: str) -> str:
        mask, (place, kind), indices = self._mask(), self._place(4), self._indices(3)
        types = f"{kind}, vector<4xindex>, {_OF_MASK} into vector<4xf32>"
        return f"vector.gather {place} [{indices}], {mask}, {before} : {types}"

    def _transferred(self, _: str) -> str:
        mask, (place, kind) = self._mask(), self._place(self._chance.choice((2, 4)))
        return f"vector.transfer_read {place}, {self._chance.choice(('%x', '%z'))}, {mask} : {kind}, vector<4xf32>"

    def _write(self) -> None:
        mask, value = self._mask(), self._chance.choice(self._vectors)
        place, kind = self._place(4)
        match self._chance.randrange(4):
            case 0:
                text = f"vector.maskedstore {place}, {mask}, {value} : {kind}, {_OF_MASK}"
            case 1:
                text = f"vector.compressstore {place}, {mask}, {value} : {kind}, {_OF_MASK}"
            case 2:
                types = f"{kind}, vector<4xindex>, {_OF_MASK}"
                text = f"vector.scatter {place} [{self._indices(3)}], {mask}, {value} : {types}"
            case _:
                text = f"vector.transfer_write {value}, {place}, {mask} : vector<4xf32>, {kind}"
        self._lines.append(f"  {text}")


_OF_MASK = "vector<4xi1>, vector<4xf32>"
