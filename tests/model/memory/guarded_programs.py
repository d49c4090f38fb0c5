"""Functions in which arguments decide whether something wrong happens, and the calls that pass them.

Plain Python says for which arguments (%n, %c) it happens; it shares nothing with the analysis.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

Given = tuple[int, bool]
"""The arguments %n and %c."""
NUMBERS = range(-2, 7)
ALL: Sequence[Given] = tuple(product(NUMBERS, (False, True)))


@dataclass(frozen=True)
class Guard:
    """Operations around what is guarded, in iteration i: OPEN, CLOSE, and when what is inside runs."""

    open: str
    close: str
    holds: Callable[[int, int, bool], bool]


_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "slt": lambda a, b: a < b,
    "sge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


def _compared(name: str, left: str) -> Guard:
    relation = _RELATIONS[name]

    def holds(i: int, n: int, c: bool) -> bool:
        return relation(i if left == "%i" else 3, n)

    return Guard(f"%b = arith.cmpi {name}, {left}, %n : index\nscf.if %b {{", "}", holds)


GUARDS: dict[str, Guard] = {
    "none": Guard("", "", lambda i, n, c: True),
    "if": Guard("scf.if %c {", "}", lambda i, n, c: c),
    "else": Guard("scf.if %c {\n} else {", "}", lambda i, n, c: not c),
    "affine": Guard("affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%i)[%n] {", "}", lambda i, n, c: i >= n),
    "case": Guard("scf.index_switch %n case 3 {", "scf.yield\n} default {\n}", lambda i, n, c: n == 3),
    "default": Guard("scf.index_switch %n case 3 {\nscf.yield\n} default {", "}", lambda i, n, c: n != 3),
    "loop": Guard("scf.for %j = %c3 to %n step %c1 {", "}", lambda i, n, c: n > 3),
    "both": Guard(
        "scf.if %c {\n%b = arith.cmpi sgt, %n, %i : index\nscf.if %b {", "}\n}", lambda i, n, c: c and n > i
    ),
    **{f"{name} {left}": _compared(name, left) for name in _RELATIONS for left in ("%i", "%c3")},
}
STORES: dict[str, tuple[str, Callable[[int, int], set[int]]]] = {
    "store": ("memref.store %x, %m[%c0] : memref<8xf32>", lambda i, n: {0}),
    "own": ("memref.store %x, %m[%i] : memref<8xf32>", lambda i, n: {i}),
    "masked": (
        "%k = vector.create_mask %n : vector<2xi1>\n"
        "vector.maskedstore %m[%c0], %k, %v : memref<8xf32>, vector<2xi1>, vector<2xf32>",
        lambda i, n: set(range(min(n, 2))),
    ),
    "transfer": (
        "vector.transfer_write %v, %m[%i] : vector<2xf32>, memref<8xf32>",
        lambda i, n: {i, i + 1},
    ),
}
LOOPS = {
    "forall": ("scf.forall (%i) in ({}) {{", "}"),
    "parallel": ("scf.parallel (%i) = (%c0) to ({}) step (%c1) {{", "scf.reduce\n}"),
    "affine": ("affine.parallel (%i) = (0) to ({}) {{", "}"),
}
EVENTS: dict[str, tuple[str, str, str]] = {
    "V203": ("", "memref.store %x, %m[%c8] : memref<8xf32>", ""),
    "V205": (
        "%a = memref.alloc() : memref<8xf32>",
        "%l = memref.load %a[%c0] : memref<8xf32>\nmemref.store %l, %m[%c0] : memref<8xf32>",
        "memref.dealloc %a : memref<8xf32>",
    ),
    "V216": (
        "%a = memref.alloc() : memref<8xf32>\nmemref.dealloc %a : memref<8xf32>",
        "memref.store %x, %a[%c0] : memref<8xf32>",
        "",
    ),
    "V217": (
        "%a = memref.alloc() : memref<8xf32>\nmemref.dealloc %a : memref<8xf32>",
        "memref.dealloc %a : memref<8xf32>",
        "",
    ),
}
"""What is wrong, by its code: what is in front of it, itself, and what is behind it."""


@dataclass(frozen=True)
class Guarded:
    """A program: what may go wrong in @f has a `code`, and does for the arguments in `wrong`.

    It would be said of those in `runs`, for which each loop around it has two iterations. Of a private function
    `passed` are the arguments of all calls that are carried out; None if anyone may call it.
    """

    name: str
    text: str
    code: str
    wrong: frozenset[Given]
    runs: frozenset[Given]
    passed: tuple[Given, ...] | None


def drawn(chance: random.Random) -> Guarded:
    """A random program."""
    passed = None if chance.random() < 0.4 else tuple(chance.choices(ALL, k=chance.choice([1, 1, 2, 3])))
    if chance.random() < 0.6:
        name, body, wrong, runs = _race(chance)
        code = "V207"
    else:
        code = chance.choice([*EVENTS])
        name, body, wrong, runs = _event(chance, code)
    private, calls, carried_out = _called(chance, passed)
    text = f"""func.func {private}@f(%m: memref<8xf32>, %n: index, %c: i1, %x: f32, %v: vector<2xf32>) {{
{_CONSTANTS}
{body}
return
}}
{calls}"""
    return Guarded(name, text, code, frozenset(filter(wrong, ALL)), frozenset(filter(runs, ALL)), carried_out)


Happens = Callable[[Given], bool]
_CONSTANTS = "\n".join(f"%c{n} = arith.constant {n} : index" for n in (0, 1, 2, 3, 8))


def _race(chance: random.Random) -> tuple[str, str, Happens, Happens]:
    loop, store = chance.choice([*LOOPS]), chance.choice([*STORES])
    inside = chance.choice([each for each in GUARDS if each != "affine" or loop == "affine"])
    outside = chance.choice(["none", "none", "if", "sge %c3", "case"])
    size = chance.choice(["2", "8", "%n"])
    bound = f"%c{size}" if loop == "parallel" and size != "%n" else size
    trips = None if size == "%n" else int(size)
    text, elements = STORES[store]
    guard, around = GUARDS[inside], GUARDS[outside]
    begin, end = LOOPS[loop]
    lines = [around.open.replace("%b", "%o"), begin.format(bound), guard.open, text, guard.close, end]
    body = "\n".join([*lines, around.close])

    def count(n: int) -> int:
        return max(n, 0) if trips is None else trips

    def runs(given: Given) -> bool:
        n, c = given
        return around.holds(0, n, c) and count(n) >= 2 and (inside != "loop" or n - 3 >= 2)

    def wrong(given: Given) -> bool:
        n, c = given
        done = [elements(i, n) for i in range(count(n)) if guard.holds(i, n, c)]
        written = [e for each in done for e in each if e < 8]
        return around.holds(0, n, c) and len(written) > len(set(written))

    return f"{loop} {size} {outside} {inside} {store}", body, wrong, runs


def _event(chance: random.Random, code: str) -> tuple[str, str, Happens, Happens]:
    inside = chance.choice([name for name in GUARDS if name != "none"])
    before, event, behind = EVENTS[code]
    guard = GUARDS[inside]
    lines = ["%i = arith.constant 1 : index", before, guard.open, event, guard.close, behind]

    def wrong(given: Given) -> bool:
        return guard.holds(1, *given)

    return f"{code} {inside}", "\n".join(lines), wrong, wrong


def _called(
    chance: random.Random, passed: tuple[Given, ...] | None
) -> tuple[str, str, tuple[Given, ...] | None]:
    """`private`, the functions that call @f, and what is passed in calls that are carried out."""
    if passed is None:
        return "", "", None
    types = "(memref<8xf32>, index, i1, f32, vector<2xf32>) -> ()"
    arguments = "%m: memref<8xf32>, %x: f32, %v: vector<2xf32>"
    through = chance.random() < 0.3
    lines: list[str] = []
    carried_out: list[Given] = []
    for k, (n, c) in enumerate(passed):
        lines += [f"%n{k} = arith.constant {n} : index", f"%c{k} = arith.constant {str(c).lower()}"]
        call = f"func.call @{'g' if through else 'f'}(%m, %n{k}, %c{k}, %x, %v) : {types}"
        if chance.random() < 0.2:
            lines += [f"%d{k} = arith.constant false", f"scf.if %d{k} {{", call, "}"]
        else:
            lines.append(call)
            carried_out.append((n, c))
    middle = f"""func.func private @g(%m: memref<8xf32>, %n: index, %c: i1, %x: f32, %v: vector<2xf32>) {{
func.call @f(%m, %n, %c, %x, %v) : {types}
return
}}
"""
    newline = "\n"
    main = f"func.func @main({arguments}) {{\n{newline.join(lines)}\nreturn\n}}\n"
    return "private ", (middle if through else "") + main, tuple(carried_out)


def programs(seed: int, count: int) -> Iterator[Guarded]:
    """COUNT random programs."""
    for number in range(count):
        yield drawn(random.Random(f"{seed}/{number}"))
