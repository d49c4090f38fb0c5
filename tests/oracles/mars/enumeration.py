"""Programs of affine loops as trees, executed with last writers in plain Python.

A program is run in the order of its text; memory is a dictionary from elements to the store and the iteration
that wrote them last. Nothing of volcli is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.oracles.mars.views import View

Point = tuple[int, ...]
Environment = dict[str, int]


@dataclass(frozen=True)
class Affine:
    """`sum of factor * name, plus constant`."""

    factors: tuple[tuple[str, int], ...] = ()
    constant: int = 0

    def at(self, environment: Mapping[str, int]) -> int:
        return sum(factor * environment[name] for name, factor in self.factors) + self.constant

    def plus(self, constant: int) -> Affine:
        return replace(self, constant=self.constant + constant)

    def text(self, sigil: str = "%") -> str:
        terms = [f"{f} * {sigil}{name}" if f != 1 else sigil + name for name, f in self.factors if f]
        if self.constant or not terms:
            terms.append(str(self.constant))
        return " + ".join(terms).replace("+ -", "- ")


@dataclass(frozen=True)
class Loaded(Affine):
    """A CONSTANT more than the number that the load READ has found, from 0 to below EXTENT, at `form`."""

    form: Affine = field(default_factory=Affine)
    read: int = 0
    extent: int = 1

    def at(self, environment: Mapping[str, int]) -> int:
        place = self.form.at(environment)
        return (place * place * 7 + place * 3 + self.read) % 11 % self.extent + self.constant


@dataclass(frozen=True)
class Access:
    """One load or store; its number is its own in the program. The text may reach the element through a VIEW."""

    number: int
    array: str
    index: tuple[Affine, ...]
    view: View | None = None


@dataclass(frozen=True)
class Statement:
    """Loads, and then a store of their sum, or no store."""

    reads: tuple[Access, ...]
    write: Access | None = None


@dataclass(frozen=True)
class Loop:
    """From the maximum of LOWER to the minimum of UPPER (not included)."""

    name: str
    lower: tuple[Affine, ...]
    upper: tuple[Affine, ...]
    step: int
    body: tuple[Node, ...]
    sum: int = 0
    """The number of a sum that each iteration makes of the one before, as the loop outside does; 0: none."""
    is_called: bool = False
    """Whether another function runs this nest, and is called."""
    parallel: str = ""
    """The operation, if its iterations may run in any order: parallel, or forall in scf."""


@dataclass(frozen=True)
class If:
    """Each condition is `form >= 0`, or `form mod modulus = 0` where the modulus is not 0."""

    conditions: tuple[tuple[Affine, int], ...]
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()


Node = Loop | If | Statement


@dataclass(frozen=True)
class Program:
    """Nests one after the other; values of symbols that bound their loops.

    SPELLED says which operations its loops are: affine.for, scf.for, or scf.while the innermost ones; cast: scf.for,
    and indices in i64. Where they run several TIMES, a loop over t is around all of them."""

    nests: tuple[Loop, ...]
    symbols: Mapping[str, int] = field(default_factory=dict)
    spelled: str = "affine"
    times: int = 0

    @property
    def around(self) -> tuple[str, ...]:
        """The loop around all nests, if there is one."""
        return ("t",) if self.times else ()


@dataclass(frozen=True)
class Place:
    """Where an access is: its nest, and the names of the loops around it."""

    access: Access
    nest: int
    loops: tuple[str, ...]
    is_write: bool


Origin = tuple[int, Point] | None
"""The number of a store and its iteration; None: the element has its initial value."""


@dataclass
class Trace:
    """What runs: of each load `reads[number] = [(iteration, element, origin)]`, of each store its iterations.

    `left` are the elements that were written last by a store at an iteration."""

    places: dict[int, Place] = field(default_factory=dict)
    reads: dict[int, list[tuple[Point, Point, Origin]]] = field(default_factory=lambda: defaultdict(list))
    writes: dict[int, dict[Point, Point]] = field(default_factory=lambda: defaultdict(dict))
    left: list[tuple[str, Point, int, Point]] = field(default_factory=list)


def places(program: Program) -> dict[int, Place]:
    return {
        place.access.number: place
        for number, nest in enumerate(program.nests)
        for place in _places_in(nest, number, program.around)
    }


def _places_in(node: Node, nest: int, loops: tuple[str, ...]) -> Iterator[Place]:
    if isinstance(node, Statement):
        for read in node.reads:
            yield Place(read, nest, loops, False)
        if node.write is not None:
            yield Place(node.write, nest, loops, True)
        return
    inner = (*loops, node.name) if isinstance(node, Loop) else loops
    if isinstance(node, Loop) and node.sum:
        yield Place(Access(node.sum, SUM, ()), nest, inner, False)
    for child in (*node.body, *(node.otherwise if isinstance(node, If) else ())):
        yield from _places_in(child, nest, inner)


SUM = "sum"
"""The array that sums of loops are said to be in: an iteration reads there what all before it have written."""


ACCESSES = 200_000
"""Of an execution for larger symbols: three loops of n = 300 iterations would have 27 million, in many gigabytes."""


class TooLong(Exception):
    """An execution has more accesses, or conditions, than it may."""


def execute(program: Program, at_most: int | None = None) -> Trace:
    """What runs of PROGRAM. Raises TooLong beyond AT MOST so many accesses: a trace has each of them."""
    return _Execution(program, at_most).trace


class _Execution:
    """One execution; MEMORY has the last writers, and SUMS the iterations that have made each sum so far."""

    def __init__(self, program: Program, at_most: int | None) -> None:
        self.trace = Trace(places(program))
        self._left = at_most
        self._memory: dict[tuple[str, Point], tuple[int, Point]] = {}
        self._sums: dict[int, list[Point]] = defaultdict(list)
        for time in range(program.times or 1):
            for nest in program.nests:
                self._run(nest, {**program.symbols, **dict.fromkeys(program.around, time)}, outer_sum=0)
        self.trace.left = [(array, element, *origin) for (array, element), origin in self._memory.items()]

    def _run(self, node: Node, environment: Environment, outer_sum: int) -> None:
        if isinstance(node, Statement):
            self._instance(node, environment)
            return
        if isinstance(node, If):
            self._spend(1)
            for child in node.body if holds(node, environment) else node.otherwise:
                self._run(child, environment, 0)
            return
        first = max(form.at(environment) for form in node.lower)
        end = min(form.at(environment) for form in node.upper)
        if not outer_sum:
            self._sums[node.sum] = []
        elif node.sum:
            self._sums[node.sum] = self._sums[outer_sum]
        for value in range(first, end, node.step):
            inside = {**environment, node.name: value}
            if node.sum and not has_inner_sum(node):
                self._add(node.sum, inside)
            for child in node.body:
                self._run(child, inside, node.sum)

    def _add(self, number: int, environment: Environment) -> None:
        point = tuple(environment[name] for name in self.trace.places[number].loops)
        before = self._sums[number]
        self._spend(len(before))
        self.trace.reads[number] += [(point, (), (number, each)) for each in before]
        before.append(point)

    def _spend(self, accesses: int) -> None:
        if self._left is not None:
            self._left -= accesses
            if self._left < 0:
                raise TooLong

    def _instance(self, statement: Statement, environment: Environment) -> None:
        self._spend(len(statement.reads) + 1)
        for read in statement.reads:
            element = tuple(form.at(environment) for form in read.index)
            origin = self._memory.get((read.array, element))
            self.trace.reads[read.number].append((self._point(read, environment), element, origin))
        if statement.write is not None:
            write, point = statement.write, self._point(statement.write, environment)
            element = tuple(form.at(environment) for form in write.index)
            self.trace.writes[write.number][point] = element
            self._memory[write.array, element] = (write.number, point)

    def _point(self, access: Access, environment: Environment) -> Point:
        return tuple(environment[name] for name in self.trace.places[access.number].loops)


def has_inner_sum(loop: Loop) -> bool:
    """Whether the sum of LOOP is handed to a loop inside of it, and comes back from there."""
    return any(isinstance(child, Loop) and child.sum for child in loop.body)


def holds(node: If, environment: Environment) -> bool:
    values = ((form.at(environment), modulus) for form, modulus in node.conditions)
    return all(value % modulus == 0 if modulus else value >= 0 for value, modulus in values)


def periods_in(nodes: Sequence[Node]) -> Iterator[tuple[str, int]]:
    """Of loops: the steps, which loops in their lower bounds have, too, and the moduli of what they are in."""
    for node in nodes:
        if isinstance(node, Statement):
            continue
        if isinstance(node, Loop):
            starts = (name for form in node.lower for name, _ in form.factors)
            yield from ((name, node.step) for name in (node.name, *starts))
        else:
            yield from ((name, m) for form, m in node.conditions if m for name, _ in form.factors)
            yield from periods_in(node.otherwise)
        yield from periods_in(node.body)


def sizes_needed(trace: Trace) -> dict[str, int]:
    """The least sizes of the arrays, by the names that sets have for them: a[7] needs `dim__a__0_` of 8."""
    needed: dict[str, int] = {}
    for number, place in trace.places.items():
        read = [element for _, element, _ in trace.reads.get(number, ())]
        for element in (*read, *trace.writes.get(number, {}).values()):
            for position, index in enumerate(element):
                name = f"dim__{place.access.array}__{position}_"
                needed[name] = max(needed.get(name, 0), index + 1)
    return needed
