func.func @jacobi_1d(%a: memref<30xf32>, %b: memref<30xf32>) {
  affine.for %t = 0 to 10 {
    affine.for %i = 1 to 29 {
      %l = affine.load %a[%i - 1] : memref<30xf32>
      %m = affine.load %a[%i] : memref<30xf32>
      %r = affine.load %a[%i + 1] : memref<30xf32>
      %s = arith.addf %l, %m : f32
      %u = arith.addf %s, %r : f32
      affine.store %u, %b[%i] : memref<30xf32>
    }
    affine.for %i = 1 to 29 {
      %v = affine.load %b[%i] : memref<30xf32>
      affine.store %v, %a[%i] : memref<30xf32>
    }
  }
  return
}
func.func @jacobi_2d(%n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
        %l = affine.load %a[%i, %j - 1] : memref<?x?xf32>
        %u = affine.load %a[%i - 1, %j] : memref<?x?xf32>
        %s = arith.addf %l, %u : f32
        affine.store %s, %b[%i, %j] : memref<?x?xf32>
      }
    }
    affine.for %i = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      affine.for %j = 1 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
        %r = affine.load %b[%i, %j] : memref<?x?xf32>
        affine.store %r, %a[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
func.func @factors(%a: memref<12x12xf32>) {
  affine.for %k = 0 to 12 {
    affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to 12 {
      %p = affine.load %a[%k, %k] : memref<12x12xf32>
      %q = affine.load %a[%i, %k] : memref<12x12xf32>
      %d = arith.divf %q, %p : f32
      affine.store %d, %a[%i, %k] : memref<12x12xf32>
      affine.for %j = affine_map<(d0) -> (d0 + 1)>(%k) to 12 {
        %x = affine.load %a[%i, %k] : memref<12x12xf32>
        %y = affine.load %a[%k, %j] : memref<12x12xf32>
        %z = affine.load %a[%i, %j] : memref<12x12xf32>
        %m = arith.mulf %x, %y : f32
        %s = arith.subf %z, %m : f32
        affine.store %s, %a[%i, %j] : memref<12x12xf32>
      }
    }
  }
  return
}
func.func @shortest(%d: memref<9x9xi32>) {
  affine.for %k = 0 to 9 {
    affine.for %i = 0 to 9 {
      affine.for %j = 0 to 9 {
        %ik = affine.load %d[%i, %k] : memref<9x9xi32>
        %kj = affine.load %d[%k, %j] : memref<9x9xi32>
        %ij = affine.load %d[%i, %j] : memref<9x9xi32>
        %s = arith.addi %ik, %kj : i32
        %m = arith.minsi %ij, %s : i32
        affine.store %m, %d[%i, %j] : memref<9x9xi32>
      }
    }
  }
  return
}
func.func @sweep(%a: memref<16x16xf32>) {
  affine.for %t = 0 to 4 {
    affine.for %i = 1 to 15 {
      affine.for %j = 1 to 15 {
        %n = affine.load %a[%i - 1, %j] : memref<16x16xf32>
        %w = affine.load %a[%i, %j - 1] : memref<16x16xf32>
        %e = affine.load %a[%i, %j + 1] : memref<16x16xf32>
        %x = arith.addf %n, %w : f32
        %y = arith.addf %x, %e : f32
        affine.store %y, %a[%i, %j] : memref<16x16xf32>
      }
    }
  }
  return
}
func.func @solved(%l: memref<10x10xf32>, %b: memref<10xf32>, %x: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    %v = affine.load %b[%i] : memref<10xf32>
    affine.store %v, %x[%i] : memref<10xf32>
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %c = affine.load %l[%i, %j] : memref<10x10xf32>
      %y = affine.load %x[%j] : memref<10xf32>
      %z = affine.load %x[%i] : memref<10xf32>
      %m = arith.mulf %c, %y : f32
      %s = arith.subf %z, %m : f32
      affine.store %s, %x[%i] : memref<10xf32>
    }
    %d = affine.load %l[%i, %i] : memref<10x10xf32>
    %z = affine.load %x[%i] : memref<10xf32>
    %q = arith.divf %z, %d : f32
    affine.store %q, %x[%i] : memref<10xf32>
  }
  return
}
func.func private @step(%a: f32, %x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %h = arith.divf %a, %two : f32
  %s = arith.addf %h, %x : f32
  return %s : f32
}
func.func @decayed(%x: memref<24xf32>, %r: memref<24xf32>) {
  %z = arith.constant 0.0 : f32
  %e = affine.for %i = 0 to 24 iter_args(%a = %z) -> (f32) {
    %v = affine.load %x[%i] : memref<24xf32>
    %n = func.call @step(%a, %v) : (f32, f32) -> f32
    affine.store %n, %r[%i] : memref<24xf32>
    affine.yield %n : f32
  }
  return
}
func.func @root(%x: f32, %least: f32) -> f32 {
  %half = arith.constant 0.5 : f32
  %r, %d = scf.while (%g = %x, %o = %x) : (f32, f32) -> (f32, f32) {
    %c = arith.cmpf ogt, %o, %least : f32
    scf.condition(%c) %g, %o : f32, f32
  } do {
  ^bb0(%g: f32, %o: f32):
    %q = arith.divf %x, %g : f32
    %s = arith.addf %g, %q : f32
    %n = arith.mulf %s, %half : f32
    %e = arith.subf %g, %n : f32
    scf.yield %n, %e : f32, f32
  }
  return %r : f32
}
func.func @histogram(%x: memref<40xi32>, %count: memref<8xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 40 {
    %v = affine.load %x[%i] : memref<40xi32>
    %k = arith.index_cast %v : i32 to index
    %n = memref.load %count[%k] : memref<8xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %count[%k] : memref<8xi32>
  }
  return
}
func.func @clipped(%x: memref<20xf32>, %most: f32) {
  affine.for %i = 0 to 20 {
    %v = affine.load %x[%i] : memref<20xf32>
    %c = arith.cmpf ogt, %v, %most : f32
    scf.if %c {
      affine.store %most, %x[%i] : memref<20xf32>
    }
  }
  return
}
