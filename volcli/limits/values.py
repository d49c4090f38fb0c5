"""Limits of what bounds numbers: sets of values, definitions, contexts, products."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, SLOWER, TEXT, UNKNOWN, Limit

PIECES = Limit(
    48,
    "basic sets of an exact set of values",
    OVER_APPROXIMATED,
    measured="budgets-for-inexact-sets",
    said="more than {} alternatives",
)
APPROXIMATE_PIECES = Limit(
    24, "basic sets of a set that is not exact", OVER_APPROXIMATED, measured="budgets-for-inexact-sets"
)
DIVIDED_PIECES = Limit(
    10, "basic sets of one that has divisions", OVER_APPROXIMATED, measured="pieces-with-few-divisions"
)
DIVISIONS_OF_A_PIECE = Limit(
    8,
    "divisions of a basic set of values",
    OVER_APPROXIMATED,
    measured="pieces-with-few-divisions",
    said="more than {} divisions",
)
DIVISIONS_OF_A_SET = Limit(
    32,
    "divisions of all pieces of an exact set of values",
    OVER_APPROXIMATED,
    said="more than {} divisions in all alternatives",
)
CHEAP_PIECES = Limit(
    4, "basic sets that are joined whatever their coefficients", OVER_APPROXIMATED, measured="cheap-joins"
)
JOINED_COEFFICIENTS = Limit(
    12_000,
    "coefficients of a set that is not exact, to be joined: a linear program a constraint and pair",
    OVER_APPROXIMATED,
    measured="cheap-joins",
)
DIVIDED_COEFFICIENTS = Limit(
    30_000,
    "coefficients of a set that is not exact and has divisions, for each of its pieces; more are not joined",
    OVER_APPROXIMATED,
    measured="cheap-joins",
)
KEPT_VARIABLES = Limit(
    12, "variables that bounds are stated over", UNKNOWN, said="it depends on more than {} variables"
)
INEXACT_SHARE = Limit(
    20,
    "th part of a query's operations, for formulas of a set that is not exact or not simple",
    OVER_APPROXIMATED,
    measured="pieces-with-few-divisions",
)
DIVIDED_SHARE = Limit(
    40,
    "th part of a query's operations, for a formula of a set that has divisions",
    OVER_APPROXIMATED,
)
DEAR_SHARE = Limit(
    200,
    "th part of a query's operations, for one of a set of large numbers or many divisions",
    OVER_APPROXIMATED,
)
ENDS_SHARE = Limit(
    50,
    "th part of a query's operations, for the ends of a set of large numbers or many divisions",
    OVER_APPROXIMATED,
)
CLOSED_FORM_TEXT = Limit(2000, "characters of a closed form", TEXT)
CONDITION_OF_A_CLAIM = Limit(50_000, "isl operations for the condition under which a claim holds", UNKNOWN)
STATED_CONDITIONS = Limit(
    1_000,
    "conditions that a function states",
    OVER_APPROXIMATED,
    said="budget: the function states more than {} conditions",
)
GUARDS = Limit(
    24,
    "conditions of a place that are combined",
    OVER_APPROXIMATED,
    said="more than {} conditions have to do with it",
)
GUARDS_OF_A_PLACE = Limit(
    96,
    "conditions that decide together whether a place is reached",
    OVER_APPROXIMATED,
    said="more than {} conditions have to do with it",
)
COMPLEMENT_OPERATIONS = Limit(
    20_000,
    "isl operations for what an assertion in a region excludes; then of a simpler superset, or unknown",
    OVER_APPROXIMATED,
)
DEMAND_OPERATIONS = Limit(50_000, "isl operations to find that a demand says nothing new", SLOWER)
DEMANDED_OPERATIONS = Limit(
    100,
    "operations of a long function that compute what an operation demands something of",
    OVER_APPROXIMATED,
    said="budget: what is demanded there is computed in more than {} operations",
)
DEMAND_SLICE = Limit(100, "variables in the slice of a demand that may say nothing new", SLOWER)
CASE_NUMBERS = Limit(8, "numbers by which cases are told apart", OVER_APPROXIMATED)
DEFINED_CASES = Limit(8, "cases in which a result is defined", OVER_APPROXIMATED)
COMPARED_ROUNDS = Limit(20_000, "isl operations to compare two rounds", OVER_APPROXIMATED)
LINEAR_TERMS = Limit(
    64,
    "terms of a linear form; a longer one is a variable, or chains of sums grow quadratically",
    OVER_APPROXIMATED,
)
CHAIN_VARIABLES = Limit(100, "variables of a chain that is not shortened", SLOWER)
CHAIN_FUNCTION = Limit(100, "values and operations of a function in which no chain is too long", SLOWER)
RECURSION = Limit(100, "variables of a chain that is gone through by recursion", SLOWER)
CLOSURE_OPERATIONS = Limit(400_000, "isl operations for what is reached in a loop", OVER_APPROXIMATED)
CLOSURE_STEP = Limit(
    30_000, "isl operations for a transitive closure; with many more isl may not return", OVER_APPROXIMATED
)
WIDE_CLOSURE_OPERATIONS = Limit(
    40_000, "isl operations for what is reached in a loop of wide remainders", OVER_APPROXIMATED
)
WIDE_CLOSURE_STEP = Limit(
    8_000, "isl operations for the closure of a step that wraps around", OVER_APPROXIMATED
)
UNROLLED_STEPS = Limit(3, "iterations that are composed one by one", OVER_APPROXIMATED)
END_OPERATIONS = Limit(20_000, "isl operations to find the ends of one variable", OVER_APPROXIMATED)
FREE_CONSTRAINTS = Limit(16, "constraints of a set that does not count towards values.effort", SLOWER)
EFFORT = Limit(
    4_000,
    "constraints of all sets of a function's values, but for small ones; then ranges alone",
    OVER_APPROXIMATED,
    said="budget: the sets of this function's values have more than {} constraints",
)
LONG_EFFORT = Limit(
    3_000,
    "constraints of all sets of a long function's values, but for small ones; then intervals alone",
    OVER_APPROXIMATED,
    said="budget: the sets of this function's values have more than {} constraints",
)
FACTORS = Limit(8, "possible values of a factor by which a product is split into cases", OVER_APPROXIMATED)
LOOP_STATES = Limit(
    5,
    "values that go around a loop together",
    OVER_APPROXIMATED,
    said="more than {} values go around its loop together",
)
RECURRENCE_OPERATIONS = Limit(
    2_000_000,
    "isl operations for the values that go around a loop",
    OVER_APPROXIMATED,
    said="more than {} integer set operations",
)
REACHED_STATES = Limit(32, "steps in which a set of states grows", OVER_APPROXIMATED)
RETURNING_STEPS = Limit(8, "steps after which the states of a loop return", OVER_APPROXIMATED)
DEFINED_CALLS = Limit(100, "calls, one in the other, that are asked for arguments", OVER_APPROXIMATED)
RESULT_CALLS = Limit(3, "calls, one in the other, whose results are computed", OVER_APPROXIMATED)
RETURNS = Limit(8, "results of a call that are computed", OVER_APPROXIMATED)
SUM_BITS = Limit(64, "bits of a sum that may wrap around", OVER_APPROXIMATED)
SUM_TERMS = Limit(16, "terms of a sum; a longer one is a number of its own", OVER_APPROXIMATED)
POISON_CONDITIONS = Limit(8, "conditions under which a value is poison", OVER_APPROXIMATED)
BOUND_TRIES = Limit(8, "candidates for a bound that is a polynomial", OVER_APPROXIMATED)
BOUND_EFFORT = Limit(20_000, "coefficients for a bound that is a polynomial", OVER_APPROXIMATED)
RAYS = Limit(5, "variables of a point from which rays are followed", OVER_APPROXIMATED)
CLAIM_CASES = Limit(8, "cases of a claim about products", UNKNOWN)
CLAIM_OPERATIONS = Limit(200_000, "isl operations for a claim about products", UNKNOWN)
CLAIM_EFFORT = Limit(
    400_000, "coefficients for a claim: ten times what three symbols or two quotients cost", UNKNOWN
)
REACHED_EFFORT = Limit(
    50_000, "coefficients to tell whether a place is reached: twice what one needed that was", UNKNOWN
)
CONDITION_SYMBOLS = Limit(16, "symbols of a system of polynomials", UNKNOWN, said="more than {} symbols")
CONDITION_TERMS = Limit(32, "terms of a polynomial", UNKNOWN, said="more than {} terms")
CONDITION_PIECES = Limit(8, "basic sets that become polynomials", UNKNOWN, said="more than {} alternatives")
CONDITION_CHAIN = Limit(
    64, "operations in a row that become a polynomial", UNKNOWN, said="a chain of more than {} operations"
)
SMALL_SYSTEM_SYMBOLS = Limit(8, "symbols of a system in which every bound is sought", UNKNOWN)
SMALL_SYSTEM_TERMS = Limit(120, "terms of a system in which every bound is sought", UNKNOWN)
SMALL_SYSTEM_DEGREE = Limit(4, "degree of a system in which every bound is sought", UNKNOWN)
LARGE_EFFORT = Limit(
    100_000,
    "coefficients for all systems of one function with numbers such as arithmetic wraps around at",
    UNKNOWN,
)
NAMED_VALUES = Limit(4, "values that a reason names", TEXT)
FORM_TEXT = Limit(200, "characters of a variable's form", TEXT)
STRIDES = Limit(
    8, "possible strides, or elements of a slice, that are looked at one by one", OVER_APPROXIMATED
)
ROUNDS = Limit(4, "rounds over definitions that need each other", OVER_APPROXIMATED)
WRITING_FUNCTIONS = Limit(64, "called functions whose effects are looked at", OVER_APPROXIMATED)
END_DIVISIONS = Limit(
    16,
    "quotients and remainders of a number whose ends are asked for",
    OVER_APPROXIMATED,
    measured="unwrapping-near-few-divisions",
)
WIDE_END_DIVISIONS = Limit(
    4,
    "of them, if one is by the width of a number",
    OVER_APPROXIMATED,
    measured="unwrapping-near-few-divisions",
)
OVERFLOW_RESULTS = Limit(200, "results of which sets are asked whether they overflow", OVER_APPROXIMATED)
OVERFLOW_ROUNDS = Limit(4, "rounds in which results of calls are found to overflow", OVER_APPROXIMATED)
OVERFLOW_OPERATIONS = Limit(
    1_000_000,
    "isl operations to ask of an answer whether it rests on arithmetic that does not overflow",
    "the answer names the assumption",
)
OVERFLOW_STEPS = Limit(
    16,
    "operations through which a number is followed as a remainder by 2^64",
    "the answer names the assumption",
)
ASSUMING_STORES = Limit(16, "sets of assumptions that are kept", SLOWER)
REASON_CONSTRAINTS = Limit(200, "constraints that explain a number", TEXT)
PRODUCT_REASONS = Limit(
    24,
    "constraints with products among which the needed ones are sought",
    TEXT,
    measured="product-bounds-need-product-inequalities",
)
PRODUCT_REASON_EFFORT = Limit(400_000, "coefficients to find them", TEXT)
