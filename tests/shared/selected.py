"""Which parameters of a test a run makes: there are 9,000 more than `make test` runs, and each costs a third of a ms."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from _pytest.python import Metafunc


def quick(number: int, count: int) -> set[int]:
    """COUNT positions among NUMBER, evenly spread.

    >>> sorted(quick(10, 3)), sorted(quick(2, 3))
    ([0, 3, 6], [0, 1])
    """
    count = min(count, number)
    return {number * k // count for k in range(count)}


def samples(items: list[pytest.Item]) -> None:
    """Of a test with the mark `sample(n)`, all but n of its parameters are `slow`; the n are evenly spread."""
    families: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sample") is not None:
            families.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for family in families.values():
        mark = family[0].get_closest_marker("sample")
        assert mark is not None
        chosen = quick(len(family), mark.args[0])
        for number, item in enumerate(family):
            if number not in chosen:
                item.add_marker(pytest.mark.slow)


class QuickParameters:
    """In a run that does not want what is slow, parameters that are slow are not made into tests."""

    @pytest.hookimpl(wrapper=True)
    def pytest_generate_tests(self, metafunc: Metafunc) -> Generator[None, None, None]:
        yield
        calls = metafunc._calls
        # One is left, since a test without calls is one without parameters: it is slow, and deselected as that.
        metafunc._calls = _quick_calls(metafunc, calls) or calls[:1]


def _quick_calls(metafunc: Metafunc, calls: list[Any]) -> list[Any]:
    if metafunc.definition.get_closest_marker("slow") is not None:
        return []
    if (mark := metafunc.definition.get_closest_marker("sample")) is not None:
        chosen = quick(len(calls), mark.args[0])
        calls = [call for number, call in enumerate(calls) if number in chosen]
    return [call for call in calls if all(mark.name not in ("slow", "fuzz") for mark in call.marks)]
