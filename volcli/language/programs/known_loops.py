"""Loops as far as their forms are known: an operation may be one whose bounds no form says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine, Value, value_of
from volcli.language.loops import Loop, While
from volcli.language.programs.blocks import is_inside


def known_loop(op: Operation) -> Loop | While | None:
    """The loop that OP is; None where it is none, or one of which no form is known.

    `affine.for %i = 0 to 8` has a form. With the bound `affine_map<()[s0, s1] -> (s0 floordiv s1)>()[%n, %m]`
    it has none, as it divides by a value.
    """
    try:
        return questions.loop(op)
    except NotAffine:
        return None


def counted_loop(op: Operation) -> Loop | None:
    """The loop OP whose iterations its bounds count, as far as that is known."""
    loop = known_loop(op)
    return loop if isinstance(loop, Loop) else None


def is_while(op: Operation) -> bool:
    """Whether OP is a loop that goes on until something holds."""
    return questions.loop.answers(type(op)) and isinstance(known_loop(op), While)


def halves(block: Block) -> Sequence[Block]:
    """BLOCK; if it is the second region of an scf.while, after the first, which runs before it."""
    op = block.parent_op()
    if op is None or not is_while(op) or block.parent is op.regions[0]:
        return (block,)
    return op.regions[0].blocks[0], block


def only_counts(op: Operation, loop: While) -> bool:
    """Whether one number goes around LOOP, which is OP, and is compared with what is the same each time."""
    if len(loop.before) != 1 or not isinstance(loop.condition, OpResult):
        return False
    stated = questions.condition(loop.condition.op)
    atoms = [atom for case in stated.true for e in case for atom in e.atoms()] if stated else []
    numbers = [atom.value for atom in atoms if isinstance(atom, Value)]
    is_same = all(number is loop.before[0] or not is_inside(number, op) for number in numbers)
    return is_same and 0 < len(numbers) == len(atoms) and iteration_of(loop) is loop.before[0]


def has_no_number(op: Operation) -> bool:
    """Whether OP is a loop that goes on until something holds, and no index in it counts."""
    loop = known_loop(op) if questions.loop.answers(type(op)) else None
    return isinstance(loop, While) and iteration_of(loop) is None


def number_of(loop: Loop | While) -> SSAValue | None:
    """What tells the iterations of LOOP apart, and grows from one to the next; None if no one value does."""
    if isinstance(loop, While):
        return iteration_of(loop)
    return loop.inductions[0].variable if len(loop.inductions) == 1 else None


def is_number_of_loop(value: SSAValue) -> bool:
    """Whether VALUE is the `number_of` a loop."""
    op = value.owner.parent_op() if isinstance(value.owner, Block) else None
    loop = None if op is None else known_loop(op)
    return loop is not None and number_of(loop) is value


def iteration_of(loop: While) -> SSAValue | None:
    """The argument of LOOP's first region that grows by one number in each iteration."""
    return next((argument for argument, _ in _growing(loop)), None)


def step_of(loop: While) -> int:
    """By how much the `iteration_of` LOOP, which has one, grows."""
    return next(step for _, step in _growing(loop))


def _growing(loop: While) -> Iterator[tuple[SSAValue, int]]:
    for argument, following in zip(loop.before, loop.yielded, strict=True):
        stated = questions.value_of_result(following) if isinstance(following, OpResult) else None
        if stated is None or not isinstance(argument.type, IndexType):
            continue
        passed = (a for a, f in zip(loop.after, loop.forwarded, strict=True) if f is argument)
        more = (stated - value_of(each) for each in passed)
        yield from ((argument, step.constant) for step in more if step.is_constant and step.constant > 0)
