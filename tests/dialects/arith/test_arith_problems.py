"""Invalid operations of arith: what is said of them, and where, is what mlir-opt 22 says."""

from __future__ import annotations

from tests.dialects.problem_cases import Invalid, ProblemTests

INVALID: dict[str, Invalid] = {
    "addf mixed": Invalid.within("%x: f32, %y: f64", '%r = "arith.addf"(%x, %y) : (f32, f64) -> f32'),
    "cmpi result": Invalid.within(
        "%x: i32", '%r = "arith.cmpi"(%x, %x) <{predicate = 0 : i64}> : (i32, i32) -> i32'
    ),
    "cmpi mixed": Invalid.within(
        "%x: i32, %y: i64", '%r = "arith.cmpi"(%x, %y) <{predicate = 0 : i64}> : (i32, i64) -> i1'
    ),
    "cmpi result vec": Invalid.within(
        "%x: vector<4xi32>",
        '%r = "arith.cmpi"(%x, %x) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> vector<5xi1>',
    ),
    "select cond": Invalid.within(
        "%c: i32, %x: f32", '%r = "arith.select"(%c, %x, %x) : (i32, f32, f32) -> f32'
    ),
    "select shape": Invalid.within(
        "%c: vector<5xi1>, %x: vector<4xf32>", "%r = arith.select %c, %x, %x : vector<5xi1>, vector<4xf32>"
    ),
    "select types": Invalid.within(
        "%c: i1, %x: f32, %y: f64", '%r = "arith.select"(%c, %x, %y) : (i1, f32, f64) -> f32'
    ),
    "constant type generic": Invalid.within("", '%r = "arith.constant"() <{value = 1 : i32}> : () -> i64'),
    "constant float generic": Invalid.within("", '%r = "arith.constant"() <{value = 1.0 : f32}> : () -> f64'),
    "constant signed": Invalid.within("", "%r = arith.constant 3 : si32"),
    "extf narrow": Invalid.within("%x: f64", "%r = arith.extf %x : f64 to f32"),
    "truncf wide": Invalid.within("%x: f32", "%r = arith.truncf %x : f32 to f64"),
    "extsi narrow": Invalid.within("%x: i64", "%r = arith.extsi %x : i64 to i32"),
    "extsi same": Invalid.within("%x: i64", "%r = arith.extsi %x : i64 to i64"),
    "trunci wide": Invalid.within("%x: i32", "%r = arith.trunci %x : i32 to i64"),
    "extsi shape": Invalid.within(
        "%x: vector<4xi32>", "%r = arith.extsi %x : vector<4xi32> to vector<5xi64>"
    ),
    "extsi shape2": Invalid.within("%x: i32", "%r = arith.extsi %x : i32 to vector<5xi64>"),
    "sitofp": Invalid.within("%x: f32", "%r = arith.sitofp %x : f32 to i32"),
    "fptosi": Invalid.within("%x: i32", "%r = arith.fptosi %x : i32 to f32"),
    "index_cast": Invalid.within("%x: i32", "%r = arith.index_cast %x : i32 to i64"),
    "index_cast float": Invalid.within("%x: f32", "%r = arith.index_cast %x : f32 to index"),
    "index_cast shape": Invalid.within(
        "%x: tensor<4xindex>", "%r = arith.index_cast %x : tensor<4xindex> to tensor<5xi32>"
    ),
    "bitcast": Invalid.within("%x: f32", "%r = arith.bitcast %x : f32 to i64"),
    "addi tensor shape": Invalid.within(
        "%x: tensor<4xi32>, %y: tensor<5xi32>",
        '%r = "arith.addi"(%x, %y) : (tensor<4xi32>, tensor<5xi32>) -> tensor<4xi32>',
    ),
}


class TestProblems(ProblemTests):
    invalid = INVALID
