"""MLIR's dialects: per file what xDSL lacks of a dialect, and the dialect's answers to the questions.

A module is imported when its dialect first occurs in a file; `dialect()` gives its operations.
"""
