"""What is true of each element, by visiting every loop point: the specification, in plain loops."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracle.affine import Affine, Index, at, box
from tests.oracle.bodies import ZEROS, Fetch, Leaf, Literal, Mixture, Operand, Outside, annihilators, fold
from tests.oracle.layers import Access, Layer
from tests.oracle.nodes import Constant, Empty, Node
from tests.oracle.programs import Program
from tests.oracle.values import Value


class Label(NamedTuple):
    """A boundary halfspace (dim, low | high) of the value, or of an earlier one (source); or the gap."""

    source: str
    dim: int
    side: str


GAP = Label("", -1, "gap")


class Source(NamedTuple):
    """An element that is not computed: of an argument, or of one op's use of a constant."""

    name: str
    place: Index
    constant: bool


@dataclass
class Element:
    """The facts of one element. READS is a set of source elements, as the bits of an int."""

    reads: int = 0
    reaches: bool = False
    zero: bool = False
    labels: frozenset[Label] = frozenset()

    @property
    def kind(self) -> str:
        """dense, sparse or static."""
        if not self.reaches:
            return "static"
        return "sparse" if self.labels else "dense"

    @property
    def degree(self) -> int:
        """How many boundary halfspaces meet here, for sparse elements."""
        return sum(label != GAP for label in self.labels) if self.kind == "sparse" else 0


@dataclass
class Facts:
    """The facts of all elements of a value, and its period in each dim."""

    elements: dict[Index, Element]
    period: tuple[int, ...]


@dataclass
class Evaluation:
    """The facts of every value of a program, by name; SOURCES[k] is what bit k of `reads` stands for."""

    facts: dict[str, Facts] = field(default_factory=dict[str, Facts])
    sources: list[Source] = field(default_factory=list[Source])
    _bits: dict[Source, int] = field(default_factory=dict[Source, int])
    _constants: dict[str, Constant] = field(default_factory=dict[str, Constant])

    def bit(self, source: Source) -> int:
        """The bit of SOURCE."""
        if source not in self._bits:
            self._bits[source] = len(self.sources)
            self.sources.append(source)
        return 1 << self._bits[source]

    def decode(self, reads: int) -> set[Source]:
        """The set that the bits READS stand for."""
        return {source for k, source in enumerate(self.sources) if reads >> k & 1}

    def of(self, value: Value, user: str) -> Facts:
        """The facts of VALUE as USER sees them: each use of a scalar constant is a source of its own."""
        constant = self._constants.get(value.name)
        if constant is None or value.tensor:
            return self.facts[value.name]
        return self._constant(constant, f"{value.name}_{user}")

    def _constant(self, node: Constant, name: str) -> Facts:
        zero = node.numbers == (0,)
        bits = {point: self.bit(Source(name, point, True)) for point in node.result.points}
        elements = {point: Element(reads=bit, zero=zero) for point, bit in bits.items()}
        return Facts(elements, (1,) * len(node.result.shape))

    def add_argument(self, value: Value) -> None:
        """The elements of an argument depend on themselves."""
        bits = {point: self.bit(Source(value.name, point, False)) for point in value.points}
        elements = {point: Element(reads=bit, reaches=True) for point, bit in bits.items()}
        self.facts[value.name] = Facts(elements, (1,) * len(value.shape))

    def add(self, node: Node) -> None:
        """The facts of a node's result, from those of its operands."""
        value = node.result
        if isinstance(node, Constant):
            self._constants[value.name] = node
            self.facts[value.name] = self._constant(node, value.name)
            return
        elements = {point: Element() for point in value.points} if isinstance(node, Empty) else {}
        period = (1,) * len(value.shape)
        for layer in node.layers():
            seen = {a.value.name: self.of(a.value, value.name) for a in layer.accesses()}
            seen |= {slot.value.name: self.of(slot.value, value.name) for slot in layer.slots}
            elements |= visit(layer, seen)
            period = lcm(period, transported_period(layer, seen, len(value.shape)))
        self.facts[value.name] = mark_fresh(elements, period)


def evaluate(program: Program) -> Evaluation:
    """The facts of every value of PROGRAM."""
    evaluation = Evaluation()
    for argument in program.arguments:
        evaluation.add_argument(argument)
    for node in program.nodes:
        evaluation.add(node)
    return evaluation


def visit(layer: Layer, seen: dict[str, Facts]) -> dict[Index, Element]:
    """The facts of the elements that LAYER writes: the union over all loop points that write the element."""
    written: dict[Index, Element] = {}
    accesses = layer.accesses()
    for point in box(layer.loops):
        where = at(layer.result, point)
        element = written.setdefault(where, Element(zero=True))
        element.zero = element.zero and is_zero(layer, seen, point)
        chosen = layer.at(point)
        for access in accesses if chosen is layer else chosen.accesses():
            read(element, chosen, access, seen, point)
    return written


