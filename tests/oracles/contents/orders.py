"""Random functions whose loops have no order, and that see bytes as numbers; what is true in each order.

The execution is one of this file alone. An element of memory is a byte of %q, or a number of the others, and has
a set of leaves: the elements of arguments that it is computed from. Operations of different iterations of a
parallel loop may follow in any order, those of one in the order of the text.

    scf.parallel %i = 0 to 2 { %v = load %a[%i]; store %v, %q as f32[0] }      either iteration may be the last
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import volcli
from tests.oracles.contents import truth
from volcli.facts.flow import WriteFact
from volcli.facts.maps import MapFact
from volcli.presburger.sets.points import has_point

Leaf = tuple[str, tuple[int, ...]]
Element = tuple[str, int]
Contents = tuple[tuple[Element, frozenset[Leaf]], ...]
"""The leaves of each element, in the order of their names."""

SHAPES: Mapping[str, tuple[int, ...]] = {"%a": (6,), "%b": (6,), "%q": (24,)}
"""The shapes of the arguments of @f."""
_MARK: Leaf = ("mark", ())
_SEEN: Element = ("seen", 0)

_PLACES = {"%a": ("%a", 1, 0), "%b": ("%b", 1, 0), "%v": ("%q", 4, 0), "%w": ("%q", 4, 4), "%h": ("%q", 2, 0)}
"""What a memref is: a buffer, how many of its elements are one of the memref, and where they begin."""
_SIZES = {"%a": 6, "%b": 6, "%v": 6, "%w": 5, "%h": 12}
_NUMBER = {"%h": "i16"}


@dataclass(frozen=True)
class Access:
    """`memref[factor * i + offset]` is loaded, or the number of an earlier load stored there."""

    memref: str
    factor: int
    offset: int
    loaded: int
    is_store: bool

    def elements(self, iteration: int) -> list[Element]:
        """Those of the buffer."""
        buffer, count, first = _PLACES[self.memref]
        at = first + count * (self.factor * iteration + self.offset)
        return [(buffer, at + k) for k in range(count)]


@dataclass(frozen=True)
class Loop:
    """So many iterations of accesses, in any order if it is parallel."""

    trips: int
    is_parallel: bool
    body: tuple[Access, ...]


def drawn(seed: int) -> list[Loop]:
    """One to three loops."""
    chance = random.Random(seed)
    return [_loop(chance) for _ in range(chance.randint(1, 3))]


def _loop(chance: random.Random) -> Loop:
    trips, body, kinds = chance.randint(2, 3), list[Access](), ["f32", "f32", "f32", "i16"]
    kind = chance.choice(kinds)
    for number in range(chance.randint(1, 2)):
        for is_store in (False, True):
            named = [each for each in _PLACES if _NUMBER.get(each, "f32") == kind]
            memref = chance.choice(named)
            factor = chance.choice((0, 1, 1, 1, 2, -1))
            moved = factor * (trips - 1)
            least, most = max(0, -moved), _SIZES[memref] - 1 - max(0, moved)
            body.append(Access(memref, factor, chance.randint(least, min(most, least + 2)), number, is_store))
    return Loop(trips, chance.random() < 0.7, tuple(body))


def text(loops: Sequence[Loop]) -> str:
    """A function @f of these loops."""
    lines = [
        "func.func @f(%a: memref<6xf32>, %b: memref<6xf32>, %q: memref<24xi8>) {",
        "  %c0 = arith.constant 0 : index",
        "  %c4 = arith.constant 4 : index",
        "  %v = memref.view %q[%c0][] : memref<24xi8> to memref<6xf32>",
        "  %w = memref.view %q[%c4][] : memref<24xi8> to memref<5xf32>",
        "  %h = memref.view %q[%c0][] : memref<24xi8> to memref<12xi16>",
    ]
    for number, loop in enumerate(loops):
        name = "affine.parallel (%i) = (0) to" if loop.is_parallel else "affine.for %i = 0 to"
        bound = f"({loop.trips})" if loop.is_parallel else str(loop.trips)
        lines.append(f"  {name} {bound} {{")
        for each in loop.body:
            kind = f"memref<{_SIZES[each.memref]}x{_NUMBER.get(each.memref, 'f32')}>"
            place, loaded = f"{each.memref}[{each.factor} * %i + {each.offset}]", f"%x{number}_{each.loaded}"
            access = f"affine.store {loaded}, " if each.is_store else f"{loaded} = affine.load "
            lines.append(f"    {access}{place} : {kind}")
        lines.append("  }")
    return "\n".join([*lines, "  return", "}", ""])


def outcomes(loops: Sequence[Loop], marked: tuple[Access, int] | None = None) -> set[Contents]:
    """What memory may contain in the end: each is one order's.

    What a MARKED access stores in an iteration has one leaf more, as has _SEEN once something loads that.
    """
    start = (
        ((name, k), frozenset([(name.removeprefix("%"), (k,))]))
        for name, shape in SHAPES.items()
        for k in range(shape[0])
    )
    found: set[Contents] = {tuple(sorted(start, key=_element))}
    for loop in loops:
        found = {after for before in found for after in _after(before, loop, marked)}
    return found


def _element(item: tuple[Element, frozenset[Leaf]]) -> Element:
    return item[0]


_State = tuple[tuple[int, ...], Contents, tuple[tuple[tuple[int, int], frozenset[Leaf]], ...]]
"""How far each iteration is, what memory contains, and what was loaded."""


def _after(memory: Contents, loop: Loop, marked: tuple[Access, int] | None) -> Iterator[Contents]:
    """What MEMORY may contain after LOOP: each state of what has run and what was loaded is seen once."""
    start: _State = (0,) * loop.trips, memory, ()
    pending, seen = [start], {start}
    while pending:
        done, contents, loaded = pending.pop()
        ready = [i for i in range(loop.trips) if done[i] < len(loop.body)]
        if not ready:
            yield contents
        for i in ready if loop.is_parallel else ready[:1]:
            state, numbers = dict(contents), dict(loaded)
            access = loop.body[done[i]]
            if access.is_store:
                mark = {_MARK} if marked is not None and access is marked[0] and i == marked[1] else set()
                state.update(dict.fromkeys(access.elements(i), numbers[i, access.loaded] | mark))
            else:
                parts = (state[at] for at in access.elements(i))
                numbers[i, access.loaded] = frozenset(leaf for part in parts for leaf in part)
                if _MARK in numbers[i, access.loaded]:
                    state[_SEEN] = frozenset([_MARK])
            further = tuple(n + (k == i) for k, n in enumerate(done))
            new: _State = (
                further,
                tuple(sorted(state.items(), key=_element)),
                tuple(sorted(numbers.items(), key=lambda item: item[0])),
            )
            if new not in seen:
                seen.add(new)
                pending.append(new)


def judge(loops: Sequence[Loop]) -> tuple[int, int]:
    """How many maps of @f are exact, and how many are not: an exact one is so in each order of LOOPS.

    Another one has no less than any order gives. Memory that has no map has not changed, and a store is dead
    only if no order lets another access, or the caller, see what it stores.
    """
    ends = [dict(contents) for contents in outcomes(loops)]
    program = volcli.loads(text(loops)).run("element-maps").run("memory-flow")
    assert not [each for each in program.diagnostics if each.code == "V900"]
    maps = {fact.value: fact for fact in program.facts if isinstance(fact, MapFact)}
    for name, (size,) in SHAPES.items():
        fact = maps.get(name)
        stated = {} if fact is None or fact.map is None else truth.stated(fact, SHAPES)
        for k in range(size if fact is None or fact.map is not None else 0):
            own = frozenset([(name.removeprefix("%"), (k,))])
            said = stated.get((k,), frozenset()) if fact is not None else own
            for end in ends:
                real = end[name, k]
                assert real == said if fact is None or fact.exact else real <= said, (name, k)
    writes = [fact for fact in program.facts if isinstance(fact, WriteFact)]
    stores = [(loop, each) for loop in loops for each in loop.body if each.is_store]
    for fact, (loop, access) in zip(writes, stores, strict=True):
        for i in range(loop.trips) if fact.dead is not None else ():
            if fact.is_wholly_dead or (fact.dead is not None and has_point(fact.dead.set, (i,))):
                ends = [dict(contents) for contents in outcomes(loops, (access, i))]
                assert not any(_MARK in leaves for end in ends for leaves in end.values()), (fact.subject, i)
    known = [fact for fact in maps.values() if fact.map is not None]
    return sum(fact.exact for fact in known), sum(not fact.exact for fact in known)
