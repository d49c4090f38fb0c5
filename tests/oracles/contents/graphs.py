"""Random functions of blocks that store elements: `p && q`, cases that fall through, loops that are left early."""

from __future__ import annotations

import random

SIZE = 3
SHAPES = {"%a": (SIZE,), "%x": (), "%y": ()}
_NUMBERS = range(3, 6)
"""Around what %n is in an execution."""


def drawn(seed: int) -> str:
    """A function @f that writes elements of the memory, or of the tensor, %a; in a loop or in none."""
    return _Graph(random.Random(seed)).function()


class _Graph:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._is_memory = chance.random() < 0.5
        self._kind = f"{'memref' if self._is_memory else 'tensor'}<{SIZE}xf32>"
        self._count = chance.randint(3, 6)
        self._loops = chance.random() < 0.4
        self._tensor, self._number = "%a", "%c0"

    def function(self) -> str:
        result = "" if self._is_memory else f" -> {self._kind}"
        head = f"func.func @f(%a: {self._kind}, %n: index, %x: f32, %y: f32){result} {{"
        constants = [f"  %c{k} = arith.constant {k} : index" for k in {*range(SIZE + 1), *_NUMBERS}]
        entry = self._to(0).replace("^", "  cf.br ^", 1)
        blocks = [line for k in range(self._count) for line in self._block(k)]
        return "\n".join([head, *constants, entry, *blocks, "}"])

    def _block(self, number: int) -> list[str]:
        """The block NUMBER; with a loop, block 0 is its header, and the last but one goes around."""
        passed = [] if self._is_memory else [f"%t{number}: {self._kind}"]
        passed += [f"%i{number}: index"] if self._loops else []
        lines = [f"^b{number}({', '.join(passed)}):" if passed else f"^b{number}:"]
        self._tensor, self._number = f"%t{number}", f"%i{number}"
        if number == self._count - 1 or self._chance.random() < 0.7:
            lines.append(self._store(number))
        if number == self._count - 1:
            lines.append("  return" if self._is_memory else f"  return {self._tensor} : {self._kind}")
            return lines
        if self._loops and number == 0:
            last = self._count - 1
            lines.append(f"  %p0 = arith.cmpi slt, %i0, %c{SIZE} : index")
            lines.append(f"  cf.cond_br %p0, {self._to(1, '%i0')}, {self._to(last, '%i0')}")
            return lines
        if self._loops and number == self._count - 2:
            lines.append(f"  %k{number} = arith.addi {self._number}, %c1 : index")
            lines.append(f"  cf.br {self._to(0, f'%k{number}')}")
            return lines
        return [*lines, *self._branch(number)]

    def _store(self, number: int) -> str:
        value, place = self._chance.choice(("%x", "%y")), self._chance.choice(("%c0", "%c1", "%c2"))
        if self._is_memory:
            return f"  memref.store {value}, %a[{place}] : {self._kind}"
        line = f"  %u{number} = tensor.insert {value} into {self._tensor}[{place}] : {self._kind}"
        self._tensor = f"%u{number}"
        return line

    def _branch(self, number: int) -> list[str]:
        later = range(number + 1, self._count)
        one, other = (self._to(self._chance.choice(later)) for _ in range(2))
        kind = self._chance.random()
        if kind < 0.2:
            return [f"  cf.br {one}"]
        if kind < 0.4:
            cases = ", ".join(
                f"{k}: {self._to(self._chance.choice(later))}" for k in self._chance.sample(_NUMBERS, 2)
            )
            return [
                f"  %s{number} = arith.index_cast %n : index to i32",
                f"  cf.switch %s{number} : i32, [default: {one}, {cases}]",
            ]
        compared = self._number if self._loops and self._chance.random() < 0.5 else "%n"
        with_ = self._chance.choice(range(SIZE) if compared != "%n" else _NUMBERS)
        how = self._chance.choice(("sgt", "sle", "eq", "ne"))
        return [
            f"  %p{number} = arith.cmpi {how}, {compared}, %c{with_} : index",
            f"  cf.cond_br %p{number}, {one}, {other}",
        ]

    def _to(self, number: int, count: str | None = None) -> str:
        """The block NUMBER with what it is passed, and with it COUNT, or what the block itself was passed."""
        passed = [] if self._is_memory else [(self._tensor, self._kind)]
        if self._loops:
            passed.append((count or self._number, "index"))
        values, kinds = (", ".join(each) for each in zip(*passed, strict=True)) if passed else ("", "")
        return f"^b{number}({values} : {kinds})" if passed else f"^b{number}"
