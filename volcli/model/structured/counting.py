"""Loops of blocks whose iterations can be counted: those that scf.for says.

    ^head(%i):   %c = %i < %n       cf.cond_br %c, ^body, ^exit         for i = init to n step s
    ^body:       ...                cf.br ^head(%i + s)

    ^body(%i):   ...  %c = %i + s < %n
                 cf.cond_br %c, ^body(%i + s), ^exit                    for i = init to max(init + 1, n)

Index arithmetic is taken not to overflow, as everywhere; in narrower integers `%i + s` may wrap around before
it gets to %n, unless s is 1 or the numbers say that it does not.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.utils.hints import isa

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    Mod,
    Value,
    substitute,
    value_of,
)
from volcli.language.memory import is_memref
from volcli.language.programs.blocks import home
from volcli.language.programs.choices import positive_if
from volcli.language.reads import Disjunction
from volcli.model.stated_effects import only_computes, stated_accesses
from volcli.model.structured.graph import NaturalLoop, ways

WRAPS = "form.wraps"
"""The attribute of a loop of the form that may have no end if index arithmetic overflows."""


@dataclass(frozen=True)
class Counted:
    """The iterations `init, init + step, ... < bound + offset` of the header's argument at `position`.

    `bound` is None where the end is a number, `offset`. If it is `tested_behind`, the first iteration always
    runs. `exit` is the block that the loop is left from. An index that `wraps` might not get to the end, if
    its arithmetic may overflow.
    """

    position: int
    bound: SSAValue | None
    offset: int
    step: int
    tested_behind: bool
    exit: Block
    wraps: bool = False


def counted(loop: NaturalLoop, initial: tuple[SSAValue, ...]) -> Counted | None:
    """How LOOP counts, from INITIAL arguments of its header; None if that is not seen."""
    exits, latches = loop.exits(), loop.latches()
    if len(exits) != 1:
        return None
    ((block, _),) = exits
    if block is not loop.header and latches != [block]:
        return None
    tested_behind = latches == [block]
    stays = next((branch.when for branch, successor in ways(block) if successor in loop.blocks), None)
    limit = None if stays is None else _limit(stays)
    if limit is None:
        return None
    for position, argument in enumerate(loop.header.args):
        found = _by(loop, position, argument, limit, tested_behind=tested_behind)
        if found is None:
            continue
        bound, offset, step = found
        if not tested_behind and not all(map(touches_nothing, _before_end(block))):
            return None
        result = Counted(position, bound, offset, step, tested_behind, block)
        if not _stays_in_type(argument, initial[position], result):
            return replace(result, wraps=True) if isinstance(argument.type, IndexType) else None
        return result
    return None


def _by(
    loop: NaturalLoop, position: int, argument: SSAValue, limit: Expression, *, tested_behind: bool
) -> tuple[SSAValue | None, int, int] | None:
    """The end and the step of ARGUMENT, if LIMIT >= 0 is a limit of it, or of what follows it."""
    following = {
        branch.passed[position]
        for latch in loop.latches()
        for branch, successor in ways(latch)
        if successor is loop.header
    }
    steps = {_step(argument, value, loop) for value in following}
    if len(steps) != 1 or (step := steps.pop()) is None:
        return None
    tested = [(argument, step if tested_behind else 0)]
    tested += [(value, 0) for value in following] if tested_behind and len(following) == 1 else []
    for value, more in tested:
        rest = _closed(limit + value_of(value), loop)
        if rest is None:
            continue
        bound = rest.terms[0][0].value if rest.terms and isinstance(rest.terms[0][0], Value) else None
        return bound, rest.constant + 1 + more, step
    return None


def _closed(rest: Expression, loop: NaturalLoop) -> Expression | None:
    """REST as a number, or as a value from outside of LOOP and a number; None if it is neither."""
    rest = substitute(
        rest, lambda atom: questions.stated_number(atom.value) if isinstance(atom, Value) else None
    )
    if rest.is_constant:
        return rest
    if len(rest.terms) != 1 or rest.terms[0][1] != 1 or not isinstance(rest.terms[0][0], Value):
        return None
    return None if home(rest.terms[0][0].value) in loop.blocks else rest


def _step(argument: SSAValue, following: SSAValue, loop: NaturalLoop) -> int | None:
    """How much FOLLOWING is more than ARGUMENT, where it does not wrap around: a positive number, or None."""
    following = _given(following, loop)
    if not isinstance(following, OpResult):
        return None
    stated = questions.value_of_result(following)
    wrapped = questions.wrapped_value(following.op) if stated is None else stated
    if wrapped is not None:
        stated = _before_wrapping(wrapped) or stated
    if stated is None:
        return None

    def known(atom: Atom) -> Expression | None:
        if not isinstance(atom, Value):
            return None
        return questions.stated_number(atom.value) or value_of(_given(atom.value, loop))

    more = substitute(stated, known) - value_of(argument)
    return more.constant if more.is_constant and more.constant > 0 else None


def _given(value: SSAValue, loop: NaturalLoop) -> SSAValue:
    """What is passed as VALUE, if it is an argument of a block of LOOP that one branch leads to."""
    while isinstance(value, BlockArgument) and value.block in loop.blocks and value.block is not loop.header:
        passed = [branch.passed[value.index] for block in loop.blocks
                  for branch, successor in ways(block) if successor is value.block]  # fmt: skip
        if len(passed) != 1:
            break
        value = passed[0]
    return value


def _before_wrapping(wrapped: Expression) -> Expression | None:
    """`e` of `(e + 2^(w - 1)) mod 2^w - 2^(w - 1)`."""
    half = -wrapped.constant
    atom = (wrapped + half).single_atom
    return atom.numerator - half if isinstance(atom, Mod) and atom.divisor == 2 * half else None


def _limit(stays: Disjunction) -> Expression | None:
    """The expression that is not negative in just the cases in which STAYS; None if there is none."""
    if len(stays) != 1 or len(stays[0]) != 1:
        return None
    decided = truth_of(stays)
    if decided is None:
        return None
    value, holds = decided
    if not isinstance(value, OpResult):
        return None
    condition = questions.condition(value.op)
    if condition is not None:
        cases = condition.true if holds else condition.false
        return cases[0][0] if len(cases) == 1 and len(cases[0]) == 1 else None
    truth = questions.wrapped_value(value.op)
    if truth is None or (positive := positive_if(truth)) == truth:
        return None
    return positive - 1 if holds else -positive


def truth_of(when: Disjunction) -> tuple[SSAValue, bool] | None:
    """The i1 value that WHEN says is true, or is false; None if it says something else."""
    atoms = [atom for conjunction in when for e in conjunction for atom in e.atoms()]
    if len(atoms) == 1 and isinstance(atoms[0], Value):
        for truth, said in ((True, questions.holds), (False, questions.fails)):
            if when == (said(atoms[0].value),):
                return atoms[0].value, truth
    return None


def _before_end(block: Block) -> list[Operation]:
    return [op for op in block.ops if op is not block.last_op]


def touches_nothing(op: Operation) -> bool:
    """Whether OP does nothing but compute its results: it may run once more, or not at all."""
    is_known = stated_accesses(op) is not None or not any(map(is_memref, op.operands))
    return only_computes(op) and is_known and not op.regions and not questions.buffer.answers(type(op))


def _stays_in_type(argument: SSAValue, initial: SSAValue, found: Counted) -> bool:
    """Whether no iteration computes a number beyond those of ARGUMENT's type; an index has 64 bits."""
    kind = argument.type
    if isinstance(kind, IndexType):
        width = 64
    elif isa(kind, IntegerType):
        width = kind.width.data
    else:
        return False
    greatest = 2 ** (width - 1) - 1
    first = questions.stated_number(initial)
    if found.tested_behind and (first is None or first.constant >= greatest):
        return False
    if found.bound is None:
        return found.offset + found.step - 1 <= greatest
    return found.offset == 0 and found.step == 1
