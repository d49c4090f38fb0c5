"""The numbers that a program computes from given inputs: integers throughout, so that all is exact."""

from __future__ import annotations

import random
from collections.abc import Mapping

from tests.oracles.elements.bodies import NUMBERS, Fetch, Leaf, Literal, Mixture, Operand, Outside, fold
from tests.oracles.elements.layers import Layer
from tests.oracles.elements.nodes import Constant, Empty
from tests.oracles.elements.programs import Program
from tests.oracles.elements.values import Value
from tests.oracles.interpreter.affine import Index, at, box

Numbers = dict[Index, int]


def execute(program: Program, inputs: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """The elements of every value, by name.

    The elements of a tensor.empty are arbitrary, not 0, and the same in every run.
    """
    known: dict[str, Numbers] = dict(inputs)
    for node in program.nodes:
        value = node.result
        numbers: Numbers = {}
        if isinstance(node, Constant):
            numbers = {point: node.number(k) for k, point in enumerate(value.points)}
        elif isinstance(node, Empty):
            undefined = random.Random(value.name)
            numbers = {point: undefined.randint(1, 99) for point in value.points}
        for layer in node.layers():
            run(layer, known, numbers)
        known[value.name] = numbers
    return known


def random_inputs(program: Program, chance: random.Random) -> dict[str, Numbers]:
    """Numbers for the arguments of PROGRAM, none of them 0."""
    return {value.name: random_numbers(value, chance) for value in program.arguments}


def random_numbers(value: Value, chance: random.Random) -> Numbers:
    """Numbers for one argument, none of them 0."""
    return {point: chance.choice((-1, 1)) * chance.randint(1, 99) for point in value.points}


def run(layer: Layer, known: Mapping[str, Numbers], numbers: Numbers) -> None:
    """Write into NUMBERS what LAYER writes."""
    accumulator = layer.accumulator
    if accumulator is not None:
        numbers |= known[layer.slots[accumulator].value.name]
    for point in box(layer.loops):

        def number_of(leaf: Leaf, point: Index = point) -> int:
            match leaf:
                case Literal(number):
                    return number
                case Operand(number) if number == accumulator:
                    return numbers[at(layer.result, point)]
                case Operand(number):
                    slot = layer.slots[number]
                    return known[slot.value.name][at(slot.index, point)]
                case Outside(value):
                    return known[value.name][()]
                case Fetch():
                    return known[leaf.value.name][leaf.place(point)]
                case Mixture(values):
                    weight = sum((d + 1) * i for d, i in enumerate(point))
                    parts = (known[value.name].values() for value in values)
                    return sum((k + 1 + weight) * n for part in parts for k, n in enumerate(part))

        numbers[at(layer.result, point)] = fold(layer.body, point, number_of, NUMBERS)
