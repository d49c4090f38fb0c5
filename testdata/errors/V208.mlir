// RUN: volcli analyze %s --ask access
// @first needs a buffer of at least four elements, and this call passes one of three.
func.func private @first(%m: memref<?xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %m[%i] : memref<?xf32>
  }
  return
}

func.func @f() {
  %m = memref.alloc() : memref<3xf32>
  %all = memref.cast %m : memref<3xf32> to memref<?xf32>
  func.call @first(%all) : (memref<?xf32>) -> ()
  return
}
