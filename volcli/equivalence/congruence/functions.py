"""Congruence of the functions of two models, as they stand or with calls and blocks followed."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from volcli.equivalence.congruence.congruence import congruent
from volcli.equivalence.results.same import unchanged_symbols
from volcli.model.function import FunctionModel
from volcli.model.values.trust.arithmetic import OVERFLOW


def congruent_models(before: FunctionModel, after: FunctionModel) -> tuple[str, ...] | None:
    """What it rests on that two functions do the same in the same order; None if that is not known."""

    @cache
    def unchanged() -> set[str]:
        modules = _module(before.function), _module(after.function)
        return (
            set() if modules[0] is None or modules[1] is None else unchanged_symbols(modules[0], modules[1])
        )

    pairs = {
        (before.function, after.function): None,
        (before.followed.function, after.followed.function): None,
    }
    found = (congruent(one, other, unchanged) for one, other in pairs)
    rests = next((each for each in found if each is not None), None)
    return None if rests is None else (OVERFLOW,) if rests else ()


def _module(function: Operation) -> ModuleOp | None:
    """The module that FUNCTION stands in, with nothing between."""
    parent = function.parent_op()
    return parent if isinstance(parent, ModuleOp) else None
