"""What is wrong with operations before any case is asked: counts, kinds of attributes, dominance.

Imports: `diagnostics`, `frontend.unread`, `language`.
"""
