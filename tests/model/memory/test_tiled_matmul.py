"""The weakest precondition of tiled matmuls, against all slices of all iterations for small sizes."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import islpy as isl
import pytest

import volcli
from tests.model.memory.tiled_programs import TILES_OF_TILES
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessVerdict
from volcli.model.memory.checks.calls.preconditions import precondition
from volcli.model.memory.loops.loops import LoopKind, Loops
from volcli.presburger.sets.build import DIM, number

TEXT = (Path(__file__).parents[3] / "testdata/memory/tiled_matmul.mlir").read_text()
MODELS = {m.name: m for text in (TEXT, TILES_OF_TILES) for m in volcli.loads(text).units[0].models()}
NAMES = ["dim(%a, 0)", "dim(%a, 1)", "dim(%b, 0)", "dim(%b, 1)", "dim(%c, 0)", "dim(%c, 1)", "%bs", "%cs"]


def stays_inside(name: str, m: int, k: int, kb: int, n: int, mc: int, nc: int, bs: int) -> bool:
    """Whether all slices of %b and %c, which are those in question, are inside, in all iterations."""
    for i, j in product(range(0, m, bs) if bs > 0 else (), range(0, n, bs) if bs > 0 else ()):
        reduced = range(0, k, bs) if name == "reduced" else (0,)
        for first in reduced:
            depth = min(bs, k - first) if name == "reduced" else k
            if first + depth > kb or i + min(bs, m - i) > mc or j + min(bs, n - j) > nc:
                return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_the_precondition_is_the_weakest(name: str) -> None:
    """The operands are at least as large as what is computed; larger ones are in bounds, too."""
    model = MODELS[name]
    answers = AccessChecks(model.memory).all()
    found = precondition(model.memory, [each.calls for each in answers if each.calls is not None])
    assert found is not None
    assert found.is_necessary
    assert found.is_sufficient
    for sizes in product(range(3), range(3), range(4), range(3), range(4), range(4), (-1, 0, 1, 2)):
        numbers = dict(zip(NAMES, (*sizes, 1), strict=True))
        point = isl.Point.zero(found.necessary.get_space())
        for position, each in enumerate(found.names):
            point = point.set_coordinate_val(DIM.set, position, number(numbers[each]))
        expected = stays_inside(name, *sizes)
        for points in (found.necessary, found.sufficient):
            assert isl.Set.from_point(point).is_subset(points) == expected


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", MODELS)
def test_loops_over_tiles_are_parallel(name: str) -> None:
    kinds = [each.kind for each in Loops(MODELS[name].memory).all()]
    assert LoopKind.UNKNOWN not in kinds
    assert all(each.verdict is not AccessVerdict.UNKNOWN for each in AccessChecks(MODELS[name].memory).all())
