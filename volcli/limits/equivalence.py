"""Limits of proofs that programs are equal, and of what `volcli validate` runs."""

from __future__ import annotations

from volcli.limits.limit import REFUSED, SLOWER, TEXT, UNKNOWN, Limit

TRIED_OPERATIONS = Limit(16, "operations that are tried for one, and relations between their points", UNKNOWN)
GOAL_GROWTH = Limit(12, "times that a goal grows", UNKNOWN)
PROOF_OPERATIONS = Limit(
    100,
    "operations of both functions for which a proof has as many more isl operations as one query",
    UNKNOWN,
    measured="contents-between-loops",
)
LIKENESS_STEPS = Limit(3, "operations that a comparison for likeness goes back", UNKNOWN)
STAR_PARTS = Limit(4, "parts of a relation whose closure isl computes, which may take minutes", UNKNOWN)
STAR_PHASES = Limit(12, "pieces of a relation whose closure goes from one to the next", UNKNOWN)
PATH_TERMS = Limit(8, "terms of counted paths", UNKNOWN)
HIDDEN_DIMENSIONS = Limit(8, "dimensions that paths are counted along", UNKNOWN)
COUNTED_PATHS = Limit(20_000, "paths that are counted one by one", UNKNOWN)
STATE_CHANGES = Limit(3, "changes, minus one, from one carried state to another one", UNKNOWN)
LAW_DEPTH = Limit(8, "operations in a row that a law compares", UNKNOWN)
CONSTANT_EXAMPLES = Limit(
    16,
    "elements copied from different constants that are examined",
    UNKNOWN,
    measured="constants-by-their-numbers",
)
CONSTANT_ELEMENTS = Limit(256, "elements of a constant that are compared one by one", UNKNOWN)
DECIDED_PRODUCTS = Limit(3, "products that an integer is computed by which may be one number", UNKNOWN)
ABSORBING_OPERATIONS = Limit(50, "operations that are examined for an absorbing element", UNKNOWN)
SURE_VALUES = Limit(1_000, "values that one is computed from, for the question whether it is poison", UNKNOWN)
TOOL_SECONDS = Limit(600, "seconds for a tool to run its passes", REFUSED)
SAID_LINES = Limit(12, "lines of what a tool says when it fails", TEXT)
REDUCING_RUNS = Limit(400, "runs of a tool that make a reproducer smaller", TEXT)
REDUCING_SECONDS = Limit(60, "seconds to make a reproducer smaller", TEXT)
MONOMIALS = Limit(64, "monomials of a product of polynomials", UNKNOWN)
TERM_STEPS = Limit(48, "operations that a term of a comparison consists of", UNKNOWN)
TERM_PIECES = Limit(32, "pieces of a goal in which its terms are others", UNKNOWN)
SOLVER_STEPS = Limit(4_000_000, "steps (rlimit) of the solver z3 for one goal", UNKNOWN)
SOLVER_BITS = Limit(64, "bits of the numbers of a goal that is left to the solver z3", UNKNOWN)
LOOPS_WITH_CONTENTS = Limit(
    8,
    "loops that write, from which on it is known once what buffers hold after each",
    SLOWER,
    measured="contents-between-loops",
)
