"""Whether a rewritten program is undefined where the old one is not, beside what its elements are."""

from volcli.undefined.meaning import ENDS, Meaning

__all__ = ["ENDS", "Meaning"]
