"""Random programs with allocations, frees, loops and branches; what executions of them leave; mutations.

A program is a list of statements, each a tuple of its name and its operands, with lists for what is inside:

    ("alloc", "%t"), ("for", 2, [("copy", "%a", "%t")]), ("dealloc", "%t")

Numbers are such that two outcomes are equal if the same is computed from the same inputs.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from tests.shared.recorded import Recorded, Run
from volcli.execution.memory.memory import MemoryView
from volcli.execution.outcomes import Defect, Undefined
from volcli.execution.runs.inputs import Inputs

Statement = tuple[Any, ...]
Body = list[Statement]

SIZE = 4
BUFFERS = ("%a", "%o")
NUMBERS = ("%x", "%y")
POISON = ("poison",)
SIGNATURE = "%a: memref<4xi32>, %o: memref<4xi32>, %c: i1, %n: index, %x: i32, %y: i32"
WHOLE, PART = "memref<4xi32>", "memref<2xi32, strided<[1], offset: 2>>"
DONE = """func.func private @done(%m: memref<4xi32>) {
  memref.dealloc %m : memref<4xi32>
  return
}
"""


class Invalid(Exception):
    """A program that uses a name where it is not defined."""


# -- text ----------------------------------------------------------------------------------------------------


def text(body: Body, result: str | None) -> str:
    """The program as MLIR."""
    lines = list(_lines(body, "  ", dict.fromkeys(BUFFERS, WHOLE)))
    ends = f"  return {result} : {WHOLE}" if result else "  return"
    head = f"func.func @f({SIGNATURE}){f' -> {WHOLE}' if result else ''} {{"
    return "\n".join([DONE + head, "  %z = arith.constant 0 : index", *lines, ends, "}", ""])


def _lines(body: Body, indent: str, kinds: dict[str, str]) -> Iterator[str]:
    for each in body:
        match each:
            case ("alloc" | "alloca" as op, name):
                kinds[name] = WHOLE
                yield f"{indent}{name} = memref.{op}() : {WHOLE}"
            case ("view", name, base):
                kinds[name] = PART
                yield f"{indent}{name} = memref.subview {base}[2] [2] [1] : {WHOLE} to {PART}"
            case ("dealloc", name):
                yield f"{indent}memref.dealloc {name} : {kinds[name]}"
            case ("done", name):
                yield f"{indent}func.call @done({name}) : ({WHOLE}) -> ()"
            case ("copy", one, other):
                yield f"{indent}memref.copy {one}, {other} : {kinds[one]} to {kinds[other]}"
            case ("load", name, buffer, index):
                yield f"{indent}{name} = affine.load {buffer}[{index}] : {kinds[buffer]}"
            case ("store", name, buffer, index):
                yield f"{indent}affine.store {name}, {buffer}[{index}] : {kinds[buffer]}"
            case ("div", name, one, other):
                yield f"{indent}{name} = arith.divui {one}, {other} : i32"
            case ("shift", name, one, count):
                yield f"{indent}{name}_by = arith.constant {count} : i32"
                yield f"{indent}{name} = arith.shli {one}, {name}_by : i32"
            case ("assert",):
                yield f'{indent}cf.assert %c, "c"'
            case ("if", yes, no):
                yield f"{indent}scf.if %c {{"
                yield from _lines(yes, indent + "  ", dict(kinds))
                yield f"{indent}}} else {{"
                yield from _lines(no, indent + "  ", dict(kinds))
                yield f"{indent}}}"
            case ("when", variable, comparison, number, inner):
                yield f"{indent}affine.if affine_set<(d) : (d - {number} {comparison} 0)>({variable}) {{"
                yield from _lines(inner, indent + "  ", dict(kinds))
                yield f"{indent}}}"
            case ("for", variable, upper, inner):
                yield f"{indent}affine.for {variable} = 0 to {upper} {{"
                yield from _lines(inner, indent + "  ", dict(kinds))
                yield f"{indent}}}"
            case _:
                raise AssertionError(each)


# -- names ---------------------------------------------------------------------------------------------------

_DEFINES = ("alloc", "alloca", "view", "load", "div", "shift")


def check(body: Body, known: set[str]) -> None:
    """Raise Invalid if a name in BODY is not KNOWN, or a statement is about a part that takes a whole."""
    parts: set[str] = set()
    for each in body:
        kind, *operands = each
        names = [o for o in operands[kind in _DEFINES :] if isinstance(o, str) and o.startswith("%")]
        if kind == "for":
            known, names = known, [n for n in names[1:] if n != "%n"]
        if any(name not in known and name not in ("%n", "%c") for name in names):
            raise Invalid
        if kind in ("view", "done", "copy") and any(_is_part(n) for n in names):
            raise Invalid
        if kind in _DEFINES:
            if operands[0] in known:
                raise Invalid
            known = {*known, operands[0]}
        if kind == "for":
            check(operands[2], {*known, operands[0]})
        for inner in operands if kind in ("if", "when") else ():
            if isinstance(inner, list):
                check(inner, known)
    assert not parts


def _is_part(name: str) -> bool:
    return name.startswith("%v")


# -- execution -----------------------------------------------------------------------------------------------


Outcome = tuple[Any, ...] | None
GIVEN = {
    name: np.array([seed * 10_007 * k for k in range(2, 6)], np.int32) for seed, name in enumerate("ao", 3)
}
X = 1_234_567
"""Numbers that no operation of these programs makes of others."""


@cache
def _program(text: str) -> Recorded:
    return Recorded(text)


def run(program: Recorded, c: int, n: int, y: int) -> Run:
    """An execution of PROGRAM, until it ends or is undefined."""
    given = Inputs(numbers={"c": c, "n": n, "x": X, "y": y}, elements=GIVEN)
    found = program.run(given, checks=frozenset(Defect))
    assert found.stopped is None or isinstance(found.stopped, Undefined)
    return found


def execute(body: Body, result: str | None, c: int, n: int, y: int) -> Outcome:
    """What is left in the arguments and the result, and which arguments are freed; None: it is undefined."""
    found = run(_program(text(body, result)), c, n, y)
    if found.results is None or any(view.allocation.freed for view in found.results):
        return None
    buffers = [found.arguments[name] for name in GIVEN]
    freed = tuple(name for name, view in zip(BUFFERS, buffers, strict=True) if view.allocation.freed)
    cells = [cell for view in buffers for cell in _cells(view)]
    return (*cells, freed, *(cell for view in found.results for cell in _cells(view)))


def _cells(view: MemoryView) -> list[Any]:
    """What is in memory; what is freed or was never written may be anything."""
    allocation = view.allocation
    states, numbers = view.array(allocation.states_array).tolist(), view.array(allocation.data).tolist()
    return [
        POISON if state or allocation.freed else number for state, number in zip(states, numbers, strict=True)
    ]


def refines(before: tuple[Body, str | None], after: tuple[Body, str | None]) -> bool:
    """Whether AFTER does what BEFORE does wherever that has a meaning; more memory of the caller may be kept."""
    for c, n, y in product((0, 1), range(-1, 7), (0, 3)):
        old, new = execute(*before, c, n, y), execute(*after, c, n, y)
        if old is None:
            continue
        if new is None or not all(map(_may_be, old, new)):
            return False
    return True


def _may_be(old: Any, new: Any) -> bool:
    """Whether NEW may be where OLD was: anything for poison, and fewer arguments are freed."""
    if old in (POISON, new):
        return True
    is_freed = isinstance(old, tuple) and isinstance(new, tuple) and set(old) <= set(BUFFERS)
    return is_freed and set(new) <= set(old)


# -- programs ------------------------------------------------------------------------------------------------


class Drawn:
    """A random program, and mutations of it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self._count = 0

    def name(self, letter: str) -> str:
        self._count += 1
        return f"%{letter}{self._count}"

    def program(self) -> tuple[Body, str | None]:
        """A program that is defined for some arguments: buffers are filled, used and freed."""
        body: Body = []
        for _ in range(self.chance.randint(1, 2)):
            body += self.piece([], 0)
        result = None
        if self.chance.random() < 0.25:
            result = self.name("t")
            body += [("alloc", result), ("copy", "%a", result)]
        return body, result

    def piece(self, indices: Sequence[str], depth: int) -> Body:
        chance, t = self.chance, self.name("t")
        kind = chance.randrange(6 if depth < 2 else 2)
        index: Any = chance.choice([*indices, 0, 1, 3])
        match kind:
            case 0:
                v = self.name("v") if chance.random() < 0.4 else None
                views: Body = [] if v is None else [("view", v, t)]
                x = self.name("x")
                source = (v, 1) if v is not None else (t, index)
                uses: Body = [("load", x, *source), ("store", x, "%o", index)]
                ends: Body = [(chance.choice(("dealloc", "dealloc", "done")), t)]
                return [("alloc", t), ("copy", "%a", t), *views, *uses, *ends]
            case 1:
                q, x = self.name("q"), self.name("x")
                number: Statement = chance.choice(
                    [
                        ("div", q, "%x", "%y"),
                        ("load", q, "%a", index),
                        ("shift", q, "%x", chance.choice((3, 40))),
                    ]
                )
                checks: Body = [("assert",)] if chance.random() < 0.2 else []
                return [*checks, number, ("store", q, "%o", index)]
            case 2:
                yes, no = self.piece(indices, depth + 1), self.piece(indices, depth + 1)
                return [("if", yes, no if chance.random() < 0.5 else [])]
            case 3:
                i = self.name("i")
                upper = chance.choice((2, SIZE, "%n"))
                return [("for", i, upper, self.piece([*indices, i], depth + 1))]
            case 4:
                i, upper = self.name("i"), chance.choice((2, SIZE))
                last: Statement = ("when", i, chance.choice(("==", ">=")), upper - 1, [("dealloc", t)])
                return [("alloc", t), ("copy", "%a", t), ("for", i, upper, [("copy", t, "%o"), last])]
            case _:
                i, x = self.name("i"), self.name("x")
                inner: Body = [("load", x, t, i), ("store", x, "%o", i)]
                filled: Body = [("alloc", t), ("copy", "%a", t)]
                return [*filled, ("for", i, chance.choice((2, SIZE)), inner), ("dealloc", t)]

    def mutant(self, body: Body, result: str | None) -> tuple[Body, str | None]:
        """The program after one or two changes; raises Invalid if that is no program."""
        for _ in range(self.chance.choice((1, 1, 2))):
            body, result = self._changed(body, result)
        check(body, {*BUFFERS, *NUMBERS})
        allocated = {each[1] for each in body if each[0] in ("alloc", "alloca")}
        if result is not None and result not in allocated:
            raise Invalid
        return body, result

    def _changed(self, body: Body, result: str | None) -> tuple[Body, str | None]:
        chance = self.chance
        bodies = list(_bodies(body))
        path = chance.choice(bodies)
        inner = _at(body, path)
        if not inner:
            raise Invalid
        k = chance.randrange(len(inner))
        each = inner[k]
        frees = ("dealloc", "done")
        match chance.randrange(8):
            case 0:  # delete, or do twice
                if each[0] not in frees:
                    raise Invalid
                return _with(
                    body,
                    path,
                    [*inner[:k], *([each, each] if chance.random() < 0.6 else []), *inner[k + 1 :]],
                ), result
            case 1 | 2:  # move within the body
                rest = [*inner[:k], *inner[k + 1 :]]
                to = chance.randint(0, len(rest))
                return _with(body, path, [*rest[:to], each, *rest[to:]]), result
            case 3:  # in front of the loop or branch around, or behind it
                if not path:
                    raise Invalid
                around, (position, _) = path[:-1], path[-1]
                without = _with(body, path, [*inner[:k], *inner[k + 1 :]])
                outer = _at(without, around)
                to = position + (each[0] in frees)
                return _with(without, around, [*outer[:to], each, *outer[to:]]), result
            case 4:  # free something somewhere
                names = [s[1] for s in _statements(body) if s[0] in ("alloc", "view", "alloca")]
                return _with(
                    body, path, [*inner[:k], ("dealloc", chance.choice([*names, "%a"])), *inner[k:]]
                ), result
            case 5:  # on the stack
                if each[0] != "alloc":
                    raise Invalid
                made = [*inner[:k], ("alloca", each[1]), *inner[k + 1 :]]
                kept = [s for s in made if s[0] not in frees or s[1] != each[1] or chance.random() < 0.2]
                return _with(body, path, kept), result
            case 6:  # in one branch, or in a loop
                new: Statement = ("if", [each], [])
                variables = _variables(body, path)
                if variables and chance.random() < 0.5:
                    comparison = chance.choice(("==", ">="))
                    new = ("when", chance.choice(variables), comparison, chance.randrange(SIZE), [each])
                elif chance.random() < 0.5:
                    new = ("for", self.name("i"), chance.choice((1, 2, "%n")), [each])
                return _with(body, path, [*inner[:k], new, *inner[k + 1 :]]), result
            case _:  # other bounds and indices
                if each[0] == "for":
                    return _with(
                        body,
                        path,
                        [*inner[:k], (*each[:2], chance.choice((1, 3, 5, "%n")), each[3]), *inner[k + 1 :]],
                    ), result
                if each[0] == "when":
                    moved = (*each[:3], chance.randrange(SIZE), each[4])
                    return _with(body, path, [*inner[:k], moved, *inner[k + 1 :]]), result
                if each[0] in ("load", "store"):
                    return _with(
                        body, path, [*inner[:k], (*each[:3], chance.choice((0, 1, 2, 4))), *inner[k + 1 :]]
                    ), result
                raise Invalid


