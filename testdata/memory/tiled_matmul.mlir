// RUN: volcli annotate %s -p check-accesses,dependences,value-bounds{of=%rows}
// Tiles of a size that is a value; nothing says that the sizes of the operands agree.
#size = affine_map<(d0)[s0, s1] -> (s0, s1 - d0)>

// The weakest precondition is that the operands are at least as large as what is computed.
// volcli: @rows_and_columns needs dim(%b, 0) >= dim(%a, 1) and dim(%c, 0) >= dim(%a, 0) and dim(%c, 1) >= dim(%b, 1), if dim(%a, 0) > 0 and dim(%b, 1) > 0 and %bs > 0
func.func @rows_and_columns(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %bs: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  // volcli: %i: parallel, if %a and %c are different memory and %b and %c are different memory
  scf.for %i = %c0 to %m step %bs {
    // volcli: %rows in [1, min(dim(%a, 0), %bs)]
    %rows = affine.min #size(%i)[%bs, %m]
    // volcli: %j: parallel, if %a and %c are different memory and %b and %c are different memory
    scf.for %j = %c0 to %n step %bs {
      %columns = affine.min #size(%j)[%bs, %n]
      // volcli: slice %a[%i, 0] [%rows, %k] [1, 1] in bounds
      %ta = memref.subview %a[%i, 0] [%rows, %k] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      // volcli: slice %b[0, %j] [%k, %columns] [1, 1] out of bounds: index 1 in dimension 0 of size 1, at %i = 0, %j = 0, for %bs = 1, dim(%b, 0) = 1, dim(%b, 1) = 1, dim(%a, 1) = 2, dim(%a, 0) = 1; in bounds if dim(%b, 0) >= dim(%a, 1)
      %tb = memref.subview %b[0, %j] [%k, %columns] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      // volcli: slice %c[%i, %j] [%rows, %columns] [1, 1] out of bounds: index 1 in dimension 0 of size 1, at %i = 1, %j = 0, for %bs = 1, dim(%c, 1) = 1, dim(%c, 0) = 1, dim(%b, 1) = 1, dim(%a, 0) = 2; in bounds if dim(%c, 0) >= dim(%a, 0) and dim(%c, 1) >= dim(%b, 1)
      %tc = memref.subview %c[%i, %j] [%rows, %columns] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
      // volcli: read %ta[d0, d2] in bounds
      // volcli: read %tb[d2, d1] in bounds
      // volcli: read %tc[d0, d1] in bounds
      // volcli: write %tc[d0, d1] in bounds
      linalg.matmul ins(%ta, %tb : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%tc : memref<?x?xf32, strided<[?, 1], offset: ?>>)
    }
  }
  return
}

// The reduced loop is tiled, too.
// volcli: @reduced needs dim(%b, 0) >= dim(%a, 1) and dim(%c, 0) >= dim(%a, 0) and dim(%c, 1) >= dim(%b, 1), if dim(%a, 0) > 0 and dim(%a, 1) > 0 and dim(%b, 1) > 0 and %bs > 0
func.func @reduced(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %bs: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  // volcli: %i: parallel, if %a and %c are different memory and %b and %c are different memory
  scf.for %i = %c0 to %m step %bs {
    // volcli: %rows in [1, min(dim(%a, 0), %bs)]
    %rows = affine.min #size(%i)[%bs, %m]
    // volcli: %j: parallel, if %a and %c are different memory and %b and %c are different memory
    scf.for %j = %c0 to %n step %bs {
      %columns = affine.min #size(%j)[%bs, %n]
      // volcli: %l: reduction: combines %tc[d0, d1] (addf), if %a and %c are different memory and %b and %c are different memory and reassoc of arith.addf
      scf.for %l = %c0 to %k step %bs {
        %reduced = affine.min #size(%l)[%bs, %k]
        // volcli: slice %a[%i, %l] [%rows, %reduced] [1, 1] in bounds
        %ta = memref.subview %a[%i, %l] [%rows, %reduced] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        // volcli: slice %b[%l, %j] [%reduced, %columns] [1, 1] out of bounds: index 1 in dimension 0 of size 1, at %i = 0, %j = 0, %l = 1, for %bs = 1, dim(%b, 0) = 1, dim(%b, 1) = 1, dim(%a, 1) = 2, dim(%a, 0) = 1; in bounds if dim(%b, 0) >= dim(%a, 1)
        %tb = memref.subview %b[%l, %j] [%reduced, %columns] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        // volcli: slice %c[%i, %j] [%rows, %columns] [1, 1] out of bounds: index 1 in dimension 0 of size 1, at %i = 1, %j = 0, %l = 0, for %bs = 1, dim(%c, 1) = 1, dim(%c, 0) = 1, dim(%b, 1) = 1, dim(%a, 0) = 2, dim(%a, 1) = 1; in bounds if dim(%c, 0) >= dim(%a, 0) and dim(%c, 1) >= dim(%b, 1)
        %tc = memref.subview %c[%i, %j] [%rows, %columns] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
        // volcli: read %ta[d0, d2] in bounds
        // volcli: read %tb[d2, d1] in bounds
        // volcli: read %tc[d0, d1] in bounds
        // volcli: write %tc[d0, d1] in bounds
        linalg.matmul ins(%ta, %tb : memref<?x?xf32, strided<[?, 1], offset: ?>>, memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%tc : memref<?x?xf32, strided<[?, 1], offset: ?>>)
      }
    }
  }
  return
}
