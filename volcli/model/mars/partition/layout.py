r"""A layout of MARS in memory in which as many consumers as possible read few contiguous bursts.

The MARS that belong to one tile follow each other in memory in some order. A consumer reads those whose
consumers it is among: one burst for each run of neighbours. Counted over all consumers, an order π of the
sets with the consumers C_1, ..., C_n has

    bursts(π) = 1/2 · sum of |C_π(k) Δ C_π(k+1)|, k = 0 ... n,   with C_π(0) and C_π(n+1) empty

since a run begins or ends where one of two neighbours has the consumer and the other has not. That is the
length of a tour through the sets and one empty set under the Hamming distance: the shortest one is found by
dynamic programming over subsets (Held and Karp 1962) for up to 12 sets, and by exchanging two edges (2-opt,
Croes 1958) for more.

The set of an input array belongs to the least of its consumers; what a tile produces belongs to that tile.

>>> best_order([frozenset("ab"), frozenset("c"), frozenset("bc")])
((0, 2, 1), 3)
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

from volcli.limits import mars as limits

Consumers = frozenset[Hashable]


def best_order(consumers: Sequence[Consumers]) -> tuple[tuple[int, ...], int]:
    """An order of sets with these CONSUMERS, and how many bursts it has: the fewest, for up to 12 sets."""
    if not consumers:
        return (), 0
    order = _shortest(consumers) if len(consumers) <= limits.ORDERED_SETS else _improved(consumers)
    backwards = order[::-1]
    order = min(order, backwards)
    return tuple(order), bursts(consumers, order)


def bursts(consumers: Sequence[Consumers], order: Sequence[int]) -> int:
    """How many runs of neighbours the consumers read, in ORDER.

    >>> bursts([frozenset("ab"), frozenset("c"), frozenset("bc")], (0, 1, 2))
    4
    """
    nobody: Consumers = frozenset()
    path = [nobody, *(consumers[k] for k in order), nobody]
    return sum(len(a ^ b) for a, b in pairwise(path)) // 2


def _distances(consumers: Sequence[Consumers]) -> list[list[int]]:
    """Hamming distances; the last one is the empty set."""
    every = [*consumers, frozenset[Hashable]()]
    return [[len(a ^ b) for b in every] for a in every]


def _shortest(consumers: Sequence[Consumers]) -> list[int]:
    """Held and Karp: the shortest path from the empty set through each subset to each member."""
    count, distance = len(consumers), _distances(consumers)
    best: dict[tuple[int, int], tuple[int, int]] = {(1 << k, k): (distance[-1][k], -1) for k in range(count)}
    for subset in range(1, 1 << count):
        for last in range(count):
            known = best.get((subset, last))
            if known is None:
                continue
            for after in range(count):
                if subset & (1 << after):
                    continue
                key, length = (subset | 1 << after, after), known[0] + distance[last][after]
                if key not in best or (length, last) < best[key]:
                    best[key] = (length, last)
    everything = (1 << count) - 1
    last = min(range(count), key=lambda k: (best[everything, k][0] + distance[k][-1], k))
    order: list[int] = []
    subset = everything
    while last >= 0:
        order.append(last)
        subset, last = subset ^ (1 << last), best[subset, last][1]
    return order[::-1]


def _improved(consumers: Sequence[Consumers]) -> list[int]:
    """Nearest neighbours, from the empty set on; then two edges are exchanged while that helps."""
    distance = _distances(consumers)
    rest, last = list(range(len(consumers))), -1
    order: list[int] = []
    while rest:
        last = min(rest, key=lambda k: (distance[last][k], k))
        rest.remove(last)
        order.append(last)
    tour = [-1, *order, -1]
    changed = True
    while changed:
        changed = False
        for i in range(1, len(tour) - 2):
            for j in range(i + 1, len(tour) - 1):
                before = distance[tour[i - 1]][tour[i]] + distance[tour[j]][tour[j + 1]]
                after = distance[tour[i - 1]][tour[j]] + distance[tour[i]][tour[j + 1]]
                if after < before:
                    tour[i : j + 1] = tour[i : j + 1][::-1]
                    changed = True
    return tour[1:-1]
