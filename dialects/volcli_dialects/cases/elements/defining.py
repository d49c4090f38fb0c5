"""Operations that state their definition, and the questions that it answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from xdsl.ir import Operation

from volcli.language.definitions import TensorDefinition
from volcli.language.expressions import Expression
from volcli.language.programs.definitions import (
    defined_facts,
    defined_numbers,
    defined_reads,
    defined_sizes,
)
from volcli.language.questions import (
    SizeFact,
    Sizes,
    definition,
    element_numbers,
    element_reads,
    result_sizes,
    size_facts,
)
from volcli.language.reads import ElementReads
from volcli.language.unchanged import once

OpT = TypeVar("OpT", bound=Operation)
Stated = Callable[[OpT], TensorDefinition]


def define(*kinds: type[OpT], sizes: bool = True) -> Callable[[Stated[OpT]], Stated[OpT]]:
    """The decorated function states the definition of KINDS: what they read and which numbers they give.

    With SIZES their results are as large as the loops, and what a loop runs along has one size.
    """

    def add(stated: Stated[OpT]) -> Stated[OpT]:
        def of(op: OpT) -> TensorDefinition:
            return once(definition, op, lambda _: stated(op))

        def reads(op: OpT) -> list[ElementReads]:
            return defined_reads(of(op), op.name)[: len(op.results)]

        def numbers(op: OpT) -> list[Expression | None]:
            return defined_numbers(of(op))

        def extents(op: OpT) -> list[Sizes]:
            return defined_sizes(of(op))

        def facts(op: OpT) -> list[SizeFact]:
            return defined_facts(of(op))

        definition.case(*kinds)(stated)
        element_reads.case(*kinds)(reads)
        element_numbers.case(*kinds)(numbers)
        if sizes:
            result_sizes.case(*kinds)(extents)
            size_facts.case(*kinds)(facts)
        return stated

    return add
