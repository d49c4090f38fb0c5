// RUN: volcli annotate %s -p "mars{tile='d0:8, d1:8, d2:8; d0:8, d1:8'}"
// Operations are nests of loops d0, d1, ...: the product has tiles of three, what comes behind it has tiles of two.
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @dense_layer(%x: tensor<32x24xf32>, %w: tensor<24x40xf32>, %b: tensor<40xf32>) -> tensor<32x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x40xf32>
  // volcli: mars %f produced, written here: 1
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x40xf32>) -> tensor<32x40xf32>
  // volcli: mars %f produced, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { f[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to [t0, t1] -> { [c0 = t0, c1 = t1, c2 = 0] }: 64
  // volcli:   no tile is whole inside the iterations
  // volcli:   consumers are tiles of this nest
  // volcli:   for tiles { [t0, t1] : 0 <= t0 <= 3 and 0 <= t1 <= 4 }, of which (0, 0) is shown
  // volcli: mars %f produced, read here: 1
  // volcli: mars %x read, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { x[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 0) + p (0, 1, 0): 64
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 3 and 0 <= t1 <= 4 and 0 <= t2 <= 2 }
  // volcli:   consumers are among these tiles
  // volcli: mars %w read, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { w[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 0) + p (1, 0, 0): 64
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 3 and 0 <= t1 <= 4 and 0 <= t2 <= 2 }
  // volcli:   consumers are among these tiles
  // volcli: mars %p produced, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { p[d0, d1, d2 = 7] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 1): 64
  // volcli:   a tile produces 1 set, and reads 1 of other tiles
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 3 and 0 <= t1 <= 4 and 0 <= t2 <= 1 }
  // volcli: mars %p produced, written here: 1
  // volcli: mars %p produced, read here: 1
  // volcli: mars %p produced, written here: 1
  %p = linalg.matmul ins(%x, %w : tensor<32x24xf32>, tensor<24x40xf32>) outs(%f : tensor<32x40xf32>) -> tensor<32x40xf32>
  // volcli: mars %p produced, tile d0: 8, d1: 8:
  // volcli:   1. { p[d0, d1, d2 = 23] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to [t0, t1] -> { [c0 = t0, c1 = t1] }: 64
  // volcli:   the values come from tiles of another form
  // volcli:   consumers are tiles of this nest
  // volcli:   for tiles { [t0, t1, t2 = 2] : 0 <= t0 <= 3 and 0 <= t1 <= 4 }, of which (0, 0, 2) is shown
  // volcli: mars %p produced, read here: 1
  // volcli: mars %b read, tile d0: 8, d1: 8:
  // volcli:   1. { b[d0] : 0 <= d0 <= 7 } to (0, 0) + p (1, 0): 8
  // volcli:   in the order 1: 1 burst a tile, 1 in row-major order
  // volcli:   for tiles { [t0, t1] : 0 <= t0 <= 3 and 0 <= t1 <= 4 }
  // volcli:   consumers are among these tiles
  // volcli: mars %s produced, written here: 1
  %s = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<32x40xf32>, tensor<40xf32>) outs(%e : tensor<32x40xf32>) {
    ^bb0(%0: f32, %1: f32, %2: f32):
      %3 = arith.addf %0, %1 : f32
      linalg.yield %3 : f32
  } -> tensor<32x40xf32>
  // volcli: mars %s produced, tile d0: 8, d1: 8:
  // volcli:   1. { s[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0): 64
  // volcli:   consumers are tiles of this nest
  // volcli:   a tile produces 1 set, one of this nest reads 1 of them
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1] : 0 <= t0 <= 3 and 0 <= t1 <= 4 }
  // volcli: mars %s produced, read here: 1
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<32x40xf32>) outs(%e : tensor<32x40xf32>) {
    ^bb0(%0: f32, %1: f32):
      %2 = arith.maximumf %0, %zero : f32
      linalg.yield %2 : f32
  } -> tensor<32x40xf32>
  return %r : tensor<32x40xf32>
}
