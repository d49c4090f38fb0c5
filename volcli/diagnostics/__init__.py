"""Diagnostics: what volcli says about a place of the input, each with a code of one table.

Guarantees: every code that a user sees is in `CODES`; an unexpected error is reported as one (V9xx) and loses
nothing else.

Imports: no other room.
"""

from volcli.diagnostics.codes import CODES, Code, Severity
from volcli.diagnostics.diagnostic import Diagnostic, Place, UsageError, caret, worst_exit_code

__all__ = ["CODES", "Code", "Diagnostic", "Place", "Severity", "UsageError", "caret", "worst_exit_code"]
