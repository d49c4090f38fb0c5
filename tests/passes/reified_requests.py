"""Requests of test-affine-reify-value-bounds: invalid ones, comparisons, and bounds in vector.vscale."""

from __future__ import annotations

INVALID = {
    "float": """func.func @float(%x: f32) {
%r = "test.reify_bound"(%x) : (f32) -> index
return
}
""",
    "i32": """func.func @i32(%x: i32) {
%r = "test.reify_bound"(%x) : (i32) -> index
return
}
""",
    "nodim": """func.func @nodim(%x: tensor<?xf32>) {
%r = "test.reify_bound"(%x) : (tensor<?xf32>) -> index
return
}
""",
    "dimindex": """func.func @dimindex(%x: index) {
%r = "test.reify_bound"(%x) {dim = 0 : i64} : (index) -> index
return
}
""",
    "dimrank": """func.func @dimrank(%x: tensor<?xf32>) {
%r = "test.reify_bound"(%x) {dim = 1 : i64} : (tensor<?xf32>) -> index
return
}
""",
    "dimneg": """func.func @dimneg(%x: tensor<?xf32>) {
%r = "test.reify_bound"(%x) {dim = -1 : i64} : (tensor<?xf32>) -> index
return
}
""",
    "dim32": """func.func @dim32(%x: tensor<?xf32>) {
%r = "test.reify_bound"(%x) {dim = 0 : i32} : (tensor<?xf32>) -> index
return
}
""",
    "dimidx": """func.func @dimidx(%x: tensor<?xf32>) {
%r = "test.reify_bound"(%x) {dim = 0 : index} : (tensor<?xf32>) -> index
return
}
""",
    "unranked": """func.func @unranked(%x: tensor<*xf32>) {
%r = "test.reify_bound"(%x) {dim = 0 : i64} : (tensor<*xf32>) -> index
return
}
""",
    "memunranked": """func.func @memunranked(%x: memref<*xf32>) {
%r = "test.reify_bound"(%x) {dim = 0 : i64} : (memref<*xf32>) -> index
return
}
""",
    "complex": """func.func @complex(%x: complex<f32>) {
%r = "test.reify_bound"(%x) {dim = 0 : i64} : (complex<f32>) -> index
return
}
""",
    "badtype": """func.func @badtype(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {type = "XX"} : (index) -> index
return
}
""",
    "typeint": """func.func @typeint(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {type = 3 : i64} : (index) -> index
return
}
""",
    "lower": """func.func @lower(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {type = "lb"} : (index) -> index
return
}
""",
    "constint": """func.func @constint(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {constant = 1 : i64} : (index) -> index
return
}
""",
    "scalconst": """func.func @scalconst(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {constant, scalable, vscale_min = 1 : i64, vscale_max = 2 : i64} : (index) -> index
return
}
""",
    "scalnomin": """func.func @scalnomin(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {scalable} : (index) -> index
return
}
""",
    "minnoscal": """func.func @minnoscal(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {vscale_min = 1 : i64} : (index) -> index
return
}
""",
    "scalnomax": """func.func @scalnomax(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {scalable, vscale_min = 1 : i64} : (index) -> index
return
}
""",
    "maxnoscal": """func.func @maxnoscal(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {vscale_max = 1 : i64} : (index) -> index
return
}
""",
    "bothnoscal": """func.func @bothnoscal(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {vscale_min = 1 : i64, vscale_max = 1 : i64} : (index) -> index
return
}
""",
    "noops": """func.func @noops(%a: index, %b: index) {
%r = "test.reify_bound"() : () -> index
return
}
""",
    "twoops": """func.func @twoops(%a: index, %b: index) {
%r = "test.reify_bound"(%a, %b) : (index, index) -> index
return
}
""",
    "noresult": """func.func @noresult(%a: index, %b: index) {
"test.reify_bound"(%a) : (index) -> ()
return
}
""",
    "resulti32": """func.func @resulti32(%a: index, %b: index) {
%r = "test.reify_bound"(%a) : (index) -> i32
return
}
""",
    "tworesult": """func.func @tworesult(%a: index, %b: index) {
%r:2 = "test.reify_bound"(%a) : (index) -> (index, index)
return
}
""",
    "unknownattr": """func.func @unknownattr(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {foo = 1 : i64} : (index) -> index
return
}
""",
    "props": """func.func @props(%a: index, %b: index) {
%r = "test.reify_bound"(%a) <{type = "LB"}> : (index) -> index
return
}
""",
    "failconst": """func.func @failconst(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {type = "UB", constant} : (index) -> index
return
}
""",
    "fail2": """func.func @fail2(%a: index, %b: index) {
%r = "test.reify_bound"(%a) {type = "UB", constant} : (index) -> index
%s = "test.reify_bound"(%b) {type = "UB", constant} : (index) -> index
"test.compare"(%a, %b) : (index, index) -> ()
return
}
""",
    "failcmp": """func.func @failcmp(%a: index, %b: index) {
"test.compare"(%a, %a) : (index, index) -> ()
%r = "test.reify_bound"(%a) {type = "UB", constant} : (index) -> index
"test.compare"(%a, %b) : (index, index) -> ()
return
}
""",
    "cmp_float_and_reify": """func.func @cmp_float_and_reify(%x: f32, %a: index) {
%r = "test.reify_bound"(%x) : (f32) -> index
"test.compare"(%a) : (index) -> ()
return
}
""",
}

