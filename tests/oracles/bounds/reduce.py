"""Smaller programs that still show a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from tests.oracles.bounds.execute import TooLarge
from tests.oracles.bounds.nodes import (
    Ask,
    Block,
    Branch,
    Compare,
    Compute,
    Formula,
    Loop,
    Node,
    Opaque,
    While,
    walk,
)
from tests.oracles.bounds.programs import RANGE, Program
from tests.oracles.bounds.values import Value
from tests.oracles.interpreter import judgement

STATES = 100_000
WIDER = range(RANGE.start - 5, RANGE.stop + 5)
Renaming = Mapping[Value, Value]


def reduced(program: Program, fails: Callable[[Program], bool]) -> Program:
    """A program that still FAILS and of which no simpler one tried does."""
    return judgement.reduced(program, simpler, lambda each: has_meaning(each) and fails(each))


def has_meaning(program: Program) -> bool:
    """Whether the oracle can tell the truth about PROGRAM.

    Simpler ones may divide by 0, have tensors of negative size, or ask about an argument that nothing clamps.
    """
    try:
        seen = program.seen(limit=STATES)
        return bool(seen) and seen == program.seen(WIDER, limit=2 * STATES)
    except (ValueError, ZeroDivisionError, TooLarge):
        return False


def simpler(program: Program) -> Iterator[Program]:
    """Programs that are simpler than PROGRAM by one step each, without what nothing needs."""
    cleaned = without_dead(program)
    if cleaned != program:
        yield cleaned
    for node in walk(program.body):
        for nodes, renaming in replacements(node):
            body = rewritten(program.body, node, nodes)
            yield without_dead(replace(program, body=renamed(body, renaming)))


def replacements(node: Node) -> Iterator[tuple[tuple[Node, ...], Renaming]]:
    """What could stand for NODE, and what its results are then."""
    match node:
        case Ask() | Compare():
            yield (), {}
        case Compute():
            yield from simpler_formulas(node)
        case Branch():
            for block in (node.then, node.otherwise):
                yield block.nodes, dict(zip(node.results, block.yields, strict=True))
                yield without_queries(block), dict(zip(node.results, block.yields, strict=True))
        case Loop():
            if not any(isinstance(inner, Ask | Compare) for inner in walk(node.body)):
                yield (), dict(zip(node.results, node.inits, strict=True))
            yield from one_iteration(node)
            for position in range(len(node.carried)):
                yield (
                    (without_carried(node, position),),
                    {
                        node.carried[position]: node.inits[position],
                        node.results[position]: node.inits[position],
                    },
                )
        case While():
            if not any(isinstance(inner, Ask | Compare) for inner in walk(node.after)):
                forwarded = node.before.yields[1:]
                started = dict(zip(node.carried, node.inits, strict=True))
                yield node.before.nodes, {**started, **dict(zip(node.results, forwarded, strict=True))}
        case Opaque():
            yield (Compute(node.result, Formula("arith.constant true", "1")),), {}


def one_iteration(node: Loop) -> Iterator[tuple[tuple[Node, ...], Renaming]]:
    """The loop's body at its lower bound, if that is a constant or a value."""
    once = dict(zip((*node.carried, *node.results), (*node.inits, *node.body.yields), strict=True))
    match node.lower:
        case Formula("$0", "$0", (lower,)):
            yield node.body.nodes, {**once, node.iv: lower}
        case Formula(number, _, ()):
            first = Compute(node.iv, Formula(f"arith.constant {number} : index", number))
            yield (first, *node.body.nodes), once
        case _:
            pass


def without_queries(block: Block) -> tuple[Node, ...]:
    """BLOCK's operations without the queries among them."""
    return tuple(node for node in block.nodes if not isinstance(node, Ask | Compare))


def simpler_formulas(node: Compute) -> Iterator[tuple[tuple[Node, ...], Renaming]]:
    """One of the operands, or a constant, or a smaller one."""
    for operand in node.formula.operands:
        if operand.type == node.result.type:
            yield (), {node.result: operand}
    if node.result.type != "index":
        return
    if not node.formula.mlir.startswith("arith.constant"):
        constants = (0, 1, 3)
    else:
        number = int(node.formula.python)
        constants = tuple(n for n in (0, 1, number // 2, number - 1) if abs(n) < abs(number))
    for number in constants:
        formula = Formula(f"arith.constant {number} : index", str(number))
        yield (Compute(node.result, formula),), {}


def without_carried(node: Loop, position: int) -> Loop:
    """The loop without one of the values that it carries."""

    def but(values: tuple[Value, ...]) -> tuple[Value, ...]:
        return (*values[:position], *values[position + 1 :])

    body = Block(node.body.nodes, but(node.body.yields))
    return replace(
        node, results=but(node.results), carried=but(node.carried), inits=but(node.inits), body=body
    )


def rewritten(block: Block, old: Node, new: tuple[Node, ...]) -> Block:
    """BLOCK with NEW in the place of OLD."""
    nodes: list[Node] = []
    for node in block.nodes:
        if node is old:
            nodes += new
        else:
            nodes.append(with_blocks(node, lambda inner: rewritten(inner, old, new)))
    return Block(tuple(nodes), block.yields)


def with_blocks(node: Node, change: Callable[[Block], Block]) -> Node:
    """NODE with all its blocks changed."""
    match node:
        case Branch():
            return replace(node, then=change(node.then), otherwise=change(node.otherwise))
        case Loop():
            return replace(node, body=change(node.body))
        case While():
            return replace(node, before=change(node.before), after=change(node.after))
        case _:
            return node


def renamed(block: Block, renaming: Renaming) -> Block:
    """BLOCK with other operands."""
    if not renaming:
        return block

    def of(value: Value) -> Value:
        while value in renaming:
            value = renaming[value]
        return value

    def formula(old: Formula) -> Formula:
        return replace(old, operands=tuple(map(of, old.operands)))

    def operands(node: Node) -> Node:
        match node:
            case Compute():
                return replace(node, formula=formula(node.formula))
            case Ask():
                return replace(
                    node, value=of(node.value), direct=node.direct and of(node.value) == node.value
                )
            case Compare():
                lhs, rhs = of(node.lhs), of(node.rhs)
                return replace(
                    node, lhs=lhs, rhs=rhs, direct=node.direct and (lhs, rhs) == (node.lhs, node.rhs)
                )
            case Branch():
                return replace(node, condition=of(node.condition))
            case Loop():
                bounds = {name: formula(getattr(node, name)) for name in ("lower", "upper", "step")}
                return replace(node, inits=tuple(map(of, node.inits)), **bounds)
            case While():
                return replace(node, inits=tuple(map(of, node.inits)))
            case Opaque():
                return node

    def everything(inner: Block) -> Block:
        nodes = tuple(with_blocks(operands(node), everything) for node in inner.nodes)
        return Block(nodes, tuple(map(of, inner.yields)))

    return everything(block)


def without_dead(program: Program) -> Program:
    """PROGRAM without the operations and arguments that no query needs."""
    body = live(program.body)
    return Program(tuple(value for value in program.arguments if value in body.uses), body)


def live(block: Block) -> Block:
    """BLOCK without operations whose results nothing needs and that contain no query."""
    needed = set(block.yields)
    kept: list[Node] = []
    for old in reversed(block.nodes):
        node = with_blocks(old, live)
        asks = isinstance(node, Ask | Compare) or any(
            isinstance(inner, Ask | Compare) for inner in walk(Block((node,)))
        )
        if asks or needed & set(node.results):
            kept.append(node)
            needed |= node.uses
    return Block(tuple(reversed(kept)), block.yields)
