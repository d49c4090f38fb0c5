"""Functions of blocks that branch anywhere, executed: what volcli says of their memory against what happens."""
