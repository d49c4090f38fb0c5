"""Random programs whose subscripts, offsets, pad amounts and conditions are loaded from data.

Each program loads %s (from 0 to 3) and moves elements of vectors of 6 numbers by it: an insertion, a slice, a
padding, a mask in a body, a splat of the element at %s.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

SIZE = 6
VECTOR = f"tensor<{SIZE}xi64>"
Data = Mapping[str, Sequence[int]]


def loads(chance: random.Random) -> str:
    """The lines that load %s from p or t (truths)."""
    at = chance.randint(0, 1)
    raw = f"  %raw = tensor.extract %p[%c{at}] : tensor<2xindex>\n"
    bit = f"  %bit = tensor.extract %t[%c{at}] : tensor<2xi1>\n"
    return (
        raw + "  %s = arith.remui %raw, %c4 : index\n",
        raw + "  %m = arith.remui %raw, %c2 : index\n  %s = arith.addi %m, %c1 : index\n",
        raw + "  %a = arith.andi %raw, %c1 : index\n  %s = arith.muli %a, %a : index\n",
        bit + "  %s = arith.select %bit, %c3, %c1 : index\n",
        bit + "  %s = arith.index_castui %bit : i1 to index\n",
    )[chance.randint(0, 4)]


def body(lines: str) -> str:
    """A linalg.generic over the one vector."""
    return f"""  %R = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}} ins(%V : {VECTOR}) outs(%e : {VECTOR}) {{
  ^bb0(%n: i64, %o: i64):
    %k = linalg.index 0 : index
{lines}
  }} -> {VECTOR}
"""


STEPS = (
    f"  %R = tensor.insert %zero into %V[%s] : {VECTOR}\n",
    f"""  %Rs = tensor.extract_slice %V[%s] [3] [1] : {VECTOR} to tensor<3xi64>
  %R = tensor.pad %Rs low[0] high[3] {{
  ^bb0(%k: index):
    tensor.yield %seven : i64
  }} : tensor<3xi64> to {VECTOR}
""",
    f"""  %Rs = tensor.extract_slice %V[0] [3] [1] : {VECTOR} to tensor<3xi64>
  %Rh = arith.subi %c3, %s : index
  %R = tensor.pad %Rs low[%s] high[%Rh] {{
  ^bb0(%k: index):
    tensor.yield %zero : i64
  }} : tensor<3xi64> to {VECTOR}
""",
    body("""    %c = arith.cmpi ult, %k, %s : index
    %r = arith.select %c, %n, %zero : i64
    linalg.yield %r : i64"""),
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
    f"""  %Rs = tensor.extract_slice %V[1] [2] [1] : {VECTOR} to tensor<2xi64>
  %R = tensor.insert_slice %Rs into %V[%s] [2] [1] : tensor<2xi64> into {VECTOR}
""",
    f"""  %Re = tensor.extract %V[%s] : {VECTOR}
  %R = tensor.splat %Re : {VECTOR}
""",
)


def drawn(seed: int) -> str:
    """The program of SEED: steps on y or x one after the other; the results are multiplied or added at the end."""
    chance = random.Random(seed)
    steps = [chance.randrange(len(STEPS)) for _ in range(chance.randint(1, 4))]
    load, combine = loads(chance), chance.choice(("addi", "muli"))
    constants = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in range(5))
    now = {"y": "y", "x": "x"}
    lines = ""
    for number, step in enumerate(steps):
        name = "yx"[number % 2]
        result = f"{name}{number}"
        lines += STEPS[step].replace("%R", f"%{result}").replace("%V", f"%{now[name]}")
        now[name] = result
    return f"""func.func @f(%y: {VECTOR}, %x: {VECTOR}, %p: tensor<2xindex>, %t: tensor<2xi1>) -> {VECTOR} {{
{constants}  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %e = tensor.empty() : {VECTOR}
{load}{lines}  %r = arith.{combine} %{now["y"]}, %{now["x"]} : {VECTOR}
  return %r : {VECTOR}
}}
"""


def inputs(chance: random.Random) -> Data:
    """Numbers for the arguments."""
    return {
        "y": [chance.randint(-99, 99) for _ in range(SIZE)],
        "x": [chance.randint(-99, 99) for _ in range(SIZE)],
        "p": [chance.randint(0, 99) for _ in range(2)],
        "t": [chance.randint(0, 1) for _ in range(2)],
    }
