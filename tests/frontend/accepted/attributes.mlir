"u.a"() {x = dense<["a", "b"]> : tensor<2x!u.string>} : () -> ()
// -----
"u.a"() {x = [1 : i32, "s" : !u.t, #u.x<1> : i32]} : () -> ()
// -----
"u.a"() {x = "s" : i64, y = {z = "q" : !u.t}} : () -> ()
// -----
"u.a"() {x = distinct[0]<42 : i32>, y = distinct[1]<>} : () -> ()
// -----
"u.a"() {x = array<i1: true, false>, y = array<f32: 1.0, 2.0>, z = array<i64>} : () -> ()
// -----
"u.a"() {x = dense<> : tensor<0xi32>, y = dense<[]> : tensor<0xi32>, z = dense<[[], []]> : tensor<2x0xi32>} : () -> ()
// -----
"u.a"() {x = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>, y = dense<[(1, 2)]> : tensor<1xcomplex<i32>>} : () -> ()
// -----
"u.a"() {x = dense<[(0x7FC00000,1.0), (1.0,2.0)]> : tensor<2xcomplex<f32>>} : () -> ()
// -----
"u.a"() {x = dense<true> : tensor<i1>, y = dense<[true, false]> : vector<2xi1>} : () -> ()
// -----
"u.a"() {x = dense<-1> : tensor<2xsi8>, y = dense<255> : tensor<2xui8>, z = dense<0> : tensor<index>} : () -> ()
// -----
"u.a"() {x = dense<1.0> : tensor<2xbf16>, y = dense<0x7F> : tensor<2xf8E4M3FN>, z = 1.0 : tf32} : () -> ()
// -----
"u.a"() {x = dense<1.0> : tensor<2xf8E5M2>, z = 1.0 : f4E2M1FN, w = 1.0 : f6E2M3FN} : () -> ()
// -----
"u.a"() {x = sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>, y = sparse<0, 1> : tensor<3xi32>, z = sparse<> : tensor<1xi32>} : () -> ()
// -----
"u.a"() {x = dense_resource<blob1> : tensor<4xi32>} : () -> ()
{-# dialect_resources: { builtin: { blob1: "0x0400000001000000020000000300000004000000" } } #-}
// -----
"u.a"() {x = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 2)>, y = affine_set<(d0) : (d0 >= 0, d0 - 4 == 0)>} : () -> ()
// -----
"u.a"() {x = affine_map<() -> ()>, y = affine_map<(d0) -> (d0 mod 2, -d0, d0 ceildiv 3)>} : () -> ()
// -----
"u.a"() {x = @a::@b::@c, y = @"quoted name", z} : () -> ()
// -----
"u.a"() {x = strided<[1, ?], offset: ?>, y = loc("a":1:2), z = loc(fused<"m">["a", unknown])} : () -> ()
// -----
"u.a"() {x = (i32) -> (), y = () -> (i32, f32), z = tuple<i32, tuple<>>, w = none, v = !u.t<i32, "x">} : () -> ()
// -----
"u.a"() {x = vector<[4]xi32>, y = vector<2x[4]xf32>, z = tensor<*xf32>, w = memref<*xf32, 1>} : () -> ()
// -----
"u.a"() {x = memref<2xi32, affine_map<(d0) -> (d0 * 2)>, 1>} : () -> ()
// -----
"u.a"() {x = i0, y = i1234, z = si4, w = ui64} : () -> ()
// -----
"u.a"() {x = true, y = false, "quoted key" = unit, a.b.c = 1} : () -> ()
// -----
"u.a"() <{x = 1 : i32}> {y = 2} : () -> ()
// -----
"u.a"() ({}, {^bb0(%a: i32): "u.b"(%a) : (i32) -> ()}) : () -> ()
// -----
%0:3 = "u.a"() : () -> (i32, i32, i32)
"u.b"(%0#1, %0#2) : (i32, i32) -> ()
// -----
"u.a"() ({ "u.b"()[^bb1, ^bb2] : () -> ()
^bb1:
  "u.c"() : () -> ()
^bb2:
  "u.c"() : () -> ()
}) : () -> ()
// -----
#a = loc("x":1:2)
"u.a"() : () -> () loc(#a)
// -----
"u.a"() : () -> () loc(callsite("a" at "f":1:2))
// -----
!t = !u.t<[1, 2], {a = 3}>
#x = #u<"free text () {}">
"u.a"() {x = #x, y = !t} : () -> ()
// -----
"u.a"() {x = #u.y<a = 1, b = [2, 3], c -> d>} : () -> ()
// -----
"builtin.module"() ({
  "u.container"() ({
    func.func @g() { return }
  }) : () -> ()
}) : () -> ()
// -----
func.func @f() { "u.x"() ({ func.func @g() { return } }) : () -> ()
 return }
// -----
func.func @f(%a: tensor<4x!u.t>) -> tensor<4x!u.t> {
  %0 = tensor.extract_slice %a[0] [2] [1] : tensor<4x!u.t> to tensor<2x!u.t>
  %1 = tensor.insert_slice %0 into %a[0] [2] [1] : tensor<2x!u.t> into tensor<4x!u.t>
  return %1 : tensor<4x!u.t>
}
