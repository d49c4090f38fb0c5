"""What travels between blocks of iterations: values that one block writes and another one reads.

The iterations of loops are distributed in blocks of B: those with `B * p <= i < B * p + B` run on processor
p, for the loop variable i around them. A write W in iteration w, the last one before a read R in iteration r
of the same element e, gives R its value; where they run on different processors, that value is sent:

    { (p_r, r, p_s, w, e) : w -> r is in the flow of e, B * p_s <= i(w) < B * p_s + B,
                            B * p_r <= i(r) < B * p_r + B, p_s < p_r or p_s > p_r }

Here are the flows, as sets of (w, r, e); the blocks have a size that is a value, so that the rest is no
business of isl's.

    for %t { for %i = 3 to N { X[i] = X[i - 3] } }        { (t, i, t, i + 3, i) : 3 <= i and i + 3 < N }

Source: P. Suriana (2016), section 4.2, table 4.1 with E003-3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import islpy as isl
from xdsl.ir import SSAValue

from volcli.language.expressions import Expression, expression_of_atom
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.answers import LastWriter, ReadFlow
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.presburger.expressions.constraints import Conjunction, conjunctions
from volcli.presburger.limits.budget import DEFAULT_OPERATIONS, BudgetExceeded, budget


@dataclass(frozen=True, eq=False)
class Message:
    """Values of WRITER that READER reads: `parts` are over the iterations of both and the element, in turn.

    `from_level` and `to_level` are the loops among those around them whose iterations are distributed.
    Without parts it is not known, and `because` says why.
    """

    writer: Site
    reader: Site
    from_level: int
    to_level: int
    parts: tuple[Conjunction, ...] = ()
    assumptions: tuple[str, ...] = ()
    because: str | None = None

    @property
    def rank(self) -> int:
        """How many coordinates the element has."""
        return len(self.reader.place.index)


def messages(memory: Memory, distributed: Collection[SSAValue]) -> Iterator[Message]:
    """The flows between iterations of the loops over DISTRIBUTED variables, in the order of the text."""
    for flow in MemoryFlow(memory).all():
        for read in flow.reads:
            yield from _of_read(memory, read, distributed)


def _of_read(memory: Memory, read: ReadFlow, distributed: Collection[SSAValue]) -> Iterator[Message]:
    to_level = _level(read.site, distributed)
    if to_level is None:
        return
    if not read.writers and (read.because is not None or read.assumptions):
        yield Message(
            read.site, read.site, to_level, to_level, assumptions=read.assumptions, because=read.because
        )
    for each in read.writers:
        from_level = _level(each.writer, distributed)
        if from_level is not None:
            parts, because = _parts(memory, each)
            yield Message(each.writer, read.site, from_level, to_level, parts, read.assumptions, because)


def _parts(memory: Memory, flow: LastWriter) -> tuple[tuple[Conjunction, ...], str | None]:
    """The iterations of FLOW and the elements as disjoint conjunctions; why there are none, if so."""
    relation = memory.instances.relation(flow.reader)
    if not flow.exact or not relation.exact:
        return (), flow.because or relation.because or "it is not known exactly"

    def named(name: str) -> Expression:
        return expression_of_atom(memory.bounds.elimination.variable(name))

    try:
        with budget(DEFAULT_OPERATIONS):
            elements = relation.elements()
            with_element = isl.Map.identity(elements.get_space().domain().map_from_set())
            points = flow.pairs.apply_range(with_element.flat_range_product(elements)).wrap().flatten()
            found = tuple(conjunctions(points.coalesce().make_disjoint(), named))
    except BudgetExceeded as error:
        return (), error.reason
    return found, None


def _level(site: Site, distributed: Collection[SSAValue]) -> int | None:
    """Which of the loops around SITE is distributed."""
    return next((k for k, level in enumerate(site.levels) if level.variable in distributed), None)
