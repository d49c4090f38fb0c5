"""Polynomials in index values: what integer sets cannot hold, kept exact.

| module            | what                                                                               |
|-------------------|------------------------------------------------------------------------------------|
| `polynomials`     | greatest common divisors, exact division, factors                                  |
| `linearisation`   | whether polynomial inequalities contradict each other                              |
| `context`         | what is known of symbols, and what follows from it                                 |
| `alternatives`    | the same where one of several conjunctions holds                                   |
| `fourier_motzkin` | elimination of variables whose coefficients are polynomials                        |
| `scanning`        | loops that reach each point of such a system once, in order                        |
| `extrema`, `cost` | minima and maxima with few operations, and how many these are                      |
| `unions`          | maxima of minima of polynomials, and which operands they need                       |
| `divisions`       | inequalities divided by positive symbols, and rounded                              |
| `steps`           | an elimination and the loops that scan a system, step by step                      |
| `tile_numbers`    | loops over tiles, recognized by their bounds, and the points that are left         |

Imports: `language`, `presburger`.
"""
