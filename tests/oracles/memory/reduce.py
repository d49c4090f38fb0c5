"""Smaller programs that still show a failure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from tests.oracles.interpreter import judgement
from tests.oracles.memory.execute import TooLargeError
from tests.oracles.memory.expressions import Expression, operands, renamed, simpler
from tests.oracles.memory.memrefs import Alloc, GetGlobal, View
from tests.oracles.memory.nodes import Access, Block, Branch, Condition, Define, Loop, Node, blocks, walk
from tests.oracles.memory.programs import Program

T = TypeVar("T")


def reduced(program: Program, fails: Callable[[Program], bool]) -> Program:
    """A program that still FAILS and of which no simpler one tried does."""
    return judgement.reduced(program, simpler_programs, lambda each: has_meaning(each) and fails(each))


def has_meaning(program: Program) -> bool:
    """Whether the oracle can tell the truth about PROGRAM."""
    names = {*program.parameters, *(name for name, _ in program.buffers)}
    try:
        return closed(program.body, names) and bool(program.truths)
    except (TooLargeError, KeyError):
        return False


def closed(block: Block, names: set[str]) -> bool:
    """Whether all values that BLOCK uses are among NAMES or defined before."""
    names = set(names)
    for node in block:
        if not set(uses(node)) <= names:
            return False
        inner = names | set(node.ivs) if isinstance(node, Loop) else names
        if not all(closed(each, inner) for each in blocks(node)):
            return False
        if isinstance(node, Define | Alloc | GetGlobal | View):
            names.add(node.result)
    return True


def uses(node: Node) -> list[str]:
    """The values that NODE itself uses."""
    match node:
        case Define():
            return operands([node.expression])
        case Access():
            return [node.memref, *operands([*node.subscripts, node.value])]
        case Loop():
            return [name for pieces in (*node.lowers, *node.uppers) for name in operands(pieces)]
        case Branch():
            return [name for each in node.conditions for name in operands([each.left, each.right])]
        case _:
            return node.uses


def simpler_programs(program: Program) -> Iterator[Program]:
    """Programs that are simpler than PROGRAM by one step each."""
    used = {name for node in walk(program.body) for name in uses(node)}
    symbols = {node.symbol for node in walk(program.body) if isinstance(node, GetGlobal)}
    parameters = tuple(name for name in program.parameters if name in used)
    buffers = tuple(each for each in program.buffers if each[0] in used)
    kept = tuple(each for each in program.globals if each[0] in symbols)
    cleaned = Program(parameters, buffers, kept, program.body)
    if cleaned != program:
        yield cleaned
    for body in simpler_blocks(program.body):
        yield replace(program, body=body)
    for name in program.parameters:
        for constant in (2, 5):
            yield replace(program, body=substituted(program.body, name, constant))


def simpler_blocks(block: Block) -> Iterator[Block]:
    """BLOCK with one operation less, or with a simpler one."""
    for position, node in enumerate(block):
        before, after = block[:position], block[position + 1 :]
        yield (*before, *after)
        for nodes, rename, by in replacements(node):
            rest = substituted(after, rename, by) if rename else after
            yield (*before, *nodes, *rest)
        if isinstance(node, View):
            yield (*before, node, *through(after, node))
        for inner in inner_blocks(node):
            yield (*before, inner, *after)


def inner_blocks(node: Node) -> Iterator[Node]:
    """NODE with a simpler block."""
    match node:
        case Loop():
            yield from (replace(node, body=body) for body in simpler_blocks(node.body))
        case Branch():
            yield from (replace(node, then=then) for then in simpler_blocks(node.then))
            if node.otherwise is not None:
                yield from (replace(node, otherwise=each) for each in simpler_blocks(node.otherwise))
        case _:
            pass


Replacement = tuple[Block, str, Expression]  # operations, and a value with what to put in its place


def replacements(node: Node) -> Iterator[Replacement]:
    """What could stand for NODE."""
    match node:
        case Define():
            for number in (0, 1):
                yield (), node.result, number
            for expression in simpler(node.expression):
                yield (replace(node, expression=expression),), "", 0
        case Access():
            for position, subscript in enumerate(node.subscripts):
                for smaller in simpler(subscript):
                    subscripts = (*node.subscripts[:position], smaller, *node.subscripts[position + 1 :])
                    yield (replace(node, subscripts=subscripts),), "", 0
            for value in simpler(node.value):
                yield (replace(node, value=value),), "", 0
        case Loop():
            yield from simpler_loops(node)
        case Branch():
            yield node.then, "", 0
            if node.otherwise is not None:
                yield node.otherwise, "", 0
                yield (replace(node, otherwise=None),), "", 0
            for position in range(len(node.conditions) if len(node.conditions) > 1 else 0):
                rest = (*node.conditions[:position], *node.conditions[position + 1 :])
                yield (replace(node, conditions=rest),), "", 0
            for position, condition in enumerate(node.conditions):
                for left in simpler(condition.left):
                    changed = replace(condition, left=left)
                    every = (*node.conditions[:position], changed, *node.conditions[position + 1 :])
                    yield (replace(node, conditions=every),), "", 0
        case _:
            pass


def simpler_loops(node: Loop) -> Iterator[Replacement]:
    """One iteration, fewer induction variables, simpler bounds."""
    if len(node.ivs) == 1 and len(node.lowers[0]) == 1:
        yield substituted(node.body, node.ivs[0], node.lowers[0][0]), "", 0
    if node.parallel and len(node.ivs) == 1:
        yield (replace(node, parallel=False),), "", 0
    for at in range(len(node.ivs)):
        if len(node.ivs) > 1:
            fields = {name: but(getattr(node, name), at) for name in ("ivs", "lowers", "uppers", "steps")}
            body = substituted(node.body, node.ivs[at], node.lowers[at][0])
            yield (replace(node, **fields, body=body),), "", 0
        if node.steps[at] != 1:
            yield (replace(node, steps=put(node.steps, at, 1)),), "", 0
        for name in ("lowers", "uppers"):
            bounds = getattr(node, name)
            for pieces in simpler_pieces(bounds[at]):
                yield (replace(node, **{name: put(bounds, at, pieces)}),), "", 0


def simpler_pieces(pieces: tuple[Expression, ...]) -> Iterator[tuple[Expression, ...]]:
    """Fewer pieces, or a simpler one."""
    for position, piece in enumerate(pieces):
        if len(pieces) > 1:
            yield but(pieces, position)
        for smaller in simpler(piece):
            yield put(pieces, position, smaller)


def but(entries: tuple[T, ...], at: int) -> tuple[T, ...]:
    """ENTRIES without one."""
    return (*entries[:at], *entries[at + 1 :])


def put(entries: tuple[T, ...], at: int, entry: T) -> tuple[T, ...]:
    """ENTRIES with another one."""
    return (*entries[:at], entry, *entries[at + 1 :])


def changed(block: Block, change: Callable[[Node], Node]) -> Block:
    """BLOCK with all its operations changed, those inside first."""
    nodes: list[Node] = []
    for node in block:
        match node:
            case Loop():
                node = replace(node, body=changed(node.body, change))
            case Branch():
                otherwise = None if node.otherwise is None else changed(node.otherwise, change)
                node = replace(node, then=changed(node.then, change), otherwise=otherwise)
            case _:
                pass
        nodes.append(change(node))
    return tuple(nodes)


def substituted(block: Block, old: str, new: Expression) -> Block:
    """BLOCK with NEW for the value OLD."""

    def all_of(pieces: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(renamed(piece, old, new) for piece in pieces)

    def change(node: Node) -> Node:
        match node:
            case Define():
                return replace(node, expression=renamed(node.expression, old, new))
            case Access():
                return replace(node, subscripts=all_of(node.subscripts), value=renamed(node.value, old, new))
            case Loop():
                return replace(
                    node, lowers=tuple(map(all_of, node.lowers)), uppers=tuple(map(all_of, node.uppers))
                )
            case Branch():
                conditions = (
                    Condition(*all_of((c.left,)), c.relation, *all_of((c.right,))) for c in node.conditions
                )
                return replace(node, conditions=tuple(conditions))
            case View() if isinstance(new, int | str):
                operation = re.sub(rf"{re.escape(old)}\b", str(new), node.operation)
                return replace(node, index=all_of(node.index), operation=operation)
            case _:
                return node

    return changed(block, change)


def through(block: Block, view: View) -> Block:
    """BLOCK with accesses of the view's base instead of the view."""

    def change(node: Node) -> Node:
        if not isinstance(node, Access) or node.memref != view.result:
            return node
        subscripts: list[Expression] = []
        for each in view.index:
            for number, subscript in enumerate(node.subscripts):
                each = renamed(each, f"%{number}", subscript)
            subscripts.append(each)
        return replace(node, memref=view.base, type=view.base_type, subscripts=tuple(subscripts))

    return changed(block, change)
