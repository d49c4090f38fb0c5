"""When a block of unstructured control flow is entered, where the branches before it do not go back.

The first block of a region always is. Any other is entered by one of its incoming branches:

    entered(B) = union over branches P -> B of (entered(P) and the condition of the branch)

>>> import volcli
>>> program = volcli.load('''
... func.func @f(%c: i1, %n: index) {
...   cf.cond_br %c, ^a, ^b
... ^a:
...   cf.br ^b
... ^b:
...   return
... }''')
>>> (model,) = program.units[0].models()
>>> _, a, b = model.function.regions[0].blocks
>>> branching = Branching(Factors(model.bounds.elimination))
>>> branching.entered(a).points.is_equal(branching.entered(b).points), str(branching.entered(b).points)
(False, '{  :  }')
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from xdsl.ir import Block, Operation, Region

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.unchanged import cached_method
from volcli.model.values.contexts.factors import Factors
from volcli.model.values.terms.constraint_set import Known, always, intersection, never, union
from volcli.presburger.limits.budget import BudgetExceeded, budget

_UNKNOWN = "which branches lead to its block is unknown"
_LOOP = "its block is in a loop of branches, or after one"


class Branching:
    """The conditions under which blocks are entered, within their regions."""

    def __init__(self, factors: Factors) -> None:
        self._factors = factors
        self._incoming: dict[Region, Mapping[Block, list[tuple[Block, Operation, int]]]] = {}
        self._open: set[Block] = set()

    @cached_method
    def entered(self, block: Block) -> Known:
        """When BLOCK is entered, over values of the blocks before it; not exact where that is not known."""
        if block in self._open:
            return Known(always().points, False, _LOOP)
        self._open.add(block)
        try:
            with budget():
                known = self._entered(block)
        except (BudgetExceeded, NotAffine):
            known = Known(always().points, False, _UNKNOWN)
        self._open.discard(block)
        return known

    def _entered(self, block: Block) -> Known:
        region = block.parent
        if region is None or block is region.blocks[0]:
            return always()
        if region not in self._incoming:
            self._incoming[region] = _incoming(region)
        found = never()
        for source, op, position in self._incoming[region][block]:
            before, branches = self.entered(source), questions.branches(op)
            if not before.exact:
                return before
            if branches is None:
                return Known(always().points, False, _UNKNOWN)
            condition = self._factors.condition(self._factors.of(branches[position].when))
            found = union(found, intersection(before, condition))
        return Known(found.points.coalesce().drop_unused_params(), found.exact, found.because)


def _incoming(region: Region) -> Mapping[Block, list[tuple[Block, Operation, int]]]:
    """Of each block of REGION: the branches to it, and which of their successors it is."""
    found: dict[Block, list[tuple[Block, Operation, int]]] = defaultdict(list)
    for block in region.blocks:
        if block.last_op is not None:
            for position, successor in enumerate(block.last_op.successors):
                found[successor].append((block, block.last_op, position))
    return found
