// RUN: volcli annotate %s -p "compare-values{claim='%kept <= %added'},compare-values{claim='%kept = %added'},compare-values{claim='5 < 7'}"
// What two functions return for one argument, compared where both are called; and a claim about no value.
// volcli: claim 5 < 7: proved
func.func @added(%n: index) -> index {
  %m = affine.apply affine_map<(n) -> (n + 7)>(%n)
  return %m : index
}
func.func @whole_tiles(%n: index) -> index {
  %m = affine.apply affine_map<(n) -> ((n + 7) floordiv 8 * 8)>(%n)
  return %m : index
}
func.func @both(%n: index) -> (index, index) {
  %added = func.call @added(%n) : (index) -> index
  // volcli: claim %kept <= %added: proved
  // volcli: claim %kept = %added: refuted: it fails at %n = -6; it holds if (-1 + %n) mod 8 = 0
  %kept = func.call @whole_tiles(%n) : (index) -> index
  return %added, %kept : index, index
}
