"""When a choice is made, over numbers: the conditions of truths in the place of these.

%k = arith.cmpi slt, %i, %n        %r = arith.select %k, %x, %y       %r is %x where n - i - 1 >= 0
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.dialects.builtin import i1
from xdsl.ir import BlockArgument, OpResult, SSAValue

from volcli.language import questions
from volcli.language.expressions import (
    Atom,
    Expression,
    Maximum,
    Minimum,
    NotAffine,
    Value,
    constant,
    substitute,
)
from volcli.language.loops import Choice
from volcli.language.programs.element_numbers import MadeOf, made_of, number_of
from volcli.language.programs.loop_numbers import known_scalar
from volcli.language.questions import fails, holds
from volcli.language.reads import Disjunction


def values_in(when: Disjunction) -> list[SSAValue]:
    """The values that WHEN speaks of."""
    atoms = (atom for where in when for e in where for atom in e.atoms())
    return [atom.value for atom in atoms if isinstance(atom, Value)]


def positive_if(truth: Expression) -> Expression:
    """What is positive if TRUTH is 1, and not if that is 0: e of min(max(e, 0), 1), else TRUTH itself."""
    least = truth.single_atom
    if not isinstance(least, Minimum):
        return truth
    greatest = [e.single_atom for e in least.operands if e != constant(1)]
    if len(greatest) != 1 or not isinstance(greatest[0], Maximum) or constant(0) not in greatest[0].operands:
        return truth
    others = [e for e in greatest[0].operands if e != constant(0)]
    return others[0] if len(others) == 1 else truth


def is_free(value: SSAValue) -> bool:
    """Whether VALUE is a truth that the program is given, or made of data: it may be any."""
    return (isinstance(value, BlockArgument) and value.type == i1) or made_of(value) is MadeOf.DATA


def with_numbers(when: Disjunction) -> Disjunction:
    """WHEN with the numbers that scalars, and tensors of one element, are known to have in their place."""

    def leaf(atom: Atom) -> Expression | None:
        return (number_of(atom.value) or known_scalar(atom.value)) if isinstance(atom, Value) else None

    return tuple(tuple(substitute(e, leaf) for e in where) for where in when)


def over_numbers(when: Disjunction) -> Disjunction:
    """WHEN with the conditions of truths in their place. Raises NotAffine for a truth without one."""
    chosen = (each for where in when for each in product(*map(_cases, where)))
    return tuple(tuple(e for each in cases for e in each) for cases in chosen)


def _cases(condition: Expression) -> Disjunction:
    """When CONDITION, a truth or its negation, or what is not negative of numbers, holds."""
    truths = [value for value in values_in(((condition,),)) if value.type == i1]
    if not truths:
        return ((condition,),)
    made = truths[0].op if isinstance(truths[0], OpResult) else None
    stated = None if made is None else questions.condition(made)
    if stated is not None and condition in (*holds(truths[0]), *fails(truths[0])):
        inside = stated.true if condition in holds(truths[0]) else stated.false
        if not any(value.type == i1 for value in values_in(inside)):
            return inside
    raise NotAffine("a truth that is not a condition of numbers")


def chosen_operands(value: SSAValue) -> Sequence[Choice] | None:
    """The operands of which VALUE is one, by conditions of numbers; None where it is no such value."""
    op = value.op if isinstance(value, OpResult) else None
    if op is None or op.regions or not questions.choices.answers(type(op)):
        return None
    assert isinstance(value, OpResult)
    try:
        stated = questions.choices(op)
        found = () if stated is None else stated[value.index]
        return [Choice(over_numbers(each.when), each.value) for each in found] or None
    except NotAffine:
        return None
