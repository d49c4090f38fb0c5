"""Methods whose answers are kept: `volcli.runtime.cached_method`."""

from __future__ import annotations

import pytest

from volcli.language.unchanged import cached_method


class Squares:
    """Squares, and which were computed."""

    def __init__(self) -> None:
        self.computed: list[int] = []

    @cached_method
    def of(self, number: int) -> int:
        """The square of NUMBER."""
        if number < 0:
            raise ValueError(number)
        self.computed.append(number)
        return number * number

    @cached_method
    def between(self, first: int, last: int) -> tuple[int, int]:
        self.computed.append(last)
        return first, last


def test_each_is_found_once() -> None:
    squares = Squares()
    assert [squares.of(3), squares.of(2), squares.of(3)] == [9, 4, 9]
    assert squares.computed == [3, 2]


def test_objects_share_nothing() -> None:
    first, second = Squares(), Squares()
    assert (first.of(3), second.of(3)) == (9, 9)
    assert (first.computed, second.computed) == ([3], [3])


def test_several_arguments() -> None:
    squares = Squares()
    assert [squares.between(1, k) for k in (2, 3, 2)] == [(1, 2), (1, 3), (1, 2)]
    assert squares.computed == [2, 3]


def test_exceptions_are_not_kept() -> None:
    squares = Squares()
    for _ in range(2):
        with pytest.raises(ValueError, match="-1"):
            squares.of(-1)


def test_documentation() -> None:
    assert Squares.of.__doc__ == "The square of NUMBER."
