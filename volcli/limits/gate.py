"""Limits of `volcli check`, and of what is loaded."""

from __future__ import annotations

from volcli.limits.limit import OVER_APPROXIMATED, REFUSED, SLOWER, TEXT, UNKNOWN, Limit

PATH_TEXT = Limit(4096, "characters of a text that may be a path", REFUSED)
BASELINE_DIMENSIONS = Limit(8, "dimensions of an argument that a baseline keeps", OVER_APPROXIMATED)
PROPOSED_NAMES = Limit(3, "names that are proposed for a wrong one", TEXT)
LISTED_NAMES = Limit(20, "names that are listed", TEXT)
SOURCE_TEXT = Limit(160, "characters of a source line: that of a constant may be megabytes", TEXT)
FINGERPRINT_TEXT = Limit(
    4096, "characters of an attribute; of a longer one, the beginning and the length count", OVER_APPROXIMATED
)
WORKS_OF_A_WORKER = Limit(200, "pieces of work, after which a worker is replaced", SLOWER)
WORKER_MEMORY = Limit(
    6 << 30, "bytes of address space of a worker; what needs more costs its work alone", UNKNOWN
)
GROWN_WORKER = Limit(1 << 29, "bytes of memory that a worker has used, after which it is replaced", SLOWER)
CLUSTER_SECONDS = Limit(10, "seconds for a scheduler to answer", REFUSED)
CLUSTER_QUESTIONS = Limit(
    3, "consecutive unanswered health checks, after which the scheduler is considered gone", REFUSED
)
SECONDS_WITHOUT_WORKERS = Limit(
    120,
    "seconds that a cluster may be without workers: new ones may be starting",
    REFUSED,
    measured="waiting-for-a-cluster",
)
IN_ADVANCE = Limit(2, "pieces of work that are sent for each thread of a worker", SLOWER)
FIX_ROUNDS = Limit(20, "times that a file with fixes is checked again for more", SLOWER)
TEST_TEXT = Limit(1 << 16, "bytes at the beginning of a file that may say that it is a test", TEXT)
TESTS_PERCENT = Limit(80, "percent of the files of a folder that, as tests, make it one of tests", TEXT)
RELATED_PLACES = Limit(5, "places of one kind that are listed below a finding; the others are counted", TEXT)
GROUPED_FINDINGS = Limit(4, "findings that are alike, of which fewer are told one by one", TEXT)
GROUPED_PLACES = Limit(50, "places of findings that are told as one; the others are counted", TEXT)
STATISTICS_ROWS = Limit(10, "folders and functions in the table of how many findings each has", TEXT)
HISTORY_ROWS = Limit(10, "runs of a history that are shown", TEXT)
LARGE_FILE = Limit(500, "lines that make a file large, or a group of functions", SLOWER)
PIECED_OPERATIONS = Limit(20_000, "top-level operations of a file that is cut into pieces", SLOWER)
CACHE_BYTES = Limit(1 << 29, "bytes of the cache", SLOWER)
CACHE_SECONDS = Limit(10, "seconds for other runs to have written to the cache", SLOWER)
NOTED_PIECES = Limit(2000, "functions whose notes the language server keeps", SLOWER)
OFFERED_TILE = Limit(32, "elements along each dimension of a tile that an editor offers", TEXT)
EDIT_PAUSE = Limit(150, "milliseconds without an edit before a document is checked", SLOWER)
