// RUN: volcli annotate %s -p "mars{tile='i+j:s, j-i:s' assume-noalias-args}"
// Every iteration (i, j) reads a[i]; the tiles are diamonds of any size (section 4.3.1 of Ferry, Derrien and
// Rajopadhye). All tiles above each other read the same elements, and share some with the tiles left and right.
func.func @one_row(%a: memref<?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      // volcli: mars %a read, tile i + j: s, -i + j: s:
      // volcli:   1. [s, o0, o1] -> { a[d0] : -s + o0 - o1 < 2d0 < o0 - o1 } to (-1, 0) + p (1, 1), (0, 0) + p (1, 1)
      // volcli:   2. [s, o0, o1] -> { a[d0] : 2d0 = o0 - o1 and s > 0 } to (0, 0) + p (1, 1)
      // volcli:   3. [s, o0, o1] -> { a[d0] : o0 - o1 < 2d0 < s + o0 - o1 } to (0, 0) + p (1, 1), (1, 0) + p (1, 1)
      // volcli:   if s mod 2 = 0 and s >= 4: 3 sets, of 1: s/2 - 1; 2: 1; 3: s/2 - 1
      // volcli:   if s = 2: 1 set
      // volcli:   tiles { [t0, t1] : (t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 3 sets, of 1: (s - 1)/2; 2: 1; 3: (s - 1)/2
      // volcli:   if s = 1: 1 set
      // volcli:   tiles { [t0, t1] : (1 + t0 + t1) mod 2 = 0 } if s mod 2 = 1 and s >= 3: 2 sets, of 1: (s - 1)/2; 3: (s - 1)/2
      // volcli:   if s = 1: 0 sets
      // volcli:   all tiles have the same sets, up to translation, if s mod 2 = 0
      // volcli:   if s mod 2 = 0 and s >= 4: in the order 1, 2: 2 bursts a tile, 1 in row-major order
      // volcli:   for tiles that are, with their consumers, inside [m, n] -> { [i, j] : 0 <= i < n and 0 <= j < m }
      // volcli:   only whole tiles count as consumers
      %x = affine.load %a[%i] : memref<?xf32>
      affine.store %x, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
