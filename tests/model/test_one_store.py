"""Shapes, regions and bounds are one truth: what one proves of a size, none contradicts and the others know."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import SSAValue

from volcli.driver import Program, load
from volcli.expressions import Expression, dim_of
from volcli.model.bounds.answers import Verdict
from volcli.model.function import FunctionModel

ROOT = Path(__file__).parents[2] / "testdata"
FILES = sorted(path for path in ROOT.rglob("*.mlir") if "errors" not in path.parts)


def dynamic_sizes(model: FunctionModel) -> Iterator[tuple[SSAValue, int]]:
    """The sizes of the function's values that no type declares."""
    for value in model.values():
        if isinstance(value.type, ShapedType):
            shape = value.type.get_shape()
            yield from ((value, d) for d, size in enumerate(shape) if size == DYNAMIC_INDEX)


def disagreements(model: FunctionModel) -> Iterator[str]:
    """Where shapes and bounds say different things of one size, or one knows what the other does not."""
    for value, dimension in dynamic_sizes(model):
        name = f"dimension {dimension} of {model.name_of(value)}"
        form = model.shapes.forms(value)[dimension]
        found = model.assuming.bounds(value, dimension)
        if found.never:
            continue
        numbers = (found.lower.constant, found.upper.constant)
        size = form.expression
        if size.is_constant != (numbers[0] is not None and numbers[0] == numbers[1]) or (
            size.is_constant and numbers[0] != size.constant
        ):
            yield f"{name}: the shape says {size}, bounds {numbers}"
        elif size.is_constant and form.assumptions != found.assumptions:
            yield f"{name}: the shape assumes {form.assumptions}, bounds {found.assumptions}"
        elif proved(model, value, dimension, size) is not Verdict.PROVED:
            yield f"{name}: bounds do not prove that it is {size}"


def proved(model: FunctionModel, value: SSAValue, dimension: int, size: Expression) -> Verdict:
    store = model.bounds
    difference = store.definitions.resolve(dim_of(value, dimension)) - store.definitions.resolve(size)
    return store.compare_to_zero(difference, "==", value).verdict


def models(program: Program) -> Iterator[FunctionModel]:
    return (model for unit in program.units for model in unit.models())


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_shapes_and_bounds_of_the_examples_agree(path: Path) -> None:
    program = load(str(path), split=True)
    assert [each for model in models(program) for each in disagreements(model)] == []
