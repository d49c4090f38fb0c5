// %i is never negative. The loop of @silent may have no iteration, but for some arguments it has;
// and its branch is taken where the sum overflows, at %k = 2^63 - 1.
func.func @fires(%m: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 8 {
    %is_negative = arith.cmpi slt, %i, %c0 : index
    scf.if %is_negative {
      affine.store %x, %m[%i] : memref<8xf32>
    }
  }
  return
}

func.func @silent(%m: memref<8xf32>, %x: f32, %n: index, %k: i64) {
  affine.for %i = 0 to min affine_map<()[n] -> (8, n)>()[%n] {
    affine.store %x, %m[%i] : memref<8xf32>
  }
  %one = arith.constant 1 : i64
  %next = arith.addi %k, %one : i64
  %is_over = arith.cmpi slt, %next, %k : i64
  scf.if %is_over {
    affine.store %x, %m[0] : memref<8xf32>
  }
  return
}
