"""Source text: files, chunks, comments, tokens, places.

Imports: `diagnostics`.
"""
