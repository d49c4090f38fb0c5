"""One run of a program: the trace of its accesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from tests.oracles.interpreter.arithmetic import RELATIONS
from tests.oracles.memory.expressions import value
from tests.oracles.memory.memrefs import Alloc, GetGlobal, Index, MeaninglessError, Memref, View
from tests.oracles.memory.nodes import Access, Block, Branch, Condition, Define, Loop, Site, sites, walk


class TooLargeError(Exception):
    """More instances than are allowed."""


class EndedInsideError(TooLargeError):
    """The program has no meaning because of something in a loop.

    Nothing is concluded from that for what comes behind: what operations demand is known in their own block.
    """


@dataclass(frozen=True)
class Instance:
    """One execution of an access. `index` is what its subscripts are, `element` that in the buffer."""

    time: int
    site: int
    ivs: Index
    buffer: str
    element: Index
    index: Index
    in_bounds: bool  # of the memref that the operation names
    in_base: bool  # of the buffer


@dataclass(frozen=True)
class Entry:
    """Iterations of a loop, by its number: so many in each of its dimensions, in iteration `ivs` around it."""

    loop: int
    ivs: Index
    counts: Index


class Run:
    """The trace of BODY with these arguments; a buffer's name is another one each time it is made.

    It ends where the program has no meaning.
    """

    def __init__(self, body: Block, arguments: Mapping[str, Any], limit: int) -> None:
        self.sites: dict[int, Site] = {id(site.access): site for site in sites(body)}
        loops = (node for node in walk(body) if isinstance(node, Loop))
        self.loops = {id(loop): number for number, loop in enumerate(loops)}
        self.entries: list[Entry] = []
        self.limit = limit
        self.buffers = 0
        self.trace: list[Instance] = []
        self.has_meaning = True
        self.ends_inside = False
        try:
            self.block(body, dict(arguments), ())
        except MeaninglessError:
            self.has_meaning = False

    def block(self, block: Block, environment: dict[str, Any], ivs: Index) -> None:
        """Run BLOCK; what it defines is in ENVIRONMENT then."""
        for node in block:
            match node:
                case Define():
                    environment[node.result] = value(node.expression, environment)
                case Alloc() | GetGlobal() | View():
                    self.buffers += 1
                    environment[node.result] = node.made(environment, f"{node.result}#{self.buffers}")
                case Access():
                    self.access(node, environment, ivs)
                case Loop():
                    self.ends_inside = bool(ivs)
                    all_of_them = list(iterations(node, environment))
                    counts = tuple(len(set(values)) for values in zip(*all_of_them, strict=True))
                    self.entries.append(Entry(self.loops[id(node)], ivs, counts))
                    for now in all_of_them:
                        inner = environment | dict(zip(node.ivs, now, strict=True))
                        self.block(node.body, inner, (*ivs, *now))
                case Branch():
                    chosen = node.then if holds(node, environment) else node.otherwise or ()
                    self.block(chosen, dict(environment), ivs)

    def access(self, node: Access, environment: Mapping[str, Any], ivs: Index) -> None:
        """Note one access."""
        if len(self.trace) == self.limit:
            raise TooLargeError
        memref: Memref = environment[node.memref]
        index = tuple(value(each, environment) for each in node.subscripts)
        element = memref.place(index)
        number = self.sites[id(node)].number
        fits = inside(index, memref.sizes)
        in_base = inside(element, memref.extents)
        self.trace.append(
            Instance(len(self.trace), number, ivs, memref.buffer, element, index, fits, in_base)
        )


def inside(index: Index, sizes: Index) -> bool:
    """Whether an index is one of a memref of these SIZES."""
    return all(0 <= each < size for each, size in zip(index, sizes, strict=True))


def iterations(node: Loop, environment: Mapping[str, Any]) -> Iterator[Index]:
    """The values of the induction variables, in order."""
    ranges = [
        (
            max(value(piece, environment) for piece in lower),
            min(value(piece, environment) for piece in upper),
            value(step, environment),
        )
        for lower, upper, step in zip(node.lowers, node.uppers, node.steps, strict=True)
    ]
    if any(first >= behind for first, behind, _ in ranges):
        return iter(())
    if any(step < 1 for _, _, step in ranges):
        raise MeaninglessError
    return product(*(range(*each) for each in ranges))


def holds(node: Branch, environment: Mapping[str, Any]) -> bool:
    """Whether all conditions hold."""

    def one(condition: Condition) -> bool:
        left, right = value(condition.left, environment), value(condition.right, environment)
        return RELATIONS[condition.relation](left, right)

    return all(map(one, node.conditions))
