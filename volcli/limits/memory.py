"""Limits of what relates accesses to memory."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, REFUSED, SLOWER, TEXT, UNKNOWN, Limit

LARGE_DIVISORS = Limit(8, "large divisors in the relation of an access", OVER_APPROXIMATED)
INNER_LOOPS = Limit(2, "loops inside the one that carries a dependence, a case each", OVER_APPROXIMATED)
WINDOW_PAIRS = Limit(256, "pairs of accesses of two classes, beyond which a window is computed", SLOWER)
CHOSEN_MEMREFS = Limit(16, "memrefs of which numbers choose one, an access each", OVER_APPROXIMATED)
PARTNERS = Limit(32, "accesses to one buffer, beyond which windows exclude pairs", SLOWER)
FEW_ACCESSES = Limit(8, "accesses to one buffer, beyond which they form classes", SLOWER)
TRIED_NUMBERS = Limit(
    2, "numbers of a variable that are tried for a witness: the least, and the next one", SLOWER
)
BOX_CONSTRAINTS = Limit(96, "times that a constraint bounds a variable", SLOWER)
BOX_COMBINATIONS = Limit(512, "combinations of numbers that are tried", SLOWER)
COVERING_WRITES = Limit(16, "writes that are tried, the nearest first", SLOWER)
OPEN_CONDITIONS = Limit(3, "conditions that a write leaves open", SLOWER)
FLOW_LOOPS = Limit(
    64,
    "loops around an access whose flow is sought: a case for each loop, over all of them",
    UNKNOWN,
    said="more than {} loops around an access",
)
UNORDERED_CASES = Limit(
    24,
    "cases in which accesses to one buffer have no order",
    OVER_APPROXIMATED,
    measured="one-meter-for-an-answer",
    said="more than {} cases in which accesses have no order",
)
DIVIDED_PARTS = Limit(4, "parts with divisions, beyond which single writers are checked", SLOWER)
SUMMARY_PIECES = Limit(8, "basic sets that a function reads or writes of one argument", OVER_APPROXIMATED)
FREEING_LOOPS = Limit(
    3,
    "loops that free memory, one in the other, whose first and later iterations are told apart",
    OVER_APPROXIMATED,
)
UPDATE_CHAIN = Limit(64, "operations of a chain of updates", UNKNOWN)
BOUND_WAYS = Limit(32, "ways to substitute bounds for variables", SLOWER)
ACCESS_TEXT = Limit(200, "characters of the elements that a message gives", TEXT)
PRECONDITION_TEXT = Limit(400, "characters of a precondition", TEXT)
PASSED_NUMBERS = Limit(16, "arguments of a function that its calls are compared in", OVER_APPROXIMATED)
COMPARED_ARGUMENTS = Limit(
    8, "arguments that are compared with each other", OVER_APPROXIMATED, measured="differences-of-arguments"
)
PASSING_CALLS = Limit(64, "calls of a function whose arguments are collected", OVER_APPROXIMATED)
DIAGRAM_POINTS = Limit(2_500, "iterations of a picture", REFUSED, said="it has more than {} points")
DIAGRAM_ARROWS = Limit(10_000, "arrows of a picture", REFUSED, said="it has more than {} points")
TABLEAU_PIECES = Limit(
    16,
    "polyhedra of a relation that is shown",
    TEXT,
    said="its relation is a union of more than {} polyhedra",
)
TABLEAU_CASES = Limit(200, "matrices that are examined for them", TEXT)
DIVIDED_SHARE = Limit(
    10, "th part of a query's operations, for flow and preconditions of accesses with divisions", UNKNOWN
)
INDEX_OPERATIONS = Limit(
    20_000, "isl operations for the index of an access as a function of iterations", OVER_APPROXIMATED
)
DEAR_RELATION = Limit(
    10_000,
    "isl operations for the iterations of an access with large numbers or many divisions",
    OVER_APPROXIMATED,
)
DEAR_DIFFERENCE = Limit(
    10_000,
    "isl operations for the difference of sets with large numbers or many divisions",
    OVER_APPROXIMATED,
    measured="steps-have-prices",
)
CERTAIN_SHARE = Limit(
    50,
    "th part of a query's operations, for what happens in an access for sure, and first: mostly 10,000 do",
    UNKNOWN,
    measured="steep-coefficients-and-certain-accesses",
)
DEAR_CERTAIN_SHARE = Limit(
    2, "times less of these for an access with large numbers or many divisions", UNKNOWN
)
WHOLE_OPERATIONS = Limit(20_000, "isl operations to see that all elements are meant", TEXT)
