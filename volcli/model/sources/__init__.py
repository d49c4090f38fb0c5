"""Which inputs the elements that a function leaves behind are computed from: through loops and memory."""
