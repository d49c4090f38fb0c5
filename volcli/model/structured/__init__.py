"""Branches between blocks as loops and branches in regions: what the questions about memory are asked of."""
