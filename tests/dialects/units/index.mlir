func.func @binary(%a: index, %b: index) {
  %0 = index.add %a, %b
  %1 = index.sub %a, %b
  %2 = index.mul %a, %b
  %3 = index.divs %a, %b
  %4 = index.divu %a, %b
  %5 = index.ceildivs %a, %b
  %6 = index.ceildivu %a, %b
  %7 = index.floordivs %a, %b
  %8 = index.rems %a, %b
  %9 = index.remu %a, %b
  %10 = index.maxs %a, %b
  %11 = index.maxu %a, %b
  %12 = index.mins %a, %b
  %13 = index.minu %a, %b
  %14 = index.shl %a, %b
  %15 = index.shrs %a, %b
  %16 = index.shru %a, %b
  %17 = index.and %a, %b
  %18 = index.or %a, %b
  %19 = index.xor %a, %b
  %x = index.add %a, %b {x.y = 1 : i32}
  return
}
// -----
func.func @cmp(%a: index, %b: index) {
  %0 = index.cmp eq(%a, %b)
  %1 = index.cmp ne(%a, %b)
  %2 = index.cmp slt(%a, %b)
  %3 = index.cmp sle(%a, %b)
  %4 = index.cmp sgt(%a, %b)
  %5 = index.cmp sge(%a, %b)
  %6 = index.cmp ult(%a, %b)
  %7 = index.cmp ule(%a, %b)
  %8 = index.cmp ugt(%a, %b)
  %9 = index.cmp uge(%a, %b)
  %x = index.cmp eq(%a, %b) {x.y}
  return
}
// -----
func.func @casts(%a: index, %i: i32, %j: i64) {
  %0 = index.casts %a : index to i64
  %1 = index.casts %i : i32 to index
  %2 = index.castu %a : index to i8
  %3 = index.castu %j {x.y = 1 : i32} : i64 to index
  return
}
// -----
func.func @constants() {
  %0 = index.constant 42
  %1 = index.constant -1
  %2 = index.constant {x.y} 9223372036854775807
  %3 = index.bool.constant true
  %4 = index.bool.constant {x.y} false
  %5 = index.sizeof
  %6 = index.sizeof {x.y}
  return
}
