"""V212: allocations of buffers that are larger than the policy allows, or that nothing bounds.

Asked only where the policy has a budget for them. A tensor is no allocation: it need not be in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from volcli.facts.bounds import AllocationFact
from volcli.facts.fact import assumed
from volcli.gate.analysed import Analysed
from volcli.gate.finding import Finding
from volcli.language import questions


def too_large(analysed: Analysed) -> Iterator[Finding]:
    """Each allocation that may have more bytes than the policy allows."""
    limit = analysed.settings.allocation
    if limit is None:
        return
    dynamic = {(fact.function, fact.value): fact for fact in analysed.facts(AllocationFact)}
    name_of = analysed.unit.parsed.names.of
    for op in analysed.unit.parsed.module.walk():
        source = questions.buffer(op)
        if source is None or source.symbol is not None:
            continue
        for value in op.results:
            name = name_of(value)
            said = _said(value, dynamic.get((analysed.function_of(op), name)), limit)
            if said is not None:
                yield analysed.finding("V212", op, f"{name} {said}", subject=name)


def _said(value: SSAValue, fact: AllocationFact | None, limit: int) -> str | None:
    """What is wrong with the allocation VALUE, of which FACT is known if its sizes are no constants."""
    if not isa(value.type, MemRefType[Attribute]):
        return None
    shape = value.type.get_shape()
    width = getattr(value.type.element_type, "compile_time_size", None)
    if not isinstance(width, int):
        return None
    if DYNAMIC_INDEX not in shape:
        size = prod(shape) * width
        return f"has {size} bytes, more than {limit}" if size > limit else None
    if fact is None:
        return None
    if fact.size is None:
        return f"has no largest size: {fact.reason}"
    if fact.size > limit:
        return f"may have {fact.size} bytes, more than {limit}{assumed(fact.assumptions)}"
    return None
