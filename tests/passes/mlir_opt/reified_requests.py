"""Requests of test-affine-reify-value-bounds that mlir-opt refuses, and comparisons: arguments and operations."""

from __future__ import annotations

Request = tuple[str, str]
INDICES = "%a: index, %b: index"

INVALID: list[Request] = [
    ("%x: f32", '%r = "test.reify_bound"(%x) : (f32) -> index'),
    ("%x: i32", '%r = "test.reify_bound"(%x) : (i32) -> index'),
    ("%x: tensor<?xf32>", '%r = "test.reify_bound"(%x) : (tensor<?xf32>) -> index'),
    ("%x: index", '%r = "test.reify_bound"(%x) {dim = 0 : i64} : (index) -> index'),
    ("%x: tensor<?xf32>", '%r = "test.reify_bound"(%x) {dim = 1 : i64} : (tensor<?xf32>) -> index'),
    ("%x: tensor<?xf32>", '%r = "test.reify_bound"(%x) {dim = -1 : i64} : (tensor<?xf32>) -> index'),
    ("%x: tensor<?xf32>", '%r = "test.reify_bound"(%x) {dim = 0 : i32} : (tensor<?xf32>) -> index'),
    ("%x: tensor<?xf32>", '%r = "test.reify_bound"(%x) {dim = 0 : index} : (tensor<?xf32>) -> index'),
    ("%x: tensor<*xf32>", '%r = "test.reify_bound"(%x) {dim = 0 : i64} : (tensor<*xf32>) -> index'),
    ("%x: memref<*xf32>", '%r = "test.reify_bound"(%x) {dim = 0 : i64} : (memref<*xf32>) -> index'),
    ("%x: complex<f32>", '%r = "test.reify_bound"(%x) {dim = 0 : i64} : (complex<f32>) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {type = "XX"} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {type = 3 : i64} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {type = "lb"} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {constant = 1 : i64} : (index) -> index'),
    (
        INDICES,
        '%r = "test.reify_bound"(%a) {constant, scalable, vscale_min = 1 : i64, vscale_max = 2 : i64} : (index) -> index',
    ),
    (INDICES, '%r = "test.reify_bound"(%a) {scalable} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {vscale_min = 1 : i64} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {scalable, vscale_min = 1 : i64} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {vscale_max = 1 : i64} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {vscale_min = 1 : i64, vscale_max = 1 : i64} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"() : () -> index'),
    (INDICES, '%r = "test.reify_bound"(%a, %b) : (index, index) -> index'),
    (INDICES, '"test.reify_bound"(%a) : (index) -> ()'),
    (INDICES, '%r = "test.reify_bound"(%a) : (index) -> i32'),
    (INDICES, '%r:2 = "test.reify_bound"(%a) : (index) -> (index, index)'),
    (INDICES, '%r = "test.reify_bound"(%a) {foo = 1 : i64} : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) <{type = "LB"}> : (index) -> index'),
    (INDICES, '%r = "test.reify_bound"(%a) {type = "UB", constant} : (index) -> index'),
    (
        INDICES,
        '%r = "test.reify_bound"(%a) {type = "UB", constant} : (index) -> index\n'
        '%s = "test.reify_bound"(%b) {type = "UB", constant} : (index) -> index\n'
        '"test.compare"(%a, %b) : (index, index) -> ()',
    ),
    (
        INDICES,
        '"test.compare"(%a, %a) : (index, index) -> ()\n'
        '%r = "test.reify_bound"(%a) {type = "UB", constant} : (index) -> index\n'
        '"test.compare"(%a, %b) : (index, index) -> ()',
    ),
    (
        "%x: f32, %a: index",
        '%r = "test.reify_bound"(%x) : (f32) -> index\n"test.compare"(%a) : (index) -> ()',
    ),
]

