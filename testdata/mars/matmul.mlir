// RUN: volcli annotate %s -p "mars{tile='i:s, j:r, l:q' assume-noalias-args}"
// One block of each operand for a tile, of three sizes that are all symbols; the sums go to the next tile along l.
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %m: index, %n: index, %k: index) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        // volcli: mars %a read, tile i: s, j: r, l: q:
        // volcli:   1. [s, r, q, o0, o2] -> { a[d0, d1] : r > 0 and o0 <= d0 < s + o0 and o2 <= d1 < q + o2 } to (0, 0, 0) + p (0, 1, 0): s*q
        // volcli:   if s >= 1 and r >= 1 and q >= 1: 1 set, of 1: s*q
        // volcli:   in the order 1: 1 burst a tile, at most s in row-major order
        // volcli:   for tiles that are, with their consumers, inside [k, n, m] -> { [i, j, l] : 0 <= i < m and 0 <= j < n and 0 <= l < k }
        // volcli:   only whole tiles count as consumers
        %x = affine.load %a[%i, %l] : memref<?x?xf32>
        // volcli: mars %b read, tile i: s, j: r, l: q:
        // volcli:   1. [s, r, q, o1, o2] -> { b[d0, d1] : s > 0 and o2 <= d0 < q + o2 and o1 <= d1 < r + o1 } to (0, 0, 0) + p (1, 0, 0): r*q
        // volcli:   if s >= 1 and r >= 1 and q >= 1: 1 set, of 1: r*q
        // volcli:   in the order 1: 1 burst a tile, at most q in row-major order
        // volcli:   for tiles that are, with their consumers, inside [k, n, m] -> { [i, j, l] : 0 <= i < m and 0 <= j < n and 0 <= l < k }
        // volcli:   only whole tiles count as consumers
        %y = affine.load %b[%l, %j] : memref<?x?xf32>
        // volcli: mars %c produced, tile i: s, j: r, l: q:
        // volcli:   1. [s, r, q, o0, o1, o2] -> { c[i, j, l = -1 + q + o2] : q > 0 and o0 <= i < s + o0 and o1 <= j < r + o1 } to (0, 0, 1): s*r
        // volcli:   if s >= 1 and r >= 1 and q >= 1: 1 set, of 1: s*r
        // volcli:   a tile produces 1 set, and reads 1 of other tiles
        // volcli:   in the order 1: 1 burst a tile, at most s in row-major order
        // volcli:   for tiles that are, with their consumers, inside [k, n, m] -> { [i, j, l] : 0 <= i < m and 0 <= j < n and 0 < l < k }
        // volcli:   what these reads get elsewhere at the ends of loops is in no set
        // volcli: mars %c produced, read here: 1
        %z = affine.load %c[%i, %j] : memref<?x?xf32>
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %z, %p : f32
        // volcli: mars %c produced, written here: 1
        affine.store %q, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
