// One instruction of each kind that table 5.2 has (Suriana, section 5.3), with its cycles.
func.func private @other(%x: index) -> index
func.func @instructions(%a: index, %b: index, %n: i64) -> index {
  %true = arith.constant true
  %cast = arith.index_cast %n : i64 to index
  %add = arith.addi %a, %b : index
  %sub = arith.subi %a, %b : index
  %mul = arith.muli %a, %b : index
  %div = arith.divsi %a, %b : index
  %mod = arith.remsi %a, %b : index
  %compare = arith.cmpi slt, %a, %b : index
  %other = arith.cmpi sge, %a, %b : index
  %and = arith.andi %compare, %other : i1
  %or = arith.ori %compare, %other : i1
  %not = arith.xori %compare, %true : i1
  %call = func.call @other(%a) : (index) -> index
  return %call : index
}
