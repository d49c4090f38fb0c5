"""The facts of the elements that one layer writes, loop point by loop point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import TypeAlias

from tests.oracles.elements.bodies import (
    ZEROS,
    Expr,
    Fetch,
    Leaf,
    Literal,
    Mixture,
    Operand,
    Outside,
    annihilators,
    fold,
    leaves,
)
from tests.oracles.elements.elements import Element, Facts
from tests.oracles.elements.layers import Access, Layer
from tests.oracles.elements.transport import transport
from tests.oracles.interpreter.affine import Index, at, box

KnownZero: TypeAlias = Callable[[Element], bool]
ZERO: KnownZero = attrgetter("zero")
MUTES: KnownZero = attrgetter("mutes")
"""Why an element is known to be 0: for whatever reason, or by a number that stands among others in the text."""


class Visit:
    """A visit of all loop points of LAYER, whose operands have the facts SEEN (by name)."""

    def __init__(self, layer: Layer, seen: Mapping[str, Facts]) -> None:
        self.layer = layer
        self.seen = seen
        self.written: dict[Index, Element] = {}
        self.overwritten: set[Index] = set()
        used = {number for expression in layer.result for number in expression.loops(layer.loops)}
        self.reduces = any(n > 1 and number not in used for number, n in enumerate(layer.loops))

    def run(self) -> dict[Index, Element]:
        """The facts of the written elements, over the loop points that write each in turn.

        A point that does not use the accumulator overwrites what those before it have left.
        """
        for point in box(self.layer.loops):
            element = self.written.setdefault(at(self.layer.result, point), Element(zero=True, mutes=True))
            anew = not self.keeps(self.layer.at(point))
            element.zero = (element.zero or anew) and self.is_zero(point, ZERO)
            element.mutes = (element.mutes or anew) and self.is_zero(point, MUTES)
        accesses = self.layer.accesses()
        for point in box(self.layer.loops):
            element = self.written[at(self.layer.result, point)]
            chosen = self.layer.at(point)
            if not self.keeps(chosen):
                self.overwritten.add(at(self.layer.result, point))
                element.reads, element.needs, element.reaches, element.labels = 0, 0, False, frozenset()
            for access in accesses if chosen is self.layer else chosen.accesses():
                if not (self.is_state(access.leaf) and at(self.layer.result, point) in self.overwritten):
                    self.read(element, chosen, access, point)
        return self.written

    def keeps(self, chosen: Layer) -> bool:
        """Whether the body that is CHOSEN at a loop point uses what the points before have left."""
        return any(map(self.is_state, leaves(chosen.body)))

    def is_state(self, leaf: Leaf) -> bool:
        """Whether LEAF is what the points before have left: at first, the initial value."""
        return isinstance(leaf, Operand) and leaf.number == self.layer.accumulator

    def read(self, element: Element, layer: Layer, access: Access, point: Index) -> None:
        """Add to ELEMENT what it gets through ACCESS at the loop POINT."""
        facts = self.seen[access.value.name]
        annihilated = self.is_annihilated(element, layer, access.leaf, point, ZERO)
        muted = self.is_annihilated(element, layer, access.leaf, point, MUTES)
        # An unknown function may compute from more than its operands.
        element.reaches = element.reaches or isinstance(access.leaf, Mixture)
        for place in access.places(point):
            operand = facts.elements[place]
            element.reads |= operand.reads
            element.needs |= 0 if muted else operand.needs
            element.reaches = element.reaches or (operand.reaches and not annihilated)
            if operand.labels:
                element.labels |= {transport(label, layer, access) for label in operand.labels}

    def is_annihilated(
        self, element: Element, layer: Layer, leaf: Leaf, point: Index, known: KnownZero
    ) -> bool:
        """Whether every use of LEAF is multiplied with something that is a KNOWN zero at the loop POINT.

        The accumulator of a reduction is zero at every point only if the result is.
        """
        steady = known(element) or not self.reduces

        def is_zero(factor: Leaf) -> bool:
            accumulated = isinstance(factor, Operand) and factor.number == layer.accumulator
            return self.leaf_is_zero(factor, point, known) and (steady or not accumulated)

        def vanishes(factor: Expr) -> bool:
            return fold(factor, point, is_zero, ZEROS)

        return all(any(vanishes(factor) for factor in use) for use in annihilators(layer.body, leaf))

    def is_zero(self, point: Index, known: KnownZero) -> bool:
        """Whether the body yields a KNOWN 0 at the loop POINT if the accumulator is as it was at first."""
        body = self.layer.at(point).body
        return fold(body, point, lambda leaf: self.leaf_is_zero(leaf, point, known), ZEROS)

    def leaf_is_zero(self, leaf: Leaf, point: Index, known: KnownZero) -> bool:
        """Whether LEAF is a KNOWN 0 at the loop POINT."""
        match leaf:
            case Literal(number):
                return number == 0 and known is ZERO
            case Operand(number):
                slot = self.layer.slots[number]
                return known(self.seen[slot.value.name].elements[at(slot.index, point)])
            case Fetch(value):
                return known(self.seen[value.name].elements[leaf.place(point)])
            case Outside(value):
                return known(self.seen[value.name].elements[()])
            case Mixture():
                return False
