"""Relations D of instances that lead to each other: all instances R that those of A lead to, `R = A + R * D`.

A node that does not lead to itself, and leads to one other or is reached from one, is passed: who leads to
it leads to what it leads to. Of what is left there are candidates, each of which the equation proves or does
not. An instance leads to earlier ones, and is reached from later ones, of which there are finitely many
before the point at which something is asked for: the equation has one solution, wherever it comes from.

- of one node, all earlier instances that are equal where all of D is: a sum over loops;
- A + A * D+, with isl's transitive closure. Where that has too much, it may still lead to the leaves L of R,
  and no others: `V = L + D * V` has one solution, too, and that may be L + D+ * L;
- A + A * D + A * D * D + ..., as long as something is added.

    w0[i] leads to w1[i - 1];  w1[i] leads to w0[i]      w0[i] leads to w0[i - 1]: to each w0[j] with j < i
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import TypeVar

import islpy as isl

from volcli.limits import volumes as limits
from volcli.presburger.limits.budget import BudgetExceeded, budget
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import maps_of
from volcli.presburger.sets.unwieldy import divisions

Relations = dict[str, isl.Map]
"""From what is asked for, or from one node, to the instances of others."""
Edges = dict[str, Relations]
"""D: from each node to others."""
Found = TypeVar("Found")


class NoForm(Exception):
    """There is no closed form that is exact."""


def add(relations: Relations, more: Mapping[str, isl.Map]) -> None:
    """Add MORE to RELATIONS."""
    for target, relation in more.items():
        known = relations.get(target)
        relations[target] = relation if known is None else known.union(relation)


def after(relation: isl.Map, edges: Mapping[str, isl.Map]) -> Relations:
    """First RELATION, then EDGES; without what is empty."""
    found = {target: relation.apply_range(edge) for target, edge in edges.items()}
    return {target: each for target, each in found.items() if not each.is_empty()}


def after_all(instances: Mapping[str, isl.Map], edges: Edges) -> Relations:
    """First INSTANCES, then EDGES of each."""
    found = Relations()
    for node, relation in instances.items():
        add(found, after(relation, edges[node]))
    return found


class WriteComponent:
    """Nodes that lead to each other, by the EDGES of each, which may lead outside, too."""

    def __init__(self, edges: Edges) -> None:
        def kept(*, inside: bool) -> Edges:
            return {
                node: {other: each for other, each in to.items() if (other in edges) is inside}
                for node, to in edges.items()
            }

        self.inside = kept(inside=True)
        self.outside = kept(inside=False)

    def leads_to(self, start: Mapping[str, isl.Map]) -> Relations:
        """What instances START of the nodes lead to outside. Raises NoForm, and BudgetExceeded."""
        if not any(self.inside.values()):
            return after_all(start, self.outside)
        chain = _known(self._chain)
        if chain is not None:
            with self._budget(limits.CHAIN_OPERATIONS):
                found = chain.reached(start)
                if found is not None:
                    return after_all(found, self.outside)
        with self._budget(limits.CLOSURE_OPERATIONS, self._depth):
            found = self._by_closure(start)
            if found is not None:
                return after_all(found, self.outside)
        with self._budget(limits.CHAIN_OPERATIONS, self._depth // 2):
            leading = self._to_leaves(start)
            if leading is not None:
                return leading
        with self._budget(limits.CHAIN_STEPS):
            return after_all(_stepped(start, self.inside), self.outside)

    def _budget(self, operations: int, price: int = 1) -> AbstractContextManager[None]:
        """So many OPERATIONS of isl, each of which has this PRICE, or a higher one with divisions."""
        return budget(operations // max(price, limits.DIVIDED_CHAINS if self._is_divided else 1))

    @cached_property
    def _is_divided(self) -> bool:
        return any(divisions(each) for to in self.inside.values() for each in to.values())

    @cached_property
    def _depth(self) -> int:
        return max(each.dim(DIM.in_) for to in self.inside.values() for each in to.values())

    def _by_closure(self, start: Mapping[str, isl.Map]) -> Relations | None:
        """What START reaches by isl's closure, if that is proved."""
        begin, before = _named({"": start}), _named(self.inside)
        found = begin.union(begin.apply_range(_known(self._closure))).coalesce()
        return _by_target(found) if _is_equal(begin.union(found.apply_range(before)), found) else None

    def _to_leaves(self, start: Mapping[str, isl.Map]) -> Relations | None:
        """What START leads to outside by isl's closure, if that is proved."""
        leaves, before = _named(self.outside), _named(self.inside)
        values = leaves.union(_known(self._closure).apply_range(leaves)).coalesce()
        if not _is_equal(leaves.union(before.apply_range(values)), values):
            return None
        return _by_target(_named({"": start}).apply_range(values))

    # What is found once, whatever it is asked for, or why it is not found.

    @cached_property
    def _chain(self) -> WriteChain | BudgetExceeded | None:
        try:
            with self._budget(limits.CHAIN_OPERATIONS):
                return _chain(self.inside)
        except BudgetExceeded as error:
            return error

    @cached_property
    def _closure(self) -> isl.UnionMap | BudgetExceeded:
        try:
            with self._budget(limits.CLOSURE_OPERATIONS, self._depth):
                return _named(self.inside).transitive_closure()[0]
        except BudgetExceeded as error:
            return error


