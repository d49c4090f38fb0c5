"""Padding that nothing reads.

The elements of a padded value are copies, C, or padding, D = dom - C. Which elements of a value are read is
found from its uses. An operation that moves elements (a slice, a cast, an insertion, another padding) reads
those that what is read of its results is made of. One that computes reads all that its results are computed
from, whatever is read of them: a tile is padded to be computed whole. What leaves the block, or has no exact
element map, is read whole. That is a superset R of what is read: if R and D are disjoint, nothing reads D.

Example: 8 elements, padded by 1 on both sides, of which the slice [1] [8] [1] is taken: C = {1..8} is read,
and the padding, {0, 9}, is not. A convolution with 3 taps and stride 2 reads 0, ..., 8, or 0 at least.
"""

from __future__ import annotations

from functools import reduce

import islpy as isl
from xdsl.dialects.builtin import TensorType, VectorType
from xdsl.ir import Operation, SSAValue

from volcli.language import questions
from volcli.language.expressions import NotAffine
from volcli.language.programs.blocks import home
from volcli.limits import volumes as limits
from volcli.model.memory.buffers.effects import reads_beyond_values
from volcli.model.values.sizes.sizes import Sizes
from volcli.model.volumes.maps.element_map import FunctionMaps
from volcli.model.volumes.relations.relations import Relations


class UnreadPadding:
    """What is read of the values whose sizes are in STORE and whose elements have RELATIONS."""

    def __init__(self, store: Sizes, relations: Relations) -> None:
        self._maps = FunctionMaps(store, relations)  # without narrowing: zeros are read, too
        self._store = store
        self._read: dict[SSAValue, isl.Set] = {}

    def of(self, op: Operation) -> isl.Set | None:
        """The elements that OP, a padding, adds, if something uses its result and nothing reads these."""
        (padded,) = op.results
        step = self._maps.of_operation(padded)
        copies = [relation for use, relation in step.targets.items() if use.volume is op.operands[0]]
        if step.inexact is not None or not copies:
            return None
        kept = reduce(isl.Set.union, (each.domain() for each in copies))
        context = self._maps.context(padded)
        added = self._domain(padded).subtract(kept).intersect_params(context)
        if added.is_empty():
            return None
        read = self.read(padded).intersect_params(context)
        return added if not read.is_empty() and read.is_disjoint(added) else None

    def read(self, value: SSAValue, left: int = limits.UNREAD_CHAIN) -> isl.Set:
        """The elements of VALUE that are read, or more; all of them after more than LEFT operations."""
        known = self._read.get(value)
        if known is None:
            domain = self._domain(value)
            known = isl.Set.empty(domain.get_space())
            for user in {use.operation: None for use in value.uses}:
                taken = self._taken(user, value, left - 1)
                known = domain if taken is None else known.union(taken)
                if taken is None:
                    break
            self._read[value] = known
        return known

    def _taken(self, user: Operation, value: SSAValue, left: int) -> isl.Set | None:
        """The elements of VALUE that USER reads, or more; None: all."""
        if not left or not user.results or user.parent is not home(value):
            return None
        kinds = (TensorType, VectorType)
        if not all(isinstance(each.type, kinds) for each in user.results) or reads_beyond_values(user):
            return None
        is_structured = questions.structured(user) is not None
        if user.regions and not is_structured and not is_padding(user):
            return None
        found = isl.Set.empty(self._domain(value).get_space())
        for result in user.results:
            step = self._maps.of_operation(result)
            if step.inexact is not None:
                return None
            needed = self._domain(result) if is_structured else self.read(result, left)
            for use, relation in step.targets.items():
                if use.volume is value:
                    found = found.union(relation.intersect_domain(needed).range())
        return found.coalesce()

    def _domain(self, value: SSAValue) -> isl.Set:
        return self._store.domain(value)


def is_padding(op: Operation) -> bool:
    """Whether OP's region computes those elements of its result that are not copies of its operand's."""
    try:
        indices, loop = questions.indices(op), questions.loop(op)
    except NotAffine:
        return False
    return bool(
        indices is not None
        and indices.inductions
        and indices.where != ((),)
        and op.operands
        and len(op.results) == 1
        and loop is None
    )
