"""Which installed packages announce entry points: to look costs less than to import `importlib.metadata`."""

from __future__ import annotations

import os
import sys

DIALECTS = "volcli.dialects"
"""The entry points of packages that add dialects."""
_METADATA = (".dist-info", ".egg-info", ".egg")


def may_announce(group: str, besides: str | None = None) -> bool:
    """Whether a package on the path, BESIDES one, may have an entry point in GROUP.

    False is certain. True is not: only `importlib.metadata` reads every form of metadata.

    >>> may_announce("xdsl.universe"), may_announce("xdsl.universe", besides="xdsl")
    (True, False)
    """
    for folder in sys.path:
        try:
            installed = [each for each in os.scandir(folder or ".") if each.name.endswith(_METADATA)]
        except NotADirectoryError:  # an archive
            return True
        except OSError:
            continue
        for each in installed:
            if each.name.partition("-")[0] != besides and _announces(each.path, group):
                return True
    return False


def _announces(metadata: str, group: str) -> bool:
    """Whether the package with its METADATA in this folder may have an entry point in GROUP."""
    try:
        with open(os.path.join(metadata, "entry_points.txt"), encoding="utf-8") as file:
            return group in file.read()
    except NotADirectoryError:  # an egg
        return True
    except (OSError, UnicodeDecodeError):
        return False
