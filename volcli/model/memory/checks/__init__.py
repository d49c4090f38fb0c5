"""What may go wrong: accesses outside of their memref, iterations in any order that meet."""
