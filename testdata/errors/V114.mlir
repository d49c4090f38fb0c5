// RUN: volcli analyze --ask flow --effects 'other.fill = writes 1' %s

func.func @f(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<8xf32>
  "other.fill"(%x) : (f32) -> ()
  return
}
