// RUN: volcli annotate %s -p value-bounds
// The examples of "Computing Bounds of SSA Values in MLIR" (EuroLLVM 2024); the tile of a matmul is in matmul_tile.mlir.
func.func @sums(%arg0: index, %arg1: index) -> (index, index) {
  // volcli: %0 = %arg0 + %arg1
  %0 = arith.addi %arg0, %arg1 : index
  // volcli: %1 = %arg0 + %arg1
  %1 = arith.addi %arg1, %arg0 : index
  return %0, %1 : index, index
}

func.func @scf_for(%lb: index, %ub: index, %s: index) {
  // volcli: %iv in [%lb, %ub - 1] (not exact)
  scf.for %iv = %lb to %ub step %s {
  }
  return
}

func.func @scf_for_tensor(%init: tensor<?xf32>, %a: index, %b: index, %c: index, %f: f32) -> tensor<?xf32> {
  // volcli: dim(%r, 0) = dim(%init, 0), in [0, +inf]
  // volcli: %iv in [%a, %b - 1] (not exact)
  %r = scf.for %iv = %a to %b step %c iter_args(%t = %init) -> tensor<?xf32> {
    // volcli: dim(%0, 0) = dim(%init, 0), in [0, +inf]
    %0 = tensor.insert %f into %t[%iv] : tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

func.func @filled(%arg0: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  // volcli: dim(%0, 0) = dim(%arg0, 0), in [0, +inf]
  %0 = tensor.insert %f into %arg0[%i] : tensor<?xf32>
  // volcli: dim(%1, 0) = dim(%arg0, 0), in [0, +inf]
  %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @test_case(%arg0: index, %arg1: index, %arg2: index) -> index {
  // volcli: %0 = %arg0 + %arg1
  %0 = arith.addi %arg0, %arg1 : index
  // volcli: %1 = %arg0 + %arg1 + %arg2
  %1 = arith.addi %0, %arg2 : index
  return %1 : index
}

func.func @pad(%t: tensor<?xf32>, %low: index, %f: f32) -> tensor<?xf32> {
  // volcli: dim(%padded, 0) = %low + dim(%t, 0) + 3, in [0, +inf]
  // volcli: %i in [0, %low + dim(%t, 0) + 2]
  %padded = tensor.pad %t low[%low] high[3] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %padded : tensor<?xf32>
}

func.func @if(%c: i1, %a: index, %b: index) -> index {
  // volcli: %r in [min(%a, %b), max(%a, %b)]
  %r = scf.if %c -> index {
    scf.yield %a : index
  } else {
    scf.yield %b : index
  }
  return %r : index
}

func.func @max_and_apply(%a: index, %b: index) -> (index, index) {
  // volcli: %max = max(%a, 2), in [2, +inf]
  %max = affine.max affine_map<()[s0] -> (s0, 2)>()[%a]
  // volcli: %sum = %a + %b mod 8 assuming index arithmetic does not overflow
  %sum = affine.apply affine_map<()[s0, s1] -> (s0 + s1 mod 8)>()[%a, %b]
  return %max, %sum : index, index
}

func.func @product(%a: index, %b: index) -> index {
  // volcli: %r = %a * %b
  %r = arith.muli %a, %b : index
  return %r : index
}
