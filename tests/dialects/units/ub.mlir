func.func @poison() -> i32 {
  %0 = ub.poison : i32
  %1 = ub.poison {x.y} : vector<4xf32>
  %2 = ub.poison <#ub.poison> : tensor<4xi8>
  return %0 : i32
}
// -----
func.func @unreachable() {
  ub.unreachable
}
