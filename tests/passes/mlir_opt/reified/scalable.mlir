// As bounds.mlir, in vector.vscale, which is between two numbers.
func.func @sc_mul() {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  "test.bound"(%w) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
func.func @sc_min(%a: index) {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  %m = affine.min affine_map<()[s0, s1] -> (s0, s1)>()[%w, %a]
  "test.bound"(%m) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
func.func @sc_minc(%a: index) {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  %m = affine.min affine_map<()[s0, s1] -> (s0 + 3, 100)>()[%w, %a]
  "test.bound"(%m) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
func.func @sc_iter(%n: index) {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  %c0 = arith.constant 0 : index
  %c99 = arith.constant 99 : index
  scf.for %i = %c0 to %c99 step %w {
    %m = affine.min affine_map<(d0)[s0] -> (s0, 99 - d0)>(%i)[%w]
    "test.bound"(%m) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  }
  return
}
func.func @sc_iv() {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  %c0 = arith.constant 0 : index
  scf.for %i = %c0 to %w step %c4 {
    "test.bound"(%i) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  }
  return
}
func.func @sc_sub() {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  %m = affine.apply affine_map<()[s0] -> (500 - s0)>()[%w]
  "test.bound"(%m) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
func.func @sc_remain() {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  %m = affine.apply affine_map<()[s0] -> (1000 - 1000 mod s0)>()[%w]
  "test.bound"(%m) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
func.func @sc_dim(%x: f32) {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  %e = tensor.empty(%w) : tensor<?xf32>
  "test.bound"(%e) {dim = 0 : i64, scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (tensor<?xf32>) -> ()
  return
}
func.func @sc_vector(%x: vector<4x[8]xf32>) {
  "test.bound"(%x) {dim = 1 : i64, scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (vector<4x[8]xf32>) -> ()
  return
}
func.func @sc_const() {
  %c = arith.constant 7 : index
  "test.bound"(%c) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
func.func @sc_unknown(%a: index) {
  "test.bound"(%a) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
func.func @sc_two() {
  %v = vector.vscale
  %w = vector.vscale
  %s = arith.addi %v, %w : index
  "test.bound"(%s) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
func.func @sc_fixed() {
  %v = vector.vscale
  "test.bound"(%v) {scalable, vscale_min = 4 : i64, vscale_max = 4 : i64} : (index) -> ()
  return
}
func.func @sc_half() {
  %v = vector.vscale
  %c4 = arith.constant 4 : index
  %w = arith.muli %v, %c4 : index
  %m = affine.apply affine_map<()[s0] -> (s0 floordiv 3)>()[%w]
  "test.bound"(%m) {scalable, vscale_min = 1 : i64, vscale_max = 16 : i64} : (index) -> ()
  return
}
