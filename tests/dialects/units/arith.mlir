func.func @addi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.addi %a0, %a0 : i32
  %1 = arith.addi %a1, %a1 : index
  %2 = arith.addi %a2, %a2 : i1
  %3 = arith.addi %a3, %a3 : vector<4xi8>
  %4 = arith.addi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.addi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.addi %a6, %a6 : tensor<*xi32>
  %7 = arith.addi %a7, %a7 : tensor<8xi8, "enc">
  %x0 = arith.addi %a0, %a0 overflow<nsw> : i32
  %x1 = arith.addi %a0, %a0 overflow<nuw> : i32
  %x2 = arith.addi %a0, %a0 overflow<nsw, nuw> : i32
  %x3 = arith.addi %a0, %a0 overflow<none> : i32
  %y = arith.addi %a3, %a3 overflow<nuw> {x.y = 1 : i32} : vector<4xi8>
  return
}
// -----
func.func @subi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.subi %a0, %a0 : i32
  %1 = arith.subi %a1, %a1 : index
  %2 = arith.subi %a2, %a2 : i1
  %3 = arith.subi %a3, %a3 : vector<4xi8>
  %4 = arith.subi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.subi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.subi %a6, %a6 : tensor<*xi32>
  %7 = arith.subi %a7, %a7 : tensor<8xi8, "enc">
  %x0 = arith.subi %a0, %a0 overflow<nsw> : i32
  %x1 = arith.subi %a0, %a0 overflow<nuw> : i32
  %x2 = arith.subi %a0, %a0 overflow<nsw, nuw> : i32
  %x3 = arith.subi %a0, %a0 overflow<none> : i32
  %y = arith.subi %a3, %a3 overflow<nuw> {x.y = 1 : i32} : vector<4xi8>
  return
}
// -----
func.func @muli(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.muli %a0, %a0 : i32
  %1 = arith.muli %a1, %a1 : index
  %2 = arith.muli %a2, %a2 : i1
  %3 = arith.muli %a3, %a3 : vector<4xi8>
  %4 = arith.muli %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.muli %a5, %a5 : tensor<4x?xi64>
  %6 = arith.muli %a6, %a6 : tensor<*xi32>
  %7 = arith.muli %a7, %a7 : tensor<8xi8, "enc">
  %x0 = arith.muli %a0, %a0 overflow<nsw> : i32
  %x1 = arith.muli %a0, %a0 overflow<nuw> : i32
  %x2 = arith.muli %a0, %a0 overflow<nsw, nuw> : i32
  %x3 = arith.muli %a0, %a0 overflow<none> : i32
  %y = arith.muli %a3, %a3 overflow<nuw> {x.y = 1 : i32} : vector<4xi8>
  return
}
// -----
func.func @shli(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.shli %a0, %a0 : i32
  %1 = arith.shli %a1, %a1 : index
  %2 = arith.shli %a2, %a2 : i1
  %3 = arith.shli %a3, %a3 : vector<4xi8>
  %4 = arith.shli %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.shli %a5, %a5 : tensor<4x?xi64>
  %6 = arith.shli %a6, %a6 : tensor<*xi32>
  %7 = arith.shli %a7, %a7 : tensor<8xi8, "enc">
  %x0 = arith.shli %a0, %a0 overflow<nsw> : i32
  %x1 = arith.shli %a0, %a0 overflow<nuw> : i32
  %x2 = arith.shli %a0, %a0 overflow<nsw, nuw> : i32
  %x3 = arith.shli %a0, %a0 overflow<none> : i32
  %y = arith.shli %a3, %a3 overflow<nuw> {x.y = 1 : i32} : vector<4xi8>
  return
}
// -----
func.func @ceildivsi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.ceildivsi %a0, %a0 : i32
  %1 = arith.ceildivsi %a1, %a1 : index
  %2 = arith.ceildivsi %a2, %a2 : i1
  %3 = arith.ceildivsi %a3, %a3 : vector<4xi8>
  %4 = arith.ceildivsi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.ceildivsi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.ceildivsi %a6, %a6 : tensor<*xi32>
  %7 = arith.ceildivsi %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.ceildivsi %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @ceildivui(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.ceildivui %a0, %a0 : i32
  %1 = arith.ceildivui %a1, %a1 : index
  %2 = arith.ceildivui %a2, %a2 : i1
  %3 = arith.ceildivui %a3, %a3 : vector<4xi8>
  %4 = arith.ceildivui %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.ceildivui %a5, %a5 : tensor<4x?xi64>
  %6 = arith.ceildivui %a6, %a6 : tensor<*xi32>
  %7 = arith.ceildivui %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.ceildivui %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @floordivsi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.floordivsi %a0, %a0 : i32
  %1 = arith.floordivsi %a1, %a1 : index
  %2 = arith.floordivsi %a2, %a2 : i1
  %3 = arith.floordivsi %a3, %a3 : vector<4xi8>
  %4 = arith.floordivsi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.floordivsi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.floordivsi %a6, %a6 : tensor<*xi32>
  %7 = arith.floordivsi %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.floordivsi %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @remsi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.remsi %a0, %a0 : i32
  %1 = arith.remsi %a1, %a1 : index
  %2 = arith.remsi %a2, %a2 : i1
  %3 = arith.remsi %a3, %a3 : vector<4xi8>
  %4 = arith.remsi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.remsi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.remsi %a6, %a6 : tensor<*xi32>
  %7 = arith.remsi %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.remsi %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @remui(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.remui %a0, %a0 : i32
  %1 = arith.remui %a1, %a1 : index
  %2 = arith.remui %a2, %a2 : i1
  %3 = arith.remui %a3, %a3 : vector<4xi8>
  %4 = arith.remui %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.remui %a5, %a5 : tensor<4x?xi64>
  %6 = arith.remui %a6, %a6 : tensor<*xi32>
  %7 = arith.remui %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.remui %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @andi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.andi %a0, %a0 : i32
  %1 = arith.andi %a1, %a1 : index
  %2 = arith.andi %a2, %a2 : i1
  %3 = arith.andi %a3, %a3 : vector<4xi8>
  %4 = arith.andi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.andi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.andi %a6, %a6 : tensor<*xi32>
  %7 = arith.andi %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.andi %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @ori(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.ori %a0, %a0 : i32
  %1 = arith.ori %a1, %a1 : index
  %2 = arith.ori %a2, %a2 : i1
  %3 = arith.ori %a3, %a3 : vector<4xi8>
  %4 = arith.ori %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.ori %a5, %a5 : tensor<4x?xi64>
  %6 = arith.ori %a6, %a6 : tensor<*xi32>
  %7 = arith.ori %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.ori %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @xori(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.xori %a0, %a0 : i32
  %1 = arith.xori %a1, %a1 : index
  %2 = arith.xori %a2, %a2 : i1
  %3 = arith.xori %a3, %a3 : vector<4xi8>
  %4 = arith.xori %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.xori %a5, %a5 : tensor<4x?xi64>
  %6 = arith.xori %a6, %a6 : tensor<*xi32>
  %7 = arith.xori %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.xori %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @maxsi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.maxsi %a0, %a0 : i32
  %1 = arith.maxsi %a1, %a1 : index
  %2 = arith.maxsi %a2, %a2 : i1
  %3 = arith.maxsi %a3, %a3 : vector<4xi8>
  %4 = arith.maxsi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.maxsi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.maxsi %a6, %a6 : tensor<*xi32>
  %7 = arith.maxsi %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.maxsi %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @maxui(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.maxui %a0, %a0 : i32
  %1 = arith.maxui %a1, %a1 : index
  %2 = arith.maxui %a2, %a2 : i1
  %3 = arith.maxui %a3, %a3 : vector<4xi8>
  %4 = arith.maxui %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.maxui %a5, %a5 : tensor<4x?xi64>
  %6 = arith.maxui %a6, %a6 : tensor<*xi32>
  %7 = arith.maxui %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.maxui %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @minsi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.minsi %a0, %a0 : i32
  %1 = arith.minsi %a1, %a1 : index
  %2 = arith.minsi %a2, %a2 : i1
  %3 = arith.minsi %a3, %a3 : vector<4xi8>
  %4 = arith.minsi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.minsi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.minsi %a6, %a6 : tensor<*xi32>
  %7 = arith.minsi %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.minsi %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @minui(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.minui %a0, %a0 : i32
  %1 = arith.minui %a1, %a1 : index
  %2 = arith.minui %a2, %a2 : i1
  %3 = arith.minui %a3, %a3 : vector<4xi8>
  %4 = arith.minui %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.minui %a5, %a5 : tensor<4x?xi64>
  %6 = arith.minui %a6, %a6 : tensor<*xi32>
  %7 = arith.minui %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.minui %a0, %a0 {x.y = [1, 2]} : i32
  return
}
// -----
func.func @divsi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.divsi %a0, %a0 : i32
  %1 = arith.divsi %a1, %a1 : index
  %2 = arith.divsi %a2, %a2 : i1
  %3 = arith.divsi %a3, %a3 : vector<4xi8>
  %4 = arith.divsi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.divsi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.divsi %a6, %a6 : tensor<*xi32>
  %7 = arith.divsi %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.divsi %a0, %a0 {x.y = [1, 2]} : i32
  %z = arith.divsi %a0, %a0 exact : i32
  %z1 = arith.divsi %a0, %a0 exact {x.y} : i32
  return
}
// -----
func.func @divui(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.divui %a0, %a0 : i32
  %1 = arith.divui %a1, %a1 : index
  %2 = arith.divui %a2, %a2 : i1
  %3 = arith.divui %a3, %a3 : vector<4xi8>
  %4 = arith.divui %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.divui %a5, %a5 : tensor<4x?xi64>
  %6 = arith.divui %a6, %a6 : tensor<*xi32>
  %7 = arith.divui %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.divui %a0, %a0 {x.y = [1, 2]} : i32
  %z = arith.divui %a0, %a0 exact : i32
  %z1 = arith.divui %a0, %a0 exact {x.y} : i32
  return
}
// -----
func.func @shrsi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.shrsi %a0, %a0 : i32
  %1 = arith.shrsi %a1, %a1 : index
  %2 = arith.shrsi %a2, %a2 : i1
  %3 = arith.shrsi %a3, %a3 : vector<4xi8>
  %4 = arith.shrsi %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.shrsi %a5, %a5 : tensor<4x?xi64>
  %6 = arith.shrsi %a6, %a6 : tensor<*xi32>
  %7 = arith.shrsi %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.shrsi %a0, %a0 {x.y = [1, 2]} : i32
  %z = arith.shrsi %a0, %a0 exact : i32
  %z1 = arith.shrsi %a0, %a0 exact {x.y} : i32
  return
}
// -----
func.func @shrui(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.shrui %a0, %a0 : i32
  %1 = arith.shrui %a1, %a1 : index
  %2 = arith.shrui %a2, %a2 : i1
  %3 = arith.shrui %a3, %a3 : vector<4xi8>
  %4 = arith.shrui %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.shrui %a5, %a5 : tensor<4x?xi64>
  %6 = arith.shrui %a6, %a6 : tensor<*xi32>
  %7 = arith.shrui %a7, %a7 : tensor<8xi8, "enc">
  %y = arith.shrui %a0, %a0 {x.y = [1, 2]} : i32
  %z = arith.shrui %a0, %a0 exact : i32
  %z1 = arith.shrui %a0, %a0 exact {x.y} : i32
  return
}
// -----
func.func @addf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.addf %a0, %a0 : f32
  %1 = arith.addf %a1, %a1 : bf16
  %2 = arith.addf %a2, %a2 : f128
  %3 = arith.addf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.addf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.addf %a5, %a5 : tensor<*xf32>
  %x0 = arith.addf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.addf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.addf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.addf %a0, %a0 fastmath<none> : f32
  %x4 = arith.addf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.addf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.addf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @subf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.subf %a0, %a0 : f32
  %1 = arith.subf %a1, %a1 : bf16
  %2 = arith.subf %a2, %a2 : f128
  %3 = arith.subf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.subf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.subf %a5, %a5 : tensor<*xf32>
  %x0 = arith.subf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.subf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.subf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.subf %a0, %a0 fastmath<none> : f32
  %x4 = arith.subf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.subf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.subf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @mulf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.mulf %a0, %a0 : f32
  %1 = arith.mulf %a1, %a1 : bf16
  %2 = arith.mulf %a2, %a2 : f128
  %3 = arith.mulf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.mulf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.mulf %a5, %a5 : tensor<*xf32>
  %x0 = arith.mulf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.mulf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.mulf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.mulf %a0, %a0 fastmath<none> : f32
  %x4 = arith.mulf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.mulf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.mulf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @divf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.divf %a0, %a0 : f32
  %1 = arith.divf %a1, %a1 : bf16
  %2 = arith.divf %a2, %a2 : f128
  %3 = arith.divf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.divf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.divf %a5, %a5 : tensor<*xf32>
  %x0 = arith.divf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.divf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.divf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.divf %a0, %a0 fastmath<none> : f32
  %x4 = arith.divf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.divf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.divf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @remf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.remf %a0, %a0 : f32
  %1 = arith.remf %a1, %a1 : bf16
  %2 = arith.remf %a2, %a2 : f128
  %3 = arith.remf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.remf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.remf %a5, %a5 : tensor<*xf32>
  %x0 = arith.remf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.remf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.remf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.remf %a0, %a0 fastmath<none> : f32
  %x4 = arith.remf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.remf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.remf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @maximumf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.maximumf %a0, %a0 : f32
  %1 = arith.maximumf %a1, %a1 : bf16
  %2 = arith.maximumf %a2, %a2 : f128
  %3 = arith.maximumf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.maximumf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.maximumf %a5, %a5 : tensor<*xf32>
  %x0 = arith.maximumf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.maximumf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.maximumf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.maximumf %a0, %a0 fastmath<none> : f32
  %x4 = arith.maximumf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.maximumf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.maximumf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @minimumf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.minimumf %a0, %a0 : f32
  %1 = arith.minimumf %a1, %a1 : bf16
  %2 = arith.minimumf %a2, %a2 : f128
  %3 = arith.minimumf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.minimumf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.minimumf %a5, %a5 : tensor<*xf32>
  %x0 = arith.minimumf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.minimumf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.minimumf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.minimumf %a0, %a0 fastmath<none> : f32
  %x4 = arith.minimumf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.minimumf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.minimumf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @maxnumf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.maxnumf %a0, %a0 : f32
  %1 = arith.maxnumf %a1, %a1 : bf16
  %2 = arith.maxnumf %a2, %a2 : f128
  %3 = arith.maxnumf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.maxnumf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.maxnumf %a5, %a5 : tensor<*xf32>
  %x0 = arith.maxnumf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.maxnumf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.maxnumf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.maxnumf %a0, %a0 fastmath<none> : f32
  %x4 = arith.maxnumf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.maxnumf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.maxnumf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @minnumf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.minnumf %a0, %a0 : f32
  %1 = arith.minnumf %a1, %a1 : bf16
  %2 = arith.minnumf %a2, %a2 : f128
  %3 = arith.minnumf %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.minnumf %a4, %a4 : tensor<4x?xf64>
  %5 = arith.minnumf %a5, %a5 : tensor<*xf32>
  %x0 = arith.minnumf %a0, %a0 fastmath<fast> : f32
  %x1 = arith.minnumf %a0, %a0 fastmath<nnan,ninf> : f32
  %x2 = arith.minnumf %a0, %a0 fastmath<reassoc, nsz> : f32
  %x3 = arith.minnumf %a0, %a0 fastmath<none> : f32
  %x4 = arith.minnumf %a0, %a0 fastmath<contract> : f32
  %x5 = arith.minnumf %a0, %a0 fastmath<afn,arcp> : f32
  %y = arith.minnumf %a0, %a0 fastmath<fast> {x.y = 1 : i32} : f32
  return
}
// -----
func.func @negf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.negf %a0 : f32
  %1 = arith.negf %a1 : bf16
  %2 = arith.negf %a2 : f128
  %3 = arith.negf %a3 : vector<2x[4]xf16>
  %4 = arith.negf %a4 : tensor<4x?xf64>
  %5 = arith.negf %a5 : tensor<*xf32>
  %x = arith.negf %a0 fastmath<fast> : f32
  return
}
// -----
func.func @cmpi(%a0: i32, %a1: index, %a2: i1, %a3: vector<4xi8>, %a4: vector<[4]x2xi8>, %a5: tensor<4x?xi64>, %a6: tensor<*xi32>, %a7: tensor<8xi8, "enc">) {
  %0 = arith.cmpi slt, %a0, %a0 : i32
  %1 = arith.cmpi slt, %a1, %a1 : index
  %2 = arith.cmpi slt, %a2, %a2 : i1
  %3 = arith.cmpi slt, %a3, %a3 : vector<4xi8>
  %4 = arith.cmpi slt, %a4, %a4 : vector<[4]x2xi8>
  %5 = arith.cmpi slt, %a5, %a5 : tensor<4x?xi64>
  %6 = arith.cmpi slt, %a6, %a6 : tensor<*xi32>
  %7 = arith.cmpi slt, %a7, %a7 : tensor<8xi8, "enc">
  %x0 = arith.cmpi eq, %a0, %a0 : i32
  %x1 = arith.cmpi ne, %a0, %a0 : i32
  %x2 = arith.cmpi slt, %a0, %a0 : i32
  %x3 = arith.cmpi sle, %a0, %a0 : i32
  %x4 = arith.cmpi sgt, %a0, %a0 : i32
  %x5 = arith.cmpi sge, %a0, %a0 : i32
  %x6 = arith.cmpi ult, %a0, %a0 : i32
  %x7 = arith.cmpi ule, %a0, %a0 : i32
  %x8 = arith.cmpi ugt, %a0, %a0 : i32
  %x9 = arith.cmpi uge, %a0, %a0 : i32
  %y = arith.cmpi "eq", %a0, %a0 {x.y = 2 : i8} : i32
  return
}
// -----
func.func @cmpf(%a0: f32, %a1: bf16, %a2: f128, %a3: vector<2x[4]xf16>, %a4: tensor<4x?xf64>, %a5: tensor<*xf32>) {
  %0 = arith.cmpf olt, %a0, %a0 : f32
  %1 = arith.cmpf olt, %a1, %a1 : bf16
  %2 = arith.cmpf olt, %a2, %a2 : f128
  %3 = arith.cmpf olt, %a3, %a3 : vector<2x[4]xf16>
  %4 = arith.cmpf olt, %a4, %a4 : tensor<4x?xf64>
  %5 = arith.cmpf olt, %a5, %a5 : tensor<*xf32>
  %x0 = arith.cmpf false, %a0, %a0 : f32
  %x1 = arith.cmpf oeq, %a0, %a0 : f32
  %x2 = arith.cmpf ogt, %a0, %a0 : f32
  %x3 = arith.cmpf oge, %a0, %a0 : f32
  %x4 = arith.cmpf olt, %a0, %a0 : f32
  %x5 = arith.cmpf ole, %a0, %a0 : f32
  %x6 = arith.cmpf one, %a0, %a0 : f32
  %x7 = arith.cmpf ord, %a0, %a0 : f32
  %x8 = arith.cmpf ueq, %a0, %a0 : f32
  %x9 = arith.cmpf ugt, %a0, %a0 : f32
  %x10 = arith.cmpf uge, %a0, %a0 : f32
  %x11 = arith.cmpf ult, %a0, %a0 : f32
  %x12 = arith.cmpf ule, %a0, %a0 : f32
  %x13 = arith.cmpf une, %a0, %a0 : f32
  %x14 = arith.cmpf uno, %a0, %a0 : f32
  %x15 = arith.cmpf true, %a0, %a0 : f32
  %y = arith.cmpf "oeq", %a0, %a0 fastmath<nnan> {x.y = 2 : i8} : f32
  return
}
// -----
func.func @shaped_results(%a: tensor<8xi32, "enc">, %b: tensor<8xi1, "enc">, %v: vector<[4]x2xf32>) -> (tensor<8xi1, "enc">, vector<[4]x2xi1>) {
  %0 = arith.cmpi ult, %a, %a : tensor<8xi32, "enc">
  %1 = arith.andi %0, %b : tensor<8xi1, "enc">
  %2 = arith.cmpf une, %v, %v : vector<[4]x2xf32>
  return %1, %2 : tensor<8xi1, "enc">, vector<[4]x2xi1>
}
// -----
func.func @select(%c: i1, %x: f32, %v: vector<4xi1>, %w: vector<4xf32>, %t: tensor<8xi1>, %u: tensor<8xi32>, %m: memref<4xf32>,
    %e: tensor<8xi1, "foo">, %f: tensor<8xi32, "foo">, %b: vector<2xi1>) {
  %0 = arith.select %c, %x, %x : f32
  %1 = arith.select %c, %w, %w : vector<4xf32>
  %2 = arith.select %v, %w, %w : vector<4xi1>, vector<4xf32>
  %3 = arith.select %t, %u, %u : tensor<8xi1>, tensor<8xi32>
  %4 = arith.select %c, %m, %m {x.y = 1 : i32} : memref<4xf32>
  %5 = arith.select %e, %f, %f : tensor<8xi1, "foo">, tensor<8xi32, "foo">
  %6 = arith.select %c, %c, %c : i1
  %7 = arith.select %b, %b, %b : vector<2xi1>, vector<2xi1>
  %8 = arith.select %c, %b, %b : vector<2xi1>
  return
}
// -----
func.func @extended(%a: i32, %v: vector<4xi8>, %t: tensor<4x?xi64>) {
  %0, %1 = arith.addui_extended %a, %a : i32, i1
  %2, %3 = arith.addui_extended %v, %v : vector<4xi8>, vector<4xi1>
  %4, %5 = arith.mulsi_extended %a, %a : i32
  %6, %7 = arith.mului_extended %v, %v {x.y} : vector<4xi8>
  %8:2 = arith.mulsi_extended %t, %t : tensor<4x?xi64>
  return
}
// -----
func.func @integer_casts(%a: i32, %v: vector<[4]xi8>, %t: tensor<4x?xi64>, %i: index) {
  %0 = arith.extsi %a : i32 to i64
  %1 = arith.extui %v : vector<[4]xi8> to vector<[4]xi16>
  %4 = arith.trunci %t : tensor<4x?xi64> to tensor<4x?xi1>
  %5 = arith.trunci %a overflow<nsw, nuw> : i32 to i8
  %6 = arith.trunci %a overflow<nuw> {x.y} : i32 to i8
  %7 = arith.index_cast %a : i32 to index
  %8 = arith.index_cast %i : index to i64
  %9 = arith.index_castui %i {x.y} : index to i32
  return
}
// -----
func.func @float_casts(%a: i32, %x: f32, %d: f64, %v: vector<4xf64>, %t: tensor<?xf32>, %w: vector<4xi32>) {
  %0 = arith.extf %x : f32 to f64
  %1 = arith.extf %x fastmath<nnan> : f32 to f64
  %2 = arith.truncf %d : f64 to bf16
  %3 = arith.truncf %d to_nearest_even : f64 to f32
  %4 = arith.truncf %d downward : f64 to f32
  %5 = arith.truncf %d upward : f64 to f32
  %6 = arith.truncf %d toward_zero fastmath<fast> : f64 to f32
  %7 = arith.truncf %v to_nearest_away fastmath<nnan, ninf> {x.y} : vector<4xf64> to vector<4xf16>
  %8 = arith.truncf %d fastmath<fast> : f64 to f32
  %9 = arith.sitofp %a : i32 to f32
  %10 = arith.uitofp %w : vector<4xi32> to vector<4xf32>
  %11 = arith.fptosi %x : f32 to i32
  %12 = arith.fptoui %t {x.y = 1 : i32} : tensor<?xf32> to tensor<?xi8>
  %13 = arith.bitcast %x : f32 to i32
  %14 = arith.bitcast %t : tensor<?xf32> to tensor<?xi32>
  return
}
// -----
func.func @scaling(%a: f4E2M1FN, %s: f8E8M0FNU, %v: vector<4xf16>, %w: vector<4xf8E8M0FNU>) {
  %0 = arith.scaling_extf %a, %s : f4E2M1FN, f8E8M0FNU to f32
  %1 = arith.scaling_extf %a, %s fastmath<nnan> {x.y} : f4E2M1FN, f8E8M0FNU to f32
  %2 = arith.scaling_truncf %v, %w : vector<4xf16>, vector<4xf8E8M0FNU> to vector<4xf6E3M2FN>
  %3 = arith.scaling_truncf %v, %w to_nearest_even fastmath<fast> : vector<4xf16>, vector<4xf8E8M0FNU> to vector<4xf6E3M2FN>
  return
}
// -----
func.func @constants() {
  %0 = arith.constant 42 : i32
  %1 = arith.constant -1 : i8
  %2 = arith.constant true
  %3 = arith.constant false
  %4 = arith.constant 7 : index
  %5 = arith.constant {x.y = 1 : i32} 3 : i64
  %6 = arith.constant 170141183460469231731687303715884105727 : i128
  %7 = arith.constant 1 : i1
  %8 = arith.constant 0 : i0
  %9 = arith.constant 255 : i8
  %10 = arith.constant 0xFF : i8
  return
}
// -----
func.func @float_constants() {
  %0 = arith.constant 1.0 : f32
  %1 = arith.constant 0x7FC00000 : f32
  %2 = arith.constant 0xFF80 : bf16
  %3 = arith.constant 1.5 : bf16
  %4 = arith.constant 1.0e-300 : f64
  %5 = arith.constant 1.0 : f16
  %6 = arith.constant 1.0 : f80
  %7 = arith.constant 1.25 : f128
  %8 = arith.constant 1.0 : f8E5M2
  %9 = arith.constant 1.0 : f8E4M3FN
  %10 = arith.constant 1.0 : f8E4M3FNUZ
  %11 = arith.constant 1.0 : f8E5M2FNUZ
  %12 = arith.constant 1.0 : f8E4M3B11FNUZ
  %13 = arith.constant 1.0 : f8E8M0FNU
  %14 = arith.constant 1.0 : f4E2M1FN
  %15 = arith.constant 1.0 : f6E2M3FN
  %16 = arith.constant 1.0 : f6E3M2FN
  %17 = arith.constant 1.0 : f8E3M4
  %18 = arith.constant 1.0 : f8E4M3
  %19 = arith.constant 1.0 : tf32
  %20 = arith.constant -0.0 : f32
  %21 = arith.constant 0.1 : f32
  %22 = arith.constant 3.14159265358979 : f64
  %23 = arith.constant 0x7FF0000000000000 : f64
  %24 = arith.constant 0x3FFF8000000000000000 : f80
  %25 = arith.constant 0x3FFF4000000000000000000000000000 : f128
  %26 = arith.constant 1.0e+10 : f32
  %27 = arith.constant 123456789.0 : f64
  %28 = arith.constant 0x7F800001 : f32
  %29 = arith.constant 0x7FF0000000000001 : f64
  %30 = arith.constant 0xFFC00000 : f32
  %31 = arith.constant 0xFF : f8E5M2
  return
}
// -----
func.func @dense_constants() {
  %0 = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = arith.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
  %2 = arith.constant dense<true> : vector<4xi1>
  %3 = arith.constant dense<[0, 1]> : tensor<2xindex>
  %4 = arith.constant dense<1.0> : vector<[4]xf32>
  %5 = arith.constant dense<[1.0, 2.0]> : vector<2xf80>
  %6 = arith.constant dense<1.0> : tensor<4xf128>
  %7 = arith.constant dense<[1.0, -2.0]> : tensor<2xbf16>
  %8 = arith.constant dense<[1.0, 0xFF]> : tensor<2xf8E5M2>
  %9 = arith.constant dense<> : tensor<0xi32>
  %10 = arith.constant dense<5> : tensor<i64>
  %11 = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  %12 = arith.constant dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i32>>
  %13 = arith.constant dense<"0x0100000002000000"> : tensor<2xi32>
  %14 = arith.constant dense<[1, 2]> : tensor<2xi4>
  %15 = arith.constant dense<-1> : tensor<4xi7>
  %16 = arith.constant {x.y} dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  %17 = arith.constant dense<[0x7F800000, 0xFF800001]> : tensor<2xf32>
  %18 = arith.constant dense<2> : tensor<3xui8>
  %19 = arith.constant dense<-2> : tensor<3xsi8>
  %20 = arith.constant dense<[1, -1]> : tensor<2xi128>
  return
}
// -----
func.func @other_constants() {
  %0 = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  %1 = arith.constant sparse<0, -2.0> : tensor<1x1xf32>
  %2 = arith.constant dense_resource<blob1> : tensor<4xi8>
  %3 = arith.constant sparse<[[0]], 1.0> : tensor<4xf16>
  %4 = arith.constant sparse<> : tensor<4xf16>
  %5 = arith.constant sparse<[[0, 0]], [true]> : vector<2x2xi1>
  return
}
{-#
  dialect_resources: {
    builtin: {
      blob1: "0x0800000001020304"
    }
  }
#-}
