"""Memory of the caller that is freed: what it holds behind the functions nobody may read."""

from __future__ import annotations

import pytest

import volcli
from volcli.equivalence.undefined.meaning import LEAKS
from volcli.facts.differences import FunctionComparison

HEAD = "func.func @f(%o: memref<2xi32>, %p: memref<2xi32>, %v: i32, %w: i32, %c: i1, %d: i1) {"
STORE_V = "memref.store %v, %o[%k] : memref<2xi32>"
STORE_W = "memref.store %w, %o[%k] : memref<2xi32>"
FREE = "memref.dealloc %o : memref<2xi32>"
FREE_P = "memref.dealloc %p : memref<2xi32>"
CAST = "%q = memref.cast %o : memref<2xi32> to memref<?xi32> memref.dealloc %q : memref<?xi32>"
ANY = "%s = arith.select %c, %o, %p : memref<2xi32> memref.dealloc %s : memref<2xi32>"
OWNED = "bufferization.dealloc (%o : memref<2xi32>) if (%c)"


def program(*lines: str) -> str:
    """A function of these LINES; one that ends with {} has the next line in it."""
    body = "\n  ".join(lines)
    return f"{HEAD}\n  %k = arith.constant 1 : index\n  {body}\n  return\n}}"


def given(condition: str, *lines: str) -> str:
    return f"scf.if {condition} {{ {' '.join(lines)} }}"


def found(before: str, after: str) -> FunctionComparison:
    (only,) = volcli.loads(before).diff(volcli.loads(after))
    return only


NOT_OBSERVABLE = [
    ((FREE,), (STORE_V, FREE)),
    ((STORE_V, FREE), (FREE,)),
    ((STORE_V, FREE), (STORE_W, FREE)),
    ((STORE_V, FREE), (STORE_W, CAST)),
    ((STORE_V, CAST), (FREE,)),
    ((given("%c", STORE_V), FREE), (given("%d", STORE_W), FREE)),
    ((given("%c", FREE),), (given("%c", STORE_V, FREE),)),
    ((STORE_V, given("%c", FREE)), (STORE_V, given("%c", STORE_W, FREE))),
    ((STORE_V, given("%c", FREE)), (given("%c", FREE), given("%e", STORE_V))),
    ((given("%c", given("%d", FREE)),), (given("%c", given("%d", STORE_W, FREE)),)),
]
NEGATED = "%yes = arith.constant true %e = arith.xori %c, %yes : i1"


def with_negation(lines: tuple[str, ...]) -> tuple[str, ...]:
    return (NEGATED, *lines) if any("%e" in line for line in lines) else lines


