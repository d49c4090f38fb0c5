// RUN: volcli annotate %s -p check-races
// Parallel loops: two iterations race if they go to one element, and one of them writes it.

func.func @neighbours(%m: memref<16xf32>, %o: memref<16xf32>, %n: index) {
  // volcli: %i: race: (1) writes %m[%i] and (2) reads %m[%i - 1], element [1] of %m
  affine.parallel (%i) = (1) to (15) {
    %v = affine.load %m[%i - 1] : memref<16xf32>
    affine.store %v, %m[%i] : memref<16xf32>
  }
  // volcli: %i: race-free if %m and %o are different memory
  affine.parallel (%i) = (1) to (15) {
    %v = affine.load %m[%i - 1] : memref<16xf32>
    affine.store %v, %o[%i] : memref<16xf32>
  }
  // volcli: %i: race-free
  affine.parallel (%i) = (0) to (8) {
    %v = affine.load %m[2 * %i + 1] : memref<16xf32>
    affine.store %v, %m[2 * %i] : memref<16xf32>
  }
  // volcli: %i: race: (0) writes %m[%i floordiv 3] and (1) writes %m[%i floordiv 3], element [0] of %m, for %n = 2
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %v = affine.load %o[%i] : memref<16xf32>
    affine.store %v, %m[%i floordiv 3] : memref<16xf32>
  }
  return
}

// A buffer of each iteration is its own; a reduction is not in memory; updates are atomic.
func.func @no_races(%m: memref<?x8xf32>, %h: memref<10xi32>, %k: memref<?xindex>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  // volcli: %i: race-free
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %a = memref.alloca() : memref<8xf32>
    affine.for %j = 0 to 8 {
      %v = memref.load %m[%i, %j] : memref<?x8xf32>
      memref.store %v, %a[%j] : memref<8xf32>
    }
    %w = memref.load %a[%c1] : memref<8xf32>
    scf.reduce(%w : f32) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      scf.reduce.return %z : f32
    }
  }
  // volcli: %i: race-free if %h and %k are different memory
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %bin = memref.load %k[%i] : memref<?xindex>
    %old = memref.atomic_rmw addi %one, %h[%bin] : (i32, memref<10xi32>) -> i32
  }
  // volcli: %i: unknown: may write %h[%bin] and write %h[%bin]: %bin is a result of memref.load
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %bin = memref.load %k[%i] : memref<?xindex>
    %each = arith.index_cast %i : index to i32
    memref.store %each, %h[%bin] : memref<10xi32>
  }
  // volcli: %i: race-free
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %one, %h[%c0] : memref<10xi32>
  }
  return %sum : f32
}

func.func @tiles(%t: tensor<64xf32>, %a: tensor<8xf32>, %b: tensor<9xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  // volcli: %i: race-free
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<64xf32>) {
    %from = affine.apply affine_map<(d0) -> (8 * d0)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %o[%from] [8] [1] : tensor<8xf32> into tensor<64xf32>
    }
  }
  // volcli: %i: race: (0) writes %o[%from] [9] [1] and (1) writes %o[%from] [9] [1], element [8] of %o
  %s = scf.forall (%i) in (7) shared_outs(%o = %t) -> (tensor<64xf32>) {
    %from = affine.apply affine_map<(d0) -> (8 * d0)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %b into %o[%from] [9] [1] : tensor<9xf32> into tensor<64xf32>
    }
  }
  return %r, %s : tensor<64xf32>, tensor<64xf32>
}

// The output of the first is the same for all d1; the second one reads what other points write.
func.func @operations(%a: memref<4x5xf32>, %c: memref<4xf32>, %l: memref<9xf32>) {
  // volcli: linalg.generic: race: (0, 0) writes %c[d0] and (0, 1) writes %c[d0], element [0] of %c
  linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x5xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %left = memref.subview %l[0] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1]>>
  %right = memref.subview %l[1] [8] [1] : memref<9xf32> to memref<8xf32, strided<[1], offset: 1>>
  // volcli: memref.copy: race: (0) writes %right[d0] and (1) reads %left[d0], element [1] of %l
  memref.copy %left, %right : memref<8xf32, strided<[1]>> to memref<8xf32, strided<[1], offset: 1>>
  // volcli: linalg.generic: race-free if %a and %c are different memory
  linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x5xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  }
  return
}

// Only the outer loop is marked.
func.func @marked(%m: memref<8x8xf32>) {
  // volcli: %i: race: (1, 0) writes %m[%i, %j] and (2, 0) reads %m[%i - 1, %j], element [1, 0] of %m
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %m[%i - 1, %j] : memref<8x8xf32>
      affine.store %v, %m[%i, %j] : memref<8x8xf32>
    }
  } {volcli.parallel}
  return
}
