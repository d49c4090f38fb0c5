"""What hatchling does when it builds a wheel: pages for `man`, made from the commands, in share/man/man1."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ManPages(BuildHookInterface):  # type: ignore[type-arg]
    """Adds a page for each command."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the pages, and add them to BUILD_DATA, unless the wheel only names this tree."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from docs.site.manual import write_pages

        for page in write_pages(Path(self.root, "dist", "man")):
            build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"