@pytest.mark.sample(4)
@pytest.mark.parametrize(("before", "after"), NOT_OBSERVABLE)
def test_what_both_free_is_not_compared(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    answer = found(program(*before), program(*with_negation(after)))
    assert answer.verdict == ("unknown" if "%e" in " ".join(after) else "equal"), "\n".join(answer.lines())


OBSERVABLE = [
    # what is not freed, or not always
    ((STORE_V, FREE_P), (STORE_W, FREE_P)),
    ((STORE_V, given("%c", FREE)), (STORE_W, given("%c", FREE))),
    ((given("%c", FREE),), (STORE_V, given("%c", FREE))),
    ((f"{given('%c', FREE)} else {{ {STORE_V} }}",), (f"{given('%c', FREE)} else {{ {STORE_W} }}",)),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("before", "after"), OBSERVABLE)
def test_what_is_not_freed_is_compared(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    answer = found(program(*before), program(*after))
    assert answer.verdict == "different", "\n".join(answer.lines())


MISUSED = [
    # AFTER frees what BEFORE does not, or perhaps
    ((STORE_V,), (STORE_V, FREE), "different"),
    ((STORE_V,), (STORE_V, CAST), "different"),
    ((STORE_V,), (STORE_V, given("%c", FREE)), "unknown"),
    ((STORE_V, given("%c", FREE)), (STORE_V, FREE), "unknown"),
    ((STORE_V, given("%c", FREE)), (STORE_V, given("%d", FREE)), "unknown"),
    ((STORE_V, FREE_P), (STORE_V, FREE), "different"),
    ((STORE_V, OWNED), (STORE_V, OWNED.replace("%c", "%d")), "unknown"),
    ((FREE,), (STORE_V, ANY), "unknown"),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("before", "after", "verdict"), MISUSED)
def test_what_only_one_frees_is_not_equal(
    before: tuple[str, ...], after: tuple[str, ...], verdict: str
) -> None:
    answer = found(program(*before), program(*after))
    assert answer.verdict == verdict, "\n".join(answer.lines())


@pytest.mark.parametrize(
    ("before", "after"), [((ANY,), (STORE_V, ANY)), ((OWNED,), (given("%c", STORE_V), OWNED))]
)
def test_what_may_be_freed_is_not_different(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    """Execution tells apart what is left of the other one, if it is executed."""
    answer = found(program(*before), program(*after))
    sets = [each for each in answer.outputs if each.runs is None and each.verdict == "different"]
    assert not sets, "\n".join(answer.lines())


def leaked(answer: FunctionComparison) -> tuple[str, ...]:
    return tuple(each for each in answer.assumptions if each.startswith(LEAKS))


def test_memory_that_before_alone_frees() -> None:
    """AFTER keeps it, and whatever it holds: no caller of BEFORE may look at it, but that it leaks is said."""
    leaks = (f"{LEAKS}: %o",)
    for after in ((), (STORE_W,), (given("%c", STORE_W, FREE),)):
        answer = found(program(STORE_V, FREE), program(*after))
        assert (answer.verdict, leaked(answer)) == ("equal", leaks), "\n".join(answer.lines())
    answer = found(program(STORE_V, ANY), program(STORE_V))
    assert (answer.verdict, leaked(answer)) == ("equal", (f"{LEAKS}: %o", f"{LEAKS}: %p"))


@pytest.mark.parametrize(
    ("before", "after"), [((STORE_V, FREE), (FREE,)), NOT_OBSERVABLE[6], NOT_OBSERVABLE[9]]
)
def test_nothing_leaks_that_both_free(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    answer = found(program(*before), program(*after))
    assert (answer.verdict, leaked(answer)) == ("equal", ())


USED_AFTERWARDS = ("%q = memref.alloc() : memref<2xi32>", given("%c", "memref.dealloc %q : memref<2xi32>"))
ALWAYS = ("%q = memref.alloc() : memref<2xi32>", "memref.dealloc %q : memref<2xi32>")


def test_before_may_misuse_memory() -> None:
    """A difference counts where BEFORE is defined; where it perhaps is not, execution decides."""
    use = "memref.store %v, %q[%k] : memref<2xi32>"
    for misused, verdict in ((USED_AFTERWARDS, "different"), (ALWAYS, "unknown")):
        answer = found(program(*misused, use, STORE_V), program(*misused, use, STORE_W))
        assert answer.verdict == verdict, "\n".join(answer.lines())
        assert all(each.runs for each in answer.outputs if each.verdict == "different")
    guarded = found(
        program(*misused_where_different("%c", STORE_V)), program(*misused_where_different("%c", STORE_W))
    )
    assert guarded.verdict == "unknown", "\n".join(guarded.lines())
    assert "BEFORE may be undefined" in str(guarded.outputs[0].reason)


def misused_where_different(condition: str, store: str) -> tuple[str, ...]:
    """STORE runs only where memory is used that was freed."""
    use = "memref.store %v, %q[%k] : memref<2xi32>"
    return (*ALWAYS[:1], given(condition, ALWAYS[1], use, store))


CALLED = """func.func private @end(%m: memref<2xi32>) {
  memref.dealloc %m : memref<2xi32>
  return
}
"""


def test_memory_that_a_called_function_frees() -> None:
    call = "func.call @end(%o) : (memref<2xi32>) -> ()"
    before, after = CALLED + program(call), CALLED + program(STORE_V, call)
    verdicts = {each.function: each.verdict for each in volcli.loads(before).diff(volcli.loads(after))}
    assert verdicts["f"] == "equal"


BLOCKS = (
    HEAD
    + """
  %k = arith.constant 1 : index
  cf.cond_br %c, ^one, ^two
^one:
  STORE
  memref.dealloc %o : memref<2xi32>
  return
^two:
  OTHER
  return
}"""
)


def test_freed_memory_is_not_compared_where_blocks_return_early() -> None:

    def blocks(store: str, other: str = "") -> str:
        return BLOCKS.replace("STORE", store).replace("OTHER", other)

    assert found(blocks(""), blocks(STORE_V)).verdict == "equal"
    assert found(blocks("", STORE_V), blocks("", STORE_W)).verdict == "different"


@pytest.mark.slow
def test_a_difference_of_what_is_not_freed_is_found_without_execution() -> None:
    """Sets leave out what AFTER frees, and not all of what it perhaps frees."""
    for before, after in OBSERVABLE:
        (only,) = [each for each in found(program(*before), program(*after)).outputs if each.witness]
        assert (only.output, only.runs) == ("argument %o", None)
