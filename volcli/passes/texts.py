"""What the texts of a call are named in the places of diagnostics; a line is the number of the text."""

from __future__ import annotations

PIPELINE = "<pipeline>"
"""The pipeline."""
ASSUMPTION = "<assume>"
"""The conditions of --assume."""
GIVEN = "<given>"
"""The facts of --given."""
CLAIM = "<compare>"
"""The claims of --compare."""
TERM = "<in-terms-of>"
"""The values that bounds may speak of."""
EFFECTS = "<effects>"
"""The declarations of --effects."""
