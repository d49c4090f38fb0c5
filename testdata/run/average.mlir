// The mean of each two neighbours, in a parallel loop over all but the last element.
func.func @average(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %next = arith.addi %i, %c1 : index
    %x = memref.load %a[%i] : memref<?xf32>
    %y = memref.load %a[%next] : memref<?xf32>
    %sum = arith.addf %x, %y : f32
    %mean = arith.mulf %sum, %half : f32
    memref.store %mean, %b[%i] : memref<?xf32>
  }
  return
}
