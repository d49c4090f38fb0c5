"""Receptive fields of random networks against an enumeration, which perturbed inputs confirm."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracles.networks.networks import Network, Point, Tensor, drawn
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
    """All that elements of X reach of the input, along a DIMENSION of SIZE, is in WINDOW, which is as large."""
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
    if window.exact and is_inner:
        assert widest + 1 == min(size, window.size), (x.name, dimension)


@pytest.mark.parametrize("seed", seeds(40, 4000))
def test_windows_hold_what_is_reached(seed: int) -> None:
    net, result = drawn(seed)
    found = windows(net, result)
    for name, x in net.values.items():
        for dimension, window in enumerate(found[name]):
            if window is not None:
                check(x, window, dimension, net.shape[dimension])
        if not found[name]:
            assert not any(x.reached.values())


@pytest.mark.parametrize("seed", seeds(6, 400))
def test_what_is_reached_is_what_changes(seed: int) -> None:
    net, result = drawn(seed)
    function = loads(net.text(result)).function("net")
    data = np.random.default_rng(seed).integers(1, 4, net.shape).astype(np.float32)
    (before,) = function.run(Inputs(elements={"x": data})).results
    for index in np.ndindex(net.shape):
        data[index] += 1
        (after,) = function.run(Inputs(elements={"x": data})).results
        data[index] -= 1
        changed = {point for point, reached in result.reached.items() if index in reached}
        assert {tuple(map(int, each)) for each in np.argwhere(after != before)} == changed
