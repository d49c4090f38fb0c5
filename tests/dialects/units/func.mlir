func.func private @declared(i32, tensor<4xf32>) -> (i32, f32)
func.func private @attributes(i32 {x.y = 1 : i32}, f32) -> (i32 {x.z}) attributes {x.f = "g"}
func.func private @attributes_2(i32 {x.y = 1 : i32}, f32) -> i32 attributes {no_inline}
func.func nested @nested() attributes {llvm.emit_c_interface} {
  return
}
func.func public @public() -> (f32 {x.r = 3 : i8}) {
  %0 = arith.constant 1.0 : f32
  return {x.y} %0 : f32
}
func.func @arguments(%a: i32 {x.y, x.z = [1]}, %b: f32, %c: memref<?xf32> {bufferization.writable = false}) -> (i32, f32 {x.r}) {
  return %a, %b : i32, f32
}
func.func private @returns_function() -> ((i32) -> f32)
func.func private @takes_function((i32) -> (f32, f32))
func.func @call(%x: i32, %f: (i32) -> i32, %t: tensor<4xf32>) -> i32 {
  %0:2 = func.call @declared(%x, %t) : (i32, tensor<4xf32>) -> (i32, f32)
  %1:2 = call @declared(%x, %t) {x.y = 1 : i32} : (i32, tensor<4xf32>) -> (i32, f32)
  call @nested() : () -> ()
  call @nested() {no_inline} : () -> ()
  %2 = call_indirect %f(%x) : (i32) -> i32
  %3 = func.call_indirect %f(%x) {x.y} : (i32) -> i32
  %4 = func.constant @call : (i32, (i32) -> i32, tensor<4xf32>) -> i32
  %5 = constant {x.y} @nested : () -> ()
  func.call_indirect %5() : () -> ()
  return %2 : i32
}
