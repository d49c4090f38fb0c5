"""Programs for test-affine-reify-value-bounds: the operations that bound index values and sizes, one by one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """A function's arguments and body; the bound of VALUE, or of its dimension, is asked for at @ASK, or at the end."""

    arguments: str
    body: str
    value: str
    type: str = "index"
    dimension: int | None = None

    def text(self, name: str, kind: str, *, is_constant: bool) -> str:
        """The function NAME, which asks for the KIND of bound."""
        attributes = [f'type = "{kind}"', *(["constant"] if is_constant else [])]
        attributes += [] if self.dimension is None else [f"dim = {self.dimension} : i64"]
        ask = (
            f'%bound = "test.reify_bound"({self.value}) {{{", ".join(attributes)}}} : ({self.type}) -> index\n'
            '"test.some_use"(%bound) : (index) -> ()'
        )
        body = self.body.replace("@ASK", ask) if "@ASK" in self.body else f"{self.body}\n{ask}"
        memory = "memref.global @memory : memref<4xf32>\n" if "@memory" in body else ""
        return f"{memory}func.func @{name}({self.arguments}) {{\n{body}\nreturn\n}}\n"


CASES = {
    "apply": Asked(
        "%a: index, %b: index",
        "%r = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 - 2)>(%a)[%b]",
        "%r",
    ),
    "apply_chain": Asked(
        "%a: index, %b: index",
        """%p = affine.apply affine_map<()[s0] -> (s0 + 5)>()[%a]
%r = affine.apply affine_map<()[s0, s1] -> (s0 * 2 - s1)>()[%p, %b]""",
        "%r",
    ),
    "apply_div": Asked(
        "%a: index",
        "%r = affine.apply affine_map<()[s0] -> (s0 floordiv 4)>()[%a]",
        "%r",
    ),
    "apply_ceildiv": Asked(
        "%a: index",
        "%r = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%a]",
        "%r",
    ),
    "apply_mod": Asked(
        "%a: index",
        "%r = affine.apply affine_map<()[s0] -> (s0 mod 8)>()[%a]",
        "%r",
    ),
    "apply_modscaled": Asked(
        "%a: index",
        "%r = affine.apply affine_map<()[s0] -> ((s0 mod 8) * 2 + 1)>()[%a]",
        "%r",
    ),
    "apply_semi": Asked(
        "%a: index, %b: index",
        "%r = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%a, %b]",
        "%r",
    ),
    "min": Asked(
        "%a: index",
        "%r = affine.min affine_map<()[s0] -> (s0 + 1, 16)>()[%a]",
        "%r",
    ),
    "min2": Asked(
        "%a: index, %b: index",
        "%r = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%a, %b]",
        "%r",
    ),
    "max": Asked(
        "%a: index",
        "%r = affine.max affine_map<()[s0] -> (s0 - 3, 4)>()[%a]",
        "%r",
    ),
    "minmax": Asked(
        "%a: index",
        """%q = affine.max affine_map<()[s0] -> (s0, 0)>()[%a]
%r = affine.min affine_map<()[s0] -> (s0, 9)>()[%q]""",
        "%r",
    ),
    "delin0": Asked(
        "%a: index",
        "%p:3 = affine.delinearize_index %a into (4, 5, 6) : index, index, index",
        "%p#0",
    ),
    "delin1": Asked(
        "%a: index",
        "%p:3 = affine.delinearize_index %a into (4, 5, 6) : index, index, index",
        "%p#1",
    ),
    "delin2": Asked(
        "%a: index",
        "%p:3 = affine.delinearize_index %a into (4, 5, 6) : index, index, index",
        "%p#2",
    ),
    "delin_dyn": Asked(
        "%a: index, %b: index",
        "%p:2 = affine.delinearize_index %a into (3, %b) : index, index",
        "%p#1",
    ),
    "delin_noouter": Asked(
        "%a: index",
        "%p:2 = affine.delinearize_index %a into (7) : index, index",
        "%p#0",
    ),
    "lin": Asked(
        "%a: index, %b: index",
        "%r = affine.linearize_index [%a, %b] by (4, 8) : index",
        "%r",
    ),
    "lin_disjoint": Asked(
        "%a: index, %b: index",
        "%r = affine.linearize_index disjoint [%a, %b] by (4, 8) : index",
        "%r",
    ),
    "lin_dyn": Asked(
        "%a: index, %b: index, %n: index",
        "%r = affine.linearize_index [%a, %b] by (%n) : index",
        "%r",
    ),
    "addi": Asked(
        "%a: index, %b: index",
        "%r = arith.addi %a, %b : index",
        "%r",
    ),
    "addi_same": Asked(
        "%a: index",
        "%r = arith.addi %a, %a : index",
        "%r",
    ),
    "subi": Asked(
        "%a: index, %b: index",
        """%c = arith.constant 3 : index
%p = arith.subi %a, %b : index
%r = arith.subi %p, %c : index""",
        "%r",
    ),
    "muli": Asked(
        "%a: index",
        """%c = arith.constant 6 : index
%r = arith.muli %a, %c : index""",
        "%r",
    ),
    "muli_var": Asked(
        "%a: index, %b: index",
        "%r = arith.muli %a, %b : index",
        "%r",
    ),
    "floordivsi": Asked(
        "%a: index",
        """%c = arith.constant 4 : index
%r = arith.floordivsi %a, %c : index""",
        "%r",
    ),
    "ceildivsi": Asked(
        "%a: index",
        """%c = arith.constant 4 : index
%r = arith.ceildivsi %a, %c : index""",
        "%r",
    ),
    "remsi": Asked(
        "%a: index",
        """%c = arith.constant 4 : index
%r = arith.remsi %a, %c : index""",
        "%r",
    ),
    "remui": Asked(
        "%a: index",
        """%c = arith.constant 4 : index
%r = arith.remui %a, %c : index""",
        "%r",
    ),
    "divui": Asked(
        "%a: index",
        """%c = arith.constant 4 : index
%r = arith.divui %a, %c : index""",
        "%r",
    ),
    "minsi": Asked(
        "%a: index",
        """%c = arith.constant 4 : index
%r = arith.minsi %a, %c : index""",
        "%r",
    ),
    "maxsi": Asked(
        "%a: index, %b: index",
        "%r = arith.maxsi %a, %b : index",
        "%r",
    ),
    "constant": Asked(
        "",
        "%r = arith.constant 11 : index",
        "%r",
    ),
    "select_const": Asked(
        "%k: i1",
        """%c = arith.constant 4 : index
%d = arith.constant 9 : index
%r = arith.select %k, %c, %d : index""",
        "%r",
    ),
    "select_var": Asked(
        "%k: i1, %a: index, %b: index",
        "%r = arith.select %k, %a, %b : index",
        "%r",
    ),
    "select_ordered": Asked(
        "%k: i1, %a: index",
        """%c = arith.constant 4 : index
%b = arith.addi %a, %c : index
%r = arith.select %k, %a, %b : index""",
        "%r",
    ),
    "select_tensor": Asked(
        "%k: i1, %a: tensor<?xf32>, %b: tensor<?xf32>",
        "%t = arith.select %k, %a, %b : tensor<?xf32>",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "select_tensor_same": Asked(
        "%k: i1, %n: index",
        """%a = tensor.empty(%n) : tensor<?xf32>
%b = tensor.empty(%n) : tensor<?xf32>
%t = arith.select %k, %a, %b : tensor<?xf32>""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "index_cast": Asked(
        "%i: i32",
        "%r = arith.index_cast %i : i32 to index",
        "%r",
    ),
    "index_cast_chain": Asked(
        "%a: index",
        """%i = arith.index_cast %a : index to i64
%r = arith.index_cast %i : i64 to index""",
        "%r",
    ),
    "alloc": Asked(
        "%n: index",
        "%t = memref.alloc(%n) : memref<3x?xf32>",
        "%t",
        "memref<3x?xf32>",
        1,
    ),
    "alloc_static": Asked(
        "%n: index",
        "%t = memref.alloc(%n) : memref<3x?xf32>",
        "%t",
        "memref<3x?xf32>",
        0,
    ),
    "alloca": Asked(
        "%n: index, %m: index",
        "%t = memref.alloca(%n, %m) : memref<?x?xf32>",
        "%t",
        "memref<?x?xf32>",
        1,
    ),
    "memref_cast": Asked(
        "%m: memref<10x?xf32>",
        "%t = memref.cast %m : memref<10x?xf32> to memref<?x?xf32>",
        "%t",
        "memref<?x?xf32>",
        0,
    ),
    "memref_cast1": Asked(
        "%m: memref<10x?xf32>",
        "%t = memref.cast %m : memref<10x?xf32> to memref<?x?xf32>",
        "%t",
        "memref<?x?xf32>",
        1,
    ),
    "memref_dim": Asked(
        "%m: memref<?x4xf32>",
        """%c = arith.constant 0 : index
%r = memref.dim %m, %c : memref<?x4xf32>""",
        "%r",
    ),
    "memref_dim_alloc": Asked(
        "%n: index",
        """%c = arith.constant 0 : index
%m = memref.alloc(%n) : memref<?x4xf32>
%r = memref.dim %m, %c : memref<?x4xf32>""",
        "%r",
    ),
    "memref_dim_var": Asked(
        "%m: memref<?x4xf32>, %c: index",
        "%r = memref.dim %m, %c : memref<?x4xf32>",
        "%r",
    ),
    "memref_rank": Asked(
        "%m: memref<?x4xf32>",
        "%r = memref.rank %m : memref<?x4xf32>",
        "%r",
    ),
    "memref_rank_unranked": Asked(
        "%m: memref<*xf32>",
        "%r = memref.rank %m : memref<*xf32>",
        "%r",
    ),
    "get_global": Asked(
        "",
        "%t = memref.get_global @memory : memref<4xf32>",
        "%t",
        "memref<4xf32>",
        0,
    ),
    "subview": Asked(
        "%m: memref<?x?xf32>, %n: index",
        "%t = memref.subview %m[0, 1] [%n, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: 1>>",
        "%t",
        "memref<?x4xf32, strided<[?, 1], offset: 1>>",
        0,
    ),
    "subview_static": Asked(
        "%m: memref<?x?xf32>, %n: index",
        "%t = memref.subview %m[0, 1] [%n, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: 1>>",
        "%t",
        "memref<?x4xf32, strided<[?, 1], offset: 1>>",
        1,
    ),
    "subview_reduced": Asked(
        "%m: memref<?x?xf32>, %n: index",
        "%t = memref.subview %m[0, 1] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: 1>>",
        "%t",
        "memref<?xf32, strided<[1], offset: 1>>",
        0,
    ),
    "memref_collapse": Asked(
        "%m: memref<3x4x?xf32>",
        "%t = memref.collapse_shape %m [[0, 1], [2]] : memref<3x4x?xf32> into memref<12x?xf32>",
        "%t",
        "memref<12x?xf32>",
        1,
    ),
    "memref_collapse_dyn": Asked(
        "%m: memref<3x?x5xf32>",
        "%t = memref.collapse_shape %m [[0, 1], [2]] : memref<3x?x5xf32> into memref<?x5xf32>",
        "%t",
        "memref<?x5xf32>",
        0,
    ),
    "memref_expand": Asked(
        "%m: memref<?xf32>, %n: index",
        "%t = memref.expand_shape %m [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>",
        "%t",
        "memref<?x4xf32>",
        0,
    ),
    "memref_view": Asked(
        "%m: memref<64xi8>, %n: index",
        """%c = arith.constant 0 : index
%t = memref.view %m[%c][%n] : memref<64xi8> to memref<?xi8>""",
        "%t",
        "memref<?xi8>",
        0,
    ),
    "reinterpret": Asked(
        "%m: memref<64xf32>, %n: index",
        "%t = memref.reinterpret_cast %m to offset: [0], sizes: [%n], strides: [1] : memref<64xf32> to memref<?xf32, strided<[1]>>",
        "%t",
        "memref<?xf32, strided<[1]>>",
        0,
    ),
    "tensor_cast": Asked(
        "%m: tensor<10x?xf32>",
        "%t = tensor.cast %m : tensor<10x?xf32> to tensor<?x?xf32>",
        "%t",
        "tensor<?x?xf32>",
        0,
    ),
    "tensor_cast1": Asked(
        "%m: tensor<10x?xf32>",
        "%t = tensor.cast %m : tensor<10x?xf32> to tensor<?x?xf32>",
        "%t",
        "tensor<?x?xf32>",
        1,
    ),
    "tensor_dim": Asked(
        "%m: tensor<?x4xf32>",
        """%c = arith.constant 0 : index
%r = tensor.dim %m, %c : tensor<?x4xf32>""",
        "%r",
    ),
    "tensor_dim_empty": Asked(
        "%n: index",
        """%c = arith.constant 1 : index
%m = tensor.empty(%n) : tensor<4x?xf32>
%r = tensor.dim %m, %c : tensor<4x?xf32>""",
        "%r",
    ),
    "tensor_dim_var": Asked(
        "%m: tensor<?x4xf32>, %c: index",
        "%r = tensor.dim %m, %c : tensor<?x4xf32>",
        "%r",
    ),
    "tensor_dim_static": Asked(
        "%m: tensor<?x4xf32>",
        """%c = arith.constant 1 : index
%r = tensor.dim %m, %c : tensor<?x4xf32>""",
        "%r",
    ),
    "tensor_empty": Asked(
        "%n: index, %m: index",
        "%t = tensor.empty(%n, %m) : tensor<?x6x?xf32>",
        "%t",
        "tensor<?x6x?xf32>",
        2,
    ),
    "extract_slice": Asked(
        "%m: tensor<?x?xf32>, %n: index",
        "%t = tensor.extract_slice %m[0, 1] [%n, 4] [1, 1] : tensor<?x?xf32> to tensor<?x4xf32>",
        "%t",
        "tensor<?x4xf32>",
        0,
    ),
    "extract_slice_static": Asked(
        "%m: tensor<?x?xf32>, %n: index",
        "%t = tensor.extract_slice %m[0, 1] [%n, 4] [1, 1] : tensor<?x?xf32> to tensor<?x4xf32>",
        "%t",
        "tensor<?x4xf32>",
        1,
    ),
    "extract_slice_reduced": Asked(
        "%m: tensor<?x?x?xf32>, %n: index, %o: index",
        "%t = tensor.extract_slice %m[0, 1, 2] [%n, 1, %o] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?xf32>",
        "%t",
        "tensor<?x?xf32>",
        1,
    ),
    "insert_slice": Asked(
        "%m: tensor<?x?xf32>, %s: tensor<2x4xf32>",
        "%t = tensor.insert_slice %s into %m[0, 1] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<?x?xf32>",
        "%t",
        "tensor<?x?xf32>",
        1,
    ),
    "pad": Asked(
        "%m: tensor<?x?xf32>, %n: index, %v: f32",
        """%t = tensor.pad %m low[%n, 2] high[5, 1] {
^bb0(%i: index, %j: index):
tensor.yield %v : f32
} : tensor<?x?xf32> to tensor<?x?xf32>""",
        "%t",
        "tensor<?x?xf32>",
        0,
    ),
    "pad1": Asked(
        "%m: tensor<?x?xf32>, %n: index, %v: f32",
        """%t = tensor.pad %m low[%n, 2] high[5, 1] {
^bb0(%i: index, %j: index):
tensor.yield %v : f32
} : tensor<?x?xf32> to tensor<?x?xf32>""",
        "%t",
        "tensor<?x?xf32>",
        1,
    ),
    "pad_static": Asked(
        "%m: tensor<6xf32>, %n: index, %v: f32",
        """%t = tensor.pad %m low[2] high[3] {
^bb0(%i: index):
tensor.yield %v : f32
} : tensor<6xf32> to tensor<11xf32>""",
        "%t",
        "tensor<11xf32>",
        0,
    ),
    "tensor_rank": Asked(
        "%m: tensor<?x4xf32>",
        "%r = tensor.rank %m : tensor<?x4xf32>",
        "%r",
    ),
    "tensor_collapse": Asked(
        "%m: tensor<3x4x?xf32>",
        "%t = tensor.collapse_shape %m [[0, 1], [2]] : tensor<3x4x?xf32> into tensor<12x?xf32>",
        "%t",
        "tensor<12x?xf32>",
        1,
    ),
    "tensor_collapse_static": Asked(
        "%m: tensor<3x4x?xf32>",
        "%t = tensor.collapse_shape %m [[0, 1], [2]] : tensor<3x4x?xf32> into tensor<12x?xf32>",
        "%t",
        "tensor<12x?xf32>",
        0,
    ),
    "tensor_collapse_dyn": Asked(
        "%m: tensor<3x?x5xf32>",
        "%t = tensor.collapse_shape %m [[0, 1], [2]] : tensor<3x?x5xf32> into tensor<?x5xf32>",
        "%t",
        "tensor<?x5xf32>",
        0,
    ),
    "tensor_expand": Asked(
        "%m: tensor<?xf32>, %n: index",
        "%t = tensor.expand_shape %m [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>",
        "%t",
        "tensor<?x4xf32>",
        0,
    ),
    "tensor_generate": Asked(
        "%n: index, %v: f32",
        """%t = tensor.generate %n {
^bb0(%i: index):
tensor.yield %v : f32
} : tensor<?xf32>""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "tensor_concat": Asked(
        "%a: tensor<?xf32>, %b: tensor<?xf32>",
        "%t = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "tensor_splat": Asked(
        "%v: f32, %n: index",
        "%t = tensor.splat %v[%n] : tensor<?xf32>",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "tensor_insert": Asked(
        "%v: f32, %n: index, %m: tensor<?xf32>",
        "%t = tensor.insert %v into %m[%n] : tensor<?xf32>",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "arg": Asked(
        "%m: tensor<?xf32>",
        "",
        "%m",
        "tensor<?xf32>",
        0,
    ),
    "arg_static": Asked(
        "%m: tensor<?x7xf32>",
        "",
        "%m",
        "tensor<?x7xf32>",
        1,
    ),
    "arg_index": Asked(
        "%a: index",
        "",
        "%a",
    ),
    "fill": Asked(
        "%v: f32, %n: index",
        """%m = tensor.empty(%n) : tensor<?xf32>
%t = linalg.fill ins(%v : f32) outs(%m : tensor<?xf32>) -> tensor<?xf32>""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "matmul": Asked(
        "%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: tensor<?x?xf32>",
        "%t = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%m : tensor<?x?xf32>) -> tensor<?x?xf32>",
        "%t",
        "tensor<?x?xf32>",
        1,
    ),
    "generic": Asked(
        "%a: tensor<?xf32>, %n: index",
        """%m = tensor.empty(%n) : tensor<?xf32>
%t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%m : tensor<?xf32>) {
^bb0(%x: f32, %y: f32):
linalg.yield %x : f32
} -> tensor<?xf32>""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "linalg_index": Asked(
        "%a: tensor<?xf32>",
        """%u = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<?xf32>) {
^bb0(%x: f32):
%r = linalg.index 0 : index
@ASK
linalg.yield %x : f32
} -> tensor<?xf32>""",
        "%r",
    ),
    "linalg_index_static": Asked(
        "%a: tensor<?x9xf32>",
        """%u = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<?x9xf32>) {
^bb0(%x: f32):
%r = linalg.index 1 : index
@ASK
linalg.yield %x : f32
} -> tensor<?x9xf32>""",
        "%r",
    ),
    "transpose": Asked(
        "%a: tensor<?x?xf32>, %m: tensor<?x?xf32>",
        "%t = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%m : tensor<?x?xf32>) permutation = [1, 0]",
        "%t",
        "tensor<?x?xf32>",
        0,
    ),
    "pack": Asked(
        "%a: tensor<?x?xf32>, %m: tensor<?x?x8x4xf32>",
        "%t = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %m : tensor<?x?xf32> -> tensor<?x?x8x4xf32>",
        "%t",
        "tensor<?x?x8x4xf32>",
        0,
    ),
    "for_iv": Asked(
        "%a: index, %b: index, %s: index",
        """scf.for %r = %a to %b step %s {
@ASK
}""",
        "%r",
    ),
    "for_iv_const": Asked(
        "",
        """%a = arith.constant 2 : index
%b = arith.constant 13 : index
%s = arith.constant 3 : index
scf.for %r = %a to %b step %s {
@ASK
}""",
        "%r",
    ),
    "for_iv_unit": Asked(
        "%b: index",
        """%a = arith.constant 0 : index
%s = arith.constant 1 : index
scf.for %r = %a to %b step %s {
@ASK
}""",
        "%r",
    ),
    "for_iter_same": Asked(
        "%a: index, %b: index, %s: index, %t0: tensor<?xf32>",
        """%t = scf.for %i = %a to %b step %s iter_args(%x = %t0) -> tensor<?xf32> {
scf.yield %x : tensor<?xf32>
}""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "for_iter_arg": Asked(
        "%a: index, %b: index, %s: index, %t0: tensor<?xf32>",
        """%u = scf.for %i = %a to %b step %s iter_args(%x = %t0) -> tensor<?xf32> {
@ASK
scf.yield %x : tensor<?xf32>
}""",
        "%x",
        "tensor<?xf32>",
        0,
    ),
    "for_iter_insert": Asked(
        "%a: index, %b: index, %s: index, %t0: tensor<?xf32>, %v: f32",
        """%t = scf.for %i = %a to %b step %s iter_args(%x = %t0) -> tensor<?xf32> {
%y = tensor.insert %v into %x[%i] : tensor<?xf32>
scf.yield %y : tensor<?xf32>
}""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "for_iter_count": Asked(
        "%n: index",
        """%a = arith.constant 0 : index
%s = arith.constant 1 : index
%r = scf.for %i = %a to %n step %s iter_args(%x = %a) -> index {
%y = arith.addi %x, %s : index
scf.yield %y : index
}""",
        "%r",
    ),
    "for_iter_const": Asked(
        "",
        """%a = arith.constant 0 : index
%n = arith.constant 10 : index
%s = arith.constant 1 : index
%z = arith.constant 7 : index
%r = scf.for %i = %a to %n step %s iter_args(%x = %z) -> index {
%y = arith.addi %x, %s : index
scf.yield %y : index
}""",
        "%r",
    ),
    "for_iter_swap": Asked(
        "%a: index, %b: index, %s: index, %t0: tensor<?xf32>, %t1: tensor<?xf32>",
        """%t:2 = scf.for %i = %a to %b step %s iter_args(%x = %t0, %y = %t1) -> (tensor<?xf32>, tensor<?xf32>) {
scf.yield %y, %x : tensor<?xf32>, tensor<?xf32>
}""",
        "%t#0",
        "tensor<?xf32>",
        0,
    ),
    "if_const": Asked(
        "%k: i1",
        """%c = arith.constant 4 : index
%d = arith.constant 9 : index
%r = scf.if %k -> index {
scf.yield %c : index
} else {
scf.yield %d : index
}""",
        "%r",
    ),
    "if_ordered": Asked(
        "%k: i1, %a: index",
        """%c = arith.constant 4 : index
%d = arith.addi %a, %c : index
%r = scf.if %k -> index {
scf.yield %a : index
} else {
scf.yield %d : index
}""",
        "%r",
    ),
    "if_inner": Asked(
        "%k: i1, %a: index",
        """%c = arith.constant 4 : index
%r = scf.if %k -> index {
%d = arith.addi %a, %c : index
scf.yield %d : index
} else {
scf.yield %a : index
}""",
        "%r",
    ),
    "if_var": Asked(
        "%k: i1, %a: index, %b: index",
        """%r = scf.if %k -> index {
scf.yield %a : index
} else {
scf.yield %b : index
}""",
        "%r",
    ),
    "if_tensor": Asked(
        "%k: i1, %a: index, %b: index",
        """%t = scf.if %k -> tensor<?xf32> {
%x = tensor.empty(%a) : tensor<?xf32>
scf.yield %x : tensor<?xf32>
} else {
%x = tensor.empty(%a) : tensor<?xf32>
scf.yield %x : tensor<?xf32>
}""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "if_eq": Asked(
        "%k: i1, %a: index",
        """%r = scf.if %k -> index {
scf.yield %a : index
} else {
scf.yield %a : index
}""",
        "%r",
    ),
    "forall_iv": Asked(
        "%n: index",
        """scf.forall (%r) in (%n) {
@ASK
}""",
        "%r",
    ),
    "forall_iv_range": Asked(
        "%n: index",
        """scf.forall (%r, %j) = (2, %n) to (13, 20) step (3, 1) {
@ASK
}""",
        "%r",
    ),
    "forall_iv_range2": Asked(
        "%n: index",
        """scf.forall (%j, %r) = (2, %n) to (13, 20) step (3, 1) {
@ASK
}""",
        "%r",
    ),
    "forall_result": Asked(
        "%n: index, %o: tensor<?xf32>",
        """%t = scf.forall (%i) in (%n) shared_outs(%x = %o) -> (tensor<?xf32>) {
scf.forall.in_parallel {
}
}""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "forall_arg": Asked(
        "%n: index, %o: tensor<?xf32>",
        """%t = scf.forall (%i) in (%n) shared_outs(%x = %o) -> (tensor<?xf32>) {
@ASK
scf.forall.in_parallel {
}
}""",
        "%x",
        "tensor<?xf32>",
        0,
    ),
    "parallel_iv": Asked(
        "%a: index, %b: index, %s: index",
        """scf.parallel (%r) = (%a) to (%b) step (%s) {
@ASK
scf.reduce
}""",
        "%r",
    ),
    "affine_for": Asked(
        "%n: index",
        """affine.for %r = 3 to %n {
@ASK
}""",
        "%r",
    ),
    "affine_for_const": Asked(
        "",
        """affine.for %r = 3 to 17 step 4 {
@ASK
}""",
        "%r",
    ),
    "affine_parallel": Asked(
        "%n: index",
        """affine.parallel (%r) = (0) to (%n) {
@ASK
}""",
        "%r",
    ),
    "while": Asked(
        "%n: index",
        """%c = arith.constant 1 : index
%r = scf.while (%x = %n) : (index) -> index {
%k = arith.cmpi sgt, %x, %c : index
scf.condition(%k) %x : index
} do {
^bb0(%y: index):
%z = arith.subi %y, %c : index
scf.yield %z : index
}""",
        "%r",
    ),
    "transfer_write": Asked(
        "%v: vector<4xf32>, %n: index, %m: tensor<?xf32>",
        "%t = vector.transfer_write %v, %m[%n] : vector<4xf32>, tensor<?xf32>",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "transfer_read": Asked(
        "%m: tensor<?xf32>, %n: index, %p: f32",
        "%t = vector.transfer_read %m[%n], %p : tensor<?xf32>, vector<4xf32>",
        "%t",
        "vector<4xf32>",
        0,
    ),
    "vector_scalable": Asked(
        "%t: vector<4x[4]xf32>",
        "",
        "%t",
        "vector<4x[4]xf32>",
        0,
    ),
    "vector_arg": Asked(
        "%t: vector<4xf32>",
        "",
        "%t",
        "vector<4xf32>",
        0,
    ),
    "vscale": Asked(
        "",
        "%r = vector.vscale",
        "%r",
    ),
    "tiled": Asked(
        "%n: index",
        """%a = arith.constant 0 : index
%s = arith.constant 8 : index
scf.for %i = %a to %n step %s {
%r = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
@ASK
}""",
        "%r",
    ),
    "tiled_slice": Asked(
        "%m: tensor<?xf32>",
        """%a = arith.constant 0 : index
%s = arith.constant 8 : index
%n = tensor.dim %m, %a : tensor<?xf32>
scf.for %i = %a to %n step %s {
%r = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
%t = tensor.extract_slice %m[%i] [%r] [1] : tensor<?xf32> to tensor<?xf32>
@ASK
}""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
    "two_loops": Asked(
        "%n: index",
        """scf.forall (%i) in (%n) {
scf.forall (%j) in (10) {
%r = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
@ASK
}
}""",
        "%r",
    ),
    "bounded_op": Asked(
        "",
        """%a = "test.value_with_bounds"() {max = 5 : index, min = 2 : index} : () -> index
%r = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%a]""",
        "%r",
    ),
    "unknown_op": Asked(
        "%a: index",
        """%p = "my.op"(%a) : (index) -> index
%r = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%p]""",
        "%r",
    ),
    "unknown_direct": Asked(
        "%a: index",
        '%r = "my.op"(%a) : (index) -> index',
        "%r",
    ),
    "loaded": Asked(
        "%m: memref<?xindex>, %i: index",
        "%r = memref.load %m[%i] : memref<?xindex>",
        "%r",
    ),
    "chain_sizes": Asked(
        "%m: tensor<?xf32>, %v: f32",
        """%p = tensor.pad %m low[1] high[1] {
^bb0(%i: index):
tensor.yield %v : f32
} : tensor<?xf32> to tensor<?xf32>
%c = arith.constant 0 : index
%d = tensor.dim %p, %c : tensor<?xf32>
%t = tensor.empty(%d) : tensor<?xf32>""",
        "%t",
        "tensor<?xf32>",
        0,
    ),
}
