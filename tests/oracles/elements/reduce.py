"""Smaller programs that still show a disagreement: operations are dropped, or become arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

from tests.oracles.elements.nodes import Constant, Node
from tests.oracles.elements.programs import Program
from tests.oracles.elements.values import Value
from tests.oracles.interpreter import judgement


def reduced(program: Program, fails: Callable[[Program], bool]) -> Program:
    """A program that still FAILS and of which no simpler one tried does."""
    return judgement.reduced(program, simpler, fails)


def simpler(program: Program) -> Iterator[Program]:
    """Programs with fewer operations than PROGRAM, smallest first."""
    for position in range(1, len(program.nodes)):
        yield trimmed(
            replace(program, nodes=program.nodes[:position], returned=(program.nodes[position - 1].result,))
        )
    for position, node in enumerate(program.nodes[:-1]):
        if not isinstance(node, Constant):
            rest = (*program.nodes[:position], *program.nodes[position + 1 :])
            yield trimmed(replace(program, arguments=(*program.arguments, node.result), nodes=rest))
    if len(program.returned) > 1:
        yield trimmed(replace(program, returned=program.returned[-1:]))


def trimmed(program: Program) -> Program:
    """PROGRAM without what its results do not need."""
    needed = set(program.returned)
    kept: list[Node] = []
    for node in reversed(program.nodes):
        if node.result in needed:
            kept.append(node)
            needed |= operands(node)
    arguments = tuple(value for value in program.arguments if value in needed)
    return Program(arguments, tuple(reversed(kept)), program.returned)


def operands(node: Node) -> set[Value]:
    """The values that NODE's text mentions."""
    found: set[Value] = set()
    for field in vars(node).values():
        found |= values_in(field)
    return found - {node.result}


def values_in(thing: object) -> set[Value]:
    """The values anywhere inside a node's field: slots, bodies, tuples of values."""
    if isinstance(thing, Value):
        return {thing}
    found: set[Value] = set()
    for part in cast("tuple[object, ...]", thing) if isinstance(thing, tuple) else fields_of(thing):
        found |= values_in(part)
    return found


def fields_of(thing: object) -> list[object]:
    """The fields of a dataclass; none for numbers and texts."""
    return list(getattr(thing, "__dict__", {}).values())
