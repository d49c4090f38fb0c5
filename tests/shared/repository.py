"""Repositories of git for tests, whatever the user's own settings are."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git(folder: Path, *arguments: str) -> str:
    """What git says, called in FOLDER with ARGUMENTS."""
    named = ("-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false")
    command = ["git", *named, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
