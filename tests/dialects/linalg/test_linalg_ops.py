"""Every row of the table of named operations, and the other structured operations, against mlir-opt-22."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg.abstract_ops import LinalgStructuredOperation
from xdsl.utils.exceptions import ParseError

from tests.dialects.conftest import Ask, printed, read
from tests.dialects.linalg.linalg_regions import REGIONS
from tests.dialects.linalg.linalg_units import UNITS, function, unit
from volcli_dialects.linalg.named_ops import NAMED_OPS, Row
from volcli_dialects.linalg.structured import NAMED_CLASSES, NamedOp

NAMES = list(UNITS)
GROUPS = [NAMES[k::40] for k in range(40)]
"""A test for each of 420 takes longer to collect, start and report than to run."""


def structured(module: ModuleOp) -> list[LinalgStructuredOperation]:
    return [op for op in module.walk() if isinstance(op, LinalgStructuredOperation)]


def loops(op: LinalgStructuredOperation) -> tuple[str, str]:
    return str(op.get_indexing_maps()), str(op.get_iterator_types())


@pytest.mark.sample(1)
@pytest.mark.parametrize("names", GROUPS)
def test_what_is_printed_is_read_as_the_same(names: list[str]) -> None:
    for name in names:
        first = printed(read(UNITS[name]), generic=True)
        assert printed(read(printed(read(UNITS[name]))), generic=True) == first, name
        assert printed(read(first), generic=True) == first, name


@pytest.fixture(scope="module")
def generic(ask: Ask) -> dict[str, str]:
    """Each unit in mlir-opt's generic form."""
    return dict(zip(NAMES, ask(list(UNITS.values()), "-mlir-print-op-generic"), strict=True))


@pytest.mark.slow
@pytest.mark.mlir
@pytest.mark.parametrize("is_generic", [False, True], ids=["custom", "generic"])
def test_what_is_printed_is_the_same_program(ask: Ask, generic: dict[str, str], is_generic: bool) -> None:
    texts = [printed(read(text), is_generic) for text in UNITS.values()]
    for name, answer in zip(NAMES, ask(texts, "-mlir-print-op-generic"), strict=True):
        assert answer == generic[name], name


@pytest.mark.slow
@pytest.mark.mlir
@pytest.mark.parametrize("names", GROUPS)
def test_the_generic_text_of_mlir_opt_is_read(names: list[str], generic: dict[str, str]) -> None:
    for name in names:
        ours = [(op.name, *loops(op)) for op in structured(read(UNITS[name]))]
        assert [(op.name, *loops(op)) for op in structured(read(generic[name]))] == ours, name


@pytest.fixture(scope="module")
def generalized(ask: Ask) -> dict[str, str]:
    """Each unit with its operations turned into linalg.generic by mlir-opt."""
    answers = ask(list(UNITS.values()), "--linalg-generalize-named-ops", "--mlir-print-local-scope")
    return dict(zip(NAMES, answers, strict=True))


@pytest.mark.slow
@pytest.mark.mlir
@pytest.mark.parametrize("names", GROUPS)
def test_loops_are_those_of_the_generalized_operation(names: list[str], generalized: dict[str, str]) -> None:
    for name in names:
        ours = [loops(op) for op in structured(read(UNITS[name]))]
        assert [loops(op) for op in structured(read(generalized[name]))] == ours, name


@pytest.mark.sample(4)
@pytest.mark.parametrize("row", NAMED_OPS.values(), ids=list(NAMED_OPS))
def test_iterators_have_the_letters_of_the_table(row: Row) -> None:
    (op,) = structured(read(unit(row, "tensor")))
    assert isinstance(op, NamedOp)
    assert type(op) is NAMED_CLASSES[row.name]
    assert op.iterator_names == row.iterator_names
    assert op.iterator_names is None or len(op.iterator_names) == len(op.get_iterator_types())
    assert len(op.inputs) == row.input_count
    assert [output.type for output in op.outputs] == [result.type for result in op.res]


def test_maps_are_computed_once_for_each_window() -> None:
    row = NAMED_OPS["conv_2d_nhwc_hwcf"]
    assert row.indexing_maps((2, 1), (1, 1)) is row.indexing_maps((2, 1), (1, 1))
    assert row.indexing_maps((2, 1), (1, 1)) != row.indexing_maps((1, 2), (1, 1))


def test_strides_and_dilations_are_one_where_absent() -> None:
    text = UNITS["conv_2d_nchw_fchw defaults"]
    (op,) = structured(read(text))
    assert isinstance(op, NamedOp)
    assert op.window == ((1, 1), (1, 1))
    (op,) = structured(read(UNITS["conv_2d_nchw_fchw splat"]))
    assert isinstance(op, NamedOp)
    assert op.window == ((2, 2), (1, 1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (function("linalg.add", "", ["tensor<4xf32>"] * 2), "expects 2 inputs and 1 output"),
        (function("linalg.exp", "", ["tensor<4xi32>"] * 2), "linalg has no exp on i32"),
        (function("linalg.add", "", ["tensor<4xindex>"] * 3), "linalg has no add on index"),
        (
            UNITS["conv_2d_nchw_fchw defaults"].replace(
                "fchw ", "fchw {strides = dense<[1, 2, 3]> : tensor<3xi64>} "
            ),
            "expected 2 integers",
        ),
        (UNITS["elementwise exp"].replace("<exp>", "<sin>"), "expected one of: exp, log"),
        (REGIONS["generic"].replace('"parallel"', '"spiral"'), "'spiral' is not a valid IteratorType"),
        (REGIONS["generic"].replace("iterator_types", "types"), "expected iterator_types"),
        (REGIONS["map"].replace("math.exp", "9"), "operation name expected"),
        (REGIONS["softmax and Winograd"].replace("F_4_3", "F_1_1"), "expected one of: F_2_3, F_4_3, F_2_5"),
    ],
)
def test_unreadable_operations_say_why(text: str, reason: str) -> None:
    with pytest.raises(ParseError) as error:
        read(text)
    assert reason in str(error.value)
