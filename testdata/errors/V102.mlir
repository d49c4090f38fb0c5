// Not text: a byte that is not UTF-8, here Latin-1 in a comment.
// café
func.func @f() {
  return
}
