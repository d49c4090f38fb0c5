"""Limits of `volcli check`, and of what is loaded."""

from __future__ import annotations

from volcli.limits.limit import CHOSEN, OVER_APPROXIMATED, REFUSED, SLOWER, TEXT, UNKNOWN, Limit

PATH_TEXT = Limit(4096, "characters of a text that may be a path", REFUSED, CHOSEN)
BASELINE_DIMENSIONS = Limit(8, "dimensions of an argument that a baseline keeps", OVER_APPROXIMATED, CHOSEN)
PROPOSED_NAMES = Limit(3, "names that are proposed for a wrong one", TEXT, CHOSEN)
LISTED_NAMES = Limit(20, "names that are listed", TEXT, CHOSEN)
SOURCE_TEXT = Limit(160, "characters of a source line: that of a constant may be megabytes", TEXT, CHOSEN)
FINGERPRINT_TEXT = Limit(
    4096,
    "characters of an attribute; of a longer one, the beginning and the length count",
    OVER_APPROXIMATED,
    CHOSEN,
)
WORKS_OF_A_WORKER = Limit(200, "pieces of work, after which a worker is replaced", SLOWER, CHOSEN)
WORKER_MEMORY = Limit(
    6 << 30, "bytes of address space of a worker; what needs more costs its work alone", UNKNOWN, CHOSEN
)
GROWN_WORKER = Limit(
    1 << 29, "bytes of memory that a worker has used, after which it is replaced", SLOWER, CHOSEN
)
CLUSTER_SECONDS = Limit(10, "seconds for a scheduler to answer", REFUSED, CHOSEN)
CLUSTER_QUESTIONS = Limit(
    3, "questions in turn without an answer, after which there is no scheduler", REFUSED, CHOSEN
)
SECONDS_WITHOUT_WORKERS = Limit(
    120.0,
    "seconds that a cluster may be without workers: others may be on their way",
    REFUSED,
    "waiting-for-a-cluster",
)
IN_ADVANCE = Limit(2, "pieces of work that are sent for each thread of a worker", SLOWER, CHOSEN)
LARGE_FILE = Limit(500, "lines that make a file large, or a group of functions", SLOWER, CHOSEN)
PIECED_OPERATIONS = Limit(20_000, "top-level operations of a file that is cut into pieces", SLOWER, CHOSEN)
CACHE_BYTES = Limit(1 << 29, "bytes of the cache", SLOWER, CHOSEN)
CACHE_SECONDS = Limit(10, "seconds for other runs to have written to the cache", SLOWER, CHOSEN)
