"""Custom assembly formats that several dialects share.

Over 300 lines: `pieces.py` (one short class for each piece of a text).
"""
