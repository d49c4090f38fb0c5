"""The instances of writes, and of values that loops carry, that elements of a buffer are computed from.

A node is an access that writes, or a value that is another one in other iterations; its instances are named
after their iterations. They are followed from what is asked for backwards, each node once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import islpy as isl
from xdsl.dialects.builtin import ShapedType, TensorType
from xdsl.ir import OpResult, SSAValue

from volcli.language.expressions import ANY, loop, loops
from volcli.language.reads import rank_of
from volcli.limits import volumes as limits
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.flow.last_writers import LastWrites
from volcli.model.volumes.contents.buffer_contents import BufferContents, Closures, Source
from volcli.model.volumes.contents.equations import Relations, add
from volcli.model.volumes.contents.followed import FollowedMemory
from volcli.model.volumes.contents.stored import NotFollowed, Stored
from volcli.presburger.limits.budget import budget
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM

Node = Site | SSAValue
"""What is computed in each iteration: what a write stores, what a loop carries or a branch gives."""


@dataclass(eq=False)
class NodeSources:
    """What a node, or what is asked for, is computed from: instances of nodes, and sources."""

    edges: Relations = field(default_factory=dict[str, isl.Map])
    copies: Relations = field(default_factory=dict[str, isl.Map])
    """What it is a copy of."""
    inexact: str | None = None
    assumptions: dict[str, None] = field(default_factory=dict[str, None])
    fixed: set[SSAValue] = field(default_factory=set[SSAValue])
    copied: set[Source] = field(default_factory=set[Source])

    def add(self, edges: Relations, *, is_copy: bool = False) -> None:
        """It is computed from what EDGES lead to, too."""
        add(self.edges, edges)
        if is_copy:
            add(self.copies, edges)

    def rest_on(self, other: NodeSources) -> None:
        """What is said of it rests on what is said of OTHER, too."""
        self.inexact = self.inexact or other.inexact
        self.assumptions |= other.assumptions
        self.fixed |= other.fixed
        self.copied |= other.copied


class Graph:
    """The instances of nodes that memory is computed from, from those that are asked for backwards."""

    def __init__(self, memory: FollowedMemory, renamed: Callable[[isl.Map], isl.Map]) -> None:
        self._memory = memory
        self._renamed = renamed
        self._sources: dict[Source, str] = {}
        self._numbers: set[Source] = set()
        self._nodes: dict[Node, str] = {}
        self._known: dict[str, NodeSources | NotFollowed] = {}
        self._closures, self._closures_of_copies = Closures(), Closures()

    def of_buffer(self, root: Root, last: LastWrites | None) -> BufferContents:
        """What the elements of ROOT are, with these LAST writes (None: with none). Raises NotFollowed."""
        asked, rank = NodeSources(), rank_of(root.value)
        if last is None:
            every = isl.Set.universe(build.space((), rank)).identity()
            asked.add(self._live_in(root, every, asked))
        else:
            self._judge(root, last, asked)
            asked.add(self._live_in(root, last.unwritten.range().identity(), asked))
            for site, pairs in last.possible.items():
                asked.add({self._node(site): pairs.range_factor_range().reverse()})
        return self._solution(asked, rank)

    def of_read(self, read: Site) -> BufferContents:
        """What READ reads. Raises NotFollowed."""
        asked = NodeSources()
        once = isl.Set.universe(build.space((), 0)).identity()
        asked.add(self._read(self._reading(once, read), read, asked))
        found = self._solution(asked, 0)
        return replace(found, copies=dict[Source, isl.Map]) if read.parts else found

    def of_value(self, value: SSAValue) -> BufferContents:
        """What VALUE, a number, a vector or a tensor of no loop, is. Raises NotFollowed."""
        every = isl.Set.universe(build.space((), rank_of(value))).identity()
        return self._solution(NodeSources({self._node(value): every}), rank_of(value))

    def _solution(self, asked: NodeSources, rank: int) -> BufferContents:
        """What the elements that are ASKED for, of an array of this RANK, are computed from."""
        nodes = self._followed(asked)
        edges = {name: each.edges for name, each in nodes.items()}
        found, because = self._closures.computed_from(asked.edges, edges)
        inexact = asked.inexact or because
        written = isl.Set.empty(build.space((), rank))
        for name, each in asked.edges.items():
            if name in nodes:
                written = written.union(self._renamed(each).domain())
        return BufferContents(
            self._by_source(found),
            lambda: {} if inexact is not None else self._constants(asked.edges, nodes),
            inexact,
            tuple(asked.assumptions),
            frozenset(asked.fixed),
            frozenset(asked.copied),
            written,
        )

    def _followed(self, asked: NodeSources) -> dict[str, NodeSources]:
        """The nodes that ASKED leads to, on which it rests then. Raises NotFollowed."""
        names, found = {name: node for node, name in self._nodes.items()}, dict[str, NodeSources]()
        pending = [name for name in asked.edges if name in names]
        for name in pending:
            if name in found:
                continue
            if name not in self._known:
                try:
                    with budget(limits.MEMORY_OPERATIONS):
                        self._known[name] = self._follow(names[name])
                except NotFollowed as error:
                    self._known[name] = error
                names = {name: node for node, name in self._nodes.items()}
            known = self._known[name]
            if isinstance(known, NotFollowed):
                raise NotFollowed(str(known))
            found[name] = known
            asked.rest_on(known)
            pending += [each for each in known.edges if each in names]
        return found

    def _constants(
        self, asked: Mapping[str, isl.Map], nodes: Mapping[str, NodeSources]
    ) -> dict[Source, isl.Map]:
        """The elements that are ASKED for and are copies of a constant, or of an element of a tensor."""
        copies = {name: each.copies for name, each in nodes.items()}
        found, because = self._closures_of_copies.computed_from(asked, copies)
        known = {} if because else self._by_source(found)
        return {
            source: each
            for source, each in known.items()
            if source in self._numbers or isinstance(source[0].type, TensorType)
        }

    def _by_source(self, found: Mapping[str, isl.Map]) -> dict[Source, isl.Map]:
        """What was FOUND, without what is empty, by sources."""
        names = {name: source for source, name in self._sources.items()}
        simple = {names[name]: each.coalesce() for name, each in found.items()}
        return {source: self._renamed(each) for source, each in simple.items() if not each.is_empty()}

    def _follow(self, node: Node) -> NodeSources:
        """What the instances of NODE are computed from. Raises NotFollowed."""
        memory, found = self._memory, NodeSources()
        if isinstance(node, Site):
            count = len(node.levels) + len(node.place.extents)
            every = isl.Map.identity(build.space((), count).map_from_set())
            self._computed(found, every, node.levels, memory.stored.of(node), node)
            return found
        for part in memory.parts(node):
            found.inexact = found.inexact or part.inexact
            if part.read is not None:
                found.add(self._read(part.at, part.read, found), is_copy=True)
            elif isinstance(part.value.type, ShapedType):
                passed = self._passed(part.at, part.value, found if part.is_copy else None)
                found.add(passed, is_copy=part.is_copy)
            else:
                stored = memory.stored.of_scalar(part.user, part.value)
                stored = replace(stored, is_copy=stored.is_copy and part.is_copy)
                self._computed(found, part.at, part.levels, stored, None)
        return found

    def _passed(self, at: isl.Map, value: SSAValue, copy: NodeSources | None) -> Relations:
        """What instances of a node, a COPY if it is one, get from VALUE, AT an iteration and element each."""
        count, rank = at.dim(DIM.out), rank_of(value)
        lanes = tuple(loop(count - rank + k) for k in range(rank))
        if self._memory.is_leaf(value):
            self._numbers |= {(value, None)} if self._memory.is_number(value) else set()
            if copy is not None:
                copy.copied.add((value, None))
            return {self._source((value, None)): at.apply_range(build.relation(count, lanes))}
        depth = len(self._memory.levels(value))
        return {self._node(value): at.apply_range(build.relation(count, (*loops(depth), *lanes)))}

    def _computed(
        self, node: NodeSources, at: isl.Map, levels: tuple[Level, ...], stored: Stored, site: Site | None
    ) -> None:
        """The instances of NODE are what is STORED, AT an iteration of LEVELS each.

        Of a SITE, these are all numbers, though it may not run in each of them: nothing leads to the others.
        """
        count, edges = at.dim(DIM.out), Relations()
        for value, user, index in stored.elements:
            if index and (levels or ANY in index):
                raise NotFollowed("elements of a tensor that are stored in a loop are not followed")
            source = value, user
            self._numbers |= {source} if isinstance(value, OpResult) and not index else set()
            add(edges, {self._source(source): at.apply_range(build.relation(count, index))})
        for read in stored.reads:
            is_own = site is not None and read.op is site.op
            if read.levels != levels[: len(read.levels)]:
                raise NotFollowed("what is read in another loop is not followed")
            points = len(site.access.extents) if is_own and site is not None else 0
            if len(read.access.extents) != points:
                raise NotFollowed("a read of several elements is not followed")
            is_same = is_own and site is not None and read.parts == site.parts
            is_same = is_same and (not read.parts or stored.is_copy)
            reading = None if is_same else self._reading(at, read)
            add(edges, self._read(reading, read, node))
        for element in stored.taken:
            taken = self._memory.taken(element)
            depth = taken.dim(DIM.in_)
            taken = build.relation(depth, loops(depth)).flat_range_product(taken)
            relation = at.apply_range(build.relation(count, loops(depth))).apply_range(taken)
            add(edges, self._passed(relation, element.operand, node if stored.is_copy else None))
        for value, rank in stored.values:
            passed = at.apply_range(build.relation(count, loops(len(levels) + rank)))
            add(edges, self._passed(passed, value, node if stored.is_copy else None))
        node.inexact = node.inexact or stored.inexact
        if stored.is_copy:
            node.copied.update((value, user) for value, user, _ in stored.elements)
        node.add(edges, is_copy=stored.is_copy)

    def _reading(self, at: isl.Map, read: Site) -> isl.Map:
        """The points of READ, all parts of what it reads, AT an iteration each."""
        depth = len(read.levels) + len(read.access.extents)
        found = at.apply_range(build.relation(at.dim(DIM.out), loops(depth)))
        if not read.parts:
            return found
        found = found.add_dims(DIM.out, read.parts)
        writers = self._memory.writers(read.place.root)
        assert writers is not None, "what it reads"
        return found.intersect_range(writers.accesses.relations[read].points.domain())

    def _read(self, at: isl.Map | None, read: Site, node: NodeSources) -> Relations:
        """What instances of NODE get from READ, AT an iteration each (None: the same one): what was there
        before, and writes.
        """
        writers = self._memory.writers(read.place.root)
        assert writers is not None, "what it reads"
        self._memory.check(writers.accesses.relations[read])
        last, found = writers.before(read), Relations()
        self._judge(read.place.root, last, node)
        unwritten = last.unwritten if at is None else at.apply_range(last.unwritten)
        if not unwritten.is_empty():
            add(found, self._live_in(read.place.root, unwritten, node))
        for writer, pairs in last.possible.items():
            between = pairs.range_factor_domain().reverse()
            between = between if at is None else at.apply_range(between)
            if not between.is_empty():
                add(found, {self._node(writer): between})
        return found

    def _judge(self, root: Root, last: LastWrites, node: NodeSources) -> None:
        """Note what the answer of NODE rests on, and whether it is exact. Raises NotFollowed.

        A write that surely is not the last one of any element asked for may be what it likes.
        """
        writers = self._memory.writers(root)
        assert writers is not None, "some access"
        for site in last.possible:
            self._memory.check(writers.accesses.relations[site])
        node.assumptions.update(dict.fromkeys(writers.assumptions))
        if last.certain is not last.possible and not node.inexact:
            known = last.certain
            if not all(site in known and p.is_subset(known[site]) for site, p in last.possible.items()):
                node.inexact = writers.because or "the order of some accesses is unknown"

    def _node(self, node: Node) -> str:
        return self._nodes.setdefault(node, f"n{len(self._nodes)}")

    def _live_in(self, root: Root, relation: isl.Map, node: NodeSources) -> Relations:
        """RELATION of NODE to elements of ROOT as they were before the function; new memory has none."""
        if root.origin is Origin.ALLOCATION:
            return {}
        if layout_of(root.value.type).places is not None:
            raise NotFollowed("its elements are known by their addresses")
        value = root.value if root.held is None or rank_of(root.held) != rank_of(root.value) else root.held
        if (root.origin is Origin.GLOBAL or root.held is not None) and self._memory.is_constant(root):
            node.fixed.add(value)
        return {self._source((value, None)): relation}

    def _source(self, source: Source) -> str:
        return self._sources.setdefault(source, f"s{len(self._sources)}")
