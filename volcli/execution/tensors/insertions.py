"""What the iterations of scf.forall insert into tensors that all of them share: done when all have run.

Two iterations that insert an element race. Each inserts a box of elements, a range of indices in each
dimension; two boxes share an element if their ranges do in all dimensions. Sorted by their first indices, a
box is compared with those alone that begin before it ends.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false
# Values are numbers of any type, and arrays of any dtype.

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation

from volcli.execution.demand.demand import DeferredTensor
from volcli.execution.memory.races import race
from volcli.execution.numbers.values import Tensor


@dataclass(frozen=True)
class InsertedBox:
    """OP inserts a box of elements, a range in each dimension, into `target`, in an `iteration`.

    `insert` makes what `target` then is of what it is without that. The iteration is None if no races are
    looked for, or they were seen.
    """

    op: Operation
    target: Tensor
    box: Sequence[range]
    iteration: tuple[int, ...] | None
    insert: Callable[[Tensor], Tensor]


def shared(output: Tensor) -> Tensor:
    """OUTPUT as a tensor of its own, whose elements are on demand if those of OUTPUT are."""
    if isinstance(output, DeferredTensor):
        return output.rearranged(lambda data: data)
    return Tensor(output.data, output.states)


def inserted_all(targets: Sequence[Tensor], insertions: Sequence[InsertedBox]) -> list[Tensor]:
    """TARGETS after INSERTIONS. Raises Undefined if two iterations insert an element."""
    found = dict(zip(map(id, targets), targets, strict=True))
    for target in targets:
        _check_apart([each for each in insertions if each.target is target and all(each.box)])
    for each in insertions:
        found[id(each.target)] = each.insert(found[id(each.target)])
    return [found[id(each)] for each in targets]


def _check_apart(insertions: Sequence[InsertedBox]) -> None:
    """Raises Undefined if two of INSERTIONS, into one tensor, share an element."""
    known = [(each, each.iteration) for each in insertions if each.iteration is not None]
    if len(known) < 2:
        return
    lows, highs = (
        np.array([[bound(row[0], row[-1]) for row in each.box] for each, _ in known]).reshape(len(known), -1)
        for bound in (min, max)
    )
    rank = lows.shape[1]
    order = np.argsort(lows[:, 0], kind="stable") if rank else np.arange(len(known))
    lows, highs = lows[order], highs[order]
    ends = np.searchsorted(lows[:, 0], highs[:, 0], "right") if rank else [len(known)] * len(known)
    for k, end in enumerate(ends):
        rest = slice(k + 1, int(end))
        near = ((lows[k] <= highs[rest]) & (lows[rest] <= highs[k])).all(axis=1)
        _check_pairs(known[order[k]], [known[j] for j in order[rest][near]])


def _check_pairs(
    one: tuple[InsertedBox, tuple[int, ...]], others: Iterable[tuple[InsertedBox, tuple[int, ...]]]
) -> None:
    for other in others:
        pairs = zip(one[0].box, other[0].box, strict=True)
        if one[1] != other[1] and all(not set(a).isdisjoint(b) for a, b in pairs):
            first, second = sorted((one, other), key=lambda each: each[1])
            raise race(second[0].op, first[1], second[1])
