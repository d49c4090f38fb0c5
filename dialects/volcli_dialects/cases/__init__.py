"""What cases of several dialects share: sizes, slices, values, memory."""
