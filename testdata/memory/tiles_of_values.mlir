// RUN: volcli annotate %s -p check-accesses,dependences,check-races,value-bounds{of=%rows}
// Loops whose steps are values: tiles whose sizes are.
#size = affine_map<(d0)[s0, s1] -> (s0, s1 - d0)>

// Tiles of 3 loops; sizes agree because they are asserted to.
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %bs: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  %kb = memref.dim %b, %c0 : memref<?x?xf32>
  %mc = memref.dim %c, %c0 : memref<?x?xf32>
  %nc = memref.dim %c, %c1 : memref<?x?xf32>
  %same_k = arith.cmpi eq, %k, %kb : index
  %same_m = arith.cmpi eq, %m, %mc : index
  %same_n = arith.cmpi eq, %n, %nc : index
  cf.assert %same_k, "reduced sizes differ"
  cf.assert %same_m, "rows differ"
  cf.assert %same_n, "columns differ"
  // volcli: %i: parallel, if %a and %c are different memory and %b and %c are different memory
  scf.for %i = %c0 to %m step %bs {
    // volcli: %rows in [1, min(dim(%c, 0), %bs)] assuming cf.assert %same_m
    %rows = affine.min #size(%i)[%bs, %m]
    // volcli: %j: parallel, if %a and %c are different memory and %b and %c are different memory
    scf.for %j = %c0 to %n step %bs {
      %columns = affine.min #size(%j)[%bs, %n]
      // volcli: %l: reduction: combines %tc[d0, d1] (addf), if %a and %c are different memory and %b and %c are different memory and reassoc of arith.addf
      scf.for %l = %c0 to %k step %bs {
        %reduced = affine.min #size(%l)[%bs, %k]
        // volcli: slice %a[%i, %l] [%rows, %reduced] [1, 1] in bounds
        %ta = memref.subview %a[%i, %l] [%rows, %reduced] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        // volcli: slice %b[%l, %j] [%reduced, %columns] [1, 1] in bounds
        %tb = memref.subview %b[%l, %j] [%reduced, %columns] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        // volcli: slice %c[%i, %j] [%rows, %columns] [1, 1] in bounds
        %tc = memref.subview %c[%i, %j] [%rows, %columns] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        // volcli: read %ta[d0, d2] in bounds
        // volcli: read %tb[d2, d1] in bounds
        // volcli: read %tc[d0, d1] in bounds
        // volcli: write %tc[d0, d1] in bounds
        // volcli: linalg.matmul: race-free if %a and %c are different memory and if %b and %c are different memory
        linalg.matmul ins(%ta, %tb : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%tc : memref<?x?xf32, strided<[?, 1], offset: ?>>)
      }
    }
  }
  return
}

// Tiles of tiles; nothing is known of the sizes of the result.
// volcli: @two_levels needs dim(%c, 0) >= dim(%a, 0), if dim(%a, 0) > 0 and %outer > 0 and %inner > 0
func.func @two_levels(%a: memref<?xf32>, %c: memref<?xf32>, %outer: index, %inner: index) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?xf32>
  // volcli: %i: parallel, if %a and %c are different memory
  scf.for %i = %c0 to %m step %outer {
    // volcli: %rows in [1, min(dim(%a, 0), %outer)]
    %rows = affine.min #size(%i)[%outer, %m]
    // volcli: %j: parallel, if %a and %c are different memory
    scf.for %j = %c0 to %rows step %inner {
      %part = affine.min #size(%j)[%inner, %rows]
      %o = arith.addi %i, %j : index
      // volcli: slice %a[%o] [%part] [1] in bounds
      %ta = memref.subview %a[%o] [%part] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      // volcli: slice %c[%o] [%part] [1] out of bounds: index 1 in dimension 0 of size 1, at %i = 1, %j = 0, for %outer = 1, %inner = 1, dim(%c, 0) = 1, dim(%a, 0) = 2; in bounds if dim(%c, 0) >= dim(%a, 0)
      %tc = memref.subview %c[%o] [%part] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      // volcli: read %ta[d0] in bounds
      // volcli: write %tc[d0] in bounds
      // volcli: memref.copy: race-free if %a and %c are different memory
      memref.copy %ta, %tc : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    }
  }
  return
}

// Tiles that overlap by one element race where there are two.
func.func @overlapping(%m: memref<?xindex>, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xindex>
  // volcli: %i carries WAW %m[%j] -> %m[%j], distances at most [s, dim__m__0_] -> { [i = s, j = 0] : s > 0 and dim__m__0_ > s } (the step of %i is not a constant): (0, 1) then (1, 1) at [1] for %s = 1, dim(%m, 0) = 2
  // volcli: %i: race: (0, 1) writes %m[%j] and (1, 1) writes %m[%j], element [1] of %m, for %s = 1, dim(%m, 0) = 2
  scf.parallel (%i) = (%c0) to (%n) step (%s) {
    %next = arith.addi %i, %s : index
    %behind = arith.addi %next, %c1 : index
    // volcli: %rows in [1, dim(%m, 0)] (not exact) assuming index arithmetic does not overflow
    %rows = arith.minsi %behind, %n : index
    // volcli: %j: parallel
    scf.for %j = %i to %rows step %c1 {
      // volcli: write %m[%j] in bounds
      memref.store %i, %m[%j] : memref<?xindex>
    }
  }
  return
}

// The step is at least 1, or no iteration runs.
func.func @computed_and_loaded(%m: memref<?xf32>, %p: memref<2xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  // volcli: read %p[%c1] in bounds
  %s = memref.load %p[%c1] : memref<2xindex>
  %t = arith.addi %s, %c1 : index
  // volcli: %i: parallel
  scf.for %i = %c0 to %n step %t {
    // volcli: %rows in [1, min(dim(%m, 0), %s + 1)] assuming index arithmetic does not overflow
    %rows = affine.min #size(%i)[%t, %n]
    // volcli: slice %m[%i] [%rows] [1] in bounds
    %o = memref.subview %m[%i] [%rows] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    // volcli: write %o[d0] in bounds
    // volcli: linalg.fill: race-free
    linalg.fill ins(%x : f32) outs(%o : memref<?xf32, strided<[1], offset: ?>>)
  }
  return
}
