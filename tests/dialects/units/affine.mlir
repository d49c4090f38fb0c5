#map = affine_map<(d0)[s0] -> (d0, s0 + 3)>
#identity = affine_map<(d0) -> (d0)>
func.func @index_values(%i: index, %n: index) -> index {
  %a = affine.apply #identity(%i)
  %b = affine.apply affine_map<(d0)[] -> (d0 * 2 - 1)>(%i)[] {x.y}
  %c = affine.apply affine_map<()[s0, s1] -> (s0 * s1 + s0 floordiv s1)>()[%i, %n]
  %d = affine.min #map(%i)[%n]
  %e = affine.max #map(%i)[%n] {x.y}
  %f = affine.max affine_map<() -> (3, 4)>()
  %g = affine.min affine_map<(d0) -> (d0, 7)>(%i)[]
  %h:3 = affine.delinearize_index %i into (%n, 224, 3) : index, index, index
  %j:3 = affine.delinearize_index %i into (%n, 3) {x.y} : index, index, index
  %k = affine.linearize_index [%h#0, %j#1] by (2, %n) : index
  %l = affine.linearize_index disjoint [%h#0, %j#1] by (5) {x.y} : index
  %m = affine.linearize_index [] by () : index
  return %m : index
}
// -----
#lower = affine_map<(d0)[s0] -> (d0, s0)>
#upper = affine_map<(d0)[s0] -> (d0 + 8, s0)>
func.func @for(%i: index, %n: index, %x: f32) -> f32 {
  affine.for %k = 0 to 10 {
  }
  affine.for %k = -1 to %n step 2 {
    affine.yield
  } {x.y}
  affine.for %k = max #lower(%i)[%n] to min #upper(%i)[%n] {
  }
  affine.for %k = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 * 2)>(%i)[] {
    affine.for %l = affine_map<() -> (2)>() to min affine_map<()[s0] -> (s0)>()[%n] {
    }
  }
  %bare = affine.for %k = 0 to 10 iter_args(%s = %x) -> f32 {
    affine.yield %s : f32
  }
  %r:2 = affine.for %k = 0 to 10 step 4 iter_args(%s = %x, %t = %i) -> (f32, index) {
    affine.yield {x.y} %s, %k : f32, index
  } {x.y}
  return %r#0 : f32
}
// -----
#set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 * 2 == 0)>
func.func @if(%i: index, %n: index, %x: f32) -> f32 {
  affine.if #set(%i)[%n] {
    "t.a"() : () -> ()
  }
  affine.if affine_set<() : (1 == 0)>() {
  } else {
    "t.a"() : () -> ()
  } {x.y}
  %bare = affine.if affine_set<(d0, d1) : (d0 - d1 >= 0)>(%i, %i)[] -> f32 {
    affine.yield %x : f32
  } else {
    affine.yield %x : f32
  }
  %r:2 = affine.if affine_set<()[s0] : (s0 mod 2 == 0)>()[%n] -> (f32, index) {
    affine.yield %x, %i : f32, index
  } else {
    affine.yield %x, %i : f32, index
  }
  return %r#0 : f32
}
// -----
func.func @parallel(%i: index, %n: index, %x: f32) -> f32 {
  affine.parallel (%a) = (0) to (%n) {
  }
  affine.parallel () = () to () {
  }
  affine.parallel (%a, %b) = (0, max(%i + symbol(%n), %n)) to (10, min(symbol(%i) - 2, %n mod 4)) step (1, 2) {
    affine.yield
  } {x.y}
  affine.parallel (%a, %b, %c) = (%i, symbol(%i), max(%n, 0, %i)) to (7, %i floordiv 2, min(%n)) {
    affine.parallel (%d) = (%a) to (%a + 1) step (3) {
    }
  }
  %r:2 = affine.parallel (%a) = (0) to (8) reduce ("addf", "muli") -> (f32, i32) {
    %k = "t.a"() : () -> i32
    affine.yield %x, %k : f32, i32
  }
  %s = affine.parallel (%a) = (0) to (8) step (2) reduce ("maximumf") -> f32 {
    affine.yield %x : f32
  }
  return %s : f32
}
// -----
func.func @accesses(%m: memref<10x?xf32>, %v: memref<f32>, %n: index, %x: f32) {
  affine.for %i = 0 to 10 {
    %0 = affine.load %m[%i, symbol(%n) - 1] : memref<10x?xf32>
    %1 = affine.load %m[(%i + 5) floordiv 2 + symbol(%n) * 2, -%i mod 4] {x.y} : memref<10x?xf32>
    %2 = affine.load %v[] : memref<f32>
    %3 = affine.load %m[0, 3 - (%i - 2 * symbol(%n)) * 2 * 3] : memref<10x?xf32>
    %4 = affine.load %m[-(%i + %i), 2 + %i * 0 + 3] : memref<10x?xf32>
    %5 = affine.load %m[%i * symbol(%n), %i ceildiv symbol(%n)] : memref<10x?xf32>
    affine.store %x, %m[%i, %i * 3 floordiv -(-2)] : memref<10x?xf32>
    affine.store %x, %v[] {x.y} : memref<f32>
    %6 = affine.vector_load %m[%i, 5 ceildiv 2] : memref<10x?xf32>, vector<8xf32>
    %7 = affine.vector_load %m[%i, %i] {x.y} : memref<10x?xf32>, vector<2x4xf32>
    affine.vector_store %6, %m[%i + 1, symbol(%n) + symbol(%n)] : memref<10x?xf32>, vector<8xf32>
    affine.vector_store %7, %m[%i, 0] {x.y} : memref<10x?xf32>, vector<2x4xf32>
    affine.prefetch %m[%i, %i + 5], read, locality<3>, data : memref<10x?xf32>
    affine.prefetch %m[%i, symbol(%n)], write, locality<0>, instr {x.y} : memref<10x?xf32>
  }
  return
}
// -----
func.func @transfers(%a: memref<8x8xf32>, %b: memref<64xf32, 2>, %tag: memref<1xi32>, %i: index, %n: index) {
  affine.dma_start %a[%i, %n + 1], %b[symbol(%n) * 2], %tag[0], %n : memref<8x8xf32>, memref<64xf32, 2>, memref<1xi32>
  affine.dma_start %a[%i, %i], %b[%n], %tag[%i], %n, %n, %i : memref<8x8xf32>, memref<64xf32, 2>, memref<1xi32>
  affine.dma_wait %tag[%i], %n : memref<1xi32>
  return
}
