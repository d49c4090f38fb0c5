"""What the passes share that write bounds into the program: which operations, of which values, and where."""
