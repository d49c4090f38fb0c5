"""What the cases of the questions about memory share: buffers, windows, transfers.

Guarantees: an access that is not stated exactly is an unknown effect.
"""
