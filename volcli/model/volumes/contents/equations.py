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
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
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
Closed = TypeVar("Closed", isl.Map, isl.UnionMap)


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
        failed: BudgetExceeded | None = None
        for attempt in (self._through_the_rest, self._by_closure, self._to_leaves):
            try:
                found = attempt(start)
            except BudgetExceeded as error:
                failed = failed or error
            else:
                if found is not None:
                    return found
        raise failed or NoForm("there is no closed form of what writes depend on")

    def _through_the_rest(self, start: Mapping[str, isl.Map]) -> Relations | None:
        """What START leads to, by what those nodes reach that are left when others are passed."""
        rest, found = _known(self._passed), None
        with self._budget(limits.CHAIN_OPERATIONS):
            begin = rest.of(start)
        with suppress(BudgetExceeded), self._budget(limits.CHAIN_OPERATIONS):
            found = _summed(begin, rest.edges)
        if found is None:
            with self._budget(limits.CHAIN_STEPS):
                found = _stepped(begin, rest.edges)
        if found is None:
            return None
        with self._budget(limits.CHAIN_OPERATIONS):
            return after_all(rest.back(found), self.outside)

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
        """What START leads to, by all that it reaches by isl's closure, if that is proved."""
        with self._budget(limits.CLOSURE_OPERATIONS, self._depth):
            begin, before = _named({"": start}), _named(self.inside)
            found = begin.union(begin.apply_range(_known(self._closure))).coalesce()
            if not _is_equal(begin.union(found.apply_range(before)), found):
                return None
            return after_all(_by_target(found), self.outside)

    def _to_leaves(self, start: Mapping[str, isl.Map]) -> Relations | None:
        """What START leads to outside by isl's closure, if that is proved."""
        with self._budget(limits.CHAIN_OPERATIONS, self._depth // 2):
            leaves, before = _named(self.outside), _named(self.inside)
            values = leaves.union(_known(self._closure).apply_range(leaves)).coalesce()
            if not _is_equal(leaves.union(before.apply_range(values)), values):
                return None
            return _by_target(_named({"": start}).apply_range(values))

    # What is found once, whatever it is asked for, or why it is not found.

    @cached_property
    def _passed(self) -> PassedNodes | BudgetExceeded:
        try:
            with self._budget(limits.CHAIN_OPERATIONS):
                return PassedNodes(self.inside)
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


class PassedNodes:
    """Nodes that lead to each other, without those that are passed: `edges` of what is left."""

    def __init__(self, edges: Edges) -> None:
        self.edges = {node: dict(to) for node, to in edges.items()}
        self._passed: list[tuple[str, Relations, Relations]] = []
        refused: set[str] = set()
        while (node := _next(self.edges, refused)) is not None:
            to, from_others = self.edges[node], dict[str, isl.Map]()
            more: Edges = {}
            for other, each in self.edges.items():
                if node in each:
                    from_others[other] = each[node]
                    more[other] = _through({t: e for t, e in each.items() if t != node}, each[node], to)
            if any(each.n_basic_map() > limits.CHAINED_PIECES for e in more.values() for each in e.values()):
                refused.add(node)
                continue
            self.edges = {other: more.get(other, each) for other, each in self.edges.items() if other != node}
            self._passed.append((node, to, from_others))

    def of(self, start: Mapping[str, isl.Map]) -> Relations:
        """What is left of START, and what it passes on the way."""
        found = dict(start)
        for node, to, _ in self._passed:
            if node in found:
                add(found, after(found[node], to))
        return found

    def back(self, found: Relations) -> Relations:
        """What was FOUND of the nodes that are left, and what that passes."""
        for node, _, from_others in reversed(self._passed):
            for other, through in from_others.items():
                if other in found:
                    add(found, {node: found[other].apply_range(through)})
        return found


def _summed(begin: Mapping[str, isl.Map], edges: Edges) -> Relations | None:
    """What BEGIN reaches if there is one node, whose instances lead to earlier ones as in a sum.

    Or they do up to an instance that leads nowhere: `[i, e]` to `[i - 1, e]`, but where e = i.
    """
    if len(edges) > 1:
        return None
    ((last, to),) = edges.items()
    if last not in begin or last not in to:
        return dict(begin)
    first, before = begin[last], to[last]
    if not all(isl.Map.from_basic_map(part).plain_is_single_valued() for part in before.get_basic_maps()):
        return None  # as in a stencil, where not all that are earlier are reached
    earlier = _earlier(before)
    for reached in (earlier, _up_to_an_end(earlier, before)):
        found = first.union(first.apply_range(reached)).coalesce()
        if _is_equal(first.union(found.apply_range(before)), found):
            return {**begin, last: found}
    return None


def _up_to_an_end(earlier: isl.Map, before: isl.Map) -> isl.Map:
    """EARLIER instances, with none between, or the same, that leads to none BEFORE."""
    ends = earlier.domain().union(earlier.range()).subtract(before.domain())
    passing = earlier.union(earlier.domain().identity()).intersect_range(ends).apply_range(earlier)
    return earlier.subtract(passing)


def _next(edges: Edges, refused: Collection[str]) -> str | None:
    """A node, not REFUSED, that does not lead to itself, and leads to one other or is reached from one."""
    into = Counter(each for to in edges.values() for each in to)
    for node, to in edges.items():
        if len(edges) > 1 and node not in to and node not in refused and min(len(to), into[node]) < 2:
            return node
    return None


def _through(edges: Mapping[str, isl.Map], through: isl.Map, to: Mapping[str, isl.Map]) -> Relations:
    """EDGES, and those THROUGH a node where it leads TO."""
    found = dict(edges)
    add(found, after(through, to))
    return {target: each.coalesce() if target in to else each for target, each in found.items()}


def _earlier(before: isl.Map) -> isl.Map:
    """To all earlier instances that are equal in the dimensions in which those BEFORE are."""
    distances = isl.Set.from_basic_set(before.affine_hull().deltas())
    earlier = isl.Map.lex_gt(before.get_space().domain())
    for k in range(before.dim(DIM.in_)):
        if distances.plain_get_val_if_fixed(DIM.set, k).is_zero():
            earlier = earlier.equate(DIM.in_, k, DIM.out, k)
    every = before.domain().union(before.range()).coalesce()
    return earlier.intersect_domain(every).intersect_range(every)


def _stepped(start: Mapping[str, isl.Map], edges: Edges) -> Relations | None:
    """What START reaches in few steps; None where there are more, or many pieces."""
    found, new = dict(start), {node: each for node, each in start.items() if node in edges}
    for _ in range(limits.CHAINED_WRITES):
        more = after_all(new, edges)
        new = {
            node: each.subtract(found[node]).coalesce() if node in found else each
            for node, each in more.items()
        }
        new = {node: each for node, each in new.items() if not each.is_empty()}
        if not new:
            return found
        add(found, new)
        found = {node: each.coalesce() if node in new else each for node, each in found.items()}
        pieces = [piece for each in found.values() for piece in each.get_basic_maps()]
        if len(pieces) > limits.CHAINED_PIECES or any(
            each.n_constraint() > limits.CHAINED_CONSTRAINTS for each in pieces
        ):
            return None
    return None


def _is_equal(more: Closed, found: Closed) -> bool:
    """Whether both are the same, the cheaper direction first."""
    return bool(more.is_subset(found) and found.is_subset(more))


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
