"""Events: operations that assert something, do not always end, or do what is unknown."""

from __future__ import annotations

from xdsl.ir import Operation

from volcli.language import questions
from volcli.language.known_loops import is_while
from volcli.model.stated_effects import has_unknown_effects


def is_event(op: Operation) -> bool:
    """Whether OP asserts something, or goes on until something holds."""
    return questions.assumptions.answers(type(op)) or is_while(op)


def may_end(op: Operation) -> bool:
    """Whether the execution may end at OP, apart from what is in its regions."""
    return is_event(op) or has_unknown_effects(op)
