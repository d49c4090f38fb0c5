"""Every operation of the dialects beside linalg, scf and affine: read, printed, and compared with mlir-opt-22."""

from __future__ import annotations

import pytest

from tests.dialects.conftest import Ask
from tests.dialects.roundtrip import (
    UNITS,
    assert_attributes_are_kept,
    assert_custom_syntax,
    assert_same_programs,
    marked,
    names,
    reprinted,
    units,
)

# affine and scf have test files of their own.
DIALECTS = sorted({path.stem for path in UNITS.glob("*.mlir")} - {"affine", "scf"})
EACH = [
    (dialect, name, text)
    for dialect in DIALECTS
    for name, text in zip(names(dialect), units(dialect), strict=True)
]
IDS = [f"{dialect} {name}" for dialect, name, _ in EACH]


@pytest.mark.sample(4)
@pytest.mark.parametrize(("dialect", "name", "text"), EACH, ids=IDS)
def test_print_is_a_fixed_point(dialect: str, name: str, text: str) -> None:
    once = reprinted(text)
    assert reprinted(once) == once


@pytest.mark.sample(4)
@pytest.mark.parametrize(("dialect", "name", "text"), EACH, ids=IDS)
def test_attributes_are_read_where_they_are_printed(dialect: str, name: str, text: str) -> None:
    once = marked(text, dialect)
    assert "my.attr = 1 : i64" in once
    assert reprinted(once) == once


@pytest.mark.slow
@pytest.mark.mlir
@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_same_programs(ask: Ask, dialect: str) -> None:
    assert_same_programs(ask, dialect)


@pytest.mark.sample(1)
@pytest.mark.mlir
@pytest.mark.parametrize("dialect", DIALECTS)
def test_custom_syntax(ask: Ask, dialect: str) -> None:
    assert_custom_syntax(ask, dialect)


@pytest.mark.slow
@pytest.mark.mlir
@pytest.mark.parametrize("dialect", DIALECTS)
def test_attributes_are_kept(ask: Ask, dialect: str) -> None:
    assert_attributes_are_kept(ask, dialect)
