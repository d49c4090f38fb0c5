func.func @transfer_read(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %p: f32, %k: vector<4xi1>, %v: memref<?x?xvector<4xf32>>, %pv: vector<4xf32>) {
  %0 = vector.transfer_read %m[%i, %i], %p : memref<?x?xf32>, vector<4xf32>
  %1 = vector.transfer_read %t[%i, %i], %p {in_bounds = [true, false]} : tensor<?x?xf32>, vector<4x8xf32>
  %2 = vector.transfer_read %m[%i, %i], %p {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  %3 = vector.transfer_read %m[%i, %i], %p, %k {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>, x.y = 1 : i32} : memref<?x?xf32>, vector<4xf32>
  %4 = vector.transfer_read %m[%i, %i], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<?x?xf32>, vector<4x8xf32>
  %5 = vector.transfer_read %v[%i, %i], %pv {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<?x?xvector<4xf32>>, vector<1x1x4xf32>
  %6 = vector.transfer_read %m[%i, %i], %p : memref<?x?xf32>, vector<f32>
  return
}
// -----
func.func @transfer_write(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %i: index, %v: vector<4xf32>, %w: vector<4x8xf32>, %k: vector<4xi1>) {
  vector.transfer_write %v, %m[%i, %i] : vector<4xf32>, memref<?x?xf32>
  %0 = vector.transfer_write %w, %t[%i, %i] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<?x?xf32>
  vector.transfer_write %v, %m[%i, %i], %k {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d0)>, x.y} : vector<4xf32>, memref<?x?xf32>
  return
}
// -----
func.func @load_store(%m: memref<8x?xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>, %x: vector<4xi32>) {
  %0 = vector.load %m[%i, %i] : memref<8x?xf32>, vector<4xf32>
  %1 = vector.load %m[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<8x?xf32>, vector<2x4xf32>
  vector.store %0, %m[%i, %i] : memref<8x?xf32>, vector<4xf32>
  vector.store %0, %m[%i, %i] {alignment = 8 : i64, nontemporal = true, x.y} : memref<8x?xf32>, vector<4xf32>
  %2 = vector.maskedload %m[%i, %i], %k, %v : memref<8x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i, %i], %k, %v {x.y} : memref<8x?xf32>, vector<4xi1>, vector<4xf32>
  %3 = vector.gather %m[%i, %i] [%x], %k, %v : memref<8x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i, %i] [%x], %k, %v {alignment = 8 : i64} : memref<8x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %4 = vector.expandload %m[%i, %i], %k, %v : memref<8x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i, %i], %k, %v : memref<8x?xf32>, vector<4xi1>, vector<4xf32>
  return
}
// -----
func.func @print(%v: vector<4xf32>, %i: index, %x: f32) {
  vector.print %v : vector<4xf32>
  vector.print %i : index
  vector.print %x : f32 punctuation <no_punctuation>
  vector.print punctuation <newline>
  vector.print punctuation <comma>
  vector.print
  vector.print str "hello"
  "vector.print"(%x) <{punctuation = #vector.punctuation<close>}> {x.y} : (f32) -> ()
  return
}
// -----
func.func @shapes(%x: f32, %v: vector<4xf32>, %w: vector<2x3x4xf32>, %s: vector<[4]xf32>, %z: vector<f32>) {
  %0 = vector.broadcast %x : f32 to vector<4x8xf32>
  %1 = vector.broadcast %v {x.y} : vector<4xf32> to vector<2x4xf32>
  %2 = vector.transpose %w, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
  %3 = vector.transpose %w, [0, 1, 2] {x.y} : vector<2x3x4xf32> to vector<2x3x4xf32>
  %4 = vector.shape_cast %w : vector<2x3x4xf32> to vector<6x4xf32>
  %5 = vector.bitcast %v : vector<4xf32> to vector<8xi16>
  %6 = vector.shuffle %v, %v [0, 5, -1, 7] : vector<4xf32>, vector<4xf32>
  %7 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  %8, %9 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  %10 = vector.vscale
  %11 = vector.vscale {x.y}
  %12 = vector.step : vector<4xindex>
  return
}
// -----
func.func @extract_insert(%x: f32, %v: vector<4xf32>, %w: vector<2x3x4xf32>, %i: index, %s: vector<[4]xf32>) {
  %0 = vector.extract %v[1] : f32 from vector<4xf32>
  %1 = vector.extract %w[0, %i] : vector<4xf32> from vector<2x3x4xf32>
  %2 = vector.extract %w[] {x.y} : vector<2x3x4xf32> from vector<2x3x4xf32>
  %3 = vector.insert %x, %v[2] : f32 into vector<4xf32>
  %4 = vector.insert %v, %w[%i, 1] {x.y} : vector<4xf32> into vector<2x3x4xf32>
  %5 = vector.extract_strided_slice %w {offsets = [0, 1], sizes = [1, 2], strides = [1, 1]} : vector<2x3x4xf32> to vector<1x2x4xf32>
  %6 = vector.insert_strided_slice %v, %w {offsets = [0, 0, 0], strides = [1]} : vector<4xf32> into vector<2x3x4xf32>
  %7 = vector.scalable.extract %s[0] : vector<2xf32> from vector<[4]xf32>
  %8 = vector.scalable.insert %v, %s[4] : vector<4xf32> into vector<[4]xf32>
  return
}
// -----
func.func @elements(%v: vector<2x1xf32>, %x: f32) {
  %0:2 = vector.to_elements %v : vector<2x1xf32>
  %1 = vector.from_elements %x, %x : vector<2xf32>
  %2 = vector.from_elements %x {x.y} : vector<1xf32>
  return
}
// -----
func.func @contract(%a: vector<4x8xf32>, %b: vector<8x16xf32>, %c: vector<4x16xf32>, %d: vector<16xf32>, %x: f32) {
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  %1 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maximumf>, x.y} %d, %d, %x : vector<16xf32>, vector<16xf32> into f32
  %2 = vector.outerproduct %d, %d : vector<16xf32>, vector<16xf32>
  %3 = vector.outerproduct %d, %d, %2 {kind = #vector.kind<maxnumf>} : vector<16xf32>, vector<16xf32>
  %4 = vector.outerproduct %d, %x : vector<16xf32>, f32
  %5 = vector.fma %a, %a, %a : vector<4x8xf32>
  return
}
// -----
func.func @reductions(%v: vector<16xf32>, %w: vector<4x8xi32>, %a: vector<4xi32>, %x: f32, %n: i32, %z: vector<f32>) {
  %0 = vector.reduction <add>, %v : vector<16xf32> into f32
  %1 = vector.reduction <mul>, %v, %x fastmath<reassoc> : vector<16xf32> into f32
  %2 = vector.reduction <xor>, %a {x.y} : vector<4xi32> into i32
  %3 = vector.multi_reduction <add>, %w, %a [1] : vector<4x8xi32> to vector<4xi32>
  %4 = vector.multi_reduction <minsi>, %w, %n {x.y} [0, 1] : vector<4x8xi32> to i32
  return
}
// -----
func.func @scan(%w: vector<4x8xi32>, %a: vector<4xi32>) {
  %0:2 = vector.scan <add>, %w, %a {inclusive = true, reduction_dim = 1 : i64} : vector<4x8xi32>, vector<4xi32>
  return
}
// -----
func.func @masks(%i: index, %v: vector<8xi1>, %w: vector<8xf32>, %p: vector<8xf32>, %t: tensor<?xf32>, %x: f32) {
  %0 = vector.constant_mask [3, 2] : vector<4x3xi1>
  %1 = vector.create_mask %i, %i : vector<4x3xi1>
  %2 = vector.create_mask %i {x.y} : vector<[4]xi1>
  %3 = vector.mask %v { vector.reduction <add>, %w : vector<8xf32> into f32 } : vector<8xi1> -> f32
  %4 = vector.mask %v, %p { vector.transfer_read %t[%i], %x : tensor<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  vector.mask %v { } : vector<8xi1>
  return
}
// -----
func.func @type_cast(%m: memref<5x4x3xf32>) {
  %0 = vector.type_cast %m : memref<5x4x3xf32> to memref<vector<5x4x3xf32>>
  return
}
