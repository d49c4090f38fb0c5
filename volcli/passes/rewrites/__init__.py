"""Passes that change the program by what was proved."""