Path = tuple[tuple[int, int], ...]


def _bodies(body: Body, path: Path = ()) -> Iterator[Path]:
    yield path
    for k, each in enumerate(body):
        for position, inner in enumerate(each):
            if isinstance(inner, list):
                yield from _bodies(inner, (*path, (k, position)))


def _at(body: Body, path: Path) -> Body:
    for k, position in path:
        body = body[k][position]
    return body


def _variables(body: Body, path: Path) -> list[str]:
    """The variables of the loops around PATH."""
    around = (_at(body, path[:depth])[k] for depth, (k, _) in enumerate(path))
    return [each[1] for each in around if each[0] == "for"]


def _with(body: Body, path: Path, new: Body) -> Body:
    """BODY with NEW at PATH."""
    if not path:
        return new
    (k, position), *rest = path
    each = list(body[k])
    each[position] = _with(each[position], tuple(rest), new)
    return [*body[:k], tuple(each), *body[k + 1 :]]


def _statements(body: Body) -> Iterator[Statement]:
    for each in body:
        yield each
        for inner in each:
            if isinstance(inner, list):
                yield from _statements(inner)


Pair = tuple[tuple[Body, str | None], tuple[Body, str | None]]


def pairs(first: int, count: int) -> Iterator[Pair]:
    """COUNT pairs of a program and a mutant, from the seed FIRST on."""
    found = 0
    for seed in range(first, first + 100 * count):
        drawn = Drawn(seed)
        before = drawn.program()
        try:
            after = drawn.mutant(*before)
        except Invalid:
            continue
        if after != before:
            yield before, after
            found += 1
        if found == count:
            return
