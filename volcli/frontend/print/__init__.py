"""The program as text again.

Imports: `frontend.parse`, `frontend.unread`.
"""
