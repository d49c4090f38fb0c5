"""What values are as volumes: slices and views by enumeration, packed layouts by counting."""

from __future__ import annotations

import json
from itertools import product

import islpy as isl
import jsonschema
import pytest

import volcli
from tests.conftest import ROOT, Run
from tests.oracles.elements.compare import enumerate_set
from volcli.facts.volumes import VolumeFact
from volcli.model.volumes.domains.packing import packed_index

PROGRAM = ROOT / "testdata" / "regions" / "volumes.mlir"


def volume(value: str, function: str = "volumes") -> VolumeFact:
    facts = volcli.load(PROGRAM).function(function).volumes()
    return next(fact for fact in facts if fact.value == value)


@pytest.mark.parametrize(
    ("value", "offset", "size", "stride"),
    [("%band", [1, 2], [4, 4], [1, 1]), ("%strided", [0, 1], [3, 4], [2, 2])],
)
def test_a_slice_is_its_offset_and_stride(
    value: str, offset: list[int], size: list[int], stride: list[int]
) -> None:
    fact = volume(value)
    assert (fact.kind, fact.source) == ("slice", "%upper")
    assert fact.slice is not None
    found = [[int(text) for text in each] for each in (fact.slice.offset, fact.slice.size, fact.slice.stride)]
    assert found == [offset, size, stride]
    element_map = volcli.load(PROGRAM).function("volumes").element_map(value, to="%upper").map
    assert element_map is not None
    read = enumerate_set(isl.Map.from_union_map(element_map).wrap().flatten())
    points = product(*map(range, size))
    assert read == {
        (*point, *(o + i * s for o, i, s in zip(offset, point, stride, strict=True))) for point in points
    }


def test_a_rank_that_is_reduced_stays_where_it_is() -> None:
    fact = volume("%row")
    assert fact.slice is not None
    assert (fact.slice.offset, fact.slice.size, fact.slice.stride) == (("n", "0"), ("1", "8"), ("0", "1"))


def test_why_a_view_is_no_slice() -> None:
    turned = volume("%turned")
    assert (turned.kind, turned.slice) == ("view", None)
    assert str(turned.reason).startswith("its dimensions are in another order")
    assert volume("%flat").kind == "view"


def test_arrays_and_scalars() -> None:
    assert (volume("%empty").kind, volume("%empty").is_box, volume("%scalar").kind) == (
        "array",
        True,
        "scalar",
    )


def test_a_domain_that_is_no_box_has_a_hull() -> None:
    fact = volume("%m", "triangle")
    assert (fact.kind, fact.is_box) == ("volume", False)
    assert fact.hull is not None
    assert (fact.hull.offset, fact.hull.size) == (("0", "0"), ("min(m_d0, m_d1)", "m_d1"))


DOMAINS = {
    "upper triangle": "[N] -> { [i, j] : 0 <= i < N and i <= j < N }",
    "lower triangle": "[N] -> { [i, j] : 0 <= i < N and 0 <= j <= i }",
    "trapezium": "[N] -> { [i, j] : 0 <= i < 4 and i <= j < N + 2i and N >= 1 }",
    "parallelogram": "[N] -> { [i, j] : 0 <= i < N and 2i + 1 <= j <= 2i + 3 }",
    "few rows": "[N] -> { [i, j] : 0 <= i < 3 and i <= j < N }",
}


@pytest.mark.parametrize("name", DOMAINS)
def test_a_packed_layout_is_dense(name: str) -> None:
    domain = isl.Set(DOMAINS[name])
    text = packed_index(domain, ("i", "j"))
    assert text is not None
    for size in range(7):
        instance = domain.fix_val(isl.dim_type.param, 0, isl.Val(size)).project_out_all_params()
        elements = sorted(enumerate_set(instance))
        places = [
            eval(text.replace("^", "**"), {"i": i, "j": j, "N": size})  # an expression of three numbers
            for i, j in elements
        ]
        assert places == list(range(len(elements)))


@pytest.mark.parametrize(
    "domain",
    [
        "{ [i, j] : 0 <= i < 8 and 0 <= j < 8 and (i + j) mod 2 = 0 }",
        "{ [i, j] : 0 <= i < 8 and i - 2 <= j <= i + 2 and 0 <= j < 8 }",
        "{ [i] : 0 <= i < 8 }",
    ],
)
def test_no_polynomial_is_said_where_there_is_none(domain: str) -> None:
    assert packed_index(isl.Set(domain), ("i", "j")) is None


@pytest.mark.slow
def test_answers_are_as_the_schema_says(volcli: Run) -> None:
    ran = volcli("analyze", str(PROGRAM.relative_to(ROOT)), "--ask", "volumes", "--format", "json")
    jsonschema.validate(json.loads(ran.stdout), json.loads((ROOT / "docs" / "facts.schema.json").read_text()))


def test_dimensions_of_one_element_that_go_are_no_indices() -> None:
    """`%1[i, j]` is `%0[i, j, 0, 0, 0]`: the collapsed dimensions are loops of one iteration."""
    text = """func.func @f(%t: tensor<12x42x1x1xf32>) -> tensor<12x42xf32> {
      %0 = tensor.expand_shape %t [[0], [1], [2], [3, 4]] output_shape [12, 42, 1, 1, 1]
        : tensor<12x42x1x1xf32> into tensor<12x42x1x1x1xf32>
      %1 = tensor.collapse_shape %0 [[0], [1, 2, 3, 4]] : tensor<12x42x1x1x1xf32> into tensor<12x42xf32>
      return %1 : tensor<12x42xf32>
    }"""
    program = volcli.loads(text)
    fact = next(each for each in program.function("f").volumes() if each.value == "%1")
    assert program.diagnostics == []
    assert (fact.kind, fact.source) == ("slice", "%0")
    assert fact.slice is not None
    assert (fact.slice.offset, fact.slice.size) == (("0",) * 5, ("12", "42", "1", "1", "1"))
    assert fact.slice.stride == ("1", "1", "0", "0", "0")
