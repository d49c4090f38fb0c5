"""Limits of cases of dialects."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, REFUSED, Limit

FILLING_LOOPS = Limit(24, "loops that fill an operand", OVER_APPROXIMATED)
FILLING_CASES = Limit(64, "cases in which elements are filled", OVER_APPROXIMATED)
CONSTANT_PARTS = Limit(4096, "elements of a constant that is examined number by number", OVER_APPROXIMATED)
MASK_RUNS = Limit(4, "runs of ones of a mask", OVER_APPROXIMATED)
LANE_RUNS = Limit(16, "runs of lanes that a mask sets, or that go to elements in a row", OVER_APPROXIMATED)
CONSTANT_ELEMENTS = Limit(4096, "elements of a constant of integers that is examined", OVER_APPROXIMATED)
KNOWN_ELEMENTS = Limit(
    256, "elements of a tensor of integers that are computed one by one", OVER_APPROXIMATED
)
KNOWN_CHAIN = Limit(64, "operations in a row that compute integers that select elements", OVER_APPROXIMATED)
SELECTED_SLICES = Limit(64, "slices that integers select, each followed by itself", OVER_APPROXIMATED)
CONNECTIVES = Limit(256, "connectives of a condition, each as often as it is used", OVER_APPROXIMATED)
CONJUNCTIONS = Limit(
    256, "conjunctions of a condition: each exclusive disjunction doubles them", OVER_APPROXIMATED
)
SEMIAFFINE_SIDES = Limit(8, "sides of a semi-affine bound", OVER_APPROXIMATED)
VECTOR_ELEMENTS = Limit(
    65_536, "elements of a vector that becomes results: a text of 40 bytes could take all memory", REFUSED
)
