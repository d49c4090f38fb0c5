"""The statements of loops in another order: interchanged, tiled, fused, in lanes, backwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tests.oracles.nests.programs import Loop, Node, walk

Points = tuple[tuple[int, ...], ...]


def bands(outer: Loop) -> Iterator[Loop]:
    """The loop OUTER and the one in it in other orders; what stands around the inner loop is sunk into it."""
    inner = next(node for node in outer.body if isinstance(node, Loop))
    body = replaced(outer.body, inner, inner.body)
    points: Points = tuple((*p, *q) for p in outer.points for q in inner.points)
    interchanged = tuple(sorted(points, key=lambda p: (p[1], p[0])))
    tiled = tuple(sorted(points, key=lambda p: (p[0] // 2, p[1] // 2, p)))
    columns = tuple(sorted(points, key=lambda p: (p[1] // 2, p[0] // 2, p[1], p[0])))
    for order in (interchanged, tiled, columns):
        yield Loop((*outer.ivs, *inner.ivs), order, body)


def fused(first: Loop, second: Loop) -> Iterator[Loop]:
    """One loop with the bodies of both; if it has no order, in several ones."""
    one = replace(first, body=(*first.body, *second.body))
    yield one
    if first.is_parallel:
        yield from reordered(one)


def reordered(loop: Loop) -> Iterator[Loop]:
    """LOOP backwards, and from the middle."""
    middle = len(loop.points) // 2
    yield replace(loop, points=loop.points[::-1])
    yield replace(loop, points=(*loop.points[middle:], *loop.points[:middle]))


def in_lanes(loop: Loop, lanes: int) -> tuple[Node, ...]:
    """LANES iterations at a time: each statement for all of them, before the next statement."""
    found: list[Node] = []
    for start in range(0, len(loop.points), lanes):
        group = loop.points[start : start + lanes]
        found += (Loop(loop.ivs, group, (statement,)) for statement in loop.body)
    return tuple(found)


def replaced(nodes: Sequence[Node], old: Loop, new: Sequence[Node]) -> tuple[Node, ...]:
    """NODES with NEW for the loop OLD, wherever it is."""
    found: list[Node] = []
    for node in nodes:
        if node is old:
            found += new
        elif isinstance(node, Loop) and any(inner is old for inner in walk(node.body)):
            found.append(replace(node, body=replaced(node.body, old, new)))
        else:
            found.append(node)
    return tuple(found)
