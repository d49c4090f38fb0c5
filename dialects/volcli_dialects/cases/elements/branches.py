"""Regions of code over tensors of which one runs: their results are chosen.

Example: `%r = scf.if %c -> tensor<3xf32> { yield %x } else { yield %y }` is `%x` where `%c` holds, else `%y`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, Region, SSAValue

from volcli.language.loops import Choice
from volcli.language.programs.branch_reads import branch_reads
from volcli.language.questions import element_reads, fails, holds
from volcli.language.reads import Disjunction
from volcli_dialects.cases.parts import yielded


def chosen(op: Operation, branches: Sequence[tuple[Disjunction, Region]]) -> Sequence[Sequence[Choice]]:
    """Each result of OP is what the region yields whose condition holds."""
    given = [(when, yielded(region, len(op.results))) for when, region in branches]
    return [tuple(Choice(when, values[k]) for when, values in given) for k in range(len(op.results))]


def by_truth(op: Operation, truth: SSAValue) -> Sequence[Sequence[Choice]]:
    """Each result of OP is what the first region yields where TRUTH holds, else what the second one does."""
    return chosen(op, list(zip(((holds(truth),), (fails(truth),)), op.regions, strict=True)))


def chooses(*kinds: type[Operation]) -> None:
    """State of KINDS that their results are what one of their regions yields."""
    element_reads.case(*kinds)(branch_reads)
