"""Blocks that branch to each other as loops and branches in regions: what each question about them reads.

Imports: `language`, `model.stated_effects`.
"""
