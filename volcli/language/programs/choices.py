"""When a choice is made, over numbers: the conditions of truths in the place of these.

%k = arith.cmpi slt, %i, %n        %r = arith.select %k, %x, %y       %r is %x where n - i - 1 >= 0
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.dialects.builtin import i1
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import IsolatedFromAbove

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
from volcli.language.programs.backward_slices import operands_first
from volcli.language.programs.blocks import home
from volcli.language.programs.element_numbers import MadeOf, made_of, number_of
from volcli.language.programs.loop_numbers import known_scalar
from volcli.language.programs.provenance import Provenance
from volcli.language.questions import fails, holds
from volcli.language.reads import Condition, Conjunction, Disjunction, possible
from volcli.language.unchanged import once
from volcli.limits import language as limits


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
    """Whether VALUE is a truth that the program is given, or data takes part in it: it may be any.

    A flag that branches or loops give by numbers alone is none: `%f` of `%f, %x = scf.if %n_is_positive`.
    """
    function = _function_around(value)
    if function is None or (isinstance(value, BlockArgument) and value.block.parent_op() is function):
        return value.type == i1 or made_of(value) is MadeOf.DATA
    return is_loaded(value)


def is_open(value: SSAValue) -> bool:
    """Whether VALUE is free, or a truth of several ones of which one is free: `%p and %n > 0`."""

    def before(truth: SSAValue) -> Sequence[SSAValue]:
        if truth.type != i1 or not isinstance(truth, OpResult) or truth.op.regions:
            return ()
        compares = questions.condition(truth.op) and any(each.type != i1 for each in truth.op.operands)
        return () if compares else truth.op.operands

    return any(map(is_free, operands_first(value, before)))


def is_loaded(value: SSAValue) -> bool:
    """Whether what is loaded, or an element, takes part in VALUE."""
    function = _function_around(value)
    return function is not None and once(is_loaded, function, Provenance).is_loaded(Value(value))


def _function_around(value: SSAValue) -> Operation | None:
    """The function in which VALUE is: what sees no value from outside."""
    block = home(value)
    op = None if block is None else block.parent_op()
    while op is not None and not op.has_trait(IsolatedFromAbove, value_if_unregistered=False):
        op = op.parent_op()
    return op


def with_numbers(when: Disjunction) -> Disjunction:
    """WHEN with the numbers that scalars, and tensors of one element, are known to have in their place."""

    def leaf(atom: Atom) -> Expression | None:
        return (number_of(atom.value) or known_scalar(atom.value)) if isinstance(atom, Value) else None

    return tuple(tuple(substitute(e, leaf) for e in where) for where in when)


def over_numbers(when: Disjunction) -> Disjunction:
    """WHEN with the conditions of truths in their place. Raises NotAffine for a truth without one."""
    chosen = (each for where in when for each in product(*map(_cases, where)))
    return possible(tuple(e for each in cases for e in each) for cases in chosen)


def _cases(condition: Expression) -> Disjunction:
    """When CONDITION, a truth or its negation, or what is not negative of numbers, holds."""
    truths = [value for value in values_in(((condition,),)) if value.type == i1]
    if not truths:
        return ((condition,),)
    made = truths[0].op if isinstance(truths[0], OpResult) else None
    stated = None if made is None else questions.condition(made) or _compared(questions.wrapped_value(made))
    is_true = condition in holds(truths[0])
    if is_true or condition in fails(truths[0]):
        inside = None if stated is None else stated.true if is_true else stated.false
        if inside is not None and not any(value.type == i1 for value in values_in(inside)):
            return inside
        if made is not None and made.regions and questions.choices.answers(type(made)):
            return _chosen_truth(truths[0], made, is_true=is_true)
    raise NotAffine("a truth that is not a condition of numbers")


def _compared(truth: Expression | None) -> Condition | None:
    """When TRUTH, of integers that wrap around, is 1 and when 0; None for forms that no comparison has.

    They are [e > 0] = min(max(e, 0), 1), [e > 0] + [-e > 0], and 1 less these.
    """
    if truth is None or ({c for _, c in truth.terms}, truth.constant) not in (({1}, 0), ({-1}, 1)):
        return None
    terms = [Expression(((atom, 1),), 0) for atom, _ in truth.terms]
    compared = [positive_if(term) for term in terms]
    if any(one == other for one, other in zip(terms, compared, strict=True)):
        return None
    match compared:
        case [e]:
            found = Condition(((e - 1,),), ((-e,),))
        case [e, opposite] if e == -opposite:
            found = Condition(((e - 1,), (-e - 1,)), ((e, -e),))
        case _:
            return None
    return found if truth.constant == 0 else Condition(found.false, found.true)


def _chosen_truth(truth: SSAValue, branch: Operation, *, is_true: bool) -> Disjunction:
    """When the TRUTH that BRANCH gives IS TRUE: where a region runs that gives true, or what is true."""
    stated = questions.choices(branch)
    assert isinstance(truth, OpResult)
    if stated is None:
        raise NotAffine("a truth that is not a condition of numbers")
    found: list[Conjunction] = []
    for each in stated[truth.index]:
        number = known_scalar(each.value)
        if number is None:
            inside = over_numbers((holds(each.value) if is_true else fails(each.value),))
        else:
            inside = ((),) if bool(number.constant) is is_true else ()
        found += possible((*when, *more) for when in over_numbers(each.when) for more in inside)
        if len(found) > limits.FLAG_CASES:
            raise NotAffine("a truth of many cases")
    return tuple(found)


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
