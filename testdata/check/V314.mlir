// Left out unless it is selected: what is not proved. An index that was loaded may be any number.
func.func @fires(%indices: memref<8xindex>, %table: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %k = memref.load %indices[%c0] : memref<8xindex>
  %v = memref.load %table[%k] : memref<16xf32>
  return %v : f32
}

func.func @silent(%indices: memref<8xindex>, %table: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %any = memref.load %indices[%c0] : memref<8xindex>
  %k = arith.remui %any, %c16 : index
  %v = memref.load %table[%k] : memref<16xf32>
  return %v : f32
}
