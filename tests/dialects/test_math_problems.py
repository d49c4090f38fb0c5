"""Invalid operations of math: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

import pytest

from tests.dialects.problem_cases import Invalid, analysed, answers, said

INVALID: dict[str, Invalid] = {
    "math same": Invalid.within("%x: f32, %y: f64", '%r = "math.fma"(%x, %x, %y) : (f32, f32, f64) -> f32'),
    "math same1": Invalid.within("%x: f32, %y: f64", '%r = "math.exp"(%x) : (f32) -> f64'),
    "math atan2": Invalid.within("%x: f32, %y: f64", '%r = "math.atan2"(%x, %y) : (f32, f64) -> f32'),
    "math isnan": Invalid.within(
        "%x: vector<4xf32>", '%r = "math.isnan"(%x) : (vector<4xf32>) -> vector<5xi1>'
    ),
    "math ctlz": Invalid.within("%x: i32, %y: i64", '%r = "math.ipowi"(%x, %y) : (i32, i64) -> i32'),
}

VALID: dict[str, str] = {
    "math encoding": Invalid.within(
        "%x: tensor<4xf32>", '%r = "math.absf"(%x) : (tensor<4xf32>) -> tensor<4xf32>'
    ).text,
    "fpowi": Invalid.within("%x: f32, %y: i64", "%r = math.fpowi %x, %y : f32, i64").text,
}


@pytest.mark.parametrize("name", list(INVALID))
def test_is_reported(name: str) -> None:
    case = INVALID[name]
    assert [code for code, *_ in said(case.text)][:1] == [case.code]


@pytest.mark.mlir
def test_messages_and_places_are_those_of_mlir_opt(mlir_opt: str) -> None:
    asked = answers(mlir_opt, [case.text for case in INVALID.values()])
    for (name, case), (answer, *_) in zip(INVALID.items(), asked, strict=True):
        assert said(case.text)[0][1:] == answer, name


@pytest.mark.parametrize("name", list(INVALID))
def test_the_rest_is_analysed(name: str) -> None:
    analysed(INVALID[name].text)


@pytest.mark.parametrize("name", list(VALID))
def test_what_is_valid_is_not_reported(name: str) -> None:
    assert said(VALID[name]) == []


@pytest.mark.mlir
def test_mlir_opt_accepts_what_is_valid(mlir_opt: str) -> None:
    assert answers(mlir_opt, list(VALID.values())) == [[] for _ in VALID]
