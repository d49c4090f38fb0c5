"""communication: what blocks of iterations send to each other, enumerated and compared with running the loops."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

import pytest

import volcli
from tests.rewriting.rewritten import rewritten_by
from tests.shared.execution import executed, needs_runner
from volcli.passes.rewrites.communication import Communication

# Figure 4-4: each element is that three to the left.
SHIFTED = """
func.func @f(%X: memref<?xf64>, %T: index, %N: index, %b: index) {
  affine.for %t = 0 to %T {
    affine.for %i = 3 to %N {
      %x = affine.load %X[%i - 3] : memref<?xf64>
      affine.store %x, %X[%i] : memref<?xf64>
    }
  }
  return
}
"""
# Two loops in each step of time: there and back. Both are distributed.
THERE_AND_BACK = """
func.func @f(%X: memref<?xf64>, %T: index, %N: index, %b: index) {
  %Y = memref.alloc(%N) : memref<?xf64>
  affine.for %t = 0 to %T {
    affine.for %i = 1 to %N {
      %x = affine.load %X[%i - 1] : memref<?xf64>
      affine.store %x, %Y[%i] : memref<?xf64>
    }
    affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%N] {
      %y = affine.load %Y[%j + 1] : memref<?xf64>
      affine.store %y, %X[%j] : memref<?xf64>
    }
  }
  memref.dealloc %Y : memref<?xf64>
  return
}
"""
Row = tuple[int, ...]
Event = tuple[int, tuple[int, ...], tuple[str, int], bool]
"""The iteration of the distributed loop, that of all loops, the element, and whether it is written."""


def _shifted(T: int, N: int) -> Iterator[Event]:  # noqa: N803  # the names of the figure
    for t, i in product(range(T), range(3, N)):
        yield i, (t, i), ("X", i - 3), False
        yield i, (t, i), ("X", i), True


def _there_and_back(T: int, N: int) -> Iterator[Event]:  # noqa: N803
    for t in range(T):
        for i in range(1, N):
            yield i, (t, i), ("X", i - 1), False
            yield i, (t, i), ("Y", i), True
        for j in range(1, N - 1):
            yield j, (t, j), ("Y", j + 1), False
            yield j, (t, j), ("X", j), True


def _sent(events: Iterator[Event], size: int) -> Iterator[tuple[str, int, int, Row]]:
    """The buffer, the sender, the receiver, and the rest of a row, of each value that is sent."""
    last: dict[tuple[str, int], tuple[int, tuple[int, ...]]] = {}
    for at, iteration, element, is_write in events:
        if is_write:
            last[element] = at, iteration
        elif element in last:
            of, writer = last[element]
            if of // size != at // size:
                yield element[0], of // size, at // size, (*writer, *iteration, element[1])


# For each of the functions @NAME: for small arguments and all processors, how many rows, and these.
MAIN = """
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %columns = arith.constant 6 : index
  %least = arith.constant -1 : index
  %T = arith.constant 3 : index
  %N = arith.constant 9 : index
  %b = arith.constant 6 : index
  %first = arith.constant -2 : index
  %last = arith.constant 9 : index
  %list = memref.alloc() : memref<40x6xindex>
  %rows = memref.cast %list : memref<40x6xindex> to memref<?x6xindex>
  %buffer = memref.alloc() : memref<1xf64>
  %X = memref.cast %buffer : memref<1xf64> to memref<?xf64>
  scf.for %t = %least to %T step %one {
    scf.for %n = %least to %N step %one {
      scf.for %size = %least to %b step %one {
        scf.for %p = %first to %last step %one {
          %count = func.call @NAME(%X, %t, %n, %size, %p, %rows) : (memref<?xf64>, index, index, index, index, memref<?x6xindex>) -> index
          vector.print %count : index
          scf.for %row = %zero to %count step %one {
            scf.for %c = %zero to %columns step %one {
              %x = memref.load %list[%row, %c] : memref<40x6xindex>
              vector.print %x : index
            }
          }
        }
      }
    }
  }
  return
}
"""


def enumerated(mlir_opt: str, text: str, name: str) -> Iterator[tuple[tuple[int, int, int, int], list[Row]]]:
    """The rows that the function NAME of TEXT writes, for each of its arguments T, N, b and processor."""
    numbers = map(int, executed(mlir_opt, text + MAIN.replace("@NAME", f"@{name}")).split())
    for arguments in product(range(-1, 3), range(-1, 9), range(-1, 6), range(-2, 9)):
        count = next(numbers)
        yield arguments, [tuple(next(numbers) for _ in range(6)) for _ in range(count)]
    assert not list(numbers)


def with_functions(text: str, options: str) -> str:
    return rewritten_by(f"communication{{{options}}}", text)


@pytest.mark.slow
@needs_runner
@pytest.mark.parametrize(
    ("text", "options", "events", "buffers"),
    [
        (SHIFTED, "loops=%i size=%b", _shifted, "X"),
        (THERE_AND_BACK, "loops=%i,%j size=%b", _there_and_back, "XY"),
    ],
    ids=["shifted", "there and back"],
)
def test_what_is_sent(
    text: str, options: str, events: Callable[[int, int], Iterator[Event]], buffers: str, mlir_opt: str
) -> None:
    """For sizes that do not divide, of 1 and below; no steps of time, no iterations, and idle processors."""
    after = with_functions(text, options)
    assert re.findall(r"@f_(\w+)\(", after) == [
        f"{w}_{k}" for k in range(len(buffers)) for w in ("receive", "send")
    ]
    for number, buffer in enumerate(buffers):
        for word in ("receive", "send"):
            some = 0
            for (steps, most, size, here), rows in enumerated(mlir_opt, after, f"f_{word}_{number}"):
                sent = [
                    (sender, receiver, rest)
                    for of, sender, receiver, rest in _sent(events(steps, most), max(size, 1))
                    if of == buffer
                ]
                if word == "receive":
                    own = [(sender, *rest) for sender, receiver, rest in sent if receiver == here]
                    own.sort(key=lambda row: (row[3:5], row[0]))
                else:
                    own = [(receiver, *rest) for sender, receiver, rest in sent if sender == here]
                    own.sort(key=lambda row: (row[1:3], row[0]))
                assert rows == own, (steps, most, size, here)
                some += len(rows)
            assert some > 50


@pytest.mark.slow
@needs_runner
def test_a_list_that_is_too_short_is_filled(mlir_opt: str) -> None:
    """How many there are is said all the same."""
    main = """
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %eight = arith.constant 8 : index
  %list = memref.alloc() : memref<2x6xindex>
  %rows = memref.cast %list : memref<2x6xindex> to memref<?x6xindex>
  %buffer = memref.alloc() : memref<1xf64>
  %X = memref.cast %buffer : memref<1xf64> to memref<?xf64>
  %count = func.call @f_receive_0(%X, %eight, %eight, %one, %eight, %rows) : (memref<?xf64>, index, index, index, index, memref<?x6xindex>) -> index
  vector.print %count : index
  %more = func.call @f_receive_0(%X, %eight, %eight, %one, %six, %rows) : (memref<?xf64>, index, index, index, index, memref<?x6xindex>) -> index
  vector.print %more : index
  %t = memref.load %list[%one, %one] : memref<2x6xindex>
  vector.print %t : index
  return
}
""".replace("%eight = arith", "%six = arith.constant 6 : index\n  %eight = arith")
    assert executed(mlir_opt, with_functions(SHIFTED, "loops=%i size=%b") + main).split() == ["0", "8", "1"]


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        (SHIFTED, "loops=%i size=%none", "%none is not an argument of type index"),
        (SHIFTED, "loops=%i size=%X", "%X is not an argument of type index"),
        (SHIFTED.replace("%X[%i - 3]", "%X[%i]"), "loops=%i size=%b", None),
        (SHIFTED, "loops=%k size=%b", None),
        (
            SHIFTED.replace("affine.load %X", "affine.load %Z").replace("(%X", "(%Z: memref<?xf64>, %X"),
            "loops=%i size=%b",
            "it is only known if %Z and %X are different memory",
        ),
    ],
)
def test_what_is_not_enumerated(text: str, options: str, reason: str | None) -> None:
    program = volcli.load(text)
    before = program.text()
    program.run(f"communication{{{options}}}")
    assert program.text() == before
    nothing = f"communication{{{options}}} changes nothing: it looks for {Communication.wants}"
    expected = nothing if reason is None else f"communication in @f is not enumerated: {reason}"
    assert [each.message for each in program.diagnostics] == [expected]


@pytest.mark.slow
def test_a_name_that_is_taken() -> None:
    other = "func.func @f_send_0() {\n  return\n}\n"
    after = with_functions(SHIFTED + other, "loops=%i size=%b")
    assert re.findall(r"func @(\w+)", after) == ["f", "f_receive_0", "f_send_0_", "f_send_0"]
