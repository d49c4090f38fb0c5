"""What verifiers of several dialects share.

Over 300 lines: `problems.py` (a function for each problem).
"""
