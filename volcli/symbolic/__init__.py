"""Polynomials in index values: what integer sets cannot hold, kept exact.

| module        | what                                                                       |
|---------------|----------------------------------------------------------------------------|
| `polynomials` | greatest common divisors, exact division, factors                          |
"""
