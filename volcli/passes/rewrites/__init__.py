"""Passes that change the program by what was proved.

Imports: `diagnostics`, `language`, `model`, `passes.base`, `passes.selection`, `presburger`, `rewriting`.
"""
