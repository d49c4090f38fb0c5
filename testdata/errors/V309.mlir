// RUN: volcli opt %s -p dependences
// A loop beside a function.
func.func @f(%n: index) -> index {
  return %n : index
}
affine.for %i = 0 to 4 {
}
