"""Random programs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

from tests.oracles.bounds import arithmetic, bits, tensors
from tests.oracles.bounds.affine import formula
from tests.oracles.bounds.execute import TooLarge
from tests.oracles.bounds.nodes import Block, Branch, Formula, Loop, While
from tests.oracles.bounds.programs import Program
from tests.oracles.bounds.scope import Counters, Scope
from tests.oracles.bounds.values import Value

STATES = 20_000  # that all operations of a program may have together
DEEPEST = 2

Writer = Callable[[Scope], object]
WRITERS: list[tuple[Writer, int]] = [
    (arithmetic.selected_constant, 3), (arithmetic.binary, 9), (arithmetic.scaled, 6),
    (arithmetic.affine, 9), (arithmetic.choice, 5), (arithmetic.comparison, 3), (arithmetic.connective, 1),
    (tensors.empty, 1), (tensors.dim, 2), (tensors.pad, 1), (tensors.extract_slice, 1), (tensors.selected, 1),
]  # fmt: skip

BITS: list[tuple[Writer, int]] = [
    (bits.operation, 14), (bits.itself, 3), (bits.unsigned_comparison, 2), (bits.element, 4),
    (bits.stored, 2), (bits.called, 2), (bits.joined, 2),
]  # fmt: skip


def programs(seed: int, count: int, modelled: bool = False) -> Iterator[Program]:
    """COUNT random programs; SEED and the number of a program alone decide what it is.

    MODELLED programs have only operations that mlir-opt-22 has bounds for.
    """
    for number in range(count):
        yield drawn(f"{seed}/{number}", modelled)


def drawn(seed: str, modelled: bool = False, unbounded: bool = False, *, with_bits: bool = False) -> Program:
    """The program of SEED: the first one drawn that is small enough and asks something.

    UNBOUNDED programs have scf.while, too; those WITH_BITS unsigned and bitwise operations.
    """
    chance = random.Random(seed)
    while True:
        program = draw(chance, modelled, unbounded, with_bits)
        try:
            program.seen(limit=STATES)
        except TooLarge:
            continue
        if program.queries:
            return program


def draw(chance: random.Random, modelled: bool, unbounded: bool, with_bits: bool = False) -> Program:
    """Any program."""
    scope = Scope(chance, Counters(), modelled, unbounded, with_bits)
    raw = [scope.counters.fresh("n") for _ in range(chance.choice([0, 1, 1, 2]))]
    flags = [scope.counters.fresh("c", "i1") for _ in range(chance.choice([0, 1, 1, 2]))]
    scope.raw += raw
    for flag in flags:
        scope.see(flag)
    for _ in range(chance.randint(1, 2)):
        step(scope, arithmetic.clamp if raw and chance.random() < 0.7 else arithmetic.selected_constant)
    fill(scope, chance.randint(4, 9))
    return Program((*raw, *flags), Block(tuple(scope.nodes)))


def fill(scope: Scope, operations: int) -> None:
    """So many more operations, in blocks inside too."""
    for _ in range(operations):
        regions: list[tuple[Writer, int]] = [(branch, 4), (loop, 6)] if scope.depth < DEEPEST else []
        if regions and scope.unbounded:
            regions.append((while_loop, 6))
        leaves: list[tuple[Writer, int]] = [(arithmetic.clamp, 2)] if scope.raw else []
        every = [*WRITERS, *regions, *leaves, *(BITS if scope.bits else [])]
        writer = scope.chance.choices([each for each, _ in every], [weight for _, weight in every])[0]
        step(scope, writer)


def step(scope: Scope, writer: Writer) -> None:
    """What WRITER writes, and perhaps queries."""
    before = len(scope.nodes)
    writer(scope)
    scope.ask([result for node in scope.nodes[before:] for result in node.results])


def branch(scope: Scope) -> None:
    """scf.if, with results of up to two values."""
    condition = arithmetic.comparison(scope) if scope.chance.random() < 0.5 else scope.truth()
    types = result_types(scope, scope.chance.choice([0, 1, 1, 1, 2]))
    blocks: list[Block] = []
    for _ in range(2):
        inside = scope.inner()
        fill(inside, scope.chance.randint(0, 3))
        blocks.append(Block(tuple(inside.nodes), tuple(any_of(inside, type) for type in types)))
    results = tuple(scope.counters.fresh("r", type) for type in types)
    scope.write(Branch(results, condition, *blocks))


def result_types(scope: Scope, number: int) -> list[str]:
    """Types of values that can be seen here."""
    return [
        tensors.tensor(scope).type if scope.tensors and scope.chance.random() < 0.25 else "index"
        for _ in range(number)
    ]


def any_of(scope: Scope, type: str) -> Value:
    """Some value of TYPE that can be seen here."""
    if type == "index":
        return scope.index()
    same = [each for each in scope.tensors if each.type == type]
    return scope.chance.choice(same[-2:])


def loop(scope: Scope) -> None:
    """scf.for or affine.for, with up to two values carried."""
    chance = scope.chance
    types = result_types(scope, chance.choice([0, 1, 1, 1, 2]))
    inits = tuple(any_of(scope, type) for type in types)
    affine = not scope.modelled and chance.random() < 0.4
    lower, upper, stride = affine_bounds(scope) if affine else scf_bounds(scope)
    iv = scope.counters.fresh("i")
    carried = tuple(scope.counters.fresh("a", type) for type in types)
    inside = scope.inner(iv, *carried)
    if affine:
        inside.affine.add(iv)
        inside.ivs.add(iv)
    if chance.random() < 0.3:
        inside.ask([iv, *carried])
    fill(inside, chance.randint(0, 3))
    yields = tuple(following(inside, iv, each) for each in carried)
    results = tuple(scope.counters.fresh("r", type) for type in types)
    body = Block(tuple(inside.nodes), yields)
    scope.write(Loop(results, iv, lower, upper, stride, carried, inits, body, affine))


def while_loop(scope: Scope) -> None:
    """scf.while that counts up to some number at most: what never ends would make all that follows dead."""
    chance = scope.chance
    types = ["index", *result_types(scope, chance.choice([0, 1, 1, 2]))]
    inits = tuple(any_of(scope, type) for type in types)
    carried = tuple(scope.counters.fresh("b", type) for type in types)
    before = scope.inner(*carried)
    if chance.random() < 0.3:
        before.ask([*carried])
    fill(before, chance.randint(0, 1))
    limit = scope.index() if chance.random() < 0.5 else scope.constant(chance.randint(-3, 9))
    counts = "arith.cmpi slt, $0, $1 : index"
    condition = before.compute(counts, "int($0 < $1)", carried[0], limit, type="i1")
    if chance.random() < 0.4:
        condition = before.compute("arith.andi $0, $1 : i1", "$0 & $1", condition, before.truth(), type="i1")
    forwarded = tuple(each if chance.random() < 0.7 else any_of(before, each.type) for each in carried[1:])
    passed = tuple(scope.counters.fresh("a", type) for type in types)
    inside = scope.inner(*passed)
    if chance.random() < 0.3:
        inside.ask([*passed])
    fill(inside, chance.randint(0, 2))
    counted = add(inside, passed[0], inside.constant(chance.choice([1, 1, 2, 3])))
    yields = (counted, *(following(inside, counted, each) for each in passed[1:]))
    results = tuple(scope.counters.fresh("r", type) for type in types)
    first = Block(tuple(before.nodes), (condition, carried[0], *forwarded))
    scope.write(While(results, carried, inits, first, passed, Block(tuple(inside.nodes), yields)))


def plain(value: Value) -> Formula:
    """The value itself."""
    return Formula("$0", "$0", (value,))


def scf_bounds(scope: Scope) -> tuple[Formula, Formula, Formula]:
    """The bounds and the step of scf.for."""
    chance = scope.chance
    if chance.random() < 0.6:
        start = chance.randint(-2, 3)
        lower, upper = scope.constant(start), scope.constant(start + chance.randint(-1, 7))
    else:
        lower = scope.index() if chance.random() < 0.4 else scope.constant(chance.randint(-2, 2))
        upper = scope.other(lower)
    return plain(lower), plain(upper), plain(scope.constant(chance.choice([1, 1, 1, 2, 3])))


def affine_bounds(scope: Scope) -> tuple[Formula, Formula, Formula]:
    """The bounds and the step of affine.for."""
    chance = scope.chance
    start = chance.randint(-2, 3)
    usable = [value for value in scope.finite if value in scope.affine and value not in scope.fixed]
    stride = str(chance.choice([1, 1, 1, 2, 3]))
    sides: list[Formula] = []
    for side, constant in (("max", start), ("min", start + chance.randint(-1, 7))):
        sides.append(Formula(str(constant), str(constant)))
        if usable and chance.random() < (0.25 if side == "max" else 0.5):
            value = chance.choice(usable)
            shift = str(chance.randint(0, 3))
            pieces = [(f"d0 + {shift}", f"$0 + {shift}"), (str(constant), str(constant))]
            sides[-1] = formula(side, pieces[: chance.randint(1, 2)], [value], 1)
    return sides[0], sides[1], Formula(stride, stride)


def following(scope: Scope, iv: Value, argument: Value) -> Value:
    """What a loop's block yields for the ARGUMENT: the value that it has in the next iteration."""
    chance = scope.chance
    if argument.is_tensor:
        return argument if chance.random() < 0.3 else any_of(scope, argument.type)
    writers: list[Callable[[], Value]] = [
        partial(add, scope, argument, iv),
        partial(increment, scope, argument),
        partial(increment, scope, argument),
        partial(saturating, scope, argument),
        lambda: arithmetic.select(scope, scope.truth(), increment(scope, argument), argument),
        lambda: arithmetic.select(
            scope, scope.truth(), saturating(scope, argument), add(scope, argument, iv)
        ),
        lambda: argument,
        scope.index,
        scope.index,
    ]
    return chance.choice(writers)()


def add(scope: Scope, left: Value, right: Value) -> Value:
    """arith.addi."""
    return scope.compute("arith.addi $0, $1 : index", "$0 + $1", left, right)


def increment(scope: Scope, argument: Value) -> Value:
    """The ARGUMENT plus a constant."""
    by = scope.chance.choice([-2, -1, 1, 1, 2, 3])
    if scope.chance.random() < 0.5:
        return scope.written(formula("affine.apply", [(f"d0 + {by}", f"$0 + {by}")], [argument], 1))
    return add(scope, argument, scope.constant(by))


def saturating(scope: Scope, argument: Value) -> Value:
    """The ARGUMENT plus a constant, or another value if that is less (or more)."""
    name = scope.chance.choice(["min", "max"])
    moved = increment(scope, argument)
    limit = scope.index()
    if scope.modelled:
        pieces = [("d0", "$0"), ("d1", "$1")]
        return scope.written(formula(f"affine.{name}", pieces, [moved, limit], 2))
    return scope.compute(f"arith.{name}si $0, $1 : index", f"{name}($0, $1)", moved, limit)
