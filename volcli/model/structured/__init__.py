"""Branches between blocks as loops and branches in regions: what the questions about memory are asked of.

Imports: `language`, `model.stated_effects`.
"""
