"""What elements of a buffer are computed from: the answer about memory, and its closure.

A write instance is computed from leaves, L, and from other write instances, D, which run before it. What is
asked for leads to instances A, and so to

    R = A + A * D + A * D * D + ...        (first A, then D)

and is computed from R * L. It is found for one strongly connected component of the nodes at a time, each
before those that it leads to: what leads to these is known then, and a node that leads to no other one of its
component has no sum at all.

    c[i, j] += a[i, k] * b[k, j]    D = { [i, j, k] -> [i, j, k - 1] }    R = { c[i, j] -> [i, j, every k] }
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce

import islpy as isl
from xdsl.ir import Operation, SSAValue

from volcli.language.programs.graphs import components
from volcli.limits import volumes as limits
from volcli.model.volumes.contents.equations import Edges, NoForm, Relations, WriteComponent, add, after_all
from volcli.presburger.limits.budget import BudgetExceeded, budget

Source = tuple[SSAValue, Operation | None]
"""A value that memory is computed from, and who uses it, if that is an operation that stores it."""


@dataclass(frozen=True, eq=False)
class BufferContents:
    """What elements of a buffer are computed from, `{ [e] -> [of a source] }`; if INEXACT, at most."""

    sources: Mapping[Source, isl.Map]
    copies: Callable[[], Mapping[Source, isl.Map]]
    """The elements that are copies of a constant, or of a tensor's; asked for by `constants`."""
    inexact: str | None
    assumptions: tuple[str, ...]
    fixed: frozenset[SSAValue]
    """The sources that are memory which nobody changes."""
    copied: frozenset[Source]
    """The constants that are stored somewhere, and not only computed with."""
    written: isl.Set
    """The elements that something writes."""

    @cached_property
    def constants(self) -> Mapping[Source, isl.Map]:
        """The elements that are such copies; none of them where that is not known."""
        try:
            with budget(limits.MEMORY_OPERATIONS):
                return self.copies()
        except BudgetExceeded:
            return {}

    def of_view(self, elements: isl.Map) -> BufferContents:
        """The same of a view, each of whose elements is one of the buffer's: `{ [e of the view] -> [e] }`."""
        of_buffer = elements.reverse()
        return replace(
            self,
            sources={source: elements.apply_range(each) for source, each in self.sources.items()},
            copies=lambda: {s: elements.apply_range(each) for s, each in self.constants.items()},
            written=self.written.apply(of_buffer),
        )


class Closures:
    """Components of the graphs of one function, each of which is closed once."""

    def __init__(self) -> None:
        self._known: dict[frozenset[str], WriteComponent] = {}

    def computed_from(self, asked: Mapping[str, isl.Map], edges: Edges) -> tuple[Relations, str | None]:
        """What is ASKED for over leaves, the nodes without EDGES: a superset, and why it is no less."""
        found, because = dict(asked), None
        order = [*components(asked, lambda node: edges.get(node, ()))]
        for nodes in reversed(order):
            start = {node: found.pop(node).coalesce() for node in nodes if node in found and node in edges}
            if not start:
                continue
            component = self._component({node: edges[node] for node in nodes})
            try:
                more = component.leads_to(start)
            except (NoForm, BudgetExceeded) as error:
                because = because or (str(error) if isinstance(error, NoForm) else error.reason)
                more = _at_most(start, component)
            add(found, more)
        return found, because

    def _component(self, edges: Edges) -> WriteComponent:
        nodes = frozenset(edges)
        if nodes not in self._known:
            self._known[nodes] = WriteComponent(edges)
        return self._known[nodes]


def _at_most(start: Mapping[str, isl.Map], component: WriteComponent) -> Relations:
    """A superset: what leads to another instance of COMPONENT leads to whatever one of them leads to."""
    leading = [
        relation.intersect_range(edge.domain()).domain()
        for node, relation in start.items()
        for edge in component.inside[node].values()
    ]
    if not leading:
        return after_all(start, component.outside)
    every, domain = dict[str, isl.Set](), _few_parts(reduce(isl.Set.union, leading))
    for to in component.outside.values():
        for target, edge in to.items():
            every[target] = every[target].union(edge.range()) if target in every else edge.range()
    others = {node: relation.subtract_domain(domain) for node, relation in start.items()}
    found = after_all(others, component.outside)
    add(found, {t: isl.Map.from_domain_and_range(domain, _few_parts(e)) for t, e in every.items()})
    return found


def _few_parts(points: isl.Set) -> isl.Set:
    """POINTS, or a superset that has one part."""
    points = points.coalesce()
    is_short = points.n_basic_set() <= limits.LEFT_PARTS
    return points if is_short else isl.Set.from_basic_set(points.simple_hull())
