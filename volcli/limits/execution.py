"""Limits of executions: steps, memory, and how many small instances are tried."""

from __future__ import annotations

from volcli.limits.limit import REFUSED, SLOWER, TEXT, UNKNOWN, Limit

STEPS = Limit(100_000_000, "iterations and jumps of an execution", REFUSED, option="--steps")
BYTES = Limit(1 << 30, "bytes of memory of an execution", REFUSED, option="--memory")
NESTED_CALLS = Limit(500, "nested calls", REFUSED)
NESTED_REGIONS = Limit(
    80,
    "nested regions; Python reads a text of at most 100 levels",
    REFUSED,
    measured="executions-compiled",
)
TRACED_VALUES = Limit(10_000, "values of a trace that are kept", TEXT)
FEW_POINTS = Limit(
    6, "points of a structured operation, below which numpy takes longer than one by one", SLOWER
)
DEMANDED_ELEMENTS = Limit(
    32, "elements of a tensor that are computed one by one, before all of a small one are", SLOWER
)
DEMANDED_SIZE = Limit(1 << 20, "elements of a tensor that counts as small there", SLOWER)
DEMANDING_BODIES = Limit(40, "bodies on demand that read one another; then one computes all", SLOWER)
BOUNDS_OF_A_FORM = Limit(8, "bounds of a subscript in the loops around", SLOWER)
INSTANCES = Limit(64, "small instances of a function that are tried", UNKNOWN)
INSTANCE_STEPS = Limit(
    1_000_000, "iterations of all small instances, after which no other one is tried", UNKNOWN
)
EXTREME_INSTANCES = Limit(64, "instances with extreme numbers that are executed, of a comparison", UNKNOWN)
TRIAL_STEPS = Limit(50_000, "iterations of all small instances in which two programs are compared", UNKNOWN)
WRITTEN_SIZE = Limit(128, "the size that a number in the text may give to such an instance", UNKNOWN)
WRITTEN_STEPS = Limit(300_000, "iterations of the instance of that size", UNKNOWN)
DRAWN_STEPS = Limit(
    100_000, "iterations, and terms compared, of the elements in which two large programs are", UNKNOWN
)
DRAWN_ELEMENTS = Limit(32, "elements of a result in which two large programs are compared", UNKNOWN)
DRAWN_BORDERS = Limit(24, "indices of a dimension at which something may begin or end", UNKNOWN)
DRAWN_NUMBERS = Limit(64, "numbers of a constant that may say where something begins", UNKNOWN)
TRIAL_BYTES = Limit(1 << 26, "bytes of memory of each of these instances", UNKNOWN)
TRIAL_TEXT = Limit(100, "characters of a term in a difference", TEXT)
CONFIRMING_STEPS = Limit(
    20_000, "iterations of all instances of a function that may confirm its findings", UNKNOWN
)
REFUTING_INSTANCES = Limit(256, "instances in which a claim is executed that no proof decides", UNKNOWN)
REFUTING_ARGUMENTS = Limit(2000, "combinations of small arguments that are looked through for them", UNKNOWN)
COMPARING_STEPS = Limit(
    100_000,
    "iterations, accesses and terms of all instances of a function with which facts are compared",
    UNKNOWN,
)
CONFIRMING_BYTES = Limit(1 << 22, "bytes of memory of each of these instances", UNKNOWN)
CONFIRMED_SLICE = Limit(1 << 16, "elements of a slice that is compared with another one", UNKNOWN)
CONFIRMING_EXAMPLES = Limit(16, "examples of facts that are executed before small instances", UNKNOWN)
CONFIRMED_PAIRS = Limit(100_000, "pairs of accesses in an execution that may confirm dependences", UNKNOWN)
CONFIRMED_ELEMENTS = Limit(40, "elements of a tensor that may confirm facts", UNKNOWN)
CONFIRMED_DEMANDED = Limit(
    8, "elements of a tensor too large for the whole to be computed that may confirm facts", UNKNOWN
)
CONFIRMED_POINTS = Limit(
    1000, "pairs of iterations, or elements that one is computed from, that are compared one by one", UNKNOWN
)
TERM_TEXT = Limit(2000, "characters of a term that is shown", TEXT)
SHOWN_ELEMENTS = Limit(1000, "elements of an array that are shown; of a larger one the corners", TEXT)
