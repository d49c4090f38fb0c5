// The first access needs %n <= 7, the second one %n >= 8.
func.func @fires(%m: memref<8xf32>, %n: index) -> f32 {
  %a = memref.load %m[%n] : memref<8xf32>
  %k = affine.apply affine_map<(n) -> (n - 8)>(%n)
  %b = memref.load %m[%k] : memref<8xf32>
  %s = arith.addf %a, %b : f32
  return %s : f32
}

func.func @silent(%m: memref<8xf32>, %n: index) -> f32 {
  %a = memref.load %m[%n] : memref<8xf32>
  %k = affine.apply affine_map<(n) -> (n - 7)>(%n)
  %b = memref.load %m[%k] : memref<8xf32>
  %s = arith.addf %a, %b : f32
  return %s : f32
}
