// RUN: volcli annotate %s -p check-accesses,dependences,check-races,memory-flow
// Elements by quotients and remainders of one number by a value: they are equal if these numbers are.

// volcli: %m[d0 floordiv dim(%m, 1), d0 mod dim(%m, 1)]: live out [dim__m__1_, dim__m__0_] -> { [d0] : dim__m__1_ >= 0 and dim__m__0_ >= 0 and d0 >= 0 } (at most: %i is a result of affine.delinearize_index), if products do not overflow
func.func @rows(%m: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.dim %m, %c0 : memref<?x?xf32>
  %n = memref.dim %m, %c1 : memref<?x?xf32>
  %all = arith.muli %r, %n : index
  // volcli: %k: parallel
  // volcli: %k: race-free
  scf.parallel (%k) = (%c0) to (%all) step (%c1) {
    %i, %j = affine.delinearize_index %k into (%r, %n) : index, index
    // volcli: write %m[%i, %j] in bounds
    // volcli: access 0 writes %m[%i, %j]: unknown: %i is a result of affine.delinearize_index
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }
  return
}

// volcli: %m[d0 floordiv dim(%m, 1), d0 mod dim(%m, 1)]: live out [dim__m__1_, dim__m__0_] -> { [d0] : dim__m__1_ >= 0 and dim__m__0_ >= 0 and d0 >= 0 } (at most: %all is a product of two unknowns), if products do not overflow
func.func @by_maps(%m: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = memref.dim %m, %c0 : memref<?x?xf32>
  %n = memref.dim %m, %c1 : memref<?x?xf32>
  %all = arith.muli %r, %n : index
  // volcli: %k: parallel
  scf.for %k = %c0 to %all step %c1 {
    %i = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%k)[%n]
    %j = affine.apply affine_map<(d0)[s0] -> (d0 mod s0)>(%k)[%n]
    // volcli: write %m[%i, %j] in bounds, if products do not overflow
    // volcli: access 0 writes %m[%i, %j]: unknown: %all is a product of two unknowns, if products do not overflow
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }
  return
}

// Each iteration reads what the next one writes, also at the ends of rows.
// volcli: @next stays in bounds if not (%n > 0 and %u > 0) (sufficient, perhaps not necessary)
// volcli: %m[d0 floordiv %n, d0 mod %n]: live in [n, u] -> { [d0] : n > 0 and 0 < d0 <= u }, live out [n, u] -> { [d0] : n > 0 and 0 <= d0 < u }
func.func @next(%m: memref<?x?xf32>, %n: index, %u: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %positive = arith.cmpi sge, %n, %c1 : index
  cf.assert %positive, "a row without elements"
  // volcli: %k carries WAR %m[%p, %q] -> %m[%i, %j], distances [n, u] -> { [k = 1] : n > 0 and u >= 2 }: (0) then (1) at [1, 0] for %n = 1, %u = 2, %p = 1, %q = 0
  scf.for %k = %c0 to %u step %c1 {
    %i = arith.floordivsi %k, %n : index
    %j = arith.remsi %k, %n : index
    // volcli: write %m[%i, %j] out of bounds: index 0 in dimension 0 of size 0, at %k = 0, for %u = 1, %n = 1, %j = 0, %i = 0, dim(%m, 1) = 1, dim(%m, 0) = 0; in bounds if %u <= dim(%m, 0) and ((%n > dim(%m, 1) and %u <= dim(%m, 1)) or %n <= dim(%m, 1))
    // volcli: access 0 writes %m[%i, %j]
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
    %h = arith.addi %k, %c1 : index
    %p, %q = affine.delinearize_index %h into (%n) : index, index
    // volcli: read %m[%p, %q] out of bounds: index 0 in dimension 0 of size 0, at %k = 0, for %u = 1, %n = 1, %q = 0, dim(%m, 1) = 1, dim(%m, 0) = 0, %p = 0
    // volcli: access 1 reads %m[%p, %q], last written before the function: [n, u] -> { [k] : n > 0 and 0 <= k < u }
    %v = memref.load %m[%p, %q] : memref<?x?xf32>
  }
  return
}
