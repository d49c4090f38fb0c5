"""Whether a vector is read or written in bounds: what `access` proves of random programs, and what an execution does."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

import volcli
from tests.shared.running import Code, memory
from tests.shared.seeds import seeds
from volcli.execution.outcomes import Defect, Undefined, Unsupported

MASKED = {
    "maskedload": "%r = vector.maskedload %a[{0}], %m, %v : {1}, {2}, {3} into {3}",
    "maskedstore": "vector.maskedstore %a[{0}], %m, %v : {1}, {2}, {3}",
    "expandload": "%r = vector.expandload %a[{0}], %m, %v : {1}, {2}, {3} into {3}",
    "compressstore": "vector.compressstore %a[{0}], %m, %v : {1}, {2}, {3}",
    "load": "%r = vector.load %a[{0}] : {1}, {3}",
    "store": "vector.store %v, %a[{0}] : {1}, {3}",
    "gather": "%r = vector.gather %a[{0}] [%x], %m, %v : {1}, {4}, {2}, {3} into {3}",
    "scatter": "vector.scatter %a[{0}] [%x], %m, %v : {1}, {4}, {2}, {3}",
}


class _Program:
    """@f, which reads or writes one vector of the memory %a, of these `sizes`."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self.sizes = [self._number(1, 6) for _ in range(self._number(1, 2))]
        self._memref = f"memref<{_typed(self.sizes, 'f32')}>"
        self._lines = [
            f"%i{k} = arith.constant {self._number(-2, 6)} : index" for k in range(len(self.sizes))
        ]
        self._indices = ", ".join(f"%i{k}" for k in range(len(self.sizes)))
        kind = self._chance.choice(["transfer_read", "transfer_write", *MASKED])
        (self._transfer if kind.startswith("transfer") else self._masked)(kind)
        body = "\n  ".join(self._lines)
        self.text = f"func.func @f(%a: {self._memref}) {{\n  {body}\n  return\n}}"

    def _number(self, low: int, high: int) -> int:
        return self._chance.randint(low, high)

    def _dense(self, sizes: Sequence[int], words: Sequence[str]) -> str:
        if not sizes:
            return self._chance.choice(words)
        return f"[{', '.join(self._dense(sizes[1:], words) for _ in range(sizes[0]))}]"

    def _mask(self, sizes: Sequence[int]) -> str:
        """%m, one way or another; its type."""
        kind = f"vector<{_typed(sizes, 'i1')}>"
        way = self._number(0, 2)
        if way == 0:
            numbers = [self._number(1, size) for size in sizes]
            self._lines.append(f"%m = vector.constant_mask {numbers} : {kind}")
        elif way == 1:
            names = [f"%c{k}" for k in range(len(sizes))]
            for name, size in zip(names, sizes, strict=True):
                self._lines.append(f"{name} = arith.constant {self._number(-1, size + 1)} : index")
            self._lines.append(f"%m = vector.create_mask {', '.join(names)} : {kind}")
        else:
            self._lines.append(f"%m = arith.constant dense<{self._dense(sizes, ['true', 'false'])}> : {kind}")
        return kind

    def _masked(self, kind: str) -> None:
        lanes = [self._number(1, 4)]
        vector, steps = (f"vector<{_typed(lanes, element)}>" for element in ("f32", "i32"))
        mask = self._mask(lanes)
        numbers = self._dense(lanes, [str(n) for n in range(-2, 6)])
        self._lines += [
            f"%v = arith.constant dense<1.0> : {vector}",
            f"%x = arith.constant dense<{numbers}> : {steps}",
            MASKED[kind].format(self._indices, self._memref, mask, vector, steps),
        ]

    def _transfer(self, kind: str) -> None:
        rank = len(self.sizes)
        dims = self._chance.sample(range(rank), self._number(1, rank))
        lanes = [self._number(1, 4) for _ in dims]
        vector = f"vector<{_typed(lanes, 'f32')}>"
        mask = ""
        if self._chance.random() < 0.5:
            self._mask([lanes[dims.index(d)] for d in sorted(dims)])
            mask = ", %m"
        promises = ", ".join(self._chance.choice(["true", "false", "false"]) for _ in dims)
        loops, results = (", ".join(f"d{d}" for d in each) for each in (range(rank), dims))
        words = f"{{in_bounds = [{promises}], permutation_map = affine_map<({loops}) -> ({results})>}}"
        self._lines.append("%p = arith.constant 0.0 : f32")
        self._lines.append(f"%v = arith.constant dense<1.0> : {vector}")
        if kind == "transfer_read":
            access = (
                f"%r = vector.transfer_read %a[{self._indices}], %p{mask} {words} : {self._memref}, {vector}"
            )
        else:
            access = f"vector.transfer_write %v, %a[{self._indices}]{mask} {words} : {vector}, {self._memref}"
        self._lines.append(access)


def _typed(sizes: Sequence[int], element: str) -> str:
    return "x".join([*map(str, sizes), element])


def _kind_of_end(program: _Program) -> Defect | None:
    """What undefined behaviour the execution meets; of a lane that leaves its row alone nothing is known."""
    try:
        Code(program.text)(memory(*np.zeros(program.sizes).tolist()))
    except Undefined as undefined:
        return undefined.kind
    except Unsupported:
        pytest.skip("a lane leaves its row, but not the memory")
    return None


@pytest.mark.parametrize("seed", seeds(15, of=600))
def test_what_is_proved_is_what_happens(seed: int) -> None:
    program = _Program(seed)
    verdicts = {access.verdict for access in volcli.loads(program.text).function("f").accesses()}
    end = _kind_of_end(program)
    assert end in (None, Defect.BOUNDS)
    assert ("out-of-bounds" if end is None else "in-bounds") not in verdicts
