// Each function asks for a bound of one value, or of one of its sizes, where "test.bound" stands:
// tests/passes/mlir_opt/test_reify_value_bounds.py makes of it "test.reify_bound" of each kind.
memref.global @memory : memref<4xf32>
func.func @apply(%a: index, %b: index) {
  %r = affine.apply affine_map<(d0)[s0] -> (d0 * 3 + s0 - 2)>(%a)[%b]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @apply_chain(%a: index, %b: index) {
  %p = affine.apply affine_map<()[s0] -> (s0 + 5)>()[%a]
  %r = affine.apply affine_map<()[s0, s1] -> (s0 * 2 - s1)>()[%p, %b]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @apply_div(%a: index) {
  %r = affine.apply affine_map<()[s0] -> (s0 floordiv 4)>()[%a]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @apply_ceildiv(%a: index) {
  %r = affine.apply affine_map<()[s0] -> (s0 ceildiv 4)>()[%a]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @apply_mod(%a: index) {
  %r = affine.apply affine_map<()[s0] -> (s0 mod 8)>()[%a]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @apply_modscaled(%a: index) {
  %r = affine.apply affine_map<()[s0] -> ((s0 mod 8) * 2 + 1)>()[%a]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @apply_semi(%a: index, %b: index) {
  %r = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%a, %b]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @min(%a: index) {
  %r = affine.min affine_map<()[s0] -> (s0 + 1, 16)>()[%a]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @min2(%a: index, %b: index) {
  %r = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%a, %b]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @max(%a: index) {
  %r = affine.max affine_map<()[s0] -> (s0 - 3, 4)>()[%a]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @minmax(%a: index) {
  %q = affine.max affine_map<()[s0] -> (s0, 0)>()[%a]
  %r = affine.min affine_map<()[s0] -> (s0, 9)>()[%q]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @delin(%a: index) {
  %p:3 = affine.delinearize_index %a into (4, 5, 6) : index, index, index
  "test.bound"(%p#0) : (index) -> ()
  "test.bound"(%p#1) : (index) -> ()
  "test.bound"(%p#2) : (index) -> ()
  return
}
func.func @delin_dyn(%a: index, %b: index) {
  %p:2 = affine.delinearize_index %a into (3, %b) : index, index
  "test.bound"(%p#1) : (index) -> ()
  return
}
func.func @delin_noouter(%a: index) {
  %p:2 = affine.delinearize_index %a into (7) : index, index
  "test.bound"(%p#0) : (index) -> ()
  return
}
func.func @lin(%a: index, %b: index) {
  %r = affine.linearize_index [%a, %b] by (4, 8) : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @lin_disjoint(%a: index, %b: index) {
  %r = affine.linearize_index disjoint [%a, %b] by (4, 8) : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @lin_dyn(%a: index, %b: index, %n: index) {
  %r = affine.linearize_index [%a, %b] by (%n) : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @addi(%a: index, %b: index) {
  %r = arith.addi %a, %b : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @addi_same(%a: index) {
  %r = arith.addi %a, %a : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @subi(%a: index, %b: index) {
  %c = arith.constant 3 : index
  %p = arith.subi %a, %b : index
  %r = arith.subi %p, %c : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @muli(%a: index) {
  %c = arith.constant 6 : index
  %r = arith.muli %a, %c : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @muli_var(%a: index, %b: index) {
  %r = arith.muli %a, %b : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @floordivsi(%a: index) {
  %c = arith.constant 4 : index
  %r = arith.floordivsi %a, %c : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @ceildivsi(%a: index) {
  %c = arith.constant 4 : index
  %r = arith.ceildivsi %a, %c : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @remsi(%a: index) {
  %c = arith.constant 4 : index
  %r = arith.remsi %a, %c : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @remui(%a: index) {
  %c = arith.constant 4 : index
  %r = arith.remui %a, %c : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @divui(%a: index) {
  %c = arith.constant 4 : index
  %r = arith.divui %a, %c : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @minsi(%a: index) {
  %c = arith.constant 4 : index
  %r = arith.minsi %a, %c : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @maxsi(%a: index, %b: index) {
  %r = arith.maxsi %a, %b : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @constant() {
  %r = arith.constant 11 : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @select_const(%k: i1) {
  %c = arith.constant 4 : index
  %d = arith.constant 9 : index
  %r = arith.select %k, %c, %d : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @select_var(%k: i1, %a: index, %b: index) {
  %r = arith.select %k, %a, %b : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @select_ordered(%k: i1, %a: index) {
  %c = arith.constant 4 : index
  %b = arith.addi %a, %c : index
  %r = arith.select %k, %a, %b : index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @select_tensor(%k: i1, %a: tensor<?xf32>, %b: tensor<?xf32>) {
  %t = arith.select %k, %a, %b : tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @select_tensor_same(%k: i1, %n: index) {
  %a = tensor.empty(%n) : tensor<?xf32>
  %b = tensor.empty(%n) : tensor<?xf32>
  %t = arith.select %k, %a, %b : tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @index_cast(%i: i32) {
  %r = arith.index_cast %i : i32 to index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @index_cast_chain(%a: index) {
  %i = arith.index_cast %a : index to i64
  %r = arith.index_cast %i : i64 to index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @alloc(%n: index) {
  %t = memref.alloc(%n) : memref<3x?xf32>
  "test.bound"(%t) {dim = 1 : i64} : (memref<3x?xf32>) -> ()
  "test.bound"(%t) {dim = 0 : i64} : (memref<3x?xf32>) -> ()
  return
}
func.func @alloca(%n: index, %m: index) {
  %t = memref.alloca(%n, %m) : memref<?x?xf32>
  "test.bound"(%t) {dim = 1 : i64} : (memref<?x?xf32>) -> ()
  return
}
func.func @memref_cast(%m: memref<10x?xf32>) {
  %t = memref.cast %m : memref<10x?xf32> to memref<?x?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (memref<?x?xf32>) -> ()
  "test.bound"(%t) {dim = 1 : i64} : (memref<?x?xf32>) -> ()
  return
}
func.func @memref_dim(%m: memref<?x4xf32>) {
  %c = arith.constant 0 : index
  %r = memref.dim %m, %c : memref<?x4xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @memref_dim_alloc(%n: index) {
  %c = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?x4xf32>
  %r = memref.dim %m, %c : memref<?x4xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @memref_dim_var(%m: memref<?x4xf32>, %c: index) {
  %r = memref.dim %m, %c : memref<?x4xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @memref_rank(%m: memref<?x4xf32>) {
  %r = memref.rank %m : memref<?x4xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @memref_rank_unranked(%m: memref<*xf32>) {
  %r = memref.rank %m : memref<*xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @get_global() {
  %t = memref.get_global @memory : memref<4xf32>
  "test.bound"(%t) {dim = 0 : i64} : (memref<4xf32>) -> ()
  return
}
func.func @subview(%m: memref<?x?xf32>, %n: index) {
  %t = memref.subview %m[0, 1] [%n, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: 1>>
  "test.bound"(%t) {dim = 0 : i64} : (memref<?x4xf32, strided<[?, 1], offset: 1>>) -> ()
  "test.bound"(%t) {dim = 1 : i64} : (memref<?x4xf32, strided<[?, 1], offset: 1>>) -> ()
  return
}
func.func @subview_reduced(%m: memref<?x?xf32>, %n: index) {
  %t = memref.subview %m[0, 1] [1, %n] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[1], offset: 1>>
  "test.bound"(%t) {dim = 0 : i64} : (memref<?xf32, strided<[1], offset: 1>>) -> ()
  return
}
func.func @memref_collapse(%m: memref<3x4x?xf32>) {
  %t = memref.collapse_shape %m [[0, 1], [2]] : memref<3x4x?xf32> into memref<12x?xf32>
  "test.bound"(%t) {dim = 1 : i64} : (memref<12x?xf32>) -> ()
  return
}
func.func @memref_collapse_dyn(%m: memref<3x?x5xf32>) {
  %t = memref.collapse_shape %m [[0, 1], [2]] : memref<3x?x5xf32> into memref<?x5xf32>
  "test.bound"(%t) {dim = 0 : i64} : (memref<?x5xf32>) -> ()
  return
}
func.func @memref_expand(%m: memref<?xf32>, %n: index) {
  %t = memref.expand_shape %m [[0, 1]] output_shape [%n, 4] : memref<?xf32> into memref<?x4xf32>
  "test.bound"(%t) {dim = 0 : i64} : (memref<?x4xf32>) -> ()
  return
}
func.func @memref_view(%m: memref<64xi8>, %n: index) {
  %c = arith.constant 0 : index
  %t = memref.view %m[%c][%n] : memref<64xi8> to memref<?xi8>
  "test.bound"(%t) {dim = 0 : i64} : (memref<?xi8>) -> ()
  return
}
func.func @reinterpret(%m: memref<64xf32>, %n: index) {
  %t = memref.reinterpret_cast %m to offset: [0], sizes: [%n], strides: [1] : memref<64xf32> to memref<?xf32, strided<[1]>>
  "test.bound"(%t) {dim = 0 : i64} : (memref<?xf32, strided<[1]>>) -> ()
  return
}
func.func @tensor_cast(%m: tensor<10x?xf32>) {
  %t = tensor.cast %m : tensor<10x?xf32> to tensor<?x?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?x?xf32>) -> ()
  "test.bound"(%t) {dim = 1 : i64} : (tensor<?x?xf32>) -> ()
  return
}
func.func @tensor_dim(%m: tensor<?x4xf32>) {
  %c = arith.constant 0 : index
  %r = tensor.dim %m, %c : tensor<?x4xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @tensor_dim_empty(%n: index) {
  %c = arith.constant 1 : index
  %m = tensor.empty(%n) : tensor<4x?xf32>
  %r = tensor.dim %m, %c : tensor<4x?xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @tensor_dim_var(%m: tensor<?x4xf32>, %c: index) {
  %r = tensor.dim %m, %c : tensor<?x4xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @tensor_dim_static(%m: tensor<?x4xf32>) {
  %c = arith.constant 1 : index
  %r = tensor.dim %m, %c : tensor<?x4xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @tensor_empty(%n: index, %m: index) {
  %t = tensor.empty(%n, %m) : tensor<?x6x?xf32>
  "test.bound"(%t) {dim = 2 : i64} : (tensor<?x6x?xf32>) -> ()
  return
}
func.func @extract_slice(%m: tensor<?x?xf32>, %n: index) {
  %t = tensor.extract_slice %m[0, 1] [%n, 4] [1, 1] : tensor<?x?xf32> to tensor<?x4xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?x4xf32>) -> ()
  "test.bound"(%t) {dim = 1 : i64} : (tensor<?x4xf32>) -> ()
  return
}
func.func @extract_slice_reduced(%m: tensor<?x?x?xf32>, %n: index, %o: index) {
  %t = tensor.extract_slice %m[0, 1, 2] [%n, 1, %o] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?xf32>
  "test.bound"(%t) {dim = 1 : i64} : (tensor<?x?xf32>) -> ()
  return
}
func.func @insert_slice(%m: tensor<?x?xf32>, %s: tensor<2x4xf32>) {
  %t = tensor.insert_slice %s into %m[0, 1] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<?x?xf32>
  "test.bound"(%t) {dim = 1 : i64} : (tensor<?x?xf32>) -> ()
  return
}
func.func @pad(%m: tensor<?x?xf32>, %n: index, %v: f32) {
  %t = tensor.pad %m low[%n, 2] high[5, 1] {
    ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?x?xf32>) -> ()
  "test.bound"(%t) {dim = 1 : i64} : (tensor<?x?xf32>) -> ()
  return
}
func.func @pad_static(%m: tensor<6xf32>, %n: index, %v: f32) {
  %t = tensor.pad %m low[2] high[3] {
    ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<6xf32> to tensor<11xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<11xf32>) -> ()
  return
}
func.func @tensor_rank(%m: tensor<?x4xf32>) {
  %r = tensor.rank %m : tensor<?x4xf32>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @tensor_collapse(%m: tensor<3x4x?xf32>) {
  %t = tensor.collapse_shape %m [[0, 1], [2]] : tensor<3x4x?xf32> into tensor<12x?xf32>
  "test.bound"(%t) {dim = 1 : i64} : (tensor<12x?xf32>) -> ()
  "test.bound"(%t) {dim = 0 : i64} : (tensor<12x?xf32>) -> ()
  return
}
func.func @tensor_collapse_dyn(%m: tensor<3x?x5xf32>) {
  %t = tensor.collapse_shape %m [[0, 1], [2]] : tensor<3x?x5xf32> into tensor<?x5xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?x5xf32>) -> ()
  return
}
func.func @tensor_expand(%m: tensor<?xf32>, %n: index) {
  %t = tensor.expand_shape %m [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?x4xf32>) -> ()
  return
}
func.func @tensor_generate(%n: index, %v: f32) {
  %t = tensor.generate %n {
    ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @tensor_concat(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  %t = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @tensor_splat(%v: f32, %n: index) {
  %t = tensor.splat %v[%n] : tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @tensor_insert(%v: f32, %n: index, %m: tensor<?xf32>) {
  %t = tensor.insert %v into %m[%n] : tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @arg(%m: tensor<?xf32>) {
  
  "test.bound"(%m) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @arg_static(%m: tensor<?x7xf32>) {
  
  "test.bound"(%m) {dim = 1 : i64} : (tensor<?x7xf32>) -> ()
  return
}
func.func @arg_index(%a: index) {
  
  "test.bound"(%a) : (index) -> ()
  return
}
func.func @fill(%v: f32, %n: index) {
  %m = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.fill ins(%v : f32) outs(%m : tensor<?xf32>) -> tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: tensor<?x?xf32>) {
  %t = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%m : tensor<?x?xf32>) -> tensor<?x?xf32>
  "test.bound"(%t) {dim = 1 : i64} : (tensor<?x?xf32>) -> ()
  return
}
func.func @generic(%a: tensor<?xf32>, %n: index) {
  %m = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%m : tensor<?xf32>) {
    ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  } -> tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @linalg_index(%a: tensor<?xf32>) {
  %u = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<?xf32>) {
    ^bb0(%x: f32):
    %r = linalg.index 0 : index
    "test.bound"(%r) : (index) -> ()
    linalg.yield %x : f32
  } -> tensor<?xf32>
  return
}
func.func @linalg_index_static(%a: tensor<?x9xf32>) {
  %u = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<?x9xf32>) {
    ^bb0(%x: f32):
    %r = linalg.index 1 : index
    "test.bound"(%r) : (index) -> ()
    linalg.yield %x : f32
  } -> tensor<?x9xf32>
  return
}
func.func @transpose(%a: tensor<?x?xf32>, %m: tensor<?x?xf32>) {
  %t = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%m : tensor<?x?xf32>) permutation = [1, 0]
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?x?xf32>) -> ()
  return
}
func.func @pack(%a: tensor<?x?xf32>, %m: tensor<?x?x8x4xf32>) {
  %t = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %m : tensor<?x?xf32> -> tensor<?x?x8x4xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?x?x8x4xf32>) -> ()
  return
}
func.func @for_iv(%a: index, %b: index, %s: index) {
  scf.for %r = %a to %b step %s {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @for_iv_const() {
  %a = arith.constant 2 : index
  %b = arith.constant 13 : index
  %s = arith.constant 3 : index
  scf.for %r = %a to %b step %s {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @for_iv_unit(%b: index) {
  %a = arith.constant 0 : index
  %s = arith.constant 1 : index
  scf.for %r = %a to %b step %s {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @for_iter_same(%a: index, %b: index, %s: index, %t0: tensor<?xf32>) {
  %t = scf.for %i = %a to %b step %s iter_args(%x = %t0) -> tensor<?xf32> {
    scf.yield %x : tensor<?xf32>
  }
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @for_iter_arg(%a: index, %b: index, %s: index, %t0: tensor<?xf32>) {
  %u = scf.for %i = %a to %b step %s iter_args(%x = %t0) -> tensor<?xf32> {
    "test.bound"(%x) {dim = 0 : i64} : (tensor<?xf32>) -> ()
    scf.yield %x : tensor<?xf32>
  }
  return
}
func.func @for_iter_insert(%a: index, %b: index, %s: index, %t0: tensor<?xf32>, %v: f32) {
  %t = scf.for %i = %a to %b step %s iter_args(%x = %t0) -> tensor<?xf32> {
    %y = tensor.insert %v into %x[%i] : tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @for_iter_count(%n: index) {
  %a = arith.constant 0 : index
  %s = arith.constant 1 : index
  %r = scf.for %i = %a to %n step %s iter_args(%x = %a) -> index {
    %y = arith.addi %x, %s : index
    scf.yield %y : index
  }
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @for_iter_const() {
  %a = arith.constant 0 : index
  %n = arith.constant 10 : index
  %s = arith.constant 1 : index
  %z = arith.constant 7 : index
  %r = scf.for %i = %a to %n step %s iter_args(%x = %z) -> index {
    %y = arith.addi %x, %s : index
    scf.yield %y : index
  }
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @for_iter_swap(%a: index, %b: index, %s: index, %t0: tensor<?xf32>, %t1: tensor<?xf32>) {
  %t:2 = scf.for %i = %a to %b step %s iter_args(%x = %t0, %y = %t1) -> (tensor<?xf32>, tensor<?xf32>) {
    scf.yield %y, %x : tensor<?xf32>, tensor<?xf32>
  }
  "test.bound"(%t#0) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @if_const(%k: i1) {
  %c = arith.constant 4 : index
  %d = arith.constant 9 : index
  %r = scf.if %k -> index {
    scf.yield %c : index
  } else {
    scf.yield %d : index
  }
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @if_ordered(%k: i1, %a: index) {
  %c = arith.constant 4 : index
  %d = arith.addi %a, %c : index
  %r = scf.if %k -> index {
    scf.yield %a : index
  } else {
    scf.yield %d : index
  }
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @if_inner(%k: i1, %a: index) {
  %c = arith.constant 4 : index
  %r = scf.if %k -> index {
    %d = arith.addi %a, %c : index
    scf.yield %d : index
  } else {
    scf.yield %a : index
  }
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @if_var(%k: i1, %a: index, %b: index) {
  %r = scf.if %k -> index {
    scf.yield %a : index
  } else {
    scf.yield %b : index
  }
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @if_tensor(%k: i1, %a: index, %b: index) {
  %t = scf.if %k -> tensor<?xf32> {
    %x = tensor.empty(%a) : tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  } else {
    %x = tensor.empty(%a) : tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  }
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @if_eq(%k: i1, %a: index) {
  %r = scf.if %k -> index {
    scf.yield %a : index
  } else {
    scf.yield %a : index
  }
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @forall_iv(%n: index) {
  scf.forall (%r) in (%n) {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @forall_iv_range(%n: index) {
  scf.forall (%r, %j) = (2, %n) to (13, 20) step (3, 1) {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @forall_iv_range2(%n: index) {
  scf.forall (%j, %r) = (2, %n) to (13, 20) step (3, 1) {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @forall_result(%n: index, %o: tensor<?xf32>) {
  %t = scf.forall (%i) in (%n) shared_outs(%x = %o) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
    }
  }
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @forall_arg(%n: index, %o: tensor<?xf32>) {
  %t = scf.forall (%i) in (%n) shared_outs(%x = %o) -> (tensor<?xf32>) {
    "test.bound"(%x) {dim = 0 : i64} : (tensor<?xf32>) -> ()
    scf.forall.in_parallel {
    }
  }
  return
}
func.func @parallel_iv(%a: index, %b: index, %s: index) {
  scf.parallel (%r) = (%a) to (%b) step (%s) {
    "test.bound"(%r) : (index) -> ()
    scf.reduce
  }
  return
}
func.func @affine_for(%n: index) {
  affine.for %r = 3 to %n {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @affine_for_const() {
  affine.for %r = 3 to 17 step 4 {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @affine_parallel(%n: index) {
  affine.parallel (%r) = (0) to (%n) {
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @while(%n: index) {
  %c = arith.constant 1 : index
  %r = scf.while (%x = %n) : (index) -> index {
    %k = arith.cmpi sgt, %x, %c : index
    scf.condition(%k) %x : index
  } do {
    ^bb0(%y: index):
    %z = arith.subi %y, %c : index
    scf.yield %z : index
  }
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @transfer_write(%v: vector<4xf32>, %n: index, %m: tensor<?xf32>) {
  %t = vector.transfer_write %v, %m[%n] : vector<4xf32>, tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @transfer_read(%m: tensor<?xf32>, %n: index, %p: f32) {
  %t = vector.transfer_read %m[%n], %p : tensor<?xf32>, vector<4xf32>
  "test.bound"(%t) {dim = 0 : i64} : (vector<4xf32>) -> ()
  return
}
func.func @vector_scalable(%t: vector<4x[4]xf32>) {
  
  "test.bound"(%t) {dim = 0 : i64} : (vector<4x[4]xf32>) -> ()
  return
}
func.func @vector_arg(%t: vector<4xf32>) {
  
  "test.bound"(%t) {dim = 0 : i64} : (vector<4xf32>) -> ()
  return
}
func.func @vscale() {
  %r = vector.vscale
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @tiled(%n: index) {
  %a = arith.constant 0 : index
  %s = arith.constant 8 : index
  scf.for %i = %a to %n step %s {
    %r = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
    "test.bound"(%r) : (index) -> ()
  }
  return
}
func.func @tiled_slice(%m: tensor<?xf32>) {
  %a = arith.constant 0 : index
  %s = arith.constant 8 : index
  %n = tensor.dim %m, %a : tensor<?xf32>
  scf.for %i = %a to %n step %s {
    %r = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
    %t = tensor.extract_slice %m[%i] [%r] [1] : tensor<?xf32> to tensor<?xf32>
    "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  }
  return
}
func.func @two_loops(%n: index) {
  scf.forall (%i) in (%n) {
    scf.forall (%j) in (10) {
      %r = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
      "test.bound"(%r) : (index) -> ()
    }
  }
  return
}
func.func @bounded_op() {
  %a = "test.value_with_bounds"() {max = 5 : index, min = 2 : index} : () -> index
  %r = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%a]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @unknown_op(%a: index) {
  %p = "my.op"(%a) : (index) -> index
  %r = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%p]
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @unknown_direct(%a: index) {
  %r = "my.op"(%a) : (index) -> index
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @loaded(%m: memref<?xindex>, %i: index) {
  %r = memref.load %m[%i] : memref<?xindex>
  "test.bound"(%r) : (index) -> ()
  return
}
func.func @chain_sizes(%m: tensor<?xf32>, %v: f32) {
  %p = tensor.pad %m low[1] high[1] {
    ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<?xf32>
  %c = arith.constant 0 : index
  %d = tensor.dim %p, %c : tensor<?xf32>
  %t = tensor.empty(%d) : tensor<?xf32>
  "test.bound"(%t) {dim = 0 : i64} : (tensor<?xf32>) -> ()
  return
}
