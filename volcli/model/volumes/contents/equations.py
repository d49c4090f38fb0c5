"""Equations `V(n) = L(n) + D(n, n) * V(n) + D(n, m) * V(m) + ...` of nodes that lead to each other, solved.

A node that does not lead to itself, and leads to one other or is reached from one, is put into the equations
of those that lead to it: there are no more of them then. Of what is left there are candidates, each of which
the equation proves or does not: as it has one solution, a relation V with `V = L + D * V` is that one,
wherever it comes from.

- of one node, L + C * L, C going to all earlier instances that are equal where all of D is: a sum over loops;
- L + D+ * L, with isl's transitive closure;
- L + D * L + D * D * L + ..., as long as something is added.

    w0[i] from a[i], w1[i - 1];  w1[i] from b[i], w0[i]      w0[i] from a[i], b[i - 1], w0[i - 1]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce

import islpy as isl

from volcli.limits import volumes as limits
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import maps_of

_NOTHING = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))

Edges = dict[str, dict[str, isl.Map]]
"""D: from each node to others."""


class NoForm(Exception):
    """There is no closed form that is exact."""


class WriteEquations:
    """Those of nodes with LEAVES, and EDGES to each other."""

    def __init__(self, leaves: Mapping[str, isl.UnionMap], edges: Edges) -> None:
        self._given = leaves, edges
        self._leaves = dict(leaves)
        self._edges = {node: dict(to) for node, to in edges.items()}

    def solved(self) -> dict[str, isl.UnionMap]:
        """V of each node. Raises NoForm."""
        found = self._summed()
        if found is not None:
            return found
        leaves, edges = self._given
        values = _by_node(
            _closed(
                together(leaves.values()), together(each for to in edges.values() for each in to.values())
            )
        )
        return {node: values.get(node, _NOTHING) for node in edges}

    def _summed(self) -> dict[str, isl.UnionMap] | None:
        """V of each node, if those in chains leave one, which is a sum over loops."""
        replaced: list[tuple[str, dict[str, isl.Map]]] = []
        while (node := self._next()) is not None:
            replaced.append((node, self._edges.pop(node)))
            if not self._replace(*replaced[-1]):
                return None
        if len(self._edges) > 1:
            return None
        ((last, to),) = self._edges.items()
        leaves, before = self._leaves[last], to.get(last)
        values = {last: leaves if before is None else _sum(leaves, before)}
        if not _is_solution(leaves, together(to.values()), values[last]):
            return None
        for node, to in reversed(replaced):
            values[node] = following(self._leaves[node], to, values)
        return values

    def _next(self) -> str | None:
        """A node that does not lead to itself, and leads to one other or is reached from one."""
        reached = Counter(each for to in self._edges.values() for each in to)
        for node, to in self._edges.items():
            if len(self._edges) > 1 and node not in to and min(len(to), reached[node]) < 2:
                return node
        return None

    def _replace(self, node: str, to: Mapping[str, isl.Map]) -> bool:
        """Put the equation of NODE, which leads TO others, into those of the nodes that lead to it.

        Whether that may become a sum, in which what is before an instance has at most a piece for each loop.
        """
        for other, edges in self._edges.items():
            through = edges.pop(node, None)
            if through is None:
                continue
            self._leaves[other] = following(self._leaves[other], {node: through}, self._leaves)
            for target, relation in to.items():
                more = through.apply_range(relation)
                if target in edges:
                    more = more.union(edges[target])
                more = more.coalesce()
                if more.n_basic_map() > max(1, more.dim(DIM.in_)):
                    return False
                if not more.is_empty():
                    edges[target] = more
        return True


def following(
    leaves: isl.UnionMap, edges: Mapping[str, isl.Map], values: Mapping[str, isl.UnionMap]
) -> isl.UnionMap:
    """LEAVES, and the VALUES of nodes that EDGES lead to."""
    more = (
        relation.to_union_map().apply_range(values[node])
        for node, relation in edges.items()
        if node in values
    )
    found = reduce(isl.UnionMap.union, more, _NOTHING)
    return leaves if found.is_empty() else leaves.union(found).coalesce()


def together(relations: Iterable[isl.UnionMap | isl.Map]) -> isl.UnionMap:
    """The union of RELATIONS."""
    return reduce(isl.UnionMap.union, relations, _NOTHING)


def _sum(leaves: isl.UnionMap, before: isl.Map) -> isl.UnionMap:
    """LEAVES of all earlier instances that are equal in the dimensions in which those BEFORE are."""
    distances = isl.Set.from_basic_set(before.affine_hull().deltas())
    earlier = isl.Map.lex_gt(before.get_space().domain())
    for k in range(before.dim(DIM.in_)):
        if distances.plain_get_val_if_fixed(DIM.set, k).is_zero():
            earlier = earlier.equate(DIM.in_, k, DIM.out, k)
    every = before.domain().union(before.range()).coalesce()
    earlier = earlier.intersect_domain(every).intersect_range(every)
    return leaves.union(earlier.to_union_map().apply_range(leaves)).coalesce()


def _closed(leaves: isl.UnionMap, before: isl.UnionMap) -> isl.UnionMap:
    """V of LEAVES and what is BEFORE. Raises NoForm."""
    closure, _ = before.transitive_closure()
    found = leaves.union(closure.apply_range(leaves)).coalesce()
    if _is_solution(leaves, before, found):
        return found
    reached = leaves
    for _ in range(limits.CHAINED_WRITES):
        more = leaves.union(before.apply_range(reached)).coalesce()
        if more.is_subset(reached):
            return reached
        if sum(each.n_basic_map() for each in maps_of(more)) > limits.CHAINED_PIECES:
            break
        reached = more
    raise NoForm("there is no closed form of what writes depend on")


def _is_solution(leaves: isl.UnionMap, before: isl.UnionMap, values: isl.UnionMap) -> bool:
    return leaves.union(before.apply_range(values)).is_equal(values)


def _by_node(relations: isl.UnionMap) -> dict[str, isl.UnionMap]:
    found: dict[str, isl.UnionMap] = {}
    for each in maps_of(relations):
        name = each.get_tuple_name(DIM.in_)
        found[name] = found.get(name, _NOTHING).union(each.to_union_map())
    return found
