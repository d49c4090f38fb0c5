"""What loops over tiles count, as functions of the iterations inside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Block, SSAValue

from volcli.language.expressions import Expression, NotAffine, constant, loop
from volcli.language.programs.blocks import blocks_around
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.nests import Level

CountedAlong = tuple[Mapping[SSAValue, Expression], int]
"""A linear function of induction variables: their factors, and a constant."""


def iterations_along(found: Mapping[Block, CountedAlong], site: Site) -> list[Expression]:
    """The function of SITE's iterations that a loop over tiles counts, as FOUND for its block."""
    return counted_at(found, site.op.parent, site.levels)


def counted_at(
    found: Mapping[Block, CountedAlong], at: Block | None, levels: Sequence[Level]
) -> list[Expression]:
    """The function of what runs in the block AT, in loops of LEVELS."""
    block = next((each for each in blocks_around(at) if each in found), None)
    if block is None:
        raise NotAffine("an access between loops over tiles")
    factors, rest = found[block]
    total = constant(rest)
    for k, level in enumerate(levels):
        factor = constant(0) if level.variable is None else factors.get(level.variable, constant(0))
        if not factor.is_constant:
            raise NotAffine("tiles along a function whose factors are values")
        total += factor.constant * loop(k)
    return [total]
