"""Accesses up to one unknown size, decided in plain integers: the same as by integer sets, and as counting."""

from __future__ import annotations

import pytest

import volcli
from volcli.model.memory.checks.accesses.accesses import AccessChecks
from volcli.model.memory.checks.answers.access_answers import AccessAnswer
from volcli.model.memory.checks.plain.unknown_sizes import UnknownSizes

PROGRAMS = {
    "a box": "affine.for %i = 0 to 16 { affine.for %j = 0 to 18 { affine.load %m[%i + 2, %j] : memref<?x18xf32> } }",
    "downwards": "affine.for %i = 0 to 9 { affine.load %m[9 - %i, 0] : memref<?x18xf32> }",
    "a triangle": (
        "affine.for %i = 0 to 7 { affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i)"
        " { affine.load %m[%i - %j, 3] : memref<?x18xf32> } }"
    ),
    "tiles": (
        "affine.for %t = 0 to 20 step 8 { affine.for %i = affine_map<(d0) -> (d0)>(%t) to min"
        " affine_map<(d0) -> (d0 + 8, 20)>(%t) { affine.load %m[%i, 0] : memref<?x18xf32> } }"
    ),
    "steps": "affine.for %i = 1 to 12 step 4 { affine.load %m[2 * %i, 1] : memref<?x18xf32> }",
    "the first row": "affine.for %i = 0 to 5 { affine.load %m[0, %i] : memref<?x18xf32> }",
}
GREATEST = {"a box": 17, "downwards": 9, "a triangle": 6, "tiles": 19, "steps": 18, "the first row": 0}


def answer(name: str) -> AccessAnswer:
    """What is said of the one access."""
    text = f"func.func @f(%m: memref<?x18xf32>) {{ {PROGRAMS[name].replace('affine.load', '%x = affine.load')} return }}"
    (model,) = volcli.loads(text).units[0].models()
    (found,) = AccessChecks(model.memory).all()
    return found


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_by_sets(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the short way the answer is the same."""
    short = answer(name)
    monkeypatch.setattr(UnknownSizes, "overrun", lambda *_: None)
    whole = answer(name)
    for field in ("verdict", "witness", "always", "condition", "failing", "total", "because", "exact"):
        assert getattr(short, field) == getattr(whole, field), field
    assert short.outside is not None
    assert whole.outside is not None
    assert short.outside.is_equal(whole.outside)
    assert short.calls is not None
    assert whole.calls is not None
    for field in ("surely", "may", "runs"):
        assert getattr(short.calls, field).is_equal(getattr(whole.calls, field)), field


@pytest.mark.parametrize("name", PROGRAMS)
def test_condition_and_example(name: str) -> None:
    """The size must exceed the greatest index; the example is of the size 1, where there is one."""
    found = answer(name)
    least = GREATEST[name] + 1
    assert found.condition == (f"dim(%m, 0) >= {least}" if least > 1 else "dim(%m, 0) > 0")
    assert found.witness is not None
    assert found.witness.size == min(1, GREATEST[name])
    assert found.witness.index[0] >= found.witness.size


def test_no_set_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the short way that answers."""
    monkeypatch.setattr(AccessChecks, "of", lambda *_: pytest.fail("by sets"))
    for name in PROGRAMS:
        answer(name)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "program",
    [
        "affine.for %i = 0 to 16 { %x = affine.load %n[%i, %i] : memref<?x?xf32> }",
        "affine.for %i = 0 to 30 { %x = affine.load %m[0, %i] : memref<?x18xf32> }",
        "affine.for %i = 0 to 9 { %x = affine.load %m[%i - 1, 0] : memref<?x18xf32> }",
        "affine.for %i = 0 to %k { %x = affine.load %m[%i, 0] : memref<?x18xf32> }",
        "affine.for %i = 0 to 9 { affine.if affine_set<(d0)[s0] : (s0 - d0 >= 0)>(%i)[%k]"
        " { %x = affine.load %m[%i, 0] : memref<?x18xf32> } }",
        "%c = arith.constant 3 : index\n %d = memref.dim %m, %c0 : memref<?x18xf32>\n"
        ' %s = arith.cmpi sge, %d, %c : index\n cf.assert %s, "large"\n'
        " affine.for %i = 0 to 9 { %x = affine.load %m[%i, 0] : memref<?x18xf32> }",
    ],
)
def test_whatever_else_decides_is_left_to_sets(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sizes, other dimensions, guards, loops to a number of the caller, assertions."""
    arguments = "%m: memref<?x18xf32>, %n: memref<?x?xf32>, %k: index"
    text = f"func.func @f({arguments}) {{ %c0 = arith.constant 0 : index\n {program} return }}"
    (model,) = volcli.loads(text).units[0].models()
    short = AccessChecks(model.memory).all()[-1]
    monkeypatch.setattr(UnknownSizes, "overrun", lambda *_: None)
    (model,) = volcli.loads(text).units[0].models()
    whole = AccessChecks(model.memory).all()[-1]
    for field in ("verdict", "witness", "always", "condition", "failing", "total", "because"):
        assert getattr(short, field) == getattr(whole, field), field
