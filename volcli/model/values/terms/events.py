"""Events: operations that assert or demand something, do not always end, or do what is unknown."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, i64
from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.programs.known_loops import is_while
from volcli.language.reads import Conjunction, Disjunction
from volcli.model.stated_effects import has_unknown_effects


def is_event(op: Operation) -> bool:
    """Whether OP asserts something, or goes on until something holds."""
    return questions.assumptions.answers(type(op)) or is_while(op)


def may_be_undefined(op: Operation) -> bool:
    """Whether OP demands something of integers other than those of 64 bits that is not always so."""
    if not questions.demands.answers(type(op)) or len(op.results) != 1:
        return False
    kind = op.results[0].type
    if not isinstance(kind, IntegerType) or kind == i64:
        return False
    stated = questions.demands(op) or ()
    return not all(any(map(_is_always, condition)) for condition in stated)


def _is_always(conjunction: Conjunction) -> bool:
    return all(each.is_constant and each.constant >= 0 for each in conjunction)


def asserted_by(op: Operation) -> Sequence[Disjunction]:
    """What holds once OP has run: what it asserts, or demands of its operands."""
    return questions.assumptions(op) or questions.demands(op) or ()


def may_end(op: Operation) -> bool:
    """Whether the execution may end at OP, apart from what is in its regions."""
    return is_event(op) or has_unknown_effects(op)
