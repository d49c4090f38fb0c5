"""Limits of systems with products of parameters."""

from __future__ import annotations

from volcli.limits.limit import LEFT, OVER_APPROXIMATED, SLOWER, UNKNOWN, Limit

PRODUCTS = Limit(400, "products of inequalities that are added", UNKNOWN)
ASKED_SYMBOLS = Limit(4, "symbols by which products are formed", UNKNOWN)
CONTRADICTION_EFFORT = Limit(
    20_000, "coefficients to find a contradiction: this is asked often, and mostly in vain", UNKNOWN
)
DIVISION_ROUNDS = Limit(3, "divisions of an inequality by symbols, one after the other", UNKNOWN)
DEFINED_SYMBOLS = Limit(12, "symbols that equalities define and that are replaced", UNKNOWN)
DIVIDED_DEGREE = Limit(4, "symbols in a product of an inequality that is divided", UNKNOWN)
MINIMA = Limit(32, "minima of a union", LEFT, said="more than {} cases")
PAIRED_MINIMA = Limit(512, "combinations of minima of a union", LEFT, said="more than {} cases")
COMPARED_CHOICES = Limit(16, "combinations with which a minimum is compared at once", LEFT)
BOUNDS = Limit(8, "bounds of an expression", OVER_APPROXIMATED)
BOUND_STEPS = Limit(64, "steps to bound an expression", OVER_APPROXIMATED)
ROW_OPERATIONS = Limit(100_000, "isl operations for a linear system", UNKNOWN)
INTEGER_COEFFICIENTS = Limit(
    1_000,
    "coefficients of a system that is solved in integers: 2,000 of many quotients take seconds",
    OVER_APPROXIMATED,
)
INTEGER_BITS = Limit(
    160,
    "unknowns, times bits of their coefficients, of a system that is solved in integers",
    OVER_APPROXIMATED,
    measured="steps-have-prices",
)
DEAR_COEFFICIENTS = Limit(4_000, "coefficients from which on each costs as much again", SLOWER)
ROWS_AT_ONCE = Limit(16, "rows that are put together", SLOWER)
ALTERNATIVES = Limit(16, "cases of a system", UNKNOWN)
ALTERNATIVE_EFFORT = Limit(20_000, "coefficients to leave out cases, for each system once", UNKNOWN)
SEARCHED_FROM_FEW = Limit(6, "points that are tried before linear algebra", SLOWER)
SEARCHED_POINTS = Limit(1000, "points that are tried", UNKNOWN)
INEQUALITIES = Limit(
    200,
    "inequalities that an elimination leaves",
    UNKNOWN,
    measured="benchmarks/symbolic.py",
    said="more than {} inequalities",
)
CONTEXT_CASES = Limit(64, "cases of a context", UNKNOWN)
CONTEXT_ATOMS = Limit(1_000, "atoms of a fact", OVER_APPROXIMATED)
REMEMBERED = Limit(8192, "answers that are remembered", SLOWER)
