"""The program as text again."""
