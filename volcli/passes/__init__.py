"""Passes: one file a pass, a frozen dataclass of options with a short `apply`; `table` names them all.

Over 300 lines: `base.py` (one class, `Unit`, the state that a pass may change).

Imports: `diagnostics`, `facts`, `frontend`, `language`, `model`, `presburger`, `runtime`.
"""
