// A file of which the only body is in a custom syntax that is not known: no answer is not a clean one.
// RUN: volcli opt %s --via xdsl -p infer-shapes
mystery.kernel @k tile(%i to 4, %j to 8) {
  %sum = arith.addi %i, %j : index
}
