"""Limits of `volcli validate`."""

from __future__ import annotations

from volcli.limits.limit import REFUSED, TEXT, Limit

TOOL_SECONDS = Limit(600, "seconds for a tool to run its passes", REFUSED)
SAID_LINES = Limit(12, "lines of what a tool says when it fails", TEXT)
REDUCING_RUNS = Limit(400, "runs of a tool that make a reproducer smaller", TEXT)
REDUCING_SECONDS = Limit(60, "seconds to make a reproducer smaller", TEXT)
