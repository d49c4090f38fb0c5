"""The instances of writes, and of values that loops carry, that elements of a buffer are computed from.

A node is an access that writes, or a value that is another one in other iterations; its instances are named
after their iterations. They are followed from what is asked for backwards, each node once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import islpy as isl
from xdsl.dialects.builtin import ShapedType
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language.expressions import ANY, loop, loops
from volcli.language.reads import rank_of
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.flow.last_writers import LastWrites
from volcli.model.volumes.contents.closure import solved
from volcli.model.volumes.contents.followed import FollowedMemory
from volcli.model.volumes.contents.stored import NotFollowed, Stored
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.callbacks import maps_of

_NOTHING = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))

Source = tuple[SSAValue, Operation | None]
"""A value that memory is computed from, and who uses it, if that is an operation that stores it."""


@dataclass(frozen=True, eq=False)
class BufferContents:
    """What elements of a buffer are computed from, `{ [e] -> [of a source] }`; if INEXACT, at most."""

    sources: Mapping[Source, isl.Map]
    constants: Mapping[Source, isl.Set]
    """The elements that are copies of a constant."""
    inexact: str | None
    assumptions: tuple[str, ...]
    fixed: frozenset[SSAValue]
    """The sources that are memory which nobody changes."""
    copied: frozenset[Source]
    """The constants that are stored somewhere, and not only computed with."""
    written: isl.Set
    """The elements that something writes."""


Node = Site | SSAValue
"""What is computed in each iteration: what a write stores, what a loop carries or a branch gives."""


class Graph:
    """The instances of nodes that memory is computed from, from those that are asked for backwards."""

    def __init__(self, memory: FollowedMemory) -> None:
        self._memory = memory
        self._asked = self._leaves = self._before = _NOTHING
        self._constants = self._copies = _NOTHING
        self._rank = 0
        self._sources: dict[Source, str] = {}
        self._numbers: set[Source] = set()
        self._copied: set[Source] = set()
        self._nodes: dict[Node, str] = {}
        self._inexact: str | None = None
        self._assumptions: dict[str, None] = {}
        self._older: list[tuple[SSAValue, bool]] = []

    def start(self, root: Root, last: LastWrites | None) -> None:
        """Ask for the elements of ROOT, with these LAST writes (None: with none)."""
        self._rank = rank_of(root.value)
        if last is None:
            every = isl.Set.universe(build.space((), rank_of(root.value))).identity()
            self._asked = self._live_in(root, every, "e")
            return
        self._asked = self._live_in(root, last.unwritten.range().identity(), "e")
        for site, pairs in last.possible.items():
            asked = _named(pairs.range_factor_range().reverse(), "e", self._node(site))
            self._asked = self._asked.union(asked)
        self._judge(root, last)

    def start_with(self, read: Site) -> None:
        """Ask for what READ reads."""
        nothing = isl.Set.universe(build.space((), 0)).identity()
        leaves, before = self._read("e", nothing, read)
        self._asked = leaves.union(before)

    def start_at(self, value: SSAValue) -> None:
        """Ask for the elements of VALUE, a number or a vector that is computed in no loop."""
        self._rank = rank_of(value)
        every = isl.Set.universe(build.space((), self._rank)).identity()
        self._asked = _named(every, "e", self._node(value))

    def solution(self, renamed: Callable[[isl.Map], isl.Map]) -> BufferContents:
        """What the elements that were asked for are computed from, its parameters RENAMED."""
        done: set[Node] = set()
        while len(done) < len(self._nodes):
            for node in [each for each in self._nodes if each not in done]:
                done.add(node)
                self._follow(node)
        values, because = solved(self._leaves, self._before)
        sources = self._by_source(values, renamed)
        inexact = self._inexact or because
        constants: dict[Source, isl.Set] = {}
        if inexact is None and not self._constants.is_empty():
            copied, because = solved(self._constants, self._copies)
            known = {} if because else self._by_source(copied, renamed)
            constants = {source: each.domain() for source, each in known.items() if source in self._numbers}
        fixed = {value for value, is_constant in self._older if is_constant}
        written = self._written(renamed)
        return BufferContents(
            sources,
            constants,
            inexact,
            tuple(self._assumptions),
            frozenset(fixed),
            frozenset(self._copied),
            written,
        )

    def _written(self, renamed: Callable[[isl.Map], isl.Map]) -> isl.Set:
        """The elements that were asked for and are instances of nodes."""
        nodes, found = set(self._nodes.values()), isl.Set.empty(build.space((), self._rank))
        for each in maps_of(self._asked):
            if each.get_tuple_name(DIM.out) in nodes:
                found = found.union(renamed(_anonymous(each)).domain())
        return found

    def _by_source(
        self, values: isl.UnionMap, renamed: Callable[[isl.Map], isl.Map]
    ) -> dict[Source, isl.Map]:
        """What is asked for, over sources, if VALUES are those of writes."""
        names = {name: source for source, name in self._sources.items()}
        found: dict[Source, isl.Map] = {}
        for relation in maps_of(self._asked.union(self._asked.apply_range(values)).coalesce()):
            name = relation.get_tuple_name(DIM.out)
            if name in names:
                found[names[name]] = renamed(_anonymous(relation))
        return found

    def _follow(self, node: Node) -> None:
        """What the instances of NODE are computed from."""
        memory, name = self._memory, self._node(node)
        if isinstance(node, Site):
            writers = memory.writers(node.place.root)
            assert writers is not None, "what it writes"
            runs = writers.accesses.relations[node].points.domain().identity()
            self._computed(name, runs, node.levels, memory.stored.of(node), node)
            return
        for part in memory.parts(node):
            if part.read is not None:
                self._add(*self._read(name, part.at, part.read), is_copy=True)
            elif isinstance(part.value.type, ShapedType):
                passed = self._passed(name, part.at, part.value, is_copy=part.is_copy)
                self._add(*passed, is_copy=part.is_copy)
            else:
                stored = memory.stored.of_scalar(part.user, part.value)
                stored = replace(stored, is_copy=stored.is_copy and part.is_copy)
                self._computed(name, part.at, part.levels, stored, None)

    def _add(self, leaves: isl.UnionMap, before: isl.UnionMap, *, is_copy: bool = False) -> None:
        self._leaves, self._before = self._leaves.union(leaves), self._before.union(before)
        if is_copy:
            self._constants, self._copies = self._constants.union(leaves), self._copies.union(before)

    def _passed(
        self, name: str, at: isl.Map, value: SSAValue, *, is_copy: bool
    ) -> tuple[isl.UnionMap, isl.UnionMap]:
        """What instances of NAME get from VALUE, AT an iteration and an element each."""
        count, rank = at.dim(DIM.out), rank_of(value)
        lanes = tuple(loop(count - rank + k) for k in range(rank))
        if self._memory.is_leaf(value):
            relation = at.apply_range(build.relation(count, lanes))
            self._numbers |= {(value, None)} if self._memory.is_number(value) else set()
            self._copied |= {(value, None)} if is_copy else set()
            return _named(relation, name, self._source((value, None))), _NOTHING
        depth = len(self._memory.levels(value))
        relation = at.apply_range(build.relation(count, (*loops(depth), *lanes)))
        return _NOTHING, _named(relation, name, self._node(value))

    def _computed(
        self, name: str, at: isl.Map, levels: tuple[Level, ...], stored: Stored, site: Site | None
    ) -> None:
        """The instances of a node called NAME are what is STORED, AT an iteration of LEVELS each."""
        count = at.dim(DIM.out)
        leaves = before = _NOTHING
        for value, user, index in stored.elements:
            if index and (levels or ANY in index):
                raise NotFollowed("elements of a tensor that are stored in a loop are not followed")
            source = value, user
            self._numbers |= {source} if isinstance(value, OpResult) and not index else set()
            relation = at.apply_range(build.relation(count, index))
            leaves = leaves.union(_named(relation, name, self._source(source)))
        for read in stored.reads:
            is_own = site is not None and read.op is site.op
            depth = count if is_own else len(read.levels)
            if read.levels != levels[: len(read.levels)]:
                raise NotFollowed("what is read in another loop is not followed")
            if len(read.place.extents) != (count - len(levels) if is_own else 0):
                raise NotFollowed("a read of several elements is not followed")
            more = self._read(name, at.apply_range(build.relation(count, loops(depth))), read)
            leaves, before = leaves.union(more[0]), before.union(more[1])
        for element in stored.taken:
            taken = self._memory.taken(element)
            depth = taken.dim(DIM.in_)
            taken = build.relation(depth, loops(depth)).flat_range_product(taken)
            relation = at.apply_range(build.relation(count, loops(depth))).apply_range(taken)
            more = self._passed(name, relation, element.operand, is_copy=stored.is_copy)
            leaves, before = leaves.union(more[0]), before.union(more[1])
        for value, rank in stored.values:
            passed = at.apply_range(build.relation(count, loops(len(levels) + rank)))
            more = self._passed(name, passed, value, is_copy=stored.is_copy)
            leaves, before = leaves.union(more[0]), before.union(more[1])
        self._inexact = self._inexact or stored.inexact
        if stored.is_copy:
            self._copied.update((value, user) for value, user, _ in stored.elements)
        self._add(leaves, before, is_copy=stored.is_copy)

    def _read(self, name: str, at: isl.Map, read: Site) -> tuple[isl.UnionMap, isl.UnionMap]:
        """What instances of NAME get from READ, AT an iteration each: what was there before, and writes."""
        writers = self._memory.writers(read.place.root)
        assert writers is not None, "what it reads"
        self._memory.check(writers.accesses.relations[read])
        last = writers.before(read)
        unwritten, before = at.apply_range(last.unwritten), _NOTHING
        leaves = _NOTHING if unwritten.is_empty() else self._live_in(read.place.root, unwritten, name)
        for writer, pairs in last.possible.items():
            between = at.apply_range(pairs.range_factor_domain().reverse())
            if not between.is_empty():
                before = before.union(_named(between, name, self._node(writer)))
        self._judge(read.place.root, last)
        return leaves, before

    def _judge(self, root: Root, last: LastWrites) -> None:
        """Note what the answer rests on, and whether it is exact."""
        writers = self._memory.writers(root)
        assert writers is not None, "some access"
        self._assumptions.update(dict.fromkeys(writers.assumptions))
        if last.certain is not last.possible and not self._inexact:
            known = last.certain
            if not all(site in known and p.is_subset(known[site]) for site, p in last.possible.items()):
                self._inexact = writers.because or "the order of some accesses is unknown"

    def _node(self, node: Node) -> str:
        return self._nodes.setdefault(node, f"n{len(self._nodes)}")

    def _live_in(self, root: Root, relation: isl.Map, source: str) -> isl.UnionMap:
        """RELATION to elements of ROOT as they were before the function; new memory has none."""
        if root.origin is Origin.ALLOCATION:
            return _NOTHING
        if layout_of(root.value.type).places is not None:
            raise NotFollowed("its elements are known by their addresses")
        value = root.value if root.held is None or rank_of(root.held) != rank_of(root.value) else root.held
        if root.origin is Origin.GLOBAL or root.held is not None:
            self._older.append((value, self._memory.is_constant(root)))
        return _named(relation, source, self._source((value, None)))

    def _source(self, source: Source) -> str:
        return self._sources.setdefault(source, f"s{len(self._sources)}")


def _named(relation: isl.Map, source: str, target: str) -> isl.UnionMap:
    return relation.set_tuple_name(DIM.in_, source).set_tuple_name(DIM.out, target).to_union_map()


def _anonymous(relation: isl.Map) -> isl.Map:
    return relation.reset_tuple_id(DIM.in_).reset_tuple_id(DIM.out)
