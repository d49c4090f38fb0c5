"""Limits of control flow and calls that become structured."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, UNKNOWN, Limit

REPEATED_OPERATIONS = Limit(8, "operations that are computed again after a loop", OVER_APPROXIMATED)
BLOCKS = Limit(500, "blocks of a function; finding where paths join takes quadratic time", OVER_APPROXIMATED)
INLINED_OPERATIONS = Limit(
    20_000, "operations to which calls make a function grow", UNKNOWN, measured="calls-put-in-place"
)
UNROLLED_CALLS = Limit(64, "calls in a row of functions that call themselves", UNKNOWN)
READINGS = Limit(8, "ways in which the values of a claim are there together, in loops of blocks", UNKNOWN)
BUFFERS_IN_TURN = Limit(3, "buffers that a loop passes in turn", OVER_APPROXIMATED)
