"""Limits of passes."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, TEXT, UNKNOWN, Limit

SLOW_FUNCTIONS = Limit(
    10, "functions that may use their full time limit", UNKNOWN, measured="workers-for-large-work"
)
LATER_SHARE = Limit(
    20, "th part of that time, for each later function", UNKNOWN, measured="workers-for-large-work"
)
CONSUMERS_TEXT = Limit(16, "consumers of a set of elements that are listed", TEXT)
A_DEPENDENCE = Limit(
    20,
    "isl operations charged for listing one dependence: a hundred thousand by default",
    UNKNOWN,
    measured="pairs-by-offset-intervals",
)
DISTANCES_TEXT = Limit(8, "distances that are listed", TEXT)
CARRIED_TEXT = Limit(4, "carried dependences that are named", TEXT)
CLAIM_READINGS = Limit(
    64,
    "values for the names in a claim, if several have the same name",
    UNKNOWN,
    said="its names are those of values in more than {} ways",
)
CALL_DEPTH = Limit(16, "calls, one in the other, after which any argument is possible", OVER_APPROXIMATED)
