"""Invalid operations of math: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, NoProblemTests, ProblemTests

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


class TestProblems(ProblemTests, NoProblemTests):
    invalid = INVALID
    valid = VALID
