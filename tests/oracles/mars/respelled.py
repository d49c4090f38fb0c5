"""Programs that do the same with other operations: parallel loops, and indices that are computed in i64.

The iterations of a loop may run in any order if no element that one of them writes is accessed by another one with
the same iterations of the loops around:

    affine.for %i { a[i, j] = b[i - 1] }       is    affine.parallel (%i) { ... }
    affine.for %i { a[i] = a[i - 1] }          stays
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace

from tests.oracles.mars.enumeration import Loop, Point, Program, Trace, execute
from tests.oracles.mars.tiles import Tiled


def respelled(chance: random.Random, tiled: Tiled) -> Tiled:
    """TILED with parallel loops, and other operations in its indices, by CHANCE."""
    program = tiled.program
    spelled = "cast" if program.spelled == "scf" and chance.random() < 0.4 else program.spelled
    nests = program.nests
    if chance.random() < 0.4:
        free = independent(program)
        nests = tuple(
            _parallel(chance, nest, {n for k, n in free if k == number}) for number, nest in enumerate(nests)
        )
    return replace(tiled, program=replace(program, spelled=spelled, nests=nests))


def independent(program: Program) -> set[tuple[int, str]]:
    """The loops, each by its nest and name, whose iterations may run in any order; none where a size is a symbol."""
    if program.symbols:
        return set()
    trace = execute(program)
    return {
        (place.nest, name)
        for place in trace.places.values()
        for depth, name in enumerate(place.loops)
        if name not in program.around and not _is_shared(trace, place.nest, depth, name)
    }


def races(program: Program) -> bool:
    """Whether a parallel loop of PROGRAM may not run in any order: it has no meaning."""
    free = independent(program)
    parallel = {
        (number, loop.name) for number, nest in enumerate(program.nests) for loop in _parallel_loops(nest)
    }
    return not parallel <= free


def _parallel_loops(loop: Loop) -> Iterator[Loop]:
    """LOOP and those in it that are parallel."""
    if loop.parallel:
        yield loop
    for each in loop.body:
        if isinstance(each, Loop):
            yield from _parallel_loops(each)


def _is_shared(trace: Trace, nest: int, depth: int, name: str) -> bool:
    """Whether two iterations of the loop NAME of NEST, at DEPTH, access an element, and one writes it."""
    touched: dict[tuple[str, Point, Point], set[int]] = defaultdict(set)
    written = set[tuple[str, Point, Point]]()
    for number, place in trace.places.items():
        if place.nest != nest or name not in place.loops:
            continue
        array = place.access.array
        for point, element, _ in trace.reads.get(number, ()):
            touched[array, element, point[:depth]].add(point[depth])
        for point, element in trace.writes.get(number, {}).items():
            touched[array, element, point[:depth]].add(point[depth])
            written.add((array, element, point[:depth]))
    return any(len(touched[each]) > 1 for each in written)


def _parallel(chance: random.Random, loop: Loop, free: Collection[str]) -> Loop:
    """LOOP, and those inside of it, as parallel loops where they are FREE to be, two times of three."""
    body = tuple(_parallel(chance, each, free) if isinstance(each, Loop) else each for each in loop.body)
    kind = ""
    if loop.name in free and not loop.sum and chance.random() < 0.67:
        kind = chance.choice(("parallel", "forall"))
    return replace(loop, body=body, parallel=kind)
