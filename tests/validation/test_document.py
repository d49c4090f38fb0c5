"""docs/validate.md says what its commands print, but for seconds."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.conftest import Run


@pytest.mark.mlir
@pytest.mark.slow
def test_commands_print_what_the_document_says(root: Path, volcli: Run) -> None:
    text = (root / "docs" / "validate.md").read_text()
    blocks = re.findall(r"^```console\n\$ volcli (.*?)\n(.*?)```$", text, re.MULTILINE | re.DOTALL)
    assert blocks
    for command, printed in blocks:
        ran = volcli(*shlex.split(command), "--no-cache", "-j1")
        assert _without_seconds(ran.stdout) == _without_seconds(printed)


def _without_seconds(text: str) -> str:
    return re.sub(r" +\d+\.\d\d$", "", text, flags=re.MULTILINE)
