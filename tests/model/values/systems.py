"""Random functions over index, i32 and i64 with products of sums, quotients and minima, in loops of any steps and
branches, and their execution.

Loops may have no iteration, or a step that is not positive; constants may be large; a product of sums may be assumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise, product

from tests.model.values.product_goals import ARITHMETIC, RELATIONS, Point, Undefined
from tests.model.values.step_goals import PREDICATES, Condition

SMALL = range(-3, 6)
LARGER = (*range(-3, 6, 2), 6, 7, 9, -5, 12)
WIDTHS = {"index": 64, "i32": 32, "i64": 64}
FUEL = 20_000
"""Operations and iterations of one execution."""
DIVISIONS = ("floordivsi", "ceildivsi", "divsi", "remsi")
_WRAPPING = ("addi", "subi", "muli")
_ALL_PREDICATES = {**PREDICATES, "<=": "sle"}


@dataclass
class Operation:
    result: str
    op: str
    left: str
    right: str


@dataclass
class Region:
    """An assertion of CONDITIONS (without a body), a branch, or a LOOP (variable, low, high, step)."""

    conditions: list[Condition] = field(default_factory=list[Condition])
    loop: tuple[str, str, str, str] | None = None
    body: list[Operation | Region] | None = None


Body = list[Operation | Region]


@dataclass
class System:
    """A function of numbers of one KIND; with `nsw`, what overflows is poison, else it wraps around (not index)."""

    kind: str
    nsw: bool
    arguments: list[str]
    body: Body = field(default_factory=list[Operation | Region])
    constants: dict[str, int] = field(default_factory=dict[str, int])
    assumed: tuple[str, str, str, int, int, int] | None = None
    """`(x - c) * (y - d) RELATION e` as (RELATION, x, y, c, d, e)."""

    @property
    def assumption(self) -> str | None:
        if self.assumed is None:
            return None
        relation, x, y, c, d, e = self.assumed
        return f"(%{x} - {c}) * (%{y} - {d}) {relation} {e}"

    def text(self) -> str:
        suffix = "" if self.kind == "index" else f" : {self.kind}"
        lines = [f"func.func @f({', '.join(f'%{each}: {self.kind}' for each in self.arguments)}) {{"]
        lines += [f"  %{name} = arith.constant {n} : {self.kind}" for name, n in self.constants.items()]
        lines += _lines(self.body, f" : {self.kind}", suffix, " overflow<nsw>" if self.nsw else "", count())
        return "\n".join([*lines, "  return", "}"])


def _lines(body: Body, kind: str, suffix: str, flags: str, names: Iterator[int]) -> Iterator[str]:
    for each in body:
        if isinstance(each, Operation):
            of = flags if each.op in _WRAPPING else ""
            yield f"  %{each.result} = arith.{each.op} %{each.left}, %{each.right}{of}{kind}"
            continue
        if each.loop is not None:
            i, low, high, step = each.loop
            yield f"  scf.for %{i} = %{low} to %{high} step %{step}{suffix} {{"
        else:
            found = [f"%q{next(names)}" for _ in each.conditions]
            for name, (x, relation, y) in zip(found, each.conditions, strict=True):
                yield f"  {name} = arith.cmpi {_ALL_PREDICATES[relation]}, %{x}, %{y}{kind}"
            for one, other in pairwise(found):
                yield f"  {other}a = arith.andi {one}{'a' * (one != found[0])}, {other} : i1"
            last = found[-1] + "a" * (len(found) > 1)
            yield f'  cf.assert {last}, "holds"' if each.body is None else f"  scf.if {last} {{"
        if each.body is not None:
            yield from _lines(each.body, kind, suffix, flags, names)
            yield "  }"


# -- execution -------------------------------------------------------------------------------------------


class _Run:
    """One execution: `points` are what names are at the beginning of iterations, and after operations."""

    def __init__(self, system: System, arguments: Point, jumps: Mapping[str, int]) -> None:
        self._system, self._jumps, self._fuel = system, jumps, FUEL
        self.points: list[dict[str, int | None]] = []
        self.is_long = False
        point: dict[str, int | None] = {**arguments, **system.constants}
        if system.assumed is not None:
            relation, x, y, c, d, e = system.assumed
            if not RELATIONS[relation]((arguments[x] - c) * (arguments[y] - d), e):
                return
        try:
            self._block(system.body, point)
        except Undefined:
            return

    def _block(self, body: Body, point: dict[str, int | None]) -> None:
        for each in body:
            self._fuel -= 1
            if self._fuel < 0:
                self.is_long = True
                raise Undefined
            if isinstance(each, Operation):
                point[each.result] = self._value(each.op, point[each.left], point[each.right])
                self.points.append(dict(point))
            elif each.loop is not None:
                self._loop(each, point)
            else:
                self._branch(each, point)

    def _branch(self, region: Region, point: dict[str, int | None]) -> None:
        found: list[bool] = []
        for x, relation, y in region.conditions:
            left, right = point[x], point[y]
            if left is None or right is None:
                raise Undefined
            found.append(bool(RELATIONS[relation](left, right)))
        if region.body is not None:
            if all(found):
                self._block(region.body, dict(point))
        elif not all(found):
            raise Undefined

    def _loop(self, region: Region, point: dict[str, int | None]) -> None:
        assert region.loop is not None
        i, *ends = region.loop
        low, high, step = (point[each] for each in ends)
        if low is None or high is None or step is None or step <= 0:
            raise Undefined
        iterations: Sequence[int] = range(low, high, step)
        if i in self._jumps:
            iterations = [self._jumps[i]] if self._jumps[i] in iterations else []
        for number in iterations:
            inner = {**point, i: number}
            self.points.append(dict(inner))
            self._fuel -= 1
            self._block(region.body or [], inner)

    def _value(self, op: str, left: int | None, right: int | None) -> int | None:
        if op in DIVISIONS and (right is None or right == 0):
            raise Undefined
        if left is None or right is None:
            return None
        least = -(1 << WIDTHS[self._system.kind] - 1)
        if op in DIVISIONS and right == -1 and left == least:
            raise Undefined
        found = ARITHMETIC[op](left, right)
        if least <= found < -least:
            return found
        if self._system.kind == "index":
            raise Undefined
        return None if self._system.nsw else (found - least) % (-2 * least) + least


def executed(system: System, arguments: Point, jumps: Mapping[str, int] | None = None) -> _Run:
    return _Run(system, arguments, jumps or {})


def executions(system: System, numbers: Sequence[int]) -> list[dict[str, int | None]]:
    every = product(numbers, repeat=len(system.arguments))
    return [
        point
        for values in every
        for point in executed(system, dict(zip(system.arguments, values, strict=True))).points
    ]