COMPARED = {
    "cmp": """func.func @cmp(%a: index, %b: index) {
"test.compare"(%a, %b) : (index, index) -> ()
return
}
""",
    "cmp_one": """func.func @cmp_one(%a: index, %b: index) {
"test.compare"(%a) : (index) -> ()
return
}
""",
    "cmp_three": """func.func @cmp_three(%a: index, %b: index) {
"test.compare"(%a, %a, %a) : (index, index, index) -> ()
return
}
""",
    "cmp_none": """func.func @cmp_none(%a: index, %b: index) {
"test.compare"() : () -> ()
return
}
""",
    "cmp_i32": """func.func @cmp_i32(%a: i32) {
"test.compare"(%a, %a) : (i32, i32) -> ()
return
}
""",
    "cmp_i32b": """func.func @cmp_i32b(%a: i32, %b: index) {
"test.compare"(%b, %a) : (index, i32) -> ()
return
}
""",
    "cmp_bad": """func.func @cmp_bad(%a: index, %b: index) {
"test.compare"(%a, %b) {cmp = "XX"} : (index, index) -> ()
return
}
""",
    "cmp_int": """func.func @cmp_int(%a: index, %b: index) {
"test.compare"(%a, %b) {cmp = 1 : i64} : (index, index) -> ()
return
}
""",
    "cmp_result": """func.func @cmp_result(%a: index, %b: index) {
%r = "test.compare"(%a, %b) : (index, index) -> index
return
}
""",
    "cmp_EQ": """func.func @cmp_EQ(%a: index, %b: index) {
%c = arith.constant 1 : index
%d = arith.addi %a, %c : index
"test.compare"(%a, %a) {cmp = "EQ"} : (index, index) -> ()
"test.compare"(%d, %a) {cmp = "EQ"} : (index, index) -> ()
"test.compare"(%a, %d) {cmp = "EQ"} : (index, index) -> ()
"test.compare"(%a, %b) {cmp = "EQ"} : (index, index) -> ()
return
}
""",
    "cmp_LT": """func.func @cmp_LT(%a: index, %b: index) {
%c = arith.constant 1 : index
%d = arith.addi %a, %c : index
"test.compare"(%a, %a) {cmp = "LT"} : (index, index) -> ()
"test.compare"(%d, %a) {cmp = "LT"} : (index, index) -> ()
"test.compare"(%a, %d) {cmp = "LT"} : (index, index) -> ()
"test.compare"(%a, %b) {cmp = "LT"} : (index, index) -> ()
return
}
""",
    "cmp_LE": """func.func @cmp_LE(%a: index, %b: index) {
%c = arith.constant 1 : index
%d = arith.addi %a, %c : index
"test.compare"(%a, %a) {cmp = "LE"} : (index, index) -> ()
"test.compare"(%d, %a) {cmp = "LE"} : (index, index) -> ()
"test.compare"(%a, %d) {cmp = "LE"} : (index, index) -> ()
"test.compare"(%a, %b) {cmp = "LE"} : (index, index) -> ()
return
}
""",
    "cmp_GT": """func.func @cmp_GT(%a: index, %b: index) {
%c = arith.constant 1 : index
%d = arith.addi %a, %c : index
"test.compare"(%a, %a) {cmp = "GT"} : (index, index) -> ()
"test.compare"(%d, %a) {cmp = "GT"} : (index, index) -> ()
"test.compare"(%a, %d) {cmp = "GT"} : (index, index) -> ()
"test.compare"(%a, %b) {cmp = "GT"} : (index, index) -> ()
return
}
""",
    "cmp_GE": """func.func @cmp_GE(%a: index, %b: index) {
%c = arith.constant 1 : index
%d = arith.addi %a, %c : index
"test.compare"(%a, %a) {cmp = "GE"} : (index, index) -> ()
"test.compare"(%d, %a) {cmp = "GE"} : (index, index) -> ()
"test.compare"(%a, %d) {cmp = "GE"} : (index, index) -> ()
"test.compare"(%a, %b) {cmp = "GE"} : (index, index) -> ()
return
}
""",
    "cmp_map": """func.func @cmp_map(%a: index, %b: index) {
"test.compare"(%a, %b, %a) {lhs_map = affine_map<(d0)[s0] -> (d0 + s0)>, cmp = "GE"} : (index, index, index) -> ()
return
}
""",
    "cmp_map2": """func.func @cmp_map2(%a: index, %b: index) {
"test.compare"(%a, %b, %b, %a) {lhs_map = affine_map<(d0)[s0] -> (d0 + s0)>, rhs_map = affine_map<(d0, d1) -> (d0 + d1)>} : (index, index, index, index) -> ()
return
}
""",
    "cmp_mapcount": """func.func @cmp_mapcount(%a: index, %b: index) {
"test.compare"(%a, %b) {lhs_map = affine_map<(d0)[s0] -> (d0 + s0)>} : (index, index) -> ()
return
}
""",
    "cmp_mapres": """func.func @cmp_mapres(%a: index, %b: index) {
"test.compare"(%a, %b) {lhs_map = affine_map<(d0) -> (d0, d0)>} : (index, index) -> ()
return
}
""",
    "cmp_mapconst": """func.func @cmp_mapconst(%a: index, %b: index) {
"test.compare"(%b) {lhs_map = affine_map<() -> (5)>} : (index) -> ()
return
}
""",
    "cmp_mapconst2": """func.func @cmp_mapconst2() {
"test.compare"() {lhs_map = affine_map<() -> (5)>, rhs_map = affine_map<() -> (6)>, cmp = "LT"} : () -> ()
return
}
""",
    "cmp_mapbad": """func.func @cmp_mapbad(%a: index, %b: index) {
"test.compare"(%a, %b) {lhs_map = 5 : i64} : (index, index) -> ()
return
}
""",
    "compose": """func.func @compose(%a: index, %b: index) {
"test.compare"(%a, %b) {compose} : (index, index) -> ()
return
}
""",
    "compose_eq": """func.func @compose_eq(%a: index, %b: index) {
%c = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%a]
%d = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%a]
"test.compare"(%c, %d) {compose} : (index, index) -> ()
return
}
""",
    "compose_ne": """func.func @compose_ne(%a: index, %b: index) {
%c = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%a]
%d = affine.apply affine_map<()[s0] -> (s0 + 2)>()[%a]
"test.compare"(%c, %d) {compose} : (index, index) -> ()
return
}
""",
    "compose_lt": """func.func @compose_lt(%a: index, %b: index) {
"test.compare"(%a, %b) {compose, cmp = "LT"} : (index, index) -> ()
"test.compare"(%a, %a) : (index, index) -> ()
return
}
""",
    "compose_map": """func.func @compose_map(%a: index, %b: index) {
"test.compare"(%a, %b) {compose, lhs_map = affine_map<(d0) -> (d0)>} : (index, index) -> ()
return
}
""",
    "compose_const": """func.func @compose_const() {
%a = arith.constant 5 : index
%b = arith.constant 5 : index
%c = arith.constant 6 : index
"test.compare"(%a, %b) {compose} : (index, index) -> ()
"test.compare"(%a, %c) {compose} : (index, index) -> ()
return
}
""",
    "compose_arith": """func.func @compose_arith(%a: index, %b: index) {
%c = arith.addi %a, %b : index
%d = arith.addi %b, %a : index
"test.compare"(%c, %d) {compose} : (index, index) -> ()
return
}
""",
    "cmp_const": """func.func @cmp_const() {
%a = arith.constant 5 : index
%b = arith.constant 5 : index
"test.compare"(%a, %b) : (index, index) -> ()
"test.compare"(%a, %b) {cmp = "LT"} : (index, index) -> ()
return
}
""",
    "continued": """func.func @continued(%a: index, %b: index) {
"test.compare"(%a, %b) : (index, index) -> ()
"test.compare"(%a, %a) : (index, index) -> ()
"test.compare"(%b, %a) {cmp = "LE"} : (index, index) -> ()
"test.compare"(%b, %b) {cmp = "LT"} : (index, index) -> ()
return
}
""",
    "loop_cmp": """func.func @loop_cmp(%n: index) {
%a = arith.constant 0 : index
%s = arith.constant 1 : index
scf.for %i = %a to %n step %s {
"test.compare"(%i, %n) {cmp = "LT"} : (index, index) -> ()
"test.compare"(%i, %a) {cmp = "GE"} : (index, index) -> ()
"test.compare"(%n, %i) {cmp = "LE"} : (index, index) -> ()
}
return
}
""",
    "dims": """func.func @dims(%t: tensor<?xf32>, %u: tensor<?xf32>) {
%c = arith.constant 0 : index
%d = tensor.dim %t, %c : tensor<?xf32>
%e = tensor.dim %t, %c : tensor<?xf32>
%g = tensor.dim %u, %c : tensor<?xf32>
"test.compare"(%d, %e) : (index, index) -> ()
"test.compare"(%d, %g) : (index, index) -> ()
"test.compare"(%d, %c) {cmp = "GE"} : (index, index) -> ()
"test.compare"(%c, %d) {cmp = "LE"} : (index, index) -> ()
return
}
""",
}

