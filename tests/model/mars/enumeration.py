"""Programs of affine loops as trees, executed with last writers in plain Python, and the tiles of what they execute.

A tile of a nest is `t = floor(H x / s)` of its iterations x. The program is run in the order of its text; memory is a
dictionary from elements to the store and the iteration that wrote them last. Nothing of volcli is used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

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

    `behind` has the pairs (access, iteration) of which the second must not run before the first: flow, and what
    overwrites what was read or written before."""

    places: dict[int, Place] = field(default_factory=dict)
    reads: dict[int, list[tuple[Point, Point, Origin]]] = field(default_factory=lambda: defaultdict(list))
    writes: dict[int, dict[Point, Point]] = field(default_factory=lambda: defaultdict(dict))
    overwritten: list[tuple[tuple[int, Point], tuple[int, Point]]] = field(default_factory=list)


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
    readers: dict[tuple[str, Point], list[tuple[int, Point]]] = defaultdict(list)
    for statement, environment in _instances(program.nests, dict(program.symbols)):
        for read in statement.reads:
            element = tuple(form.at(environment) for form in read.index)
            point = tuple(environment[name] for name in trace.places[read.number].loops)
            trace.reads[read.number].append((point, element, memory.get((read.array, element))))
            readers[read.array, element].append((read.number, point))
        if statement.write is not None:
            write = statement.write
            element = tuple(form.at(environment) for form in write.index)
            point = tuple(environment[name] for name in trace.places[write.number].loops)
            trace.writes[write.number][point] = element
            key = (write.array, element)
            before = readers.pop(key, [])
            if key in memory:
                before.append(memory[key])
            trace.overwritten += [(each, (write.number, point)) for each in before]
            memory[key] = (write.number, point)
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


@dataclass(frozen=True)
class Tiling:
    """Hyperplanes over the names of loops, each with a size."""

    planes: tuple[tuple[Affine, int], ...]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for plane, _ in self.planes for name, factor in plane.factors if factor)

    def tile(self, loops: Sequence[str], point: Point) -> Point:
        environment = dict(zip(loops, point, strict=True))
        return tuple(plane.at(environment) // size for plane, size in self.planes)

    def translation(self, by: Point) -> dict[str, Fraction]:
        """How far each loop is, if the tile is BY further: H^-1 * diag(s) * BY."""
        names = sorted(self.names)
        rows = [
            [*(Fraction(dict(plane.factors).get(name, 0)) for name in names), Fraction(size * step)]
            for (plane, size), step in zip(self.planes, by, strict=True)
        ]
        for column in range(len(names)):
            pivot = next(row for row in rows[column:] if row[column])
            rows.remove(pivot)
            pivot = [x / pivot[column] for x in pivot]
            rows = [[x - row[column] * y for x, y in zip(row, pivot, strict=True)] for row in rows]
            rows.insert(column, pivot)
        return {name: row[-1] for name, row in zip(names, rows, strict=True)}

    @property
    def text(self) -> str:
        return ", ".join(f"{_plane_text(plane)}:{size}" for plane, size in self.planes)


def _plane_text(plane: Affine) -> str:
    text = "+".join(f"{f}*{name}" for name, f in plane.factors if f)
    return text.replace("+-", "-").replace("1*", "") if text else "0"


Space = tuple[int, int]
"""The number of a nest, and that of a tiling: what is in its tiles."""


@dataclass(frozen=True)
class Tiled:
    """A program in tiles: each access is in those of the first tiling all of whose loops are around it, or in none."""

    program: Program
    tilings: tuple[Tiling, ...]

    def space(self, place: Place) -> Space | None:
        """In whose tiles the access at PLACE is; None if it is in none."""
        names = set(place.loops)
        return next(((place.nest, k) for k, each in enumerate(self.tilings) if each.names <= names), None)

    def tile(self, place: Place, point: Point) -> Point:
        """The tile of the iteration POINT of the access at PLACE, which is in tiles."""
        space = self.space(place)
        assert space is not None
        return self.tilings[space[1]].tile(place.loops, point)

    @property
    def text(self) -> str:
        return "; ".join(each.text for each in self.tilings)


Consumed = dict[Point, frozenset[Point]]
"""Of each element, or iteration of a store, the tiles that consume it."""


def consumed(tiled: Tiled, trace: Trace, array: str, writer: int | None, space: Space) -> Consumed:
    """What tiles of SPACE read of ARRAY: initial elements (WRITER None), or iterations of the store WRITER."""
    found: dict[Point, set[Point]] = defaultdict(set)
    for number, instances in trace.reads.items():
        place = trace.places[number]
        if tiled.space(place) != space or place.access.array != array:
            continue
        for point, element, origin in instances:
            if (None if origin is None else origin[0]) == writer:
                found[element if origin is None else origin[1]].add(tiled.tile(place, point))
    return {key: frozenset(tiles) for key, tiles in found.items()}


def by_tile(
    tiled: Tiled, trace: Trace, found: Consumed, writer: int | None, space: Space
) -> dict[Point, Consumed]:
    """The elements that each tile reads, with all tiles that read them; or the iterations of WRITER that each
    tile produces for others, with these."""
    result: dict[Point, Consumed] = defaultdict(dict)
    for key, tiles in found.items():
        if writer is None:
            for tile in tiles:
                result[tile][key] = tiles
            continue
        place = trace.places[writer]
        own_space = tiled.space(place)
        if own_space is None:
            continue
        own = tiled.tile(place, key)
        others = tiles - {own} if own_space == space else tiles
        if others:
            result[own][key] = others
    return dict(result)


def partition(elements: Consumed) -> dict[frozenset[Point], frozenset[Point]]:
    """The elements with the same consumers, by these."""
    found: dict[frozenset[Point], set[Point]] = defaultdict(set)
    for element, tiles in elements.items():
        found[tiles].add(element)
    return {tiles: frozenset(points) for tiles, points in found.items()}


Flow = tuple[str, int | None, Space]
"""The array, the store (None: initial values) and the tiles of the readers."""


def flows(tiled: Tiled, trace: Trace) -> set[Flow]:
    """All that is read in tiles."""
    found: set[Flow] = set()
    for number, instances in trace.reads.items():
        place = trace.places[number]
        space = tiled.space(place)
        if space is not None:
            origins = {None if origin is None else origin[0] for _, _, origin in instances}
            found |= {(place.access.array, origin, space) for origin in origins}
    return found


def broken(tiled: Tiled, trace: Trace) -> set[tuple[str, Space, Point, Point]]:
    """What tiles in their lexicographic order read too early: array, space, and the tiles of reader and writer."""
    found: set[tuple[str, Space, Point, Point]] = set()
    for number, instances in trace.reads.items():
        place = trace.places[number]
        space = tiled.space(place)
        for point, _, origin in instances:
            if space is None or origin is None or tiled.space(trace.places[origin[0]]) != space:
                continue
            reader, writer = tiled.tile(place, point), tiled.tile(trace.places[origin[0]], origin[1])
            if writer > reader:
                found.add((place.access.array, space, reader, writer))
    return found
