memref.global "private" constant @sparse : memref<2xf32> = sparse<[[0]], [1.0]>
func.func @alloc(%n: index, %s: index) {
  %0 = memref.alloc() : memref<8x64xf32>
  %1 = memref.alloc(%n) {alignment = 64 : i64} : memref<8x?xf32, 1>
  %2 = memref.alloc(%n)[%s] : memref<8x?xf32, affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>>
  %3 = memref.alloca() : memref<f32>
  %4 = memref.alloca(%n)[%s] {alignment = 8 : i64, x.note} : memref<?xi8, affine_map<(d0)[s0] -> (d0 + s0)>>
  memref.dealloc %0 : memref<8x64xf32>
  return
}
// -----
func.func @realloc(%m: memref<4xf32>, %d: memref<?xf32>, %n: index) {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf32>
  %1 = memref.realloc %d(%n) {alignment = 8 : i64} : memref<?xf32> to memref<?xf32>
  return
}
// -----
func.func @load_store(%m: memref<4x?xf32>, %z: memref<f32>, %i: index, %x: f32) {
  %0 = memref.load %m[%i, %i] : memref<4x?xf32>
  %1 = memref.load %z[] {nontemporal = true} : memref<f32>
  %2 = memref.load %m[%i, %i] {alignment = 16 : i64, nontemporal = true, x.y = 1 : i32} : memref<4x?xf32>
  memref.store %0, %m[%i, %i] : memref<4x?xf32>
  memref.store %x, %z[] {alignment = 4 : i64, nontemporal = true} : memref<f32>
  return
}
// -----
func.func @cast(%m: memref<4x?xf32>, %u: memref<*xf32, 1>, %s: memref<12x4xf32, strided<[?, ?], offset: ?>>) {
  %0 = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
  %1 = memref.cast %m : memref<4x?xf32> to memref<*xf32>
  %2 = memref.cast %u : memref<*xf32, 1> to memref<4xf32, 1>
  %3 = memref.cast %s : memref<12x4xf32, strided<[?, ?], offset: ?>> to memref<12x4xf32, strided<[4, 1], offset: 5>>
  %4 = memref.memory_space_cast %m : memref<4x?xf32> to memref<4x?xf32, 3>
  %5 = memref.memory_space_cast %u : memref<*xf32, 1> to memref<*xf32>
  return
}
// -----
func.func @sizes(%m: memref<4x?xf32>, %u: memref<*xf32>, %i: index) -> index {
  %0 = memref.dim %m, %i : memref<4x?xf32>
  %1 = memref.dim %u, %i : memref<*xf32>
  %2 = memref.rank %m : memref<4x?xf32>
  %3 = memref.rank %u : memref<*xf32>
  return %0 : index
}
// -----
func.func @copy(%a: memref<4x?xf32>, %b: memref<4x?xf32, strided<[?, 1]>>, %u: memref<*xf32>) {
  memref.copy %a, %b : memref<4x?xf32> to memref<4x?xf32, strided<[?, 1]>>
  memref.copy %u, %u : memref<*xf32> to memref<*xf32>
  memref.copy %a, %a {x.y} : memref<4x?xf32> to memref<4x?xf32>
  return
}
// -----
memref.global "private" constant @c : memref<2xf32> = dense<[1.0, 2.0]>
memref.global "private" @uninitialized : memref<2x3xi32> = uninitialized {alignment = 64 : i64}
memref.global @external : memref<4xf32>
memref.global constant @splat : memref<100x200xf32, 1> = dense<0.0> {alignment = 16 : i64, x.note = "n"}
memref.global "nested" @scalar : memref<i64> = dense<42>
memref.global "private" constant @blob : memref<4xi8> = dense<"0x01020304">
memref.global "private" constant @resource : memref<4xi8> = dense_resource<blob1>
func.func @get() -> memref<2xf32> {
  %0 = memref.get_global @c : memref<2xf32>
  %1 = memref.get_global @external : memref<4xf32>
  return %0 : memref<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x0800000001020304"
    }
  }