SCALABLE = {
    "sc_mulUB": """func.func @sc_mulUB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%r = "test.reify_bound"(%w) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_minUB": """func.func @sc_minUB(%a: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%w, %a]
%r = "test.reify_bound"(%m) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_mincUB": """func.func @sc_mincUB(%a: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.min affine_map<()[s0, s1] -> (s0 + 3, 100)>()[%w, %a]
%r = "test.reify_bound"(%m) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_iterUB": """func.func @sc_iterUB(%n: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%c0 = arith.constant 0 : index
%c99 = arith.constant 99 : index
scf.for %i = %c0 to %c99 step %w {
%m = affine.min affine_map<(d0)[s0] -> (s0, 99 - d0)>(%i)[%w]
%r = "test.reify_bound"(%m) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
}
return
}
""",
    "sc_ivUB": """func.func @sc_ivUB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%c0 = arith.constant 0 : index
scf.for %i = %c0 to %w step %c4 {
%r = "test.reify_bound"(%i) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
}
return
}
""",
    "sc_subUB": """func.func @sc_subUB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (500 - s0)>()[%w]
%r = "test.reify_bound"(%m) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_remainUB": """func.func @sc_remainUB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (1000 - 1000 mod s0)>()[%w]
%r = "test.reify_bound"(%m) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_dimUB": """func.func @sc_dimUB(%x: f32) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%e = tensor.empty(%w) : tensor<?xf32>
%r = "test.reify_bound"(%e) {type = "UB", dim = 0 : i64, scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (tensor<?xf32>) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_vectorUB": """func.func @sc_vectorUB(%x: vector<4x[8]xf32>) {
%r = "test.reify_bound"(%x) {type = "UB", dim = 1 : i64, scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (vector<4x[8]xf32>) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_constUB": """func.func @sc_constUB() {
%c = arith.constant 7 : index
%r = "test.reify_bound"(%c) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_unknownUB": """func.func @sc_unknownUB(%a: index) {
%r = "test.reify_bound"(%a) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_twoUB": """func.func @sc_twoUB() {
%v = vector.vscale
%w = vector.vscale
%s = arith.addi %v, %w : index
%r = "test.reify_bound"(%s) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_fixedUB": """func.func @sc_fixedUB() {
%v = vector.vscale
%r = "test.reify_bound"(%v) {type = "UB", scalable, vscale_min = 4 : i64, vscale_max = 4 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_halfUB": """func.func @sc_halfUB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (s0 floordiv 3)>()[%w]
%r = "test.reify_bound"(%m) {type = "UB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_mulLB": """func.func @sc_mulLB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%r = "test.reify_bound"(%w) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_minLB": """func.func @sc_minLB(%a: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%w, %a]
%r = "test.reify_bound"(%m) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_mincLB": """func.func @sc_mincLB(%a: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.min affine_map<()[s0, s1] -> (s0 + 3, 100)>()[%w, %a]
%r = "test.reify_bound"(%m) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_iterLB": """func.func @sc_iterLB(%n: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%c0 = arith.constant 0 : index
%c99 = arith.constant 99 : index
scf.for %i = %c0 to %c99 step %w {
%m = affine.min affine_map<(d0)[s0] -> (s0, 99 - d0)>(%i)[%w]
%r = "test.reify_bound"(%m) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
}
return
}
""",
    "sc_ivLB": """func.func @sc_ivLB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%c0 = arith.constant 0 : index
scf.for %i = %c0 to %w step %c4 {
%r = "test.reify_bound"(%i) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
}
return
}
""",
    "sc_subLB": """func.func @sc_subLB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (500 - s0)>()[%w]
%r = "test.reify_bound"(%m) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_remainLB": """func.func @sc_remainLB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (1000 - 1000 mod s0)>()[%w]
%r = "test.reify_bound"(%m) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_dimLB": """func.func @sc_dimLB(%x: f32) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%e = tensor.empty(%w) : tensor<?xf32>
%r = "test.reify_bound"(%e) {type = "LB", dim = 0 : i64, scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (tensor<?xf32>) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_vectorLB": """func.func @sc_vectorLB(%x: vector<4x[8]xf32>) {
%r = "test.reify_bound"(%x) {type = "LB", dim = 1 : i64, scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (vector<4x[8]xf32>) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_constLB": """func.func @sc_constLB() {
%c = arith.constant 7 : index
%r = "test.reify_bound"(%c) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_unknownLB": """func.func @sc_unknownLB(%a: index) {
%r = "test.reify_bound"(%a) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_twoLB": """func.func @sc_twoLB() {
%v = vector.vscale
%w = vector.vscale
%s = arith.addi %v, %w : index
%r = "test.reify_bound"(%s) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_fixedLB": """func.func @sc_fixedLB() {
%v = vector.vscale
%r = "test.reify_bound"(%v) {type = "LB", scalable, vscale_min = 4 : i64, vscale_max = 4 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_halfLB": """func.func @sc_halfLB() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (s0 floordiv 3)>()[%w]
%r = "test.reify_bound"(%m) {type = "LB", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_mulEQ": """func.func @sc_mulEQ() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%r = "test.reify_bound"(%w) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_minEQ": """func.func @sc_minEQ(%a: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%w, %a]
%r = "test.reify_bound"(%m) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_mincEQ": """func.func @sc_mincEQ(%a: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.min affine_map<()[s0, s1] -> (s0 + 3, 100)>()[%w, %a]
%r = "test.reify_bound"(%m) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_iterEQ": """func.func @sc_iterEQ(%n: index) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%c0 = arith.constant 0 : index
%c99 = arith.constant 99 : index
scf.for %i = %c0 to %c99 step %w {
%m = affine.min affine_map<(d0)[s0] -> (s0, 99 - d0)>(%i)[%w]
%r = "test.reify_bound"(%m) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
}
return
}
""",
    "sc_ivEQ": """func.func @sc_ivEQ() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%c0 = arith.constant 0 : index
scf.for %i = %c0 to %w step %c4 {
%r = "test.reify_bound"(%i) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
}
return
}
""",
    "sc_subEQ": """func.func @sc_subEQ() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (500 - s0)>()[%w]
%r = "test.reify_bound"(%m) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_remainEQ": """func.func @sc_remainEQ() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (1000 - 1000 mod s0)>()[%w]
%r = "test.reify_bound"(%m) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_dimEQ": """func.func @sc_dimEQ(%x: f32) {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%e = tensor.empty(%w) : tensor<?xf32>
%r = "test.reify_bound"(%e) {type = "EQ", dim = 0 : i64, scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (tensor<?xf32>) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_vectorEQ": """func.func @sc_vectorEQ(%x: vector<4x[8]xf32>) {
%r = "test.reify_bound"(%x) {type = "EQ", dim = 1 : i64, scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (vector<4x[8]xf32>) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_constEQ": """func.func @sc_constEQ() {
%c = arith.constant 7 : index
%r = "test.reify_bound"(%c) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_unknownEQ": """func.func @sc_unknownEQ(%a: index) {
%r = "test.reify_bound"(%a) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_twoEQ": """func.func @sc_twoEQ() {
%v = vector.vscale
%w = vector.vscale
%s = arith.addi %v, %w : index
%r = "test.reify_bound"(%s) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_fixedEQ": """func.func @sc_fixedEQ() {
%v = vector.vscale
%r = "test.reify_bound"(%v) {type = "EQ", scalable, vscale_min = 4 : i64, vscale_max = 4 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
    "sc_halfEQ": """func.func @sc_halfEQ() {
%v = vector.vscale
%c4 = arith.constant 4 : index
%w = arith.muli %v, %c4 : index
%m = affine.apply affine_map<()[s0] -> (s0 floordiv 3)>()[%w]
%r = "test.reify_bound"(%m) {type = "EQ", scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> index
"test.some_use"(%r) : (index) -> ()
return
}
""",
}

SCALABLE_TIGHTER = ["sc_mincLB", "sc_iterLB", "sc_mincEQ"]
"""mlir-opt has no bound."""
