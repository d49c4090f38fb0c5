"""Passes that do what mlir-opt's test passes of these names do, and say it as these do.

Imports: `diagnostics`, `language`, `model`, `passes.base`, `presburger`, `rewriting`.
"""
