// Figures 5-4 to 5-6: a choice in a choice, %nested, and %chain, which asks each condition again.
func.func @selects(%M: index, %N: index, %a: index, %b: index, %c: index) -> (index, index) {
  %zero = arith.constant 0 : index
  %m = arith.cmpi sge, %M, %zero : index
  %n = arith.cmpi sge, %N, %zero : index
  %inner = arith.select %n, %a, %b : index
  %nested = arith.select %m, %inner, %c : index
  %no = arith.cmpi slt, %N, %zero : index
  %both = arith.andi %m, %n : i1
  %again = arith.cmpi sge, %M, %zero : index
  %other = arith.andi %again, %no : i1
  %rest = arith.select %other, %b, %c : index
  %chain = arith.select %both, %a, %rest : index
  return %nested, %chain : index, index
}
