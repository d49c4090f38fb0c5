// RUN: volcli annotate %s -p "mars{tile='d0:8, d1:8, d2:8'}"
// A tile of the first product reads a block of each operand; its last tile along the sum produces what one row of tiles of the second one reads.
func.func @two_products(%x: tensor<16x24xf32>, %w: tensor<24x32xf32>, %v: tensor<32x40xf32>, %y: tensor<16x32xf32>, %z: tensor<16x40xf32>) -> tensor<16x40xf32> {
  // volcli: mars %x read, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { x[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 0) + p (0, 1, 0): 64
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 1 and 0 <= t1 <= 3 and 0 <= t2 <= 2 }
  // volcli:   consumers are among these tiles
  // volcli: mars %w read, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { w[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 0) + p (1, 0, 0): 64
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 1 and 0 <= t1 <= 3 and 0 <= t2 <= 2 }
  // volcli:   consumers are among these tiles
  // volcli: mars %y read, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { y[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to { [t0 = 0, t1 = 0, t2 = 0] }: 64
  // volcli:   no tile is whole inside the iterations
  // volcli:   for tiles { [t0, t1, t2 = 0] : 0 <= t0 <= 1 and 0 <= t1 <= 3 }, of which (0, 0, 0) is shown
  // volcli: mars %p produced, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { p[d0, d1, d2 = 7] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 1): 64
  // volcli:   a tile produces 1 set, and reads 1 of other tiles
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 1 and 0 <= t1 <= 3 and 0 <= t2 <= 1 }
  // volcli: mars %p produced, written here: 1
  // volcli: mars %p produced, read here: 1
  // volcli: mars %p produced, written here: 1
  %p = linalg.matmul ins(%x, %w : tensor<16x24xf32>, tensor<24x32xf32>) outs(%y : tensor<16x32xf32>) -> tensor<16x32xf32>
  // volcli: mars %p produced, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { p[d0, d1, d2 = 23] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to [t0, t1] -> { [c0 = t0, c1, c2 = t1] : 0 <= c1 <= 4 }: 64
  // volcli:   the values come from an iteration whose tile is not a translate of the reader's
  // volcli:   consumers are tiles of this nest
  // volcli:   for tiles { [t0, t1, t2 = 2] : 0 <= t0 <= 1 and 0 <= t1 <= 3 }, of which (0, 0, 2) is shown
  // volcli: mars %p produced, read here: 1
  // volcli: mars %v read, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { v[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 0) + p (1, 0, 0): 64
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 1 and 0 <= t1 <= 4 and 0 <= t2 <= 3 }
  // volcli:   consumers are among these tiles
  // volcli: mars %z read, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { z[d0, d1] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to { [t0 = 0, t1 = 0, t2 = 0] }: 64
  // volcli:   no tile is whole inside the iterations
  // volcli:   for tiles { [t0, t1, t2 = 0] : 0 <= t0 <= 1 and 0 <= t1 <= 4 }, of which (0, 0, 0) is shown
  // volcli: mars %q produced, tile d0: 8, d1: 8, d2: 8:
  // volcli:   1. { q[d0, d1, d2 = 7] : 0 <= d0 <= 7 and 0 <= d1 <= 7 } to (0, 0, 1): 64
  // volcli:   a tile produces 1 set, and reads 1 of other tiles
  // volcli:   in the order 1: 1 burst a tile, 8 in row-major order
  // volcli:   for tiles { [t0, t1, t2] : 0 <= t0 <= 1 and 0 <= t1 <= 4 and 0 <= t2 <= 2 }
  // volcli: mars %q produced, written here: 1
  // volcli: mars %q produced, read here: 1
  %q = linalg.matmul ins(%p, %v : tensor<16x32xf32>, tensor<32x40xf32>) outs(%z : tensor<16x40xf32>) -> tensor<16x40xf32>
  return %q : tensor<16x40xf32>
}
