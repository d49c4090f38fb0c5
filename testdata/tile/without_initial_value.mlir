// Values whose operations have no initial value, and results that are computed together.
// RUN: volcli opt %s -p tile{sizes=4,3} --split-input-file
func.func @arithmetic(%x: tensor<?x7xf32>, %y: tensor<?x7xf32>) -> tensor<?x7xf32> {
  %s = arith.addf %x, %y : tensor<?x7xf32>
  %g = arith.cmpf ogt, %s, %x : tensor<?x7xf32>
  %m = arith.select %g, %s, %y : tensor<?x7xi1>, tensor<?x7xf32>
  %r = arith.negf %m : tensor<?x7xf32>
  return %r : tensor<?x7xf32>
}
// -----
func.func @chosen(%x: tensor<9x7xf32>, %y: tensor<9x7xf32>, %c: i1) -> tensor<9x7xf32> {
  %s = arith.addf %x, %y : tensor<9x7xf32>
  %k = arith.select %c, %s, %x : tensor<9x7xf32>
  %r = math.absf %k : tensor<9x7xf32>
  return %r : tensor<9x7xf32>
}
// -----
// A padded sum: interior tiles add slices of the arguments, those at the edges smaller ones.
func.func @padded_sum(%x: tensor<9x8xi32>, %y: tensor<9x8xi32>) -> tensor<12x10xi32> {
  %c7 = arith.constant 7 : i32
  %s = arith.addi %x, %y : tensor<9x8xi32>
  %p = tensor.pad %s low[1, 2] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c7 : i32
  } : tensor<9x8xi32> to tensor<12x10xi32>
  %r = arith.muli %p, %p : tensor<12x10xi32>
  return %r : tensor<12x10xi32>
}
// -----
func.func @two_sums(%x: tensor<10x8xi32>, %y: tensor<10x8xi32>) -> (tensor<10x8xi32>, tensor<10x8xi1>) {
  %sum, %carry = arith.addui_extended %x, %y : tensor<10x8xi32>, tensor<10x8xi1>
  return %sum, %carry : tensor<10x8xi32>, tensor<10x8xi1>
}
// -----
// Both results in one loop nest.
func.func @sum_and_product(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %r:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      outs(%x, %y : tensor<?x8xf32>, tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %b : f32
    %1 = arith.mulf %a, %b : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<?x8xf32>, tensor<?x8xf32>)
  return %r#0, %r#1 : tensor<?x8xf32>, tensor<?x8xf32>
}
// -----
func.func @generated(%t: tensor<9xf32>, %x: tensor<9x8xf32>) -> tensor<9x8xf32> {
  %g = tensor.generate {
  ^bb0(%i: index, %j: index):
    %a = tensor.extract %t[%i] : tensor<9xf32>
    %k = arith.index_cast %j : index to i32
    %b = arith.sitofp %k : i32 to f32
    %s = arith.addf %a, %b : f32
    tensor.yield %s : f32
  } : tensor<9x8xf32>
  %r = arith.mulf %g, %x : tensor<9x8xf32>
  return %r : tensor<9x8xf32>
}
// -----
// Every second row of what is generated.
func.func @generated_rows(%x: tensor<?x6xf32>) -> tensor<?x6xi32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %n2 = affine.apply affine_map<()[n] -> (2 * n)>()[%n]
  %g = tensor.generate %n2 {
  ^bb0(%i: index, %j: index):
    %s = affine.apply affine_map<(i, j) -> (10 * i + j)>(%i, %j)
    %k = arith.index_cast %s : index to i32
    tensor.yield %k : i32
  } : tensor<?x6xi32>
  %r = tensor.extract_slice %g[0, 0] [%n, 6] [2, 1] : tensor<?x6xi32> to tensor<?x6xi32>
  return %r : tensor<?x6xi32>
}
// -----
func.func @inserted(%x: tensor<5x6xf32>) -> tensor<9x10xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<9x10xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<9x10xf32>) -> tensor<9x10xf32>
  %r = tensor.insert_slice %x into %f[1, 2] [5, 6] [1, 1] : tensor<5x6xf32> into tensor<9x10xf32>
  return %r : tensor<9x10xf32>
}
// -----
func.func @spread(%x: tensor<3x4xf32>) -> tensor<9x12xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<9x12xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<9x12xf32>) -> tensor<9x12xf32>
  %r = tensor.insert_slice %x into %f[1, 2] [3, 4] [2, 2] : tensor<3x4xf32> into tensor<9x12xf32>
  return %r : tensor<9x12xf32>
}
