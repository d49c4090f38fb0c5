"""Programs of affine loops as trees, executed with last writers in plain Python.

A program is run in the order of its text; memory is a dictionary from elements to the store and the iteration
that wrote them last. Nothing of volcli is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

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
        return Affine(self.factors, self.constant + constant)

    def text(self, sigil: str = "%") -> str:
        terms = [f"{f} * {sigil}{name}" if f != 1 else sigil + name for name, f in self.factors if f]
        if self.constant or not terms:
            terms.append(str(self.constant))
        return " + ".join(terms).replace("+ -", "- ")


@dataclass(frozen=True)
class Access:
    """One load or store; its number is its own in the program."""

    number: int
    array: str
    index: tuple[Affine, ...]


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


@dataclass(frozen=True)
class If:
    """Each condition is `form >= 0`, or `form mod modulus = 0` where the modulus is not 0."""

    conditions: tuple[tuple[Affine, int], ...]
    body: tuple[Node, ...]
    otherwise: tuple[Node, ...] = ()


Node = Loop | If | Statement


@dataclass(frozen=True)
class Program:
    """Nests one after the other; values of symbols that bound their loops."""

    nests: tuple[Loop, ...]
    symbols: Mapping[str, int] = field(default_factory=dict)


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
        for place in _places_in(nest, number, ())
    }


def _places_in(node: Node, nest: int, loops: tuple[str, ...]) -> Iterator[Place]:
    if isinstance(node, Statement):
        for read in node.reads:
            yield Place(read, nest, loops, False)
        if node.write is not None:
            yield Place(node.write, nest, loops, True)
        return
    inner = (*loops, node.name) if isinstance(node, Loop) else loops
    for child in (*node.body, *(node.otherwise if isinstance(node, If) else ())):
        yield from _places_in(child, nest, inner)


def execute(program: Program) -> Trace:
    trace = Trace(places(program))
    memory: dict[tuple[str, Point], tuple[int, Point]] = {}
    for statement, environment in _instances(program.nests, dict(program.symbols)):
        for read in statement.reads:
            element = tuple(form.at(environment) for form in read.index)
            point = tuple(environment[name] for name in trace.places[read.number].loops)
            trace.reads[read.number].append((point, element, memory.get((read.array, element))))
        if statement.write is not None:
            write = statement.write
            element = tuple(form.at(environment) for form in write.index)
            point = tuple(environment[name] for name in trace.places[write.number].loops)
            trace.writes[write.number][point] = element
            memory[write.array, element] = (write.number, point)
    trace.left = [(array, element, *origin) for (array, element), origin in memory.items()]
    return trace


def _instances(nodes: Sequence[Node], environment: Environment) -> Iterator[tuple[Statement, Environment]]:
    for node in nodes:
        if isinstance(node, Statement):
            yield node, environment
        elif isinstance(node, If):
            yield from _instances(node.body if holds(node, environment) else node.otherwise, environment)
        else:
            first = max(form.at(environment) for form in node.lower)
            end = min(form.at(environment) for form in node.upper)
            for value in range(first, end, node.step):
                yield from _instances(node.body, {**environment, node.name: value})


def holds(node: If, environment: Environment) -> bool:
    values = ((form.at(environment), modulus) for form, modulus in node.conditions)
    return all(value % modulus == 0 if modulus else value >= 0 for value, modulus in values)
