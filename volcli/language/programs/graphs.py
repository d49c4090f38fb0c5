"""Directed graphs, as functions from a node to those that it leads to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def components(roots: Iterable[Node], successors: Callable[[Node], Iterable[Node]]) -> Iterator[list[Node]]:
    """The strongly connected components of what is reached from ROOTS, each after those that it leads to.

    Two nodes are in one component if each leads to the other; a node that leads to no other one is a
    component of its own. (R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1,
    1972: each node and each edge is visited once.)

    >>> leads = {"a": "b", "b": "ac", "c": ""}
    >>> [sorted(each) for each in components("a", lambda node: leads[node])]
    [['c'], ['a', 'b']]
    """
    found: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    finished: set[Node] = set()
    stack: list[Node] = []
    for root in roots:
        if root in found:
            continue
        found[root] = lowest[root] = len(found)
        stack.append(root)
        path = [(root, iter(successors(root)))]
        while path:
            node, following = path[-1]
            for each in following:
                if each not in found:
                    found[each] = lowest[each] = len(found)
                    stack.append(each)
                    path.append((each, iter(successors(each))))
                    break
                if each not in finished:
                    lowest[node] = min(lowest[node], found[each])
            else:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[node])
                if lowest[node] == found[node]:
                    component = [stack.pop()]
                    while component[-1] is not node:
                        component.append(stack.pop())
                    finished.update(component)
                    yield component
