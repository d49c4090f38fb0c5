"""Random programs whose subscripts, offsets, pad amounts and conditions are loaded from data.

Each program loads %s (from 0 to 3) and moves elements of vectors of 6 numbers by it: an insertion, a slice, a
padding, a mask in a body, a splat of the element at %s. Each step is an MLIR text and a function on lists.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

SIZE = 6
VECTOR = f"tensor<{SIZE}xi64>"
Data = Mapping[str, Sequence[int]]
Vector = list[int]


def loads(chance: random.Random) -> tuple[str, Callable[[Data], int]]:
    """The lines that load %s from p or t (truths), and what it then is."""
    at = chance.randint(0, 1)
    first = f"  %raw = tensor.extract %p[%c{at}] : tensor<2xindex>\n"
    match chance.randint(0, 4):
        case 0:
            return first + "  %s = arith.remui %raw, %c4 : index\n", lambda d: d["p"][at] % 2**64 % 4
        case 1:
            text = "  %m = arith.remui %raw, %c2 : index\n  %s = arith.addi %m, %c1 : index\n"
            return first + text, lambda d: d["p"][at] % 2 + 1
        case 2:
            text = "  %a = arith.andi %raw, %c1 : index\n  %s = arith.muli %a, %a : index\n"
            return first + text, lambda d: d["p"][at] & 1
        case 3:
            text = f"  %bit = tensor.extract %t[%c{at}] : tensor<2xi1>\n"
            return text + "  %s = arith.select %bit, %c3, %c1 : index\n", lambda d: 3 if d["t"][at] % 2 else 1
        case _:
            text = f"  %bit = tensor.extract %t[%c{at}] : tensor<2xi1>\n"
            return text + "  %s = arith.index_castui %bit : i1 to index\n", lambda d: d["t"][at] % 2


def inserted(v: Vector, s: int) -> Vector:
    return [0 if k == s else n for k, n in enumerate(v)]


def sliced(v: Vector, s: int) -> Vector:
    return [*v[s : s + 3], 7, 7, 7]


def padded(v: Vector, s: int) -> Vector:
    return [*(0,) * s, *v[:3], *(0,) * (3 - s)]


def masked(v: Vector, s: int) -> Vector:
    return [n if k < s else 0 for k, n in enumerate(v)]


def shifted(v: Vector, s: int) -> Vector:
    return [*v[:s], v[1], v[2], *v[s + 2 :]]


def constant_mask(v: Vector, s: int) -> Vector:
    return [5 if k * s > 4 else 0 for k in range(len(v))]


def body(lines: str) -> str:
    """A linalg.generic over the one vector."""
    return f"""  %R = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%V : {VECTOR}) outs(%e : {VECTOR}) {{
  ^bb0(%n: i64, %o: i64):
    %k = linalg.index 0 : index
{lines}
  }} -> {VECTOR}
"""


STEPS: Sequence[tuple[str, Callable[[Vector, int], Vector]]] = (
    (f"  %R = tensor.insert %zero into %V[%s] : {VECTOR}\n", inserted),
    (
        f"""  %Rs = tensor.extract_slice %V[%s] [3] [1] : {VECTOR} to tensor<3xi64>
  %R = tensor.pad %Rs low[0] high[3] {{
  ^bb0(%k: index):
    tensor.yield %seven : i64
  }} : tensor<3xi64> to {VECTOR}
""",
        sliced,
    ),
    (
        f"""  %Rs = tensor.extract_slice %V[0] [3] [1] : {VECTOR} to tensor<3xi64>
  %Rh = arith.subi %c3, %s : index
  %R = tensor.pad %Rs low[%s] high[%Rh] {{
  ^bb0(%k: index):
    tensor.yield %zero : i64
  }} : tensor<3xi64> to {VECTOR}
""",
        padded,
    ),
    (
        body("""    %c = arith.cmpi ult, %k, %s : index
    %r = arith.select %c, %n, %zero : i64
    linalg.yield %r : i64"""),
        masked,
    ),
    (
        body("""    %ks = arith.muli %k, %s : index
    %c = arith.cmpi sgt, %ks, %c4 : index
    %five = arith.constant 5 : i64
    %none = arith.constant 0 : i64
    %r = scf.if %c -> (i64) {
      scf.yield %five : i64
    } else {
      scf.yield %none : i64
    }
    linalg.yield %r : i64"""),
        constant_mask,
    ),
    (
        f"""  %Rs = tensor.extract_slice %V[1] [2] [1] : {VECTOR} to tensor<2xi64>
  %R = tensor.insert_slice %Rs into %V[%s] [2] [1] : tensor<2xi64> into {VECTOR}
""",
        shifted,
    ),
    (
        f"""  %Re = tensor.extract %V[%s] : {VECTOR}
  %R = tensor.splat %Re : {VECTOR}
""",
        lambda v, s: [v[s]] * SIZE,
    ),
)


@dataclass(frozen=True)
class Program:
    """STEPS on y or x one after the other; the results are multiplied or added at the end."""

    load: tuple[str, Callable[[Data], int]]
    steps: tuple[int, ...]
    combine: str

    def run(self, data: Data) -> dict[tuple[int, ...], int]:
        """The elements of the result."""
        s = self.load[1](data)
        vectors = {name: list(data[name]) for name in "yx"}
        for number, step in enumerate(self.steps):
            name = "yx"[number % 2]
            vectors[name] = STEPS[step][1](vectors[name], s)
        pairs = zip(vectors["y"], vectors["x"], strict=True)
        found = [a + b if self.combine == "addi" else a * b for a, b in pairs]
        return {(k,): (n + 2**63) % 2**64 - 2**63 for k, n in enumerate(found)}

    def mlir(self) -> str:
        """The program as text."""
        constants = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in range(5))
        now = {"y": "y", "x": "x"}
        lines = ""
        for number, step in enumerate(self.steps):
            name = "yx"[number % 2]
            result = f"{name}{number}"
            lines += STEPS[step][0].replace("%R", f"%{result}").replace("%V", f"%{now[name]}")
            now[name] = result
        return f"""func.func @f(%y: {VECTOR}, %x: {VECTOR}, %p: tensor<2xindex>, %t: tensor<2xi1>) -> {VECTOR} {{
{constants}  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %e = tensor.empty() : {VECTOR}
{self.load[0]}{lines}  %r = arith.{self.combine} %{now["y"]}, %{now["x"]} : {VECTOR}
  return %r : {VECTOR}
}}
"""


def drawn(seed: int) -> Program:
    """The program of SEED."""
    chance = random.Random(seed)
    steps = tuple(chance.randrange(len(STEPS)) for _ in range(chance.randint(1, 4)))
    return Program(loads(chance), steps, chance.choice(("addi", "muli")))


def inputs(chance: random.Random) -> Data:
    """Numbers for the arguments."""
    return {
        "y": [chance.randint(-99, 99) for _ in range(SIZE)],
        "x": [chance.randint(-99, 99) for _ in range(SIZE)],
        "p": [chance.randint(0, 99) for _ in range(2)],
        "t": [chance.randint(0, 1) for _ in range(2)],
    }
