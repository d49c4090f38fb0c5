"""A short run of the reader's fuzzing, always the same; and that the fuzzing sees each kind of failure."""

from __future__ import annotations

import os
import time

import pytest

from tests.campaigns.reader import Check, Failure, campaign, outcomes, shrunk
from tests.frontend.mutants import mutant, seeds


@pytest.mark.slow
def test_two_hundred_broken_texts_are_read_or_refused() -> None:
    assert list(campaign(200, seed=0, progress=False)) == []


@pytest.mark.slow
def test_an_input_is_the_same_in_every_run() -> None:
    assert [mutant(index, seeds(3)) for index in range(6)] == [mutant(index, seeds(3)) for index in range(6)]


def _sleep(data: bytes) -> str | None:
    time.sleep(30 if b"slow" in data else 0)
    return None


def _die(data: bytes) -> str | None:
    if b"dead" in data:
        os._exit(3)
    return None


def _allocate(data: bytes) -> str | None:
    try:
        return None if len(bytearray(len(data) << 28)) < 2 << 30 else "it got 2 GB"
    except MemoryError:
        return "no memory"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("texts", "check", "expected"),
    [
        ((b"a", b"slow", b"b"), _sleep, [None, "more than 1 s", None]),
        ((b"a", b"dead", b"b"), _die, [None, "the process died: exit code 3", None]),
        ((b"", b"12345678"), _allocate, [None, "no memory"]),
        ((b"", b"x\n"), lambda data: f"V900 {data!r}" if data else None, [None, "V900 b'x\\n'"]),
    ],
    ids=["time", "death", "memory", "complaint"],
)
def test_a_failure_is_that_of_its_input(
    texts: tuple[bytes, ...], check: Check, expected: list[str | None]
) -> None:
    found = outcomes(lambda index: texts[index], range(len(texts)), check, seconds=1)
    assert [each and each.what for each in found] == expected


@pytest.mark.slow
def test_shrinking_keeps_what_the_failure_needs() -> None:
    def check(data: bytes) -> str | None:
        return "both: here" if b"a" in data and b"z" in data else None

    small = shrunk(Failure(0, b"bcd\nxxaxx\ne\nxzx\nf\n", "both: there"), check)
    assert small.data == b"az"
