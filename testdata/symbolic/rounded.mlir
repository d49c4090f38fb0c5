// Two rules of appendix A (Suriana): what is rounded up to a multiple of 4 is not below a; nor below max(a, 4), if a >= 1.
func.func @rounded(%a: index) -> (index, index) {
  %c4 = arith.constant 4 : index
  %up = affine.apply affine_map<(a) -> (((a + 3) floordiv 4) * 4)>(%a)
  %least = arith.minsi %up, %a : index
  %bounded = arith.maxsi %a, %c4 : index
  %other = arith.minsi %up, %bounded : index
  return %least, %other : index, index
}
