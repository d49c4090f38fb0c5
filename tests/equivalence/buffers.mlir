func.func @product(%a: memref<6x8xf32>, %b: memref<8x5xf32>, %r: memref<6x5xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 { affine.for %j = 0 to 5 {
    affine.store %zero, %r[%i, %j] : memref<6x5xf32>
  } }
  affine.for %i = 0 to 6 { affine.for %j = 0 to 5 { affine.for %k = 0 to 8 {
    %x = affine.load %a[%i, %k] : memref<6x8xf32>
    %y = affine.load %b[%k, %j] : memref<8x5xf32>
    %z = affine.load %r[%i, %j] : memref<6x5xf32>
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %z, %p : f32
    affine.store %q, %r[%i, %j] : memref<6x5xf32>
  } } }
  return
}
func.func @smoothed(%a: memref<20xf32>, %r: memref<20xf32>) {
  %t = memref.alloc() : memref<20xf32>
  affine.for %i = 0 to 20 {
    %x = affine.load %a[%i] : memref<20xf32>
    %y = arith.mulf %x, %x : f32
    affine.store %y, %t[%i] : memref<20xf32>
  }
  affine.for %i = 1 to 19 {
    %x = affine.load %t[%i - 1] : memref<20xf32>
    %y = affine.load %t[%i] : memref<20xf32>
    %z = affine.load %t[%i + 1] : memref<20xf32>
    %s = arith.addf %x, %y : f32
    %u = arith.addf %s, %z : f32
    affine.store %u, %r[%i] : memref<20xf32>
  }
  memref.dealloc %t : memref<20xf32>
  return
}
func.func @sums(%a: memref<9xf32>) {
  affine.for %i = 1 to 9 {
    %x = affine.load %a[%i - 1] : memref<9xf32>
    %y = affine.load %a[%i] : memref<9xf32>
    %s = arith.addf %x, %y : f32
    affine.store %s, %a[%i] : memref<9xf32>
  }
  return
}
func.func @dot(%a: memref<16xf32>, %b: memref<16xf32>, %r: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %s = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (f32) {
    %x = affine.load %a[%i] : memref<16xf32>
    %y = affine.load %b[%i] : memref<16xf32>
    %p = arith.mulf %x, %y : f32
    %n = arith.addf %acc, %p : f32
    affine.yield %n : f32
  }
  affine.store %s, %r[] : memref<f32>
  return
}
func.func @dynamic(%a: memref<?xf32>, %n: index, %r: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %x = affine.load %a[%i] : memref<?xf32>
    affine.store %x, %r[%i] : memref<?xf32>
  }
  return
}
func.func @upper(%a: memref<8x8xf32>, %r: memref<8x8xf32>) {
  affine.for %i = 0 to 8 { affine.for %j = affine_map<(d0) -> (d0)>(%i) to 8 {
    %x = affine.load %a[%i, %j] : memref<8x8xf32>
    affine.store %x, %r[%j, %i] : memref<8x8xf32>
  } }
  return
}
