// RUN: volcli annotate %s -p "mars{tile='d0:4, d1:4' assume-noalias-args}"
// The windows of a convolution in memory: 3, 1 and 3 elements, as of the loops in conv_1d.mlir.
func.func @conv_1d_operation(%x: memref<?xf32>, %w: memref<?xf32>, %y: memref<?xf32>) {
  // volcli: mars %x read, tile d0: 4, d1: 4:
  // volcli:   1. { x[d0] : 0 <= d0 <= 2 } to (-1, 0) + p (1, -1), (0, 0) + p (1, -1): 3
  // volcli:   2. { x[d0 = 3] } to (0, 0) + p (1, -1): 1
  // volcli:   3. { x[d0] : 4 <= d0 <= 6 } to (0, 0) + p (1, -1), (1, 0) + p (1, -1): 3
  // volcli:   in the order 1, 2: 2 bursts a tile, 1 in row-major order
  // volcli:   for tiles [dim__w__0_, dim__y__0_] -> { [t0, t1] : 4t0 <= -4 + dim__y__0_ and t1 >= 0 and t1 > -t0 and ((t0 >= 0 and 4t1 <= -8 + dim__w__0_ - 4t0) or (-7 + dim__w__0_ - 4t0 <= 4t1 <= -4 + dim__w__0_ and 4*floor((dim__w__0_)/4) >= 12 - dim__y__0_ + 4t0 + 4t1)) }
  // volcli:   not for other tiles, at the ends of loops
  // volcli:   only whole tiles count as consumers
  // volcli: mars %w read, tile d0: 4, d1: 4:
  // volcli:   1. { w[d0] : 0 <= d0 <= 3 } to (0, 0) + p (1, 0): 4
  // volcli:   in the order 1: 1 burst a tile, 1 in row-major order
  // volcli:   for tiles [dim__w__0_, dim__y__0_] -> { [t0, t1] : t0 >= 0 and 4t0 < dim__y__0_ and t1 >= 0 and 4t1 <= -4 + dim__w__0_ }
  // volcli:   not for other tiles, at the ends of loops
  // volcli:   consumers are among these tiles
  // volcli: mars %y produced, tile d0: 4, d1: 4:
  // volcli:   1. { y[d0, d1 = 3] : 0 <= d0 <= 3 } to (0, 1): 4
  // volcli:   a tile produces 1 set, and reads 1 of other tiles
  // volcli:   in the order 1: 1 burst a tile, 1 in row-major order
  // volcli:   for tiles [dim__w__0_, dim__y__0_] -> { [t0, t1] : t0 >= 0 and 4t0 <= -4 + dim__y__0_ and t1 >= 0 and 4t1 <= -5 + dim__w__0_ }
  // volcli:   not for other tiles, at the ends of loops
  // volcli: mars %y produced, written here: 1
  // volcli: mars %y produced, read here: 1
  // volcli: mars %y read, tile d0: 4, d1: 4:
  // volcli:   1. { y[d0] : 0 <= d0 <= 3 } to { [t0 = 0, t1 = 0] }: 4
  // volcli:   no tile is whole inside the iterations
  // volcli:   for tiles [dim__w__0_, dim__y__0_] -> { [t0, t1 = 0] : dim__w__0_ > 0 and t0 >= 0 and 4t0 <= -4 + dim__y__0_ }, of which (0, 0) is shown
  // volcli:   not for other tiles, at the ends of loops
  linalg.conv_1d ins(%x, %w : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}