def read(element: Element, layer: Layer, access: Access, seen: dict[str, Facts], point: Index) -> None:
    """Add to ELEMENT what it gets through ACCESS at the loop POINT."""
    facts = seen[access.value.name]
    places: Iterable[Index] = facts.elements if access.index is None else [at(access.index, point)]
    annihilated = is_annihilated(layer, access.leaf, seen, point)
    for place in places:
        operand = facts.elements[place]
        element.reads |= operand.reads
        element.reaches = element.reaches or (operand.reaches and not annihilated)
        element.reaches = element.reaches or isinstance(access.leaf, Mixture)  # it may read anything else
        if operand.labels:
            element.labels |= {transport(label, layer, access) for label in operand.labels}


def slot_element(layer: Layer, number: int, seen: dict[str, Facts], point: Index) -> Element:
    """The element of slot NUMBER at the loop POINT."""
    slot = layer.slots[number]
    return seen[slot.value.name].elements[at(slot.index, point)]


def is_annihilated(layer: Layer, leaf: Leaf, seen: dict[str, Facts], point: Index) -> bool:
    """Whether every use of LEAF is multiplied with an operand that is zero at the loop POINT.

    An accumulator is such an operand only if each element is written once: it does not stay zero.
    """
    if not layer.annihilates:
        return False
    once = not reduces(layer)
    return all(
        factor is not None
        and (once or factor.number != layer.accumulator)
        and slot_element(layer, factor.number, seen, point).zero
        for factor in annihilators(layer.body, leaf)
    )


def reduces(layer: Layer) -> bool:
    """Whether some loop of extent > 1 does not occur in the result's index."""
    used = {number for expression in layer.result for number in expression.loops(layer.loops)}
    return any(extent > 1 and number not in used for number, extent in enumerate(layer.loops))


def is_zero(layer: Layer, seen: dict[str, Facts], point: Index) -> bool:
    """Whether the body is known to yield 0 at the loop POINT if the accumulator holds its initial value."""

    def leaf_is_zero(leaf: Leaf) -> bool:
        match leaf:
            case Literal(number):
                return number == 0
            case Operand(number):
                return slot_element(layer, number, seen, point).zero
            case Fetch(value, indices, None):
                return seen[value.name].elements[at(indices, point)].zero
            case Fetch(value):
                return all(element.zero for element in seen[value.name].elements.values())
            case Outside(value):
                return seen[value.name].elements[()].zero
            case Mixture():
                return False

    return fold(layer.body, point, leaf_is_zero, ZEROS)


def clean(expression: Affine, layer: Layer) -> tuple[int, int, int] | None:
    """(result dim, operand's coefficient, result's coefficient) of the one loop that EXPRESSION and R share.

    None if it shares none or several, or if the result dim mixes that loop with others.
    """
    dims = [set(dim.loops(layer.loops)) for dim in layer.result]
    shared = [number for number in expression.loops(layer.loops) if any(number in dim for dim in dims)]
    if len(shared) != 1:
        return None
    holders = [j for j, dim in enumerate(dims) if shared[0] in dim]
    if len(holders) != 1 or len(dims[holders[0]]) != 1:
        return None
    j = holders[0]
    return j, expression.coefficients[shared[0]], layer.result[j].coefficients[shared[0]]


def transport(label: Label, layer: Layer, access: Access) -> Label:
    """The label that a result element has because it reads an element with LABEL."""
    if label == GAP or label.source:
        return label
    found = None if access.index is None else clean(access.index[label.dim], layer)
    if found is None:
        return Label(access.value.name, label.dim, label.side)
    j, c, c_result = found
    flipped = {"low": "high", "high": "low"}[label.side]
    return Label("", j, label.side if c * c_result > 0 else flipped)


def transported_period(layer: Layer, seen: dict[str, Facts], rank: int) -> tuple[int, ...]:
    """The periods that the operands give to the result: p / gcd(p, |c|) * |c'|."""
    period = (1,) * rank
    for access in layer.accesses():
        for d, expression in enumerate(access.index or ()):
            p = seen[access.value.name].period[d]
            if found := clean(expression, layer):
                j, c, c_result = found
                p = p // math.gcd(p, abs(c)) * abs(c_result)
                period = lcm(period, tuple(p if dim == j else 1 for dim in range(rank)))
    return period


def lcm(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    """The least common multiple in each dim."""
    return tuple(math.lcm(a, b) for a, b in zip(one, other, strict=True))


def mark_fresh(elements: dict[Index, Element], period: tuple[int, ...]) -> Facts:
    """Label the static elements that have no label yet by the side on which they lie of the others' box."""
    fresh = [place for place, element in elements.items() if not element.reaches and not element.labels]
    core = [place for place in elements if place not in set(fresh)]
    if not fresh or not core:
        return Facts(elements, period)
    low, high = [min(c) for c in zip(*core, strict=True)], [max(c) for c in zip(*core, strict=True)]
    for place in fresh:
        sides = {Label("", d, "low") for d, i in enumerate(place) if i < low[d]}
        sides |= {Label("", d, "high") for d, i in enumerate(place) if i > high[d]}
        elements[place].labels = frozenset(sides or {GAP})
    steps = tuple(math.gcd(*(c - column[0] for c in column)) or 1 for column in zip(*core, strict=True))
    return Facts(elements, lcm(period, steps))
