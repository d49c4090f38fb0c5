// RUN: volcli opt %s -p 'reify-bounds{pad-allocs hoist}'
// Tiles of at most 8 rows: one buffer for all of them.
func.func @rows(%m: memref<?x16xf32>, %sums: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %n = memref.dim %m, %c0 : memref<?x16xf32>
  scf.for %i = %c0 to %n step %c8 {
    %size = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
    %tile = memref.alloc(%size) : memref<?x16xf32>
    %part = memref.subview %m[%i, 0] [%size, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
    memref.copy %part, %tile : memref<?x16xf32, strided<[16, 1], offset: ?>> to memref<?x16xf32>
    scf.for %row = %c0 to %size step %c1 {
      scf.for %column = %c0 to %c16 step %c1 {
        %x = memref.load %tile[%row, %column] : memref<?x16xf32>
        %at = arith.addi %i, %row : index
        %sum = memref.load %sums[%at] : memref<?xf32>
        %more = arith.addf %sum, %x : f32
        memref.store %more, %sums[%at] : memref<?xf32>
      }
    }
    memref.dealloc %tile : memref<?x16xf32>
  }
  return
}
