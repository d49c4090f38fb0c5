"""Receptive fields of random networks against an enumeration, which perturbed inputs confirm."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.oracles.networks.networks import Network, Point, Tensor, drawn, merged, split, swapped
from tests.shared.seeds import seeds
from volcli import loads
from volcli.execution.runs.inputs import Inputs
from volcli.model.volumes.maps.receptive_fields import ReceptiveFields
from volcli.model.volumes.maps.windows import ReceptiveWindow


def windows(net: Network, result: Tensor) -> dict[str, tuple[ReceptiveWindow | None, ...]]:
    (unit,) = loads(net.text(result)).units
    (model,) = unit.models()
    found: dict[str, tuple[ReceptiveWindow | None, ...]] = {}
    for value in model.values():
        view = model.view(value)
        fields = ReceptiveFields(view.store, view.relations).of(value)
        found[model.name_of(value)] = next(iter(fields.values()), ())
    return found


def check(x: Tensor, window: ReceptiveWindow, dimension: int, size: int) -> None:
    """All that elements of X reach of the input, along a DIMENSION of SIZE, is in WINDOW, which is as large.

    Some element has the whole window if one does that no padding cuts; but for parts of a concatenation, of
    which the widest may have none.
    """
    spans: dict[Point, tuple[int, int]] = {}
    for point, reached in x.reached.items():
        indices = [each[dimension] for each in reached]
        if indices:
            ends = window.at([point[move.along] for move in window.moves])
            assert ends is not None
            assert ends.low <= min(indices) <= max(indices) <= ends.high, (x.name, dimension, point)
            spans[point] = max(indices) - min(indices), ends.width
    if not spans:
        return
    widest = max(span for span, _ in spans.values())
    assert widest < window.size
    is_inner = any(point in x.inner and width + 1 == window.size for point, (_, width) in spans.items())
    if window.exact and is_inner and not x.is_joined:
        assert widest + 1 == min(size, window.size), (x.name, dimension)


@pytest.mark.parametrize("seed", seeds(30, 4000))
def test_windows_hold_what_is_reached(seed: int) -> None:
    net, result = drawn(seed)
    found = windows(net, result)
    for name, x in net.values.items():
        for dimension, window in enumerate(found[name]):
            if window is not None:
                check(x, window, dimension, net.shape[dimension])
        if not found[name]:
            assert not any(x.reached.values())


def upsampled() -> tuple[Network, Tensor]:
    """Half the resolution, and the whole one again beside what it was made of."""
    net = Network((1, 8))
    first = net.pooled(net.input, 1, 3, 1, 1, 1)
    low = net.pooled(net.pooled(first, 1, 2, 2, 1, 0), 1, 3, 1, 1, 1)
    return net, net.pooled(net.joined(net.upsampled(low, 1, 2), first, 0), 1, 3, 1, 1, 1)


def shuffled() -> tuple[Network, Tensor]:
    """Channels in another order between two convolutions of groups of two."""
    net = Network((6, 5))
    groups = net.pooled(split(net, net.input, 0, 2), 2, 3, 1, 1, 1)
    mixed = merged(net, swapped(net, groups, 0, 1), 0)
    return net, net.summed(net.pooled(split(net, mixed, 0, 2), 2, 3, 2, 1, 0), 1)


def in_depth() -> tuple[Network, Tensor]:
    """Blocks of 2 x 2 as channels, a convolution of these, and the resolution again."""
    net = Network((4, 6))
    blocks = split(net, split(net, net.input, 1, 2), 0, 2)
    deep = merged(net, swapped(net, blocks, 1, 2), 2)
    wide = net.pooled(net.dense(deep, 2, 4), 1, 3, 1, 1, 1)
    spread = swapped(net, split(net, wide, 2, 2), 1, 2)
    return net, merged(net, merged(net, spread, 0), 1)


def attentive() -> tuple[Network, Tensor]:
    """Two heads, in each of which a position is weighted by all others, and what they have beside it."""
    net = Network((4, 4))
    heads = net.transposed(split(net, net.input, 1, 2), (1, 0, 2))
    scores = net.product(heads, heads, 2, 2)
    mixed = merged(net, net.transposed(net.product(scores, heads, 2, 1), (1, 0, 2)), 1)
    return net, net.added(net.dense(mixed, 1, 4), net.input)


def classified() -> tuple[Network, Tensor]:
    """A convolution, a sum of each plane, all that is left as one dimension, and a dense layer."""
    net = Network((2, 3, 4))
    planes = net.pooled(net.pooled(net.input, 1, 2, 1, 1, 0), 2, 3, 1, 1, 1)
    return net, net.dense(net.reshaped(net.summed(planes, 2), (4,)), 0, 3)


NETWORKS = (upsampled, shuffled, in_depth, attentive, classified)


@pytest.mark.parametrize("make", NETWORKS)
def test_no_field_is_lost_in_networks_with_reshapes(make: Callable[[], tuple[Network, Tensor]]) -> None:
    net, result = make()
    found = windows(net, result)
    for name, x in net.values.items():
        for dimension, window in enumerate(found[name]):
            assert window is not None
            check(x, window, dimension, net.shape[dimension])
    smaller = [w for each in found.values() for w in each if w is not None and w.exact]
    assert len(smaller) > len(net.values)


@pytest.mark.parametrize("network", [*NETWORKS, *seeds(4, 400)])
def test_what_is_reached_is_what_changes(network: int | Callable[[], tuple[Network, Tensor]]) -> None:
    net, result = drawn(network) if isinstance(network, int) else network()
    seed = network if isinstance(network, int) else 0
    function = loads(net.text(result)).function("net")
    data = np.random.default_rng(seed).integers(1, 4, net.shape).astype(np.float32)
    (before,) = function.run(Inputs(elements={"x": data})).results
    for index in np.ndindex(net.shape):
        data[index] += 1
        (after,) = function.run(Inputs(elements={"x": data})).results
        data[index] -= 1
        changed = {point for point, reached in result.reached.items() if index in reached}
        assert {tuple(map(int, each)) for each in np.argwhere(after != before)} == changed
