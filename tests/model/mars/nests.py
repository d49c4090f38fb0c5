"""Random nests with tilings that are legal: stencils in time, in one array or in place, and products of matrices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from tests.model.mars.execution import Case, laid_out
from tests.oracles.mars.arrays import drawn_arrays
from tests.oracles.mars.drawn import drawn_tiled
from tests.oracles.mars.enumeration import execute
from tests.oracles.mars.texts import mlir
from tests.oracles.mars.tiles import broken

REFUSED = (
    "its sets depend",
    "move the footprints",
    "move differently",
    "no two tiles exchange",
    "no iteration has all of the dependences",  # loops of few iterations
    "not a translate of the reader's",
    "no data flow between tiles",
    "near the ends of loops it is read from other iterations",
)
"""Why an array may stay as it is; if all do, another program is drawn."""


def drawn_case(seed: str) -> Case:
    """A program of SEED, and what becomes of it."""
    chance = random.Random(seed)
    while True:
        text, tile, calls = chance.choice((_in_time, _in_place, _product, _product, _filter))(chance)
        after = laid_out(text, tile, REFUSED)
        if "_local" in after:
            return Case(text, after, calls, tile)


def drawn_program(seed: str) -> Case:
    """A program of SEED with a flow of any kind, in legal tiles, and what becomes of it."""
    chance = random.Random(seed)
    while True:
        tiled = drawn_tiled(chance)
        program, arrays = drawn_arrays(None, replace(tiled.program, spelled="affine"), "i64")
        if "m" in arrays or len(tiled.tilings) > 1 or broken(tiled, execute(program)):
            continue
        text, _ = mlir(program, arrays)
        zeros = "  %z_i64 = arith.constant 0 : i64\n  %z = arith.constant 0.0 : f32\n"
        text = text.replace(", %z_i64: i64, %z: f32", "").replace("{\n", "{\n" + zeros, 1)
        after = laid_out(text, tiled.text, ("",))
        if "_local" in after:
            sizes = [tuple(size or 40 for size in array.sizes) for array in arrays.values()]
            return Case(text, after, [[*sizes, *program.symbols.values()]], tiled.text)


Drawn = tuple[str, str, list[list[int | tuple[int, ...]]]]


def _nest(chance: random.Random, loops: Sequence[tuple[str, str]], body: Sequence[str]) -> list[str]:
    """BODY in LOOPS, each a name and its bounds, with a step or not."""
    if not loops:
        return list(body)
    (name, bounds), *rest = loops
    inner = _nest(chance, rest, body)
    return [f"affine.for %{name} = {bounds} {{", *(f"  {line}" for line in inner), "}"]


def _function(arguments: Sequence[str], lines: Sequence[str]) -> str:
    body = "\n".join(f"  {line}" for line in [*lines, "return"])
    return f"func.func @f({', '.join(arguments)}) {{\n  %three = arith.constant 3 : i64\n{body}\n}}\n"


def _summed(loads: Sequence[str], store: str) -> list[str]:
    """The sum of three times the sum so far and the next value, of all LOADS; an exact hash of their order."""
    lines = [f"%v{k} = affine.load {load}" for k, load in enumerate(loads)]
    total = "%v0"
    for k in range(1, len(loads)):
        lines += [f"%m{k} = arith.muli {total}, %three : i64", f"%s{k} = arith.addi %m{k}, %v{k} : i64"]
        total = f"%s{k}"
    return [*lines, f"%new = arith.addi {total}, %three : i64", f"affine.store %new, {store}"]


def _plus(name: str, number: int) -> str:
    return f"%{name} + {number}" if number >= 0 else f"%{name} - {-number}"


def _in_time(chance: random.Random) -> Drawn:
    """a[t, x] of some a[t - 1, x + o], and perhaps of an array that is only read."""
    rank = chance.choice((1, 1, 2))
    names = ["i", "j"][:rank]
    kind = f"memref<{'?x' * (rank + 1)}xi64>".replace("xx", "x")
    steps, size = chance.randint(1, 6), chance.randint(4, 13 if rank == 1 else 9)
    offsets = {tuple(chance.randint(-1, 1) for _ in names) for _ in range(chance.randint(1, 5))}
    loads = [f"%a[%t - 1, {', '.join(map(_plus, names, offset))}] : {kind}" for offset in sorted(offsets)]
    if chance.random() < 0.4:
        loads.append(f"%b[{_plus(chance.choice(names), chance.randint(-1, 1))}] : memref<?xi64>")
    top = "affine_map<()[n] -> (n - 1)>()[%n]"
    loops = [("t", "1 to %T"), *((name, f"1 to {top}") for name in names)]
    body = _summed(loads, f"%a[%t, {', '.join(f'%{name}' for name in names)}] : {kind}")
    text = _function(
        [f"%a: {kind}", "%b: memref<?xi64>", "%T: index", "%n: index"], _nest(chance, loops, body)
    )
    s = [chance.randint(1, 5) for _ in range(3)]
    if rank == 1:
        tile = chance.choice(
            (f"t:{s[0]}, t+i:{s[1]}", f"t+i:{2 * s[0]}, t-i:{2 * s[0]}", f"t+i:{s[0]}, t:{s[1]}")
        )
    else:
        tile = chance.choice(
            (f"t:{s[0]}, t+i:{s[1]}, t+j:{s[2]}", f"t+i:{2 * s[0]}, t-i:{2 * s[0]}, t+j:{s[2]}")
        )
    return text, tile, [[(steps, *[size] * rank), (size,), steps, size]]


def _in_place(chance: random.Random) -> Drawn:
    """a[x] of some a[x + o], again and again."""
    rank = chance.choice((1, 2))
    names = ["i", "j"][:rank]
    sizes = [chance.randint(4, 9) for _ in names]
    kind = f"memref<{'x'.join(map(str, sizes))}xi64>"
    offsets = {tuple(chance.randint(-1, 1) for _ in names) for _ in range(chance.randint(1, 5))}
    loads = [f"%a[{', '.join(map(_plus, names, offset))}] : {kind}" for offset in sorted(offsets)]
    loops = [("t", f"0 to {chance.randint(2, 5)}")]
    loops += [(name, f"1 to {size - 1}") for name, size in zip(names, sizes, strict=True)]
    body = _summed(loads, f"%a[{', '.join(f'%{name}' for name in names)}] : {kind}")
    s = [chance.randint(1, 5) for _ in range(3)]
    tile = f"t:{s[0]}, t+i:{s[1]}" + (f", 2*t+i+j:{s[2]}" if rank == 2 else "")
    return _function([f"%a: {kind}"], _nest(chance, loops, body)), tile, [[tuple(sizes)]]


def _product(chance: random.Random) -> Drawn:
    """c[i, j] of itself and of a and b, transposed or not, moved or not; perhaps in part of the loops."""
    m, n, k = (chance.randint(1, 9) for _ in range(3))
    of = {"i": m, "j": n, "l": k}
    indices = [chance.sample(pair, 2) for pair in (["i", "l"], ["l", "j"])]
    moved = [[chance.choice((0, 0, 1)) for _ in pair] for pair in indices]
    shapes = [
        tuple(of[name] + by for name, by in zip(pair, offset, strict=True))
        for pair, offset in zip(indices, moved, strict=True)
    ]
    loads = ["%c[%i, %j] : memref<?x?xi64>"]
    loads += [
        f"%{array}[{', '.join(map(_plus, pair, offset))}] : memref<?x?xi64>"
        for array, pair, offset in zip("ab", indices, moved, strict=True)
    ]
    loops = [(name, f"0 to %{size}") for name, size in (("i", "m"), ("j", "n"), ("l", "k"))]
    tiled = ["i", "j", "l"]
    if chance.random() < 0.3:
        loops[2], tiled = ("l", f"0 to {k}"), ["i", "j"]
    chance.shuffle(tiled)
    tile = ", ".join(f"{name}: {chance.randint(1, 5)}" for name in tiled)
    arguments = [*(f"%{array}: memref<?x?xi64>" for array in "abc"), *(f"%{x}: index" for x in "mnk")]
    text = _function(arguments, _nest(chance, loops, _summed(loads, "%c[%i, %j] : memref<?x?xi64>")))
    return text, tile, [[*shapes, (m, n), m, n, k]]


def _filter(chance: random.Random) -> Drawn:
    """y[i] of itself and of x[f * i + k] and w[k]."""
    n, k, step = chance.randint(1, 12), chance.randint(1, 5), chance.choice((1, 1, 2))
    loads = [
        "%y[%i] : memref<?xi64>",
        f"%x[{step} * %i + %k] : memref<?xi64>",
        "%w[%k] : memref<?xi64>",
    ]
    by = chance.choice(("", " step 2", " step 3"))
    loops = [("i", f"0 to %n{by}"), ("k", "0 to %m")]
    text = _function(
        [*(f"%{array}: memref<?xi64>" for array in "xwy"), "%n: index", "%m: index"],
        _nest(chance, loops, _summed(loads, "%y[%i] : memref<?xi64>")),
    )
    tile = f"i: {chance.randint(1, 6)}, k: {chance.randint(1, 4)}"
    return text, tile, [[(step * n + k,), (k,), (n,), n, k]]
