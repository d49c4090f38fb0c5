"""Branches between blocks as loops and branches in regions: what the questions about memory are asked of.

Over 300 lines: `structure.py` (one recursion over blocks, branches and loops).

Imports: `language`, `model.stated_effects`.
"""