def _known(found: Found | BudgetExceeded) -> Found:
    if isinstance(found, BudgetExceeded):
        raise found
    return found


@dataclass(frozen=True, eq=False)
class WriteChain:
    """Nodes that are passed, which lead TO others, THROUGH the edges from others, until one is left."""

    passed: Sequence[tuple[str, Relations, Relations]]
    last: str
    before: isl.Map | None
    """What instances of the last one lead to among themselves."""

    def reached(self, start: Mapping[str, isl.Map]) -> Relations | None:
        """What START reaches, if instances of the last node lead to earlier ones as in a sum."""
        found = dict(start)
        for node, to, _ in self.passed:
            if node in found:
                add(found, after(found[node], to))
        if self.last in found and self.before is not None:
            first = found[self.last]
            every = found[self.last] = first.union(first.apply_range(_earlier(self.before))).coalesce()
            if not _is_equal(first.union(every.apply_range(self.before)), every):
                return None
        for node, _, from_others in reversed(self.passed):
            for other, through in from_others.items():
                if other in found:
                    add(found, {node: found[other].apply_range(through)})
        return found


def _chain(edges: Edges) -> WriteChain | None:
    """The chain of EDGES, if passing nodes leaves one."""
    edges = {node: dict(to) for node, to in edges.items()}
    passed: list[tuple[str, Relations, Relations]] = []
    while (node := _next(edges)) is not None:
        to = edges.pop(node)
        from_others = {other: each.pop(node) for other, each in edges.items() if node in each}
        if not all(_pass(edges[other], through, to) for other, through in from_others.items()):
            return None
        passed.append((node, to, from_others))
    if len(edges) > 1:
        return None
    ((last, to),) = edges.items()
    return WriteChain(passed, last, to.get(last))


def _next(edges: Edges) -> str | None:
    """A node that does not lead to itself, and leads to one other or is reached from one."""
    into = Counter(each for to in edges.values() for each in to)
    for node, to in edges.items():
        if len(edges) > 1 and node not in to and min(len(to), into[node]) < 2:
            return node
    return None


def _pass(edges: Relations, through: isl.Map, to: Mapping[str, isl.Map]) -> bool:
    """Lead THROUGH a node where it leads TO, beside what EDGES lead to.

    Whether that may become a sum, in which what is before an instance has at most a piece for each loop.
    """
    add(edges, after(through, to))
    for target in to:
        if target in edges:
            edges[target] = edges[target].coalesce()
            if edges[target].n_basic_map() > max(1, edges[target].dim(DIM.in_)):
                return False
    return True


def _earlier(before: isl.Map) -> isl.Map:
    """To all earlier instances that are equal in the dimensions in which those BEFORE are."""
    distances = isl.Set.from_basic_set(before.affine_hull().deltas())
    earlier = isl.Map.lex_gt(before.get_space().domain())
    for k in range(before.dim(DIM.in_)):
        if distances.plain_get_val_if_fixed(DIM.set, k).is_zero():
            earlier = earlier.equate(DIM.in_, k, DIM.out, k)
    every = before.domain().union(before.range()).coalesce()
    return earlier.intersect_domain(every).intersect_range(every)


def _stepped(start: Mapping[str, isl.Map], edges: Edges) -> Relations:
    """What START reaches in few steps. Raises NoForm where there are more, or many pieces."""
    begin, before = _named({"": start}), _named(edges)
    found = begin
    for _ in range(limits.CHAINED_WRITES):
        more = begin.union(found.apply_range(before)).coalesce()
        if more.is_subset(found):
            return _by_target(found)
        if sum(each.n_basic_map() for each in maps_of(more)) > limits.CHAINED_PIECES:
            break
        found = more
    raise NoForm("there is no closed form of what writes depend on")


def _is_equal(more: isl.UnionMap | isl.Map, found: isl.UnionMap | isl.Map) -> bool:
    """Whether both are the same, the cheaper direction first."""
    return more.is_subset(found) and found.is_subset(more)


def _named(edges: Mapping[str, Mapping[str, isl.Map]]) -> isl.UnionMap:
    """EDGES from and to spaces that are named after nodes."""
    relations = (
        (each if not node else each.set_tuple_name(DIM.in_, node)).set_tuple_name(DIM.out, target)
        for node, to in edges.items()
        for target, each in to.items()
    )
    return _union(each.to_union_map() for each in relations)


def _union(relations: Iterable[isl.UnionMap]) -> isl.UnionMap:
    return reduce(isl.UnionMap.union, relations, isl.UnionMap("{}"))


def _by_target(relations: isl.UnionMap) -> Relations:
    return {each.get_tuple_name(DIM.out): each.reset_tuple_id(DIM.out) for each in maps_of(relations)}