#-}
// -----
func.func @alloca_scope(%x: f32, %c: i1) -> f32 {
  memref.alloca_scope {
    %0 = memref.alloca() : memref<4xf32>
  }
  %1 = memref.alloca_scope -> f32 {
    memref.alloca_scope.return %x : f32
  }
  %2:2 = memref.alloca_scope -> (f32, i1) {
    memref.alloca_scope.return %x, %c : f32, i1
  }
  memref.alloca_scope {
    memref.alloca_scope.return
  } {x.y = 1 : i32}
  return %1 : f32
}
// -----
func.func @reshape(%m: memref<4xf32>, %u: memref<*xf32>, %shape: memref<?xindex>, %s2: memref<2xi32>) {
  %0 = memref.reshape %m(%shape) : (memref<4xf32>, memref<?xindex>) -> memref<*xf32>
  %1 = memref.reshape %u(%s2) : (memref<*xf32>, memref<2xi32>) -> memref<?x?xf32>
  return
}
// -----
func.func @transpose(%m: memref<2x3x?xf32>) {
  %0 = memref.transpose %m (i, j, k) -> (k, j, i) : memref<2x3x?xf32> to memref<?x3x2xf32, affine_map<(d0, d1, d2)[s0, s1] -> (d0 + d1 * s0 + d2 * s1)>>
  return
}
// -----
func.func @transpose_2d(%m: memref<3x?xf32>) {
  %0 = memref.transpose %m (d0, d1) -> (d1, d0) {x.y = 2 : i64} : memref<3x?xf32> to memref<?x3xf32, strided<[1, ?]>>
  return
}
// -----
func.func @atomic(%m: memref<10xf32>, %k: memref<10xi32>, %i: index, %x: f32, %n: i32) {
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<10xf32>) -> f32
  %1 = memref.atomic_rmw assign %x, %m[%i] : (f32, memref<10xf32>) -> f32
  %2 = memref.atomic_rmw maximumf %x, %m[%i] : (f32, memref<10xf32>) -> f32
  %3 = memref.atomic_rmw minimumf %x, %m[%i] : (f32, memref<10xf32>) -> f32
  %4 = memref.atomic_rmw mulf %x, %m[%i] : (f32, memref<10xf32>) -> f32
  %5 = memref.atomic_rmw maxnumf %x, %m[%i] : (f32, memref<10xf32>) -> f32
  %6 = memref.atomic_rmw minnumf %x, %m[%i] : (f32, memref<10xf32>) -> f32
  %7 = memref.atomic_rmw addi %n, %k[%i] : (i32, memref<10xi32>) -> i32
  %8 = memref.atomic_rmw maxs %n, %k[%i] : (i32, memref<10xi32>) -> i32
  %9 = memref.atomic_rmw maxu %n, %k[%i] : (i32, memref<10xi32>) -> i32
  %10 = memref.atomic_rmw mins %n, %k[%i] : (i32, memref<10xi32>) -> i32
  %11 = memref.atomic_rmw minu %n, %k[%i] : (i32, memref<10xi32>) -> i32
  %12 = memref.atomic_rmw muli %n, %k[%i] : (i32, memref<10xi32>) -> i32
  %13 = memref.atomic_rmw ori %n, %k[%i] : (i32, memref<10xi32>) -> i32
  %14 = memref.atomic_rmw andi %n, %k[%i] {x.y} : (i32, memref<10xi32>) -> i32
  %15 = memref.atomic_rmw xori %n, %k[%i] {x.y} : (i32, memref<10xi32>) -> i32
  return
}
// -----
func.func @generic_atomic(%m: memref<10x?xf32>, %i: index) -> f32 {
  %0 = memref.generic_atomic_rmw %m[%i, %i] : memref<10x?xf32> {
  ^bb0(%current: f32):
    %one = arith.constant 1.0 : f32
    %next = arith.addf %one, %current : f32
    memref.atomic_yield %next : f32
  }
  %1 = memref.generic_atomic_rmw %m[%i, %i] : memref<10x?xf32> {
  ^bb0(%current: f32):
    memref.atomic_yield %current : f32
  } {x.y = 1 : i64}
  return %0 : f32
}
// -----
func.func @reinterpret_cast(%m: memref<?x?xf32>, %u: memref<*xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [10, %n], strides: [%n, 1] : memref<?x?xf32> to memref<10x?xf32, strided<[?, 1]>>
  %1 = memref.reinterpret_cast %u to offset: [%n], sizes: [4], strides: [2] : memref<*xf32> to memref<4xf32, strided<[2], offset: ?>>
  %2 = memref.reinterpret_cast %u to offset: [0], sizes: [], strides: [] {x.y} : memref<*xf32> to memref<f32>
  return
}
// -----
func.func @subview(%m: memref<8x16x4xf32>, %d: memref<?x?xf32, strided<[?, 1], offset: ?>>, %n: index) {
  %0 = memref.subview %m[0, 0, 0] [8, 16, 4] [1, 1, 1] : memref<8x16x4xf32> to memref<8x16x4xf32>
  %1 = memref.subview %m[1, 2, 3] [1, 4, 1] [1, 2, 1] : memref<8x16x4xf32> to memref<4xf32, strided<[8], offset: 75>>
  %2 = memref.subview %m[%n, 0, %n] [%n, 4, 1] [1, %n, 1] {x.y = "z"} : memref<8x16x4xf32> to memref<?x4xf32, strided<[64, ?], offset: ?>>
  %3 = memref.subview %d[%n, %n] [%n, 2] [2, %n] : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x2xf32, strided<[?, ?], offset: ?>>
  return
}
// -----
func.func @view(%b: memref<2048xi8>, %i: index, %n: index) {
  %0 = memref.view %b[%i][] : memref<2048xi8> to memref<64x4xf32>
  %1 = memref.view %b[%i][%n, %n] {x.y} : memref<2048xi8> to memref<?x4x?xf32>
  return
}
// -----
func.func @expand_collapse(%a: memref<12x?xf32>, %b: memref<?xf32>, %z: memref<f32>, %e: memref<1x1xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0, 1], [2, 3]] output_shape [3, 4, %n, 2] : memref<12x?xf32> into memref<3x4x?x2xf32>
  %1 = memref.collapse_shape %0 [[0, 1, 2], [3]] : memref<3x4x?x2xf32> into memref<?x2xf32>
  %2 = memref.expand_shape %z [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  %3 = memref.collapse_shape %e [] {x.y} : memref<1x1xf32> into memref<f32>
  %4 = memref.expand_shape %b [[0, 1]] output_shape [%n, %n] {x.y} : memref<?xf32> into memref<?x?xf32>
  return
}
// -----
func.func @prefetch(%m: memref<10x10xf32>, %i: index) {
  memref.prefetch %m[%i, %i], write, locality<1>, data : memref<10x10xf32>
  memref.prefetch %m[%i, %i], read, locality<3>, instr : memref<10x10xf32>
  return
}
// -----
func.func @dma(%a: memref<512x3xf32>, %b: memref<16xf32, 2>, %tag: memref<1xi32, 4>, %t0: memref<i32>, %i: index) {
  memref.dma_start %a[%i, %i], %b[%i], %i, %tag[%i] : memref<512x3xf32>, memref<16xf32, 2>, memref<1xi32, 4>
  memref.dma_start %a[%i, %i], %b[%i], %i, %tag[%i], %i, %i : memref<512x3xf32>, memref<16xf32, 2>, memref<1xi32, 4>
  memref.dma_wait %tag[%i], %i : memref<1xi32, 4>
  return
}
// -----
func.func @aliasing(%a: memref<?xf16>, %b: memref<?xf32>) {
  %0, %1 = memref.distinct_objects %a, %b : memref<?xf16>, memref<?xf32>
  %2 = memref.assume_alignment %b, 16 : memref<?xf32>
  %3 = memref.assume_alignment %b, 32 {x.y} : memref<?xf32>
  return
}
// -----
func.func @metadata(%m: memref<4x?xf32>, %z: memref<f32>) {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %1, %2 = memref.extract_strided_metadata %z : memref<f32> -> memref<f32>, index
  %3 = memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
  return
}
