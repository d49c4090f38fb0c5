"""Integer operations of few bits, run for all operands; what volcli says of them against that."""
