"""Structured operations as loops: the points of an operation one by one, in a copy of its function."""
