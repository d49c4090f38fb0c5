// RUN: volcli analyze %s --ask access
// Each access alone is in bounds for some %n; both never are.
func.func @f(%m: memref<8xf32>, %n: index) {
  %c8 = arith.constant 8 : index
  %behind = arith.addi %n, %c8 : index
  %x = memref.load %m[%n] : memref<8xf32>
  %y = memref.load %m[%behind] : memref<8xf32>
  return
}
