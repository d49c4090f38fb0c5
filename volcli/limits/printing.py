"""Limits of what is written: messages, pictures, lists."""

from __future__ import annotations

from volcli.limits.limit import REFUSED, SLOWER, TEXT, UNKNOWN, Limit

FACT_TEXT = Limit(100, "characters of a fact in Python's shell", TEXT)
NEEDS_TEXT = Limit(4, "preconditions that an annotation states", TEXT)
SET_TEXT = Limit(64, "characters of a set of distances; a longer one is given by its hull", TEXT)
VECTORS = Limit(12, "distances of a picture that are listed", TEXT)
COMPOSITIONS = Limit(4, "pairs of parts of a relation that are shown", TEXT)
DRAWN_DISTANCES = Limit(6, "distances that an SVG's legend lists", TEXT)
CELL_OPERATIONS = Limit(400, "isl operations for a cell of a picture", REFUSED)
DERIVATION_PIECES = Limit(8, "pieces of what is left that are shown as constraint matrices", TEXT)
DIFFERENCE_SECONDS = Limit(60, "seconds to compare deep nests in a process of its own", UNKNOWN)
KNOWN_NAMES = Limit(12, "names that are listed if none is similar to the given one", TEXT)
NEAREST_ACCESSES = Limit(8, "accesses near a place that are named", TEXT)
NEAREST_LINES = Limit(8, "lines near a place that are named", TEXT)
HOVER_COLUMNS = Limit(100, "columns of what an editor shows in a hover or beside the text", TEXT)
COLUMNS = Limit(80, "columns of a terminal that does not state them", TEXT)
PROGRESS_BAR = Limit(20, "columns of the bar that shows how much is done", TEXT)
PROGRESS_COLUMNS = Limit(
    60, "columns of a terminal below which progress has no bar; of a notebook's line", TEXT
)
COMPLETED_TEXT = Limit(1_000_000, "characters of a file in which a shell looks for names", TEXT)
SUMMARY_ROWS = Limit(3, "answers to one question about a function that a summary shows", TEXT)
SHOWN_LINE = Limit(160, "characters of a source line that is shown: a constant's line may be megabytes", TEXT)
WRITTEN_TOGETHER = Limit(1000, "diagnostics that are written together", SLOWER)
UNCOLLECTED_OBJECTS = Limit(100_000, "new objects, after which Python collects garbage", SLOWER)
EXCEPTION_TEXT = Limit(200, "characters of an exception's first line", TEXT)
PAGE_PATHS = Limit(3, "paths that the title of a page names", TEXT)
PAGE_LINES = Limit(20_000, "lines of a file that a page shows", TEXT)
PAGE_COLUMNS = Limit(400, "characters of a source line that a page shows", TEXT)
PAGE_REASONS = Limit(12, "reasons for which answers to a question are not exact that a page lists", TEXT)
PAGE_CONSTRAINTS = Limit(400, "constraints of a picture of sets on a page; one with more is left out", TEXT)
PAGE_DRAWINGS = Limit(12, "pictures of a function on a page", TEXT)
PAGE_NUMBER = Limit(8, "what parameters are in the pictures of iterations on a page", TEXT)
PAGE_SIZE = Limit(16, "what parameters are at first in pictures of sets on a page, where they may be", TEXT)
PAGE_ITERATIONS = Limit(6, "iterations of each loop that a page draws", TEXT)
