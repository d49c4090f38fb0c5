"""Start-up is a feature; tested by what is imported, since times differ between machines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest

HEAVY = {"xdsl", "islpy", "rich", "volcli.driver", "volcli_dialects"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["opt", "--help"],
        ["analyze", "--help"],
        ["passes", "--help"],
        ["dialects", "--help"],
        ["codes"],
        ["examples"],
        ["schema"],
        ["op"],
    ],
    ids=" ".join,
)
def test_the_shell_imports_nothing_heavy(arguments: list[str], environment: Mapping[str, str]) -> None:
    script = (
        "import sys\n"
        "from volcli.cli import volcli\n"
        f"volcli.run({arguments!r})\n"
        "print(*sorted(sys.modules), sep='\\n', file=sys.stderr)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    assert not HEAVY & set(ran.stderr.split())


def test_the_package_imports_nothing_but_itself(environment: Mapping[str, str]) -> None:
    script = (
        "import sys; before = set(sys.modules); import volcli; after = set(sys.modules) - before;"
        "print(*(name for name in after if name.partition('.')[0] not in sys.stdlib_module_names))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    assert ran.stdout.split() == ["volcli"]