COMPARED: list[Request] = [
    (INDICES, '"test.compare"(%a, %b) : (index, index) -> ()'),
    (INDICES, '"test.compare"(%a) : (index) -> ()'),
    (INDICES, '"test.compare"(%a, %a, %a) : (index, index, index) -> ()'),
    (INDICES, '"test.compare"() : () -> ()'),
    ("%a: i32", '"test.compare"(%a, %a) : (i32, i32) -> ()'),
    ("%a: i32, %b: index", '"test.compare"(%b, %a) : (index, i32) -> ()'),
    (INDICES, '"test.compare"(%a, %b) {cmp = "XX"} : (index, index) -> ()'),
    (INDICES, '"test.compare"(%a, %b) {cmp = 1 : i64} : (index, index) -> ()'),
    (INDICES, '%r = "test.compare"(%a, %b) : (index, index) -> index'),
    *(
        (
            INDICES,
            "%c = arith.constant 1 : index\n%d = arith.addi %a, %c : index\n"
            + "\n".join(
                f'"test.compare"({pair}) {{cmp = "{relation}"}} : (index, index) -> ()'
                for pair in ("%a, %a", "%d, %a", "%a, %d", "%a, %b")
            ),
        )
        for relation in ("EQ", "LT", "LE", "GT", "GE")
    ),
    (
        INDICES,
        '"test.compare"(%a, %b, %a) {lhs_map = affine_map<(d0)[s0] -> (d0 + s0)>, cmp = "GE"} : (index, index, index) -> ()',
    ),
    (
        INDICES,
        '"test.compare"(%a, %b, %b, %a) {lhs_map = affine_map<(d0)[s0] -> (d0 + s0)>, rhs_map = affine_map<(d0, d1) -> (d0 + d1)>} : (index, index, index, index) -> ()',
    ),
    (INDICES, '"test.compare"(%a, %b) {lhs_map = affine_map<(d0)[s0] -> (d0 + s0)>} : (index, index) -> ()'),
    (INDICES, '"test.compare"(%a, %b) {lhs_map = affine_map<(d0) -> (d0, d0)>} : (index, index) -> ()'),
    (INDICES, '"test.compare"(%b) {lhs_map = affine_map<() -> (5)>} : (index) -> ()'),
    (
        "",
        '"test.compare"() {lhs_map = affine_map<() -> (5)>, rhs_map = affine_map<() -> (6)>, cmp = "LT"} : () -> ()',
    ),
    (INDICES, '"test.compare"(%a, %b) {lhs_map = 5 : i64} : (index, index) -> ()'),
    (INDICES, '"test.compare"(%a, %b) {compose} : (index, index) -> ()'),
    (
        INDICES,
        "%c = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%a]\n"
        "%d = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%a]\n"
        '"test.compare"(%c, %d) {compose} : (index, index) -> ()',
    ),
    (
        INDICES,
        "%c = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%a]\n"
        "%d = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%a]\n"
        '"test.compare"(%c, %d) {compose} : (index, index) -> ()',
    ),
    (
        INDICES,
        '"test.compare"(%a, %b) {compose, cmp = "LT"} : (index, index) -> ()\n'
        '"test.compare"(%a, %a) : (index, index) -> ()',
    ),
    (INDICES, '"test.compare"(%a, %b) {compose, lhs_map = affine_map<(d0) -> (d0)>} : (index, index) -> ()'),
    (
        "",
        "%a = arith.constant 5 : index\n"
        "%b = arith.constant 5 : index\n"
        "%c = arith.constant 6 : index\n"
        '"test.compare"(%a, %b) {compose} : (index, index) -> ()\n'
        '"test.compare"(%a, %c) {compose} : (index, index) -> ()',
    ),
    (
        INDICES,
        "%c = arith.addi %a, %b : index\n"
        "%d = arith.addi %b, %a : index\n"
        '"test.compare"(%c, %d) {compose} : (index, index) -> ()',
    ),
    (
        "",
        "%a = arith.constant 5 : index\n"
        "%b = arith.constant 5 : index\n"
        '"test.compare"(%a, %b) : (index, index) -> ()\n'
        '"test.compare"(%a, %b) {cmp = "LT"} : (index, index) -> ()',
    ),
    (
        INDICES,
        '"test.compare"(%a, %b) : (index, index) -> ()\n'
        '"test.compare"(%a, %a) : (index, index) -> ()\n'
        '"test.compare"(%b, %a) {cmp = "LE"} : (index, index) -> ()\n'
        '"test.compare"(%b, %b) {cmp = "LT"} : (index, index) -> ()',
    ),
    (
        "%n: index",
        "%a = arith.constant 0 : index\n"
        "%s = arith.constant 1 : index\n"
        "scf.for %i = %a to %n step %s {\n"
        '"test.compare"(%i, %n) {cmp = "LT"} : (index, index) -> ()\n'
        '"test.compare"(%i, %a) {cmp = "GE"} : (index, index) -> ()\n'
        '"test.compare"(%n, %i) {cmp = "LE"} : (index, index) -> ()\n'
        "}",
    ),
    (
        "%t: tensor<?xf32>, %u: tensor<?xf32>",
        "%c = arith.constant 0 : index\n"
        "%d = tensor.dim %t, %c : tensor<?xf32>\n"
        "%e = tensor.dim %t, %c : tensor<?xf32>\n"
        "%g = tensor.dim %u, %c : tensor<?xf32>\n"
        '"test.compare"(%d, %e) : (index, index) -> ()\n'
        '"test.compare"(%d, %g) : (index, index) -> ()\n'
        '"test.compare"(%d, %c) {cmp = "GE"} : (index, index) -> ()\n'
        '"test.compare"(%c, %d) {cmp = "LE"} : (index, index) -> ()',
    ),
]
