"""Passes: one file a pass, a frozen dataclass of options with a short `apply`; `table` names them all.

Imports: `diagnostics`, `facts`, `frontend`, `language`, `model`, `presburger`, `runtime`.
"""
