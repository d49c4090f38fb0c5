"""Passes that read the program and leave facts, one file a pass.

Imports: `diagnostics`, `execution`, `facts`, `frontend`, `language`, `model`, `passes.assumed`,
`passes.base`, `passes.ends`, `passes.limits`, `passes.names`, `passes.overflowing`, `passes.rewrites`,
`passes.selection`, `passes.texts`, `presburger`, `rewriting`.
"""
