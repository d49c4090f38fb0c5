"""What cases of several dialects share: sizes, symbols, parts; `numbers`, `elements` and `memory`."""
