"""Reshapes of tensors and buffers: each collapsed dimension is a group of expanded ones."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from xdsl.ir import Operation

from volcli.language.expressions import Expression, constant, dim_of
from volcli.language.questions import SizeFact, result_sizes, size_facts
from volcli_dialects.cases.sizes import dims, mixed


def groups(op: Operation) -> list[list[int]]:
    """The reassociation: per collapsed dimension the expanded ones, outermost first."""
    return [[i.value.data for i in group.data] for group in cast(Any, op).reassociation.data]


def output_sizes(op: Operation) -> list[Expression]:
    """The sizes of what OP expands to: numbers, and the operands after the first one."""
    return mixed(cast(Any, op).static_output_shape, op.operands[1:])


def register_reshapes(expand: type[Operation], collapse: type[Operation]) -> None:
    """A collapsed size is the product of its group's sizes, before EXPAND and after COLLAPSE."""

    @size_facts.case(expand)
    def facts(op: Operation) -> list[SizeFact]:
        source, sizes = op.operands[0], output_sizes(op)
        return [
            SizeFact(dim_of(source, g), _product(sizes, group), f"dimension {g} of the source")
            for g, group in enumerate(groups(op))
        ]

    result_sizes.case(expand)(lambda op: [output_sizes(op)])
    result_sizes.case(collapse)(lambda op: [[_product(dims(op.operands[0]), group) for group in groups(op)]])


def _product(sizes: Sequence[Expression], group: Sequence[int]) -> Expression:
    return prod((sizes[i] for i in group), start=constant(1))
