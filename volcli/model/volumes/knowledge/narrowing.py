"""What an operation does not read, since it multiplies it by a zero that a number in the text says.

    w = [0, 1, 0]        r[i] = sum over k of x[i + k] * w[k]        r[i] is computed from x[i + 1]

A read does not count at a loop point where each of its uses is a factor of a product that is known to be 0
there. Zeros are those among the numbers of constants that have others, too, and what the user has said
(`volcli.facts`, `volcli.domain`, `--given`). Constants of one number are structure, as padding and initial
values are: they make regions, and maps relate to them as the operations do.

The sign of such a zero may depend on what is not read: where an operation that can tell it from the other
comes after, all reads count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import islpy as isl
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.model.volumes.domains.parts import Part, as_set
from volcli.model.volumes.knowledge.sparsity import ElementFlow
from volcli.model.volumes.relations.statements import ResolvedRead, ResultRelation, Statement

RelationOf = Callable[[ResolvedRead], isl.Map]


class Narrowing:
    """What is read of operands, by the facts that NUMBERS has of elements."""

    def __init__(self, numbers: ElementFlow) -> None:
        self._numbers = numbers
        self._seen: dict[SSAValue, bool] = {}

    def relations_of(self, whole: ResultRelation, statement: Statement) -> tuple[RelationOf, frozenset[str]]:
        """What STATEMENT of a WHOLE relation reads; and fastmath flags that operations lack for that."""
        if whole.loaded or whole.opaque or self._is_sign_seen(whole.result):
            return statement.relation, frozenset()
        certain, _ = self._numbers.under(frozenset()).reading(statement)
        assumed, needs = self._numbers.reading(statement)
        parts = {id(read): (certain(read), assumed(read)) for read in statement.reads}
        if all(_are_equal(*each, statement.domain) for each in parts.values()):
            assumed, needs = certain, frozenset[str]()

        def relation(read: ResolvedRead) -> isl.Map:
            alive = assumed(read)
            if alive is True:
                return statement.relation(read)
            points = statement.domain.intersect(as_set(alive, statement.domain)).coalesce()
            return replace(statement, domain=points).relation(read)

        return relation, needs

    def _is_sign_seen(self, value: SSAValue) -> bool:
        """Whether something that is computed from VALUE can tell the sign of a zero in it."""
        pending, visited = [value], set[SSAValue]()
        while pending:
            current = pending.pop()
            if current in visited or self._numbers.facts(current).signs is False:
                continue
            visited.add(current)
            for use in current.uses:
                for result in self._results_of(use.operation):
                    if self._sees_sign(result, current):
                        return True
                    pending.append(result)
        return False

    def _results_of(self, op: Operation) -> list[OpResult]:
        """The results of OP, or of the operation of the function's own blocks that it is in."""
        around: Operation | None = op
        while around is not None and around.parent not in self._numbers.store.blocks:
            around = around.parent_op()
        return [] if around is None else list(around.results)

    def _sees_sign(self, result: OpResult, operand: SSAValue) -> bool:
        statements = self._numbers.relations.of(result).statements
        reads = (read for s in statements for read in s.reads if read.operand is operand)
        return any(use.sees_sign for read in reads for use in read.uses)


def _are_equal(left: Part, right: Part, domain: isl.Set) -> bool:
    if isinstance(left, bool) and isinstance(right, bool):
        return left is right
    return bool(as_set(left, domain).is_equal(as_set(right, domain)))
