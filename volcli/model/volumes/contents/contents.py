"""What memory contains at a point of a function, by value-based flow.

The last writer w of an element e is an instance of an access, [j]. What it stores is computed from reads, of
which each has a last writer again, or reads what was there before the function. With the relations of flow

    F = { [e] -> w[j] }      D = { w[j] -> w'[j'] }      L = { w[j] -> an element of an argument or constant }

the element e is computed from F * (L + D * L + D * D * L + ...), and from itself where nothing writes it.

    for i = 1 to 8 { %m[i] = f(%m[i - 1], %a[i]) }      %m[d] from %m[0], and from %a[1], ..., %a[d]

Where it rests on data which elements are written, or it is not known what is stored, there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import islpy as isl
from xdsl.ir import Operation, OpResult, SSAValue

from volcli.language.expressions import ANY, loops
from volcli.language.programs.provenance import Provenance
from volcli.language.reads import rank_of
from volcli.language.unchanged import cached_method
from volcli.model.memory.accesses.site import Site
from volcli.model.memory.buffers.buffers import Origin, Root
from volcli.model.memory.buffers.layouts import layout_of
from volcli.model.memory.buffers.nests import Level
from volcli.model.memory.dependences.model import Memory
from volcli.model.memory.flow.flows import MemoryFlow
from volcli.model.memory.flow.last_writers import LastWrites
from volcli.model.memory.flow.writers import BufferWriters
from volcli.model.volumes.contents.carried import Alternative, CarriedValues
from volcli.model.volumes.contents.closure import solved
from volcli.model.volumes.contents.stored import NotFollowed, Stored, StoredValues
from volcli.presburger.relations.relation import Relation
from volcli.presburger.sets import build
from volcli.presburger.sets.build import DIM
from volcli.presburger.sets.names import parameters_of_space

_NOTHING = isl.UnionMap.empty(isl.Space.params_alloc(isl.DEFAULT_CONTEXT, 0))

Source = tuple[SSAValue, Operation | None]
"""A value that memory is computed from, and who uses it, if that is an operation that stores it."""


@dataclass(frozen=True, eq=False)
class Contents:
    """What elements of a buffer are computed from, `{ [e] -> [of a source] }`; if INEXACT, at most."""

    sources: Mapping[Source, isl.Map]
    constants: Mapping[Source, isl.Set]
    """The elements that are copies of a constant."""
    inexact: str | None
    assumptions: tuple[str, ...]


class MemoryContents:
    """What the memory of one function contains; parameters are named by NAME."""

    def __init__(self, memory: Memory, name: Callable[[str], str]) -> None:
        self._memory = memory
        self._name = name
        self._provenance = Provenance(memory.function)

    @cached_property
    def _flow(self) -> MemoryFlow:
        return MemoryFlow(self._memory)

    @cached_method
    def at_end(self, root: Root) -> Contents:
        """What ROOT contains when the function ends. Raises NotFollowed."""
        writers = self.writers(root)
        return self._of(root, None if writers is None else writers.at_end())

    @cached_method
    def before(self, op: Operation, root: Root) -> Contents:
        """What ROOT contains when OP, in no loop, runs. Raises NotFollowed."""
        site = next((s for s in self._memory.sites if s.op is op and s.place.root == root), None)
        if site is None or site.levels:
            raise NotFollowed("what is read in a loop is not followed")
        writers = self.writers(root)
        return self._of(root, None if writers is None else writers.before_operation(site))

    @cached_method
    def read(self, op: Operation) -> Contents:
        """What OP, in no loop, loads: one element. Raises NotFollowed."""
        own = [site for site in self._memory.sites if site.op is op]
        if len(own) != 1 or own[0].is_write or own[0].levels or own[0].place.extents:
            raise NotFollowed("what is read in a loop is not followed")
        graph = _Graph(self)
        graph.start_with(own[0])
        return graph.solution(self._renamed)

    def _of(self, root: Root, last: LastWrites | None) -> Contents:
        if layout_of(root.value.type).places is not None:
            raise NotFollowed("its elements are known by their addresses")
        graph = _Graph(self)
        graph.start(root, last)
        return graph.solution(self._renamed)

    @cached_method
    def writers(self, root: Root) -> BufferWriters | None:
        """The last writers of ROOT; None if nothing accesses it. Raises NotFollowed."""
        if root.origin in (Origin.UNKNOWN, Origin.ESCAPED):
            raise NotFollowed(root.because or "it is unknown what memory it is")
        found = self._flow.writers(root)
        if found is None:
            return None
        if found.accesses.digits is not None:
            raise NotFollowed("its elements are compared by their addresses")
        for site in found.accesses.writes:
            self.check(found.accesses.relations[site])
        return found

    def check(self, relation: Relation) -> None:
        """Raises NotFollowed if RELATION, of an access, is not exact, or rests on data."""
        if not relation.exact:
            raise NotFollowed(relation.because or "an access is not affine")
        variable = self._memory.bounds.elimination.variable
        for name in parameters_of_space(relation.points.drop_unused_params()):
            if self._provenance.is_loaded(variable(name)):
                text = self._memory.bounds.name_of(variable(name).value)
                raise NotFollowed(f"{text}, which selects elements, is loaded from data")

    @cached_property
    def stored(self) -> StoredValues:
        """What writes store."""
        return StoredValues(self._memory.function, self._memory.sites)

    @cached_property
    def _carried(self) -> CarriedValues:
        return CarriedValues(self._memory)

    def levels(self, value: SSAValue) -> tuple[Level, ...]:
        """The loops around VALUE."""
        return self._carried.levels(value)

    def alternatives(self, value: SSAValue) -> Iterator[Alternative]:
        """What VALUE is in which iterations. Raises NotFollowed."""
        for each in self._carried.alternatives(value):
            self.check(Relation(each.at))
            yield each

    def _renamed(self, relation: isl.Map) -> isl.Map:
        relation = relation.drop_unused_params()
        for position, name in enumerate(parameters_of_space(relation)):
            relation = relation.set_dim_name(DIM.param, position, self._name(name))
        return relation


Node = Site | SSAValue
"""What is computed in each iteration: what a write stores, what a loop carries or a branch gives."""


class _Graph:
    """The instances of nodes that memory is computed from, from those that are asked for backwards."""

    def __init__(self, contents: MemoryContents) -> None:
        self._contents = contents
        self._asked = self._leaves = self._before = _NOTHING
        self._constants = self._copies = _NOTHING
        self._sources: dict[Source, str] = {}
        self._numbers: set[Source] = set()
        self._nodes: dict[Node, str] = {}
        self._inexact: str | None = None
        self._assumptions: dict[str, None] = {}

    def start(self, root: Root, last: LastWrites | None) -> None:
        """Ask for the elements of ROOT, with these LAST writes (None: with none)."""
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

    def solution(self, renamed: Callable[[isl.Map], isl.Map]) -> Contents:
        """What the elements that were asked for are computed from, its parameters RENAMED."""
        done: set[Node] = set()
        while len(done) < len(self._nodes):
            for node in [each for each in self._nodes if each not in done]:
                done.add(node)
                self._follow(node)
        values, is_exact = solved(self._leaves, self._before)
        sources = self._by_source(values, renamed)
        inexact = self._inexact or (None if is_exact else "there is no closed form of what writes depend on")
        constants: dict[Source, isl.Set] = {}
        if inexact is None and not self._constants.is_empty():
            copied, is_exact = solved(self._constants, self._copies)
            known = self._by_source(copied, renamed) if is_exact else {}
            constants = {source: each.domain() for source, each in known.items() if source in self._numbers}
        return Contents(sources, constants, inexact, tuple(self._assumptions))

    def _by_source(
        self, values: isl.UnionMap, renamed: Callable[[isl.Map], isl.Map]
    ) -> dict[Source, isl.Map]:
        """What is asked for, over sources, if VALUES are those of writes."""
        names = {name: source for source, name in self._sources.items()}
        found: dict[Source, isl.Map] = {}
        for relation in _maps(self._asked.union(self._asked.apply_range(values)).coalesce()):
            name = relation.get_tuple_name(DIM.out)
            if name in names:
                found[names[name]] = renamed(_anonymous(relation))
        return found

    def _follow(self, node: Node) -> None:
        """What the instances of NODE are computed from."""
        contents, name = self._contents, self._node(node)
        if isinstance(node, Site):
            writers = contents.writers(node.place.root)
            assert writers is not None, "what it writes"
            runs = writers.accesses.relations[node].points.domain().identity()
            self._computed(name, runs, node.levels, contents.stored.of(node), node)
            return
        for each in contents.alternatives(node):
            if not each.at.is_empty():
                stored = contents.stored.of_scalar(each.user, each.scalar)
                self._computed(name, each.at, each.levels, stored, None)

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
        for value in stored.values:
            depth = len(self._contents.levels(value))
            relation = at.apply_range(build.relation(count, loops(depth)))
            before = before.union(_named(relation, name, self._node(value)))
        self._leaves, self._before = self._leaves.union(leaves), self._before.union(before)
        if stored.is_copy:
            self._constants, self._copies = self._constants.union(leaves), self._copies.union(before)

    def _read(self, name: str, at: isl.Map, read: Site) -> tuple[isl.UnionMap, isl.UnionMap]:
        """What instances of NAME get from READ, AT an iteration each: what was there before, and writes."""
        writers = self._contents.writers(read.place.root)
        assert writers is not None, "what it reads"
        self._contents.check(writers.accesses.relations[read])
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
        writers = self._contents.writers(root)
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
        return _named(relation, source, self._source((root.value, None)))

    def _source(self, source: Source) -> str:
        return self._sources.setdefault(source, f"s{len(self._sources)}")


def _named(relation: isl.Map, source: str, target: str) -> isl.UnionMap:
    return relation.set_tuple_name(DIM.in_, source).set_tuple_name(DIM.out, target).to_union_map()


def _anonymous(relation: isl.Map) -> isl.Map:
    return relation.reset_tuple_id(DIM.in_).reset_tuple_id(DIM.out)


def _maps(points: isl.UnionMap) -> Iterator[isl.Map]:
    every = points.get_map_list()
    yield from map(every.get_at, range(every.n_map()))
