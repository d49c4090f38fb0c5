"""Where cf.br, cf.cond_br and cf.switch go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Block, SSAValue

from volcli.language.interface import operation_name


def taken(branch: Any, number: Callable[[SSAValue], Any]) -> tuple[Block, list[Any]]:
    """The block that a BRANCH goes to, and what is passed to it; NUMBER is what a value is."""
    if operation_name(branch) == "cf.br":
        return branch.successors[0], [number(each) for each in branch.operands]
    if operation_name(branch) == "cf.switch":
        flag, bits = number(branch.flag), branch.flag.type.width.data
        values = list(branch.case_values.get_values()) if branch.case_values is not None else []
        same = [k for k, value in enumerate(values) if (value - flag) % 2**bits == 0]
        passed = branch.case_operand[same[0]] if same else branch.default_operands
        return branch.successors[same[0] + 1 if same else 0], [number(each) for each in passed]
    is_first = bool(number(branch.cond))
    passed = branch.then_arguments if is_first else branch.else_arguments
    return branch.successors[0 if is_first else 1], [number(each) for each in passed]
