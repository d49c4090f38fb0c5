"""What every rewrite uses: builders, the choice of bounds, knowledge at a place, and the check of the result.

Guarantees: no rewritten program leaves without being valid, re-read from its own text, and compared with what
was claimed.

Imports: `diagnostics`, `frontend`, `language`, `model`, `passes`, `symbolic`.
"""
