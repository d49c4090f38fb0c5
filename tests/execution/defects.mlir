// Programs with one defect each: the comment at the end of a line says of which kind, and that it is there.

func.func @f(%m: memref<4xf32>) -> f32 {
  %i = arith.constant 4 : index
  %x = memref.load %m[%i] : memref<4xf32> // bounds
  return %x : f32
}
// -----
func.func @f(%m: memref<4x5xi8>, %x: i8) {
  %i = arith.constant 1 : index
  %j = arith.constant -1 : index
  memref.store %x, %m[%i, %j] : memref<4x5xi8> // bounds
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i floordiv 2 + 5] : memref<8xf32> // bounds
  }
  return
}
// -----
func.func @f(%m: memref<?x?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(i) -> (i + 2)>(%i) {
      affine.store %x, %m[%i, %j] : memref<?x?xf32> // bounds
    }
  }
  return
}
// -----
func.func @f(%m: memref<10xf32>, %n: index) {
  %s = memref.subview %m[%n] [4] [2] : memref<10xf32> to memref<4xf32, strided<[2], offset: ?>> // bounds
  return
}
// -----
func.func @f(%m: memref<4x?xf32>, %n: index) {
  %s = memref.subview %m[0, 0] [%n, 5] [1, 1] : memref<4x?xf32> to memref<?x5xf32, strided<[?, 1]>> // bounds
  return
}
// -----
func.func @f(%t: tensor<?xi64>, %n: index) -> i64 {
  %x = tensor.extract %t[%n] : tensor<?xi64> // bounds
  return %x : i64
}
// -----
func.func @f(%t: tensor<2x?xf16>, %x: f16, %n: index) -> tensor<2x?xf16> {
  %c2 = arith.constant 2 : index
  %r = tensor.insert %x into %t[%c2, %n] : tensor<2x?xf16> // bounds
  return %r : tensor<2x?xf16>
}
// -----
func.func @f(%t: tensor<9xf32>, %n: index) -> tensor<?xf32> {
  %r = tensor.extract_slice %t[6] [%n] [1] : tensor<9xf32> to tensor<?xf32> // bounds
  return %r : tensor<?xf32>
}
// -----
func.func @f(%t: tensor<4xf32>, %u: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %i = arith.addi %n, %n : index
  %r = tensor.insert_slice %t into %u[%i] [4] [1] : tensor<4xf32> into tensor<9xf32> // bounds
  return %r : tensor<9xf32>
}
// -----
func.func @f(%m: memref<3x8xf32>, %n: index) -> vector<5xf32> {
  %c1 = arith.constant 1 : index
  %v = vector.load %m[%c1, %n] : memref<3x8xf32>, vector<5xf32> // bounds
  return %v : vector<5xf32>
}
// -----
func.func @f(%m: memref<3x8xf32>, %v: vector<4xf32>) {
  affine.for %i = 0 to 3 {
    affine.vector_store %v, %m[%i, %i * 3] : memref<3x8xf32>, vector<4xf32> // bounds
  }
  return
}
// -----
func.func @f(%t: tensor<?x?xf32>, %n: index) -> index {
  %d = tensor.dim %t, %n : tensor<?x?xf32> // bounds
  return %d : index
}
// -----
#shifted = affine_map<(i) -> (i + 1)>
#same = affine_map<(i) -> (i)>
func.func @f(%a: memref<?xf32>, %b: memref<4xf32>) {
  linalg.generic {indexing_maps = [#shifted, #same], iterator_types = ["parallel"]} // bounds
    ins(%a : memref<?xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
// -----
func.func @f(%m: memref<4x4xf32>, %n: index) {
  %r = memref.reinterpret_cast %m to offset: [0], sizes: [%n, 5], strides: [4, 1] : memref<4x4xf32> to memref<?x5xf32, strided<[4, 1]>> // bounds
  return
}
// -----
func.func @f(%m: memref<4xi32>, %x: i32, %n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
  }
  %old = memref.atomic_rmw addi %x, %m[%n] : (i32, memref<4xi32>) -> i32 // bounds
  return
}
// -----
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]>
func.func @f(%x: f32) {
  %c0 = arith.constant 0 : index
  %m = memref.get_global @g : memref<2xf32>
  memref.store %x, %m[%c0] : memref<2xf32> // bounds
  return
}
// -----
func.func private @row(%m: memref<4xf32, strided<[1], offset: ?>>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<4xf32, strided<[1], offset: ?>> // bounds
  return %x : f32
}
func.func @f(%m: memref<4x4xf32>) -> f32 {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r = memref.subview %m[%c3, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %x = call @row(%r, %c3) : (memref<4xf32, strided<[1], offset: ?>>, index) -> f32
  %y = call @row(%r, %c4) : (memref<4xf32, strided<[1], offset: ?>>, index) -> f32
  return %y : f32
}
// -----
func.func @f(%x: f32, %n: index) -> f32 {
  %m = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  %v = memref.subview %m[1] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: 1>>
  memref.dealloc %m : memref<?xf32>
  %c0 = arith.constant 0 : index
  %y = memref.load %v[%c0] : memref<2xf32, strided<[1], offset: 1>> // lifetime
  return %y : f32
}
// -----
func.func @f(%x: f32, %b: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  linalg.add ins(%b, %b : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>) // lifetime
  return
}
// -----
func.func @f(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c2 step %c1 {
    memref.dealloc %m : memref<4xf32> // lifetime
  }
  return
}
// -----
func.func @f() {
  %m = memref.alloca() : memref<4xf32>
  memref.dealloc %m : memref<4xf32> // lifetime
  return
}
// -----
func.func @f() {
  %m = memref.alloc() : memref<8xf32>
  %v = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.dealloc %v : memref<4xf32, strided<[1], offset: 4>> // lifetime
  return
}
// -----
func.func private @made(%x: f32) -> memref<1xf32> {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1xf32>
  memref.store %x, %m[%c0] : memref<1xf32>
  return %m : memref<1xf32>
}
func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = call @made(%x) : (f32) -> memref<1xf32>
  %y = memref.load %m[%c0] : memref<1xf32> // lifetime
  return %y : f32
}
// -----
func.func @f(%m: memref<4xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %r = memref.realloc %m(%n) : memref<4xf32> to memref<?xf32>
  %y = memref.load %m[%c0] : memref<4xf32> // lifetime
  return %y : f32
}
// -----
func.func private @consume(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  return
}
func.func @f(%a: memref<4xf32>, %b: memref<4xf32>) {
  call @consume(%a) : (memref<4xf32>) -> ()
  memref.copy %a, %b : memref<4xf32> to memref<4xf32> // lifetime
  return
}
// -----
func.func @f() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  return %m : memref<4xf32> // lifetime
}
// -----
memref.global "private" @g : memref<2xf32> = dense<0.0>
func.func @f() {
  %m = memref.get_global @g : memref<2xf32>
  memref.dealloc %m : memref<2xf32> // lifetime
  return
}
// -----
func.func @f(%x: f32, %n: index) -> f32 {
  %m = memref.alloc(%n) : memref<?xf32>
  affine.for %i = 1 to %n {
    affine.store %x, %m[%i] : memref<?xf32>
  }
  %y = affine.load %m[0] : memref<?xf32>
  return %y : f32 // uninitialized
}
// -----
func.func @f(%a: tensor<3x4xf32>, %b: tensor<4x2xf32>) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<3x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x2xf32>) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32> // uninitialized
}
// -----
func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<1xi1>
  %b = memref.load %m[%c0] : memref<1xi1>
  %r = scf.if %b -> i32 { // uninitialized
    scf.yield %x : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}
