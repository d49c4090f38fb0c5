"""The numbers of machine integers, and those from which on numbers count as large: they are not limits.

Numbers of 64 bits: from -HALF to GREATEST; unsigned, less than ALL_BITS. What is STEEP, a coefficient from
2^24 on, is soon large: two rows are combined by the products of theirs. LARGE, 2^31, is more than programs
count to, and less than what arithmetic wraps around at, which is WRAPPED or more. isl's operations cost more
the larger numbers are, and its closures do not return for those from HUGE on. No size is UNBOUNDED or more,
and no step of a number of 64 bits: after two of them nothing is known of it.
"""

from __future__ import annotations

from typing import Final

STEEP: Final = 2**24
LARGE: Final = 2**31
WRAPPED: Final = 2**32
HUGE: Final = 2**40
UNBOUNDED: Final = 2**62
HALF: Final = 2**63
GREATEST: Final = HALF - 1
ALL_BITS: Final = 2**64


def in_64_bits(number: int) -> bool:
    """Whether NUMBER is one of 64 bits, with a sign.

    >>> in_64_bits(GREATEST), in_64_bits(HALF)
    (True, False)
    """
    return -HALF <= number <= GREATEST
