"""Limits of reading text."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, REFUSED, SLOWER, TEXT, Limit

LISTED_ELEMENTS = Limit(100, "elements that mlir-opt prints as a list", TEXT)
INTEGER_BITS = Limit(
    2**24 - 1, "bits of an integer type, as in MLIR", REFUSED, said="integer bitwidth is limited to {} bits"
)
MLIR_OPT_SECONDS = Limit(120, "seconds for mlir-opt to read a file", REFUSED)
MLIR_OPT_TEXTS = Limit(10, "times that mlir-opt reads a file again, without what it rejected", REFUSED)
NESTED_OPAQUE = Limit(8, "nested opaque operations; those nested more deeply stay text", OVER_APPROXIMATED)
UNREAD_OPERATIONS = Limit(
    100, "operations whose end is searched for in all of the text; the time would be quadratic", REFUSED
)
PYTHON_FRAMES = Limit(
    6_800,
    "frames of Python: 17 for a nested region, 6 for a nested bracket; they stay within 8 MB of stack",
    REFUSED,
)
RESULTS = Limit(
    65_536,
    "results of one operation: a text of ten bytes could take all memory",
    REFUSED,
    said="more than {} results",
)
TEMPLATE_CHARACTERS = Limit(
    4_000, "characters of a line; what is longer is parsed each time it occurs: a constant of 50 MB", SLOWER
)
