func.func @f(%m: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %0 = air.launch async (%a) in (%b=%c1) args(%x=%m) : memref<8xf32> attributes {id = 1 : i32} {
    %c0 = arith.constant 0 : index
  }
  return
}
// -----
"builtin.module"() ({
  "csl_wrapper.module"() ({
    "u.x"() : () -> ()
  }, {
  ^bb0(%w: i16):
    func.func @g() {
      func.return
    }
    "csl_wrapper.yield"() : () -> ()
  }) : () -> ()
}) : () -> ()
