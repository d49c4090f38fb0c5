"""Congruence of the functions of two models, as they stand or with calls and blocks followed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from volcli.equivalence.congruence.congruence import congruent
from volcli.equivalence.congruence.numbering import ValueNumbers
from volcli.equivalence.results.same import is_unchanged, symbols_in, unchanged_symbols
from volcli.model.function import FunctionModel
from volcli.model.values.trust.arithmetic import OVERFLOW


def congruent_models(before: FunctionModel, after: FunctionModel) -> tuple[str, ...] | None:
    """What it rests on that two functions do the same in the same order; None if that is not known.

    Functions that are the same operations, with all that they refer to, do so whatever they are.
    """
    old, new = before.function, after.function
    unchanged = _unchanged(old, new)
    if is_unchanged(old, new) and (not (named := symbols_in(old)) or named <= unchanged()):
        return ()
    rests = congruent(old, new, unchanged)
    if rests is None:
        followed = before.followed.function, after.followed.function
        rests = None if followed == (old, new) else congruent(*followed, unchanged)
    return None if rests is None else (OVERFLOW,) if rests.assumes_integers else ()


def numbered(before: FunctionModel, after: FunctionModel) -> ValueNumbers | None:
    """The numbers of values of two functions that do the same in the same order, as they stand; else None."""
    old, new = before.function, after.function
    return congruent(old, new, _unchanged(old, new))


def _unchanged(old: Operation, new: Operation) -> Callable[[], set[str]]:
    """What the modules of both functions have alike."""

    @cache
    def unchanged() -> set[str]:
        one, other = _module(old), _module(new)
        return set() if one is None or other is None else unchanged_symbols(one, other)

    return unchanged


def _module(function: Operation) -> ModuleOp | None:
    """The module that FUNCTION stands in, with nothing between."""
    parent = function.parent_op()
    return parent if isinstance(parent, ModuleOp) else None
