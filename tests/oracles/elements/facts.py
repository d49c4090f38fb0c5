"""What is true of each element, by visiting every loop point: the specification, in plain loops."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field

from tests.oracles.elements.elements import GAP, Element, Facts, Label, Source, lcm
from tests.oracles.elements.nodes import Constant, Empty, Node
from tests.oracles.elements.programs import Program
from tests.oracles.elements.transport import transported_period
from tests.oracles.elements.values import Value, sanitised
from tests.oracles.elements.visit import Visit
from tests.oracles.interpreter.affine import Index


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
        """The facts of VALUE as USER sees them: each use of a constant of rank 0 is a source of its own."""
        constant = self._constants.get(value.name)
        if constant is None or value.shape:
            return self.facts[value.name]
        return self._constant(constant, f"{sanitised(value.name)}_{sanitised(user)}")

    def _constant(self, node: Constant, name: str) -> Facts:
        bits = {point: self.bit(Source(name, point, True)) for point in node.result.points}
        elements: dict[Index, Element] = {}
        for position, (point, bit) in enumerate(bits.items()):
            zero = node.number(position) == 0
            elements[point] = Element(bit, bit, zero=zero, mutes=zero and len(node.numbers) > 1)
        return Facts(elements, (1,) * len(node.result.shape))

    def add_argument(self, value: Value, is_data: bool = True) -> None:
        """The elements of an argument, or of a value that is taken for one, depend on themselves.

        Where they are not data, they are constants whose numbers are unknown.
        """
        bits = {point: self.bit(Source(value.name, point, False)) for point in value.points}
        elements = {point: Element(bit, bit, reaches=is_data) for point, bit in bits.items()}
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
            elements |= Visit(layer, seen).run()
            period = lcm(period, transported_period(layer, seen, len(value.shape)))
        self.facts[value.name] = mark_fresh(elements, period)


def evaluate(program: Program, data: Collection[Value] | None = None) -> Evaluation:
    """The facts of every value of PROGRAM, where the elements of DATA are data (None: of the arguments)."""
    evaluation = Evaluation()
    for argument in program.arguments:
        evaluation.add_argument(argument, data is None or argument in data)
    for node in program.nodes:
        if data is not None and node.result in data:
            evaluation.add_argument(node.result)
        else:
            evaluation.add(node)
    return evaluation


def mark_fresh(elements: dict[Index, Element], period: tuple[int, ...]) -> Facts:
    """Label the static elements that have no label yet by the side on which they lie of the others' box.

    Without any data in the value there is nothing that they could be the boundary of.
    """
    fresh = [place for place, element in elements.items() if not element.reaches and not element.labels]
    core = [place for place in elements if place not in set(fresh)]
    if not fresh or not any(element.reaches for element in elements.values()):
        return Facts(elements, period)
    low, high = [min(c) for c in zip(*core, strict=True)], [max(c) for c in zip(*core, strict=True)]
    for place in fresh:
        sides = {Label("", d, "low") for d, i in enumerate(place) if i < low[d]}
        sides |= {Label("", d, "high") for d, i in enumerate(place) if i > high[d]}
        elements[place].labels = frozenset(sides or {GAP})
    steps = tuple(math.gcd(*(c - column[0] for c in column)) or 1 for column in zip(*core, strict=True))
    return Facts(elements, lcm(period, steps))
