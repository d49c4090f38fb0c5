"""Limits of expressions and of what operations are read as."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, Limit

DEPTH = Limit(
    64,
    "nested divisions, extrema, choices and products",
    OVER_APPROXIMATED,
    said="an expression nested more than {} times",
)
SIZE = Limit(
    256,
    "atoms of a division, an extremum, a choice or a product, those inside of others included",
    OVER_APPROXIMATED,
    said="an expression of more than {} atoms",
)
PRODUCT_TERMS = Limit(
    1024,
    "pairs of terms of a product of two sums that is worked out",
    OVER_APPROXIMATED,
    measured="expressions-in-normal-form",
)
USES = Limit(16, "uses of an access, beyond which it counts as used in no product", OVER_APPROXIMATED)
ELEMENT_CHAIN = Limit(16, "operations in a row that are followed", OVER_APPROXIMATED)
FLAG_CASES = Limit(64, "cases in which a truth that branches give holds", OVER_APPROXIMATED)
LOOP_CONDITIONS = Limit(16, "conditions of a choice", OVER_APPROXIMATED)
LOOP_DIVISIONS = Limit(
    6, "divisions and remainders of a number: isl takes minutes over sets of more", OVER_APPROXIMATED
)
STEPS_OF_ONE_VALUE = Limit(
    64, "pairs of values that are compared to show that two writes are of one value", OVER_APPROXIMATED
)
