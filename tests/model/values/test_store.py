"""Sizes and index values over parameters: bindings, facts, conflicts and names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.presburger.test_build import evaluate
from tests.shared.enumeration import Function, function, holds
from tests.shared.seeds import examples


def copied(first: str, second: str) -> Function:
    """Two vectors that share a loop."""
    return Function(function(
        f"%a: tensor<{first}xf32>, %b: tensor<{second}xf32>",
        f"%r = linalg.copy ins(%a : tensor<{first}xf32>) "
        f"outs(%b : tensor<{second}xf32>) -> tensor<{second}xf32>",
    ))  # fmt: skip


def test_parameters_are_named_after_their_values() -> None:
    f = Function(
        function(
            "%ifm: tensor<2x?x?xf32>, %n: index, %0: tensor<?xf32>", "%e = tensor.empty(%n) : tensor<?xf32>"
        )
    )
    assert f.sizes("%ifm") == ["2", "ifm_d1", "ifm_d2"]
    assert f.sizes("%0") == ["_0_d0"]
    assert f.sizes("%e") == ["n"]


def test_parameters_of_equal_names_stay_apart() -> None:
    f = Function(function("%a: tensor<?xf32>, %a_d0: index, %a.b: index, %a_b: index", """
      %x = tensor.empty(%a_d0) : tensor<?xf32>
      %y = tensor.empty(%a.b) : tensor<?xf32>
      %z = tensor.empty(%a_b) : tensor<?xf32>"""))  # fmt: skip
    names = [f.sizes(v)[0] for v in ("%a", "%x", "%y", "%z")]
    assert len(set(names)) == 4


@pytest.mark.parametrize(
    ("first", "second", "size"), [("?", "4", "4"), ("4", "?", "4"), ("?", "?", "a_d0"), ("?", "0", "0")]
)
def test_a_shared_loop_binds(first: str, second: str, size: str) -> None:
    f = copied(first, second)
    assert f.sizes("%a") == f.sizes("%b") == [size]
    assert f.model.store.conflicts() == []


def test_bindings_reach_what_was_computed_before() -> None:
    f = Function(function("%t: tensor<?xf32>, %b: tensor<6xf32>, %x: f32", """
      %p = tensor.pad %t low[1] high[2] {
      ^bb0(%i: index): tensor.yield %x : f32
      } : tensor<?xf32> to tensor<?xf32>
      %r = linalg.copy ins(%b : tensor<6xf32>) outs(%p : tensor<?xf32>) -> tensor<?xf32>"""))  # fmt: skip
    assert f.sizes("%t") == ["3"]
    assert f.sizes("%p") == ["6"]


def test_context_says_that_sizes_are_not_negative() -> None:
    f = Function(function("%t: tensor<?xf32>, %u: tensor<?xf32>, %x: f32", """
      %p = tensor.pad %t low[3] high[0] {
      ^bb0(%i: index): tensor.yield %x : f32
      } : tensor<?xf32> to tensor<?xf32>
      %r = linalg.copy ins(%u : tensor<?xf32>) outs(%p : tensor<?xf32>) -> tensor<?xf32>"""))  # fmt: skip
    context = f.model.store.context()
    (t,), (u,) = f.model.store.sizes(f.value("%t")), f.model.store.sizes(f.value("%u"))
    for n in range(-3, 5):
        names = {a.name for e in (t, u) for a in e.atoms()}  # pyright: ignore
        assert len(names) == 1
        values = dict.fromkeys(names, n)
        possible = evaluate(t, (), values) >= 0 and evaluate(u, (), values) >= 0
        assert evaluate(u, (), values) == evaluate(t, (), values) + 3
        assert holds(context, **values) == possible


def test_a_fact_that_binds_nothing_is_kept_in_the_context() -> None:
    """2 * t = 3 * u: no parameter has a coefficient of 1."""
    f = Function(function("%t: tensor<?xf32>, %u: tensor<?xf32>", """
      %a = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %b = tensor.concat dim(0) %u, %u, %u : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %r = arith.addf %a, %b : tensor<?xf32>"""))  # fmt: skip
    context = f.model.store.context()
    for t in range(5):
        for u in range(5):
            assert holds(context, t_d0=t, u_d0=u) == (2 * t == 3 * u)


def test_conflicts_name_their_operation() -> None:
    f = copied("3", "?")
    assert f.model.store.conflicts() == []
    text = function("%t: tensor<?xf32>, %a: tensor<3xf32>, %b: tensor<4xf32>", """
      %x = linalg.copy ins(%a : tensor<3xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
      %y = linalg.copy ins(%b : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>""")  # fmt: skip
    g = Function(text)
    (conflict,) = g.model.store.conflicts()
    assert conflict.op is g.value("%y").owner
    assert not conflict.declared


def test_a_conflict_changes_nothing_else() -> None:
    """What agreed before the conflict stays, and the context stays possible."""
    f = Function(function("%t: tensor<?xf32>, %a: tensor<7xf32>, %u: tensor<?xf32>", """
      %c = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %x = linalg.copy ins(%a : tensor<7xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>"""))  # fmt: skip
    assert len(f.model.store.conflicts()) == 1
    assert not f.model.store.context().is_empty()


STEPS = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "minsi": min,
    "maxsi": max,
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
    "divsi": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
}


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(
    st.lists(
        st.tuples(st.sampled_from(sorted(STEPS)), st.integers(0, 9), st.integers(0, 9)),
        min_size=1,
        max_size=5,
    ),
    st.integers(-6, 6),
    st.integers(-6, 6),
)
def test_index_arithmetic(script: list[tuple[str, int, int]], x: int, y: int) -> None:
    """Random index programs, executed in Python: the number is the same, or a parameter of its own."""
    values = {"%x": x, "%y": y, "%c3": 3, "%m2": -2}
    divisors = ["%c3", "%m2"]
    lines = ["%c3 = arith.constant 3 : index", "%m2 = arith.constant -2 : index"]
    for number, (name, p, q) in enumerate(script):
        left = list(values)[p % len(values)]
        right = divisors[q % 2] if "div" in name else list(values)[q % len(values)]
        lines.append(f"%v{number} = arith.{name} {left}, {right} : index")
        values[f"%v{number}"] = STEPS[name](values[left], values[right])
    f = Function(function("%x: index, %y: index", "\n".join(lines)))
    parameters = {"x": x, "y": y} | {f"v{i}": values[f"%v{i}"] for i in range(len(script))}
    for name, value in values.items():
        assert evaluate(f.model.store.number(f.value(name)), (), parameters) == value


def test_long_expressions_become_parameters() -> None:
    lines = ["%v0 = arith.divsi %x, %c3 : index"]
    lines += [f"%v{i} = arith.divsi %v{i - 1}, %c3 : index" for i in range(1, 12)]
    f = Function(function("%x: index", "%c3 = arith.constant 3 : index\n" + "\n".join(lines)))
    assert all(len(f.number(f"%v{i}")) <= 400 for i in range(12))


def test_facts_of_one_branch_are_not_those_of_another() -> None:
    f = Function("""
        func.func @f(%t: tensor<?xf32>, %k: i1, %a: tensor<4xf32>) -> tensor<?xf32> {
          cf.cond_br %k, ^bb1, ^bb2
        ^bb1:
          %x = linalg.copy ins(%a : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
          return %x : tensor<?xf32>
        ^bb2:
          return %t : tensor<?xf32>
        }""")
    assert f.sizes("%t") == ["t_d0"]
