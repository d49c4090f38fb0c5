"""What an operation does beside its accesses: it prints, frees, exposes a buffer; or that is unknown."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.traits import is_side_effect_free

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.interface import operation_name
from volcli.language.memory import Effects, MemoryAccess

_NONE = Effects()


def effects_of(op: Operation) -> Effects:
    """What OP does beside its accesses: `unknown` if no case states either, and no trait that it has none."""
    stated = questions.effects(op)
    if stated is not None:
        return stated
    is_known = questions.accesses.answers(type(op)) and not questions.effects.answers(type(op))
    return _NONE if is_known or is_side_effect_free(op) else Effects(unknown=quoted(op))


def stated_accesses(op: Operation) -> Sequence[MemoryAccess] | None:
    """What OP states that it does to memory; None if that is unknown."""
    try:
        return questions.accesses(op)
    except NotAffine:
        return None


def only_computes(op: Operation) -> bool:
    """Whether OP, its regions apart, touches no memory and states nothing: it may run again, or never."""
    return (
        effects_of(op) == _NONE and not questions.accesses(op) and not questions.assumptions.answers(type(op))
    )


def has_unknown_effects(op: Operation) -> bool:
    """Whether OP may do anything, apart from its regions."""
    return effects_of(op).unknown is not None


def is_ordered(op: Operation) -> bool:
    """Whether OP does what keeps its order whatever memory it goes to: it prints, or may do anything."""
    return effects_of(op).is_ordered


def is_assertion(op: Operation) -> bool:
    """Whether OP only states what holds after it."""
    return questions.assumptions.answers(type(op)) and not op.results


def unknown_effects(op: Operation) -> str:
    """What is to be said of OP."""
    return f"the memory effects of {effects_of(op).unknown or quoted(op)} are unknown"


def quoted(op: Operation) -> str:
    """The name of OP, in a sentence."""
    return f"'{operation_name(op)}'"


def not_ordered(op: Operation) -> str:
    """That what OP runs at different points, or in different iterations, may come in any order."""
    what = "iterations" if questions.loop.answers(type(op)) else "points"
    return f"the {what} of {quoted(op)} are not ordered"
