// Each element plus all before it.
func.func @running_sum(%m: memref<?xf32>, %n: index) {
  affine.for %i = 1 to %n {
    %before = affine.load %m[%i - 1] : memref<?xf32>
    %x = affine.load %m[%i] : memref<?xf32>
    %sum = arith.addf %before, %x : f32
    affine.store %sum, %m[%i] : memref<?xf32>
  }
  return
}
