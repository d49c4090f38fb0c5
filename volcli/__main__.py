"""`python -m volcli` is `volcli`."""

from __future__ import annotations

from volcli.cli import main

if __name__ == "__main__":
    main()
