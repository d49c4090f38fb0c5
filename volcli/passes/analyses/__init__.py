"""Passes that read the program and leave facts."""
