"""Where cf.br and cf.cond_br go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Block, SSAValue

from volcli.language.interface import operation_name


def taken(branch: Any, number: Callable[[SSAValue], Any]) -> tuple[Block, list[Any]]:
    """The block that a BRANCH goes to, and what is passed to it; NUMBER is what a value is."""
    if operation_name(branch) == "cf.br":
        return branch.successors[0], [number(each) for each in branch.operands]
    is_first = bool(number(branch.cond))
    passed = branch.then_arguments if is_first else branch.else_arguments
    return branch.successors[0 if is_first else 1], [number(each) for each in passed]
