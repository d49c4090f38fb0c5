// Products of matrices of which parts are zero.
// RUN: volcli opt %s -p partition{assume-finite part-cost=512} --split-input-file
func.func @triangular_dense(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %a_e = tensor.empty() : tensor<24x24xf32>
  %a_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<24x24xf32>) outs(%a_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %in = arith.cmpi sge, %row, %col : index
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %e = tensor.empty() : tensor<24x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %y = linalg.matmul ins(%a_part, %b : tensor<24x24xf32>, tensor<24x24xf32>) outs(%i : tensor<24x24xf32>) -> tensor<24x24xf32>
  return %y : tensor<24x24xf32>
}
// -----
func.func @dense_triangular(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %b_e = tensor.empty() : tensor<24x24xf32>
  %b_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%b : tensor<24x24xf32>) outs(%b_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %in = arith.cmpi sle, %row, %col : index
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %e = tensor.empty() : tensor<24x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %y = linalg.matmul ins(%a, %b_part : tensor<24x24xf32>, tensor<24x24xf32>) outs(%i : tensor<24x24xf32>) -> tensor<24x24xf32>
  return %y : tensor<24x24xf32>
}
// -----
// Above the diagonal the product has no factor that is not 0.
func.func @triangular_triangular(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %a_e = tensor.empty() : tensor<24x24xf32>
  %a_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<24x24xf32>) outs(%a_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %in = arith.cmpi sge, %row, %col : index
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %b_e = tensor.empty() : tensor<24x24xf32>
  %b_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%b : tensor<24x24xf32>) outs(%b_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %in = arith.cmpi sge, %row, %col : index
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %e = tensor.empty() : tensor<24x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %y = linalg.matmul ins(%a_part, %b_part : tensor<24x24xf32>, tensor<24x24xf32>) outs(%i : tensor<24x24xf32>) -> tensor<24x24xf32>
  return %y : tensor<24x24xf32>
}
// -----
func.func @lower_upper(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %a_e = tensor.empty() : tensor<24x24xf32>
  %a_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<24x24xf32>) outs(%a_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %in = arith.cmpi sge, %row, %col : index
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %b_e = tensor.empty() : tensor<24x24xf32>
  %b_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%b : tensor<24x24xf32>) outs(%b_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %in = arith.cmpi sle, %row, %col : index
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %e = tensor.empty() : tensor<24x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %y = linalg.matmul ins(%a_part, %b_part : tensor<24x24xf32>, tensor<24x24xf32>) outs(%i : tensor<24x24xf32>) -> tensor<24x24xf32>
  return %y : tensor<24x24xf32>
}
// -----
func.func @banded(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1 : index
  %high = arith.constant 2 : index
  %a_e = tensor.empty() : tensor<24x24xf32>
  %a_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<24x24xf32>) outs(%a_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %d = arith.subi %col, %row : index
    %c1 = arith.cmpi sge, %d, %low : index
    %c2 = arith.cmpi sle, %d, %high : index
    %in = arith.andi %c1, %c2 : i1
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %e = tensor.empty() : tensor<24x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %y = linalg.matmul ins(%a_part, %b : tensor<24x24xf32>, tensor<24x24xf32>) outs(%i : tensor<24x24xf32>) -> tensor<24x24xf32>
  return %y : tensor<24x24xf32>
}
// -----
func.func @banded_banded(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1 : index
  %high = arith.constant 2 : index
  %a_e = tensor.empty() : tensor<24x24xf32>
  %a_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<24x24xf32>) outs(%a_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %d = arith.subi %col, %row : index
    %c1 = arith.cmpi sge, %d, %low : index
    %c2 = arith.cmpi sle, %d, %high : index
    %in = arith.andi %c1, %c2 : i1
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %b_e = tensor.empty() : tensor<24x24xf32>
  %b_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%b : tensor<24x24xf32>) outs(%b_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %d = arith.subi %col, %row : index
    %c1 = arith.cmpi sge, %d, %low : index
    %c2 = arith.cmpi sle, %d, %high : index
    %in = arith.andi %c1, %c2 : i1
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %e = tensor.empty() : tensor<24x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %y = linalg.matmul ins(%a_part, %b_part : tensor<24x24xf32>, tensor<24x24xf32>) outs(%i : tensor<24x24xf32>) -> tensor<24x24xf32>
  return %y : tensor<24x24xf32>
}
// -----
// Integers need no flag.
func.func @integers(%a: tensor<24x24xi32>, %b: tensor<24x24xi32>) -> tensor<24x24xi32> {
  %zero = arith.constant 0 : i32
  %a_e = tensor.empty() : tensor<24x24xi32>
  %a_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<24x24xi32>) outs(%a_e : tensor<24x24xi32>) {
  ^bb0(%v: i32, %o: i32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %in = arith.cmpi sge, %row, %col : index
    %r = arith.select %in, %v, %zero : i32
    linalg.yield %r : i32
  } -> tensor<24x24xi32>
  %e = tensor.empty() : tensor<24x24xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<24x24xi32>) -> tensor<24x24xi32>
  %y = linalg.matmul ins(%a_part, %b : tensor<24x24xi32>, tensor<24x24xi32>) outs(%i : tensor<24x24xi32>) -> tensor<24x24xi32>
  return %y : tensor<24x24xi32>
}
// -----
func.func @blocks(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %x: tensor<16x12xf32>, %c: tensor<16x12xf32>) -> tensor<16x12xf32> {
  %zeros = arith.constant dense<0.0> : tensor<16x16xf32>
  %m = tensor.insert_slice %a into %zeros[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<16x16xf32>
  %d = tensor.insert_slice %b into %m[8, 8] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<16x16xf32>
  %y = linalg.matmul ins(%d, %x : tensor<16x16xf32>, tensor<16x12xf32>)
      outs(%c : tensor<16x12xf32>) -> tensor<16x12xf32>
  return %y : tensor<16x12xf32>
}
// -----
func.func @joined(%a: tensor<8x6xf32>, %x: tensor<16x9xf32>) -> tensor<8x9xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x10xf32>
  %m = tensor.concat dim(1) %a, %zeros : (tensor<8x6xf32>, tensor<8x10xf32>) -> tensor<8x16xf32>
  %e = tensor.empty() : tensor<8x9xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<8x9xf32>) -> tensor<8x9xf32>
  %y = linalg.matmul ins(%m, %x : tensor<8x16xf32>, tensor<16x9xf32>) outs(%i : tensor<8x9xf32>) -> tensor<8x9xf32>
  return %y : tensor<8x9xf32>
}
// -----
// A causal mask on scores, as behind a softmax: row i of the product sums over the first i + 1 values.
func.func @causal(%scores: tensor<2x16x16xf32>, %values: tensor<2x16x8xf32>) -> tensor<2x16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<2x16x16xf32>
  %m = linalg.generic {
      indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores : tensor<2x16x16xf32>) outs(%s : tensor<2x16x16xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 1 : index
    %col = linalg.index 2 : index
    %in = arith.cmpi sle, %col, %row : index
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<2x16x16xf32>
  %e = tensor.empty() : tensor<2x16x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  %y = linalg.batch_matmul ins(%m, %values : tensor<2x16x16xf32>, tensor<2x16x8xf32>)
      outs(%i : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>
  return %y : tensor<2x16x8xf32>
}
// -----
// The flags of the multiplication and the addition say what assume-finite would.
func.func @flags(%a: tensor<24x24xf32>, %b: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = arith.constant 0.0 : f32
  %a_e = tensor.empty() : tensor<24x24xf32>
  %a_part = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a : tensor<24x24xf32>) outs(%a_e : tensor<24x24xf32>) {
  ^bb0(%v: f32, %o: f32):
    %row = linalg.index 0 : index
    %col = linalg.index 1 : index
    %in = arith.cmpi sge, %row, %col : index
    %r = arith.select %in, %v, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x24xf32>
  %i = linalg.fill ins(%zero : f32) outs(%a_e : tensor<24x24xf32>) -> tensor<24x24xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a_part, %b : tensor<24x24xf32>, tensor<24x24xf32>) outs(%i : tensor<24x24xf32>) {
  ^bb0(%u: f32, %v: f32, %s: f32):
    %p = arith.mulf %u, %v fastmath<nnan,ninf,nsz> : f32
    %t = arith.addf %s, %p fastmath<nnan,ninf,nsz> : f32
    linalg.yield %t : f32
  } -> tensor<24x24xf32>
  return %y : tensor<24x24xf32>
}
