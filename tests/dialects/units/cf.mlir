func.func @branches(%c: i1, %x: i32, %y: f32) -> i32 {
  cf.assert %c, "message with \22quotes\22"
  cf.assert %c, "m" {x.y}
  cf.br ^bb1(%x, %y : i32, f32)
^bb1(%a: i32, %b: f32):
  cf.cond_br %c, ^bb2(%a : i32), ^bb3
^bb2(%d: i32):
  cf.br ^bb3 {x.y}
^bb3:
  cf.cond_br %c weights([1, 2]), ^bb4, ^bb1(%x, %y : i32, f32)
^bb4:
  cf.cond_br %c, ^bb5, ^bb5 {x.y = 1 : i32}
^bb5:
  return %x : i32
}
// -----
func.func @switch(%n: i32, %x: i64) {
  cf.switch %n : i32, [
    default: ^bb1(%x : i64),
    42: ^bb2,
    -43: ^bb1(%x : i64)
  ]
^bb1(%a: i64):
  cf.switch %x : i64, [
    default: ^bb2
  ] {x.y}
^bb2:
  return
}