// -----
func.func @f(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<1xindex>
  %n = memref.load %s[%c0] : memref<1xindex>
  scf.for %i = %c0 to %n step %c1 { // uninitialized
  }
  return
}
// -----
func.func @f(%m: memref<4xf32>, %t: memref<4xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %s = memref.realloc %t : memref<4xindex> to memref<8xindex>
  %c5 = arith.constant 5 : index
  %i = memref.load %s[%c5] : memref<8xindex>
  %x = memref.load %m[%i] : memref<4xf32> // uninitialized
  return %x : f32
}
// -----
func.func @f(%x: i32) -> i32 {
  %t = tensor.empty() : tensor<2xi32>
  %c1 = arith.constant 1 : index
  %d = tensor.extract %t[%c1] : tensor<2xi32>
  %r = arith.divui %x, %d : i32 // uninitialized
  return %r : i32
}
// -----
func.func @f(%m: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %h = arith.divui %i, %c4 : index
    memref.store %i, %m[%h] : memref<4xindex> // race
  }
  return
}
// -----
func.func @f(%m: memref<9xf32>) {
  scf.forall (%i) in (8) {
    %c1 = arith.constant 1 : index
    %j = arith.addi %i, %c1 : index
    %x = memref.load %m[%i] : memref<9xf32> // race
    memref.store %x, %m[%j] : memref<9xf32>
  }
  return
}
// -----
func.func @f(%t: tensor<6xf32>, %s: tensor<2xf32>) -> tensor<6xf32> {
  %r = scf.forall (%i) in (5) shared_outs(%o = %t) -> tensor<6xf32> {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xf32> into tensor<6xf32> // race
    }
  }
  return %r : tensor<6xf32>
}
// -----
func.func @f(%m: memref<4x4xf32>) {
  affine.parallel (%i, %j) = (0, 0) to (4, 4) {
    %x = affine.load %m[%j, %i] : memref<4x4xf32> // race
    affine.store %x, %m[%i, %j] : memref<4x4xf32>
  }
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  affine.for %i = 2 to 8 {
    %x = affine.load %m[%i - 2] : memref<8xf32> // race
    affine.store %x, %m[%i] : memref<8xf32>
  } {volcli.parallel}
  return
}
// -----
func.func @f(%m: memref<4xf32>, %s: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %s) -> f32 {
    memref.store %a, %m[%c0] : memref<4xf32> // race
    %b = arith.addf %a, %s : f32
    scf.yield %b : f32
  } {volcli.parallel}
  return %r : f32
}
// -----
func.func @f(%m: memref<6xf32>) {
  %a = memref.subview %m[0] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1]>>
  %b = memref.subview %m[1] [5] [1] : memref<6xf32> to memref<5xf32, strided<[1], offset: 1>>
  linalg.exp ins(%a : memref<5xf32, strided<[1]>>) outs(%b : memref<5xf32, strided<[1], offset: 1>>) // race
  return
}
// -----
#row = affine_map<(i, j) -> (i, j)>
#sum = affine_map<(i, j) -> (i)>
func.func @f(%a: memref<3x4xf32>, %b: memref<3xf32>) {
  linalg.generic {indexing_maps = [#row, #sum], iterator_types = ["parallel", "parallel"]} // race
    ins(%a : memref<3x4xf32>) outs(%b : memref<3xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
// -----
func.func @f(%a: memref<4x4xf32>) {
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [1, 0] // race
  return
}
// -----
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>) // race
  return
}
// -----
func.func @f(%m: memref<4xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %r = memref.reinterpret_cast %m to offset: [0], sizes: [%n], strides: [%c0] : memref<4xf32> to memref<?xf32, strided<[?]>>
  linalg.map outs(%r : memref<?xf32, strided<[?]>>) (%o: f32) { // race
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %y = arith.sitofp %k : i32 to f32
    linalg.yield %y : f32
  }
  return
}
// -----
func.func @f(%m: memref<9xf32>, %n: index) {
  %a = memref.subview %m[0] [%n] [2] : memref<9xf32> to memref<?xf32, strided<[2]>>
  %b = memref.subview %m[2] [%n] [1] : memref<9xf32> to memref<?xf32, strided<[1], offset: 2>>
  memref.copy %a, %b : memref<?xf32, strided<[2]>> to memref<?xf32, strided<[1], offset: 2>> // race
  return
}
// -----
func.func @f(%m: memref<1xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  affine.parallel (%i) = (0) to (2) {
    affine.if affine_set<(i) : (i == 0)>(%i) {
      %old = memref.atomic_rmw addi %x, %m[%c0] : (i32, memref<1xi32>) -> i32
    } else {
      memref.store %x, %m[%c0] : memref<1xi32> // race
    }
  }
  return
}
// -----
func.func private @put(%m: memref<4xf32>, %i: index) {
  %x = arith.constant 1.0 : f32
  affine.for %j = 0 to 2 {
    affine.store %x, %m[%j] : memref<4xf32> // race
  }
  return
}
func.func @f(%m: memref<4xf32>) {
  affine.parallel (%i) = (0) to (4) {
    func.call @put(%m, %i) : (memref<4xf32>, index) -> ()
  }
  return
}
// -----
func.func @f(%n: index) -> index {
  %four = arith.constant 4 : index
  %z = arith.subi %n, %four : index
  %r = arith.remui %n, %z : index // arithmetic
  return %r : index
}
// -----
func.func @f(%t: tensor<4xi32>) -> tensor<4xi32> {
  %d = arith.constant dense<[1, 2, 0, 3]> : tensor<4xi32>
  %r = arith.divsi %t, %d : tensor<4xi32> // arithmetic
  return %r : tensor<4xi32>
}
// -----
func.func @f(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  memref.store %zero, %b[%c0] : memref<4xi32>
  linalg.div ins(%a, %b : memref<4xi32>, memref<4xi32>) outs(%a : memref<4xi32>) // arithmetic
  return
}
// -----
func.func @f() -> i32 {
  %a = arith.constant -2147483648 : i32
  %b = arith.constant -1 : i32
  %r = arith.floordivsi %a, %b : i32 // arithmetic
  return %r : i32
}
// -----
func.func @f(%n: index) -> index {
  %r = affine.apply affine_map<(i)[s] -> (i mod (s - 4))>(%n)[%n] // arithmetic
  return %r : index
}
// -----
func.func @f(%n: index) -> index {
  %c0 = index.constant 0
  %r = index.ceildivs %n, %c0 // arithmetic
  return %r : index
}
// -----
func.func @f() -> i8 {
  %a = arith.constant 0 : i8
  %n = arith.constant -1 : i8
  %r = math.ipowi %a, %n : i8 // arithmetic
  return %r : i8
}
// -----
func.func @f() -> i8 {
  %a = arith.constant 100 : i8
  %r = arith.muli %a, %a overflow<nsw> : i8
  return %r : i8 // poison
}
// -----
func.func @f(%m: memref<4xf32>) -> f32 {
  %a = arith.constant -1 : i8
  %b = arith.addi %a, %a overflow<nuw> : i8
  %i = arith.index_cast %b : i8 to index
  %x = memref.load %m[%i] : memref<4xf32> // poison
  return %x : f32
}
// -----
func.func @f(%x: i32) -> i32 {
  %c32 = arith.constant 32 : i32
  %c0 = arith.constant 0 : i32
  %s = arith.shrui %x, %c32 : i32
  %b = arith.cmpi slt, %s, %c0 : i32
  %r = scf.if %b -> i32 { // poison
    scf.yield %x : i32
  } else {
    scf.yield %c0 : i32
  }
  return %r : i32
}
// -----
func.func @f() {
  %a = arith.constant 300 : i16
  %b = arith.trunci %a overflow<nuw> : i16 to i8
  %c = arith.cmpi eq, %b, %b : i8
  cf.assert %c, "equal" // poison
  return
}
// -----
func.func @f() -> i32 {
  %x = arith.constant 1.0e+30 : f32
  %r = arith.fptosi %x : f32 to i32
  return %r : i32 // poison
}
// -----
func.func @f() -> i32 {
  %seven = arith.constant 7 : i32
  %two = arith.constant 2 : i32
  %r = arith.divui %seven, %two exact : i32
  return %r : i32 // poison
}
// -----
func.func @f(%t: tensor<4xi8>) -> tensor<4xi8> {
  %e = tensor.empty() : tensor<4xi8>
  %r = linalg.map ins(%t : tensor<4xi8>) outs(%e : tensor<4xi8>) (%x: i8, %y: i8) {
    %eight = arith.constant 8 : i8
    %s = arith.shli %x, %eight : i8
    linalg.yield %s : i8
  }
  return %r : tensor<4xi8> // poison
}
// -----
func.func @f(%n: index) {
  %five = arith.constant 5 : index
  %b = arith.cmpi ugt, %n, %five : index
  cf.assert %b, "more than five" // contract
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>, %b: tensor<6x3xf32>, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x?xf32>, tensor<6x3xf32>) outs(%c : tensor<4x3xf32>) -> tensor<4x3xf32> // contract
  return %r : tensor<4x3xf32>
}
// -----
func.func @f(%n: index) {
  %c5 = arith.constant 5 : index
  %s = arith.subi %n, %c5 : index
  %m = memref.alloca(%s) : memref<?x3xf32> // contract
  return
}
// -----
func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %z = arith.constant -2 : index
  %r = tensor.extract_slice %t[0] [%z] [1] : tensor<?xf32> to tensor<?xf32> // contract
  return %r : tensor<?xf32>
}
// -----
func.func @f(%t: tensor<?xf32>) -> tensor<5xf32> {
  %r = tensor.cast %t : tensor<?xf32> to tensor<5xf32> // contract
  return %r : tensor<5xf32>
}
// -----
func.func @f(%m: memref<8xf32>, %n: index) {
  %s = memref.subview %m[0] [4] [%n] : memref<8xf32> to memref<4xf32, strided<[?]>> // bounds
  return
}
// -----
func.func @f(%m: memref<4x6xf32>, %n: index) {
  %s = memref.subview %m[0, 0] [2, 3] [1, 1] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 1]>>
  %d = memref.cast %s : memref<2x3xf32, strided<[6, 1]>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %c = memref.cast %d : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<2x3xf32> // contract
  return
}
// -----
func.func @f(%a: memref<?xf32>, %b: memref<5xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<5xf32> // contract
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  %a = memref.cast %m : memref<4xf32> to memref<?xf32>
  %d:2 = memref.distinct_objects %m, %a : memref<4xf32>, memref<?xf32> // contract
  return
}
// -----
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %n step %c0 { // contract
  }
  return
}
// -----
func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c = arith.constant 0.0 : f32
  %five = arith.constant -5 : index
  %r = tensor.pad %t low[%five] high[%n] { // contract
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
// -----
func.func @f(%t: tensor<?xf32>, %n: index) -> tensor<3x?xf32> {
  %r = tensor.expand_shape %t [[0, 1]] output_shape [3, %n] : tensor<?xf32> into tensor<3x?xf32> // contract
  return %r : tensor<3x?xf32>
}
// -----
func.func @f(%m: memref<?x4xf32>, %s: memref<2xindex>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  memref.store %c5, %s[%c0] : memref<2xindex>
  memref.store %c5, %s[%c1] : memref<2xindex>
  %r = memref.reshape %m(%s) : (memref<?x4xf32>, memref<2xindex>) -> memref<?x?xf32> // contract
  return %r : memref<?x?xf32>
}
// -----
func.func @f(%n: index) -> index {
  %r = affine.linearize_index disjoint [%n, %n] by (9, 4) : index // contract
  return %r : index
}
// -----
func.func @f(%n: index) {
  cf.br ^loop(%n : index)
^loop(%i: index):
  cf.br ^loop(%i : index) // stopped
}
// -----
func.func @f(%x: i32) -> i32 {
  %true = arith.constant true
  %r = scf.while (%a = %x) : (i32) -> i32 { // stopped
    scf.condition(%true) %a : i32
  } do {
  ^bb0(%a: i32):
    scf.yield %a : i32
  }
  return %r : i32
}
// -----
func.func @f(%x: i32) -> i32 { // stopped
  %r = call @f(%x) : (i32) -> i32
  return %r : i32
}
// -----
func.func @f(%x: i32) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 1000000 { // stopped
    }
  }
  return
}
// -----
func.func @f(%m: memref<2x5xf32>, %n: index, %p: f32) -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %v = vector.transfer_read %m[%c0, %n], %p {in_bounds = [true]} : memref<2x5xf32>, vector<4xf32> // bounds
  return %v : vector<4xf32>
}
// -----
func.func @f(%m: memref<5xf32>, %v: vector<4xf32>, %n: index) {
  %mask = vector.constant_mask [2] : vector<4xi1>
  vector.maskedstore %m[%n], %mask, %v : memref<5xf32>, vector<4xi1>, vector<4xf32> // bounds
  return
}
// -----
func.func @f(%m: memref<8xf32>, %v: vector<4xf32>) {
  affine.parallel (%i) = (0) to (3) {
    affine.vector_store %v, %m[%i * 2] : memref<8xf32>, vector<4xf32> // race
  }
  return
}
// -----
func.func @f(%a: tensor<3xf32>) -> tensor<?xi32> {
  %c = tensor.cast %a : tensor<3xf32> to tensor<?xf32>
  %r = stablehlo.bitcast_convert %c : (tensor<?xf32>) -> tensor<4xi32> // contract
  %s = tensor.cast %r : tensor<4xi32> to tensor<?xi32>
  return %s : tensor<?xi32>
}
// -----
func.func @f(%a: tensor<3xf32>, %b: tensor<4xf32>, %i: tensor<i32>) -> tensor<3xf32> {
  %c = tensor.cast %b : tensor<4xf32> to tensor<?xf32>
  %r = stablehlo.dynamic_update_slice %a, %c, %i : (tensor<3xf32>, tensor<?xf32>, tensor<i32>) -> tensor<3xf32> // contract
  return %r : tensor<3xf32>
}
