"""Warm runs against cold ones: after any edit of a large file the cache changes nothing in what is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gate.edits import Document
from tests.shared.seeds import seeds
from volcli.gate.policy.policy import CodeChoice, Policy
from volcli.gate.run import Running, run
from volcli.gate.work.cache import ResultCache
from volcli.limits import gate as limits
from volcli.report.gate import rendered

_EDITS = 10
"""So many of one document: with each seed, `make fuzz` checks a thousand."""
_WHOLE = 5
"""Every so many edits, the file is analysed in one piece, too."""
_POLICY = Policy(asked=CodeChoice(("V1", "V2", "V3", "V204", "V215")))


def said(file: Path, cache: ResultCache | None) -> str:
    """What is said of FILE, byte by byte."""
    report = run([str(file)], _POLICY, running=Running(cache=cache))
    return rendered(report, "text") + rendered(report, "json")


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, of=100))
def test_a_warm_run_says_what_a_cold_one_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    document = Document.made(seed)
    cache = ResultCache(tmp_path / "cache", pytest.fail)
    file = tmp_path / "a.mlir"
    done: list[str] = []
    for number in range(_EDITS):
        while True:
            done.append(document.edit())
            text = document.text()
            if text.count("\n") >= 600:
                break
        file.write_bytes(text.encode())
        warm = said(file, cache)
        cold = said(file, None)
        assert warm == cold, (number, done[-3:])
        if number % _WHOLE == 0:
            with monkeypatch.context() as patch:
                patch.setattr(limits, "LARGE_FILE", 10**9)
                assert said(file, None) == cold, (number, done[-3:])
    cache.close()
