"""Shapes, regions and bounds are one truth: what one proves of a size, none contradicts and the others know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from xdsl.dialects.builtin import DYNAMIC_INDEX, ShapedType
from xdsl.ir import SSAValue

from tests.model.values.sized_programs import Sized, Undefined, inputs, program
from tests.shared.enumeration import function, model_of
from tests.shared.seeds import seeds
from volcli.language.expressions import Atom, Dim, Expression, Value, constant, dim_of, substitute
from volcli.loading.driver import Program, load
from volcli.model.function import FunctionModel
from volcli.model.values.terms.answers import Verdict

# What one store knew and the other did not.
PROGRAMS = {
    "if": function(
        "%k: i1, %x: tensor<?xf32>, %y: tensor<4xf32>",
        """
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %e = tensor.empty(%c4) : tensor<?xf32>
        %q = tensor.cast %y : tensor<4xf32> to tensor<?xf32>
        %r = scf.if %k -> (tensor<?xf32>) { scf.yield %e : tensor<?xf32> } else { scf.yield %q : tensor<?xf32> }
        %s = scf.if %k -> (tensor<?xf32>) { scf.yield %x : tensor<?xf32> } else { scf.yield %x : tensor<?xf32> }
        %t = scf.if %k -> (tensor<?xf32>) { scf.yield %x : tensor<?xf32> } else { scf.yield %q : tensor<?xf32> }
        %u = linalg.copy ins(%y : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>""",
    ),
    "for": function(
        "%n: index, %x: tensor<?xf32>, %y: tensor<4xf32>, %v: f32",
        """
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %q = tensor.cast %y : tensor<4xf32> to tensor<?xf32>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %q) -> (tensor<?xf32>) {
        %z = tensor.insert %v into %a[%c0] : tensor<?xf32>
        scf.yield %z : tensor<?xf32> }
        %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
        %z = linalg.fill ins(%v : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>
        scf.yield %z : tensor<?xf32> }
        %t = arith.addf %s, %r : tensor<?xf32>""",
    ),
    "assert after": function(
        "%t: tensor<?xf32>, %u: tensor<?xf32>, %y: tensor<4xf32>, %k: i1",
        """
        %c0 = arith.constant 0 : index
        %a0 = tensor.empty(%c0) : tensor<?xf32>
        %a = arith.addf %t, %t : tensor<?xf32>
        cf.assert %k, "k"
        %b = linalg.copy ins(%y : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
        cf.assert %k, "k"
        %c = arith.addf %t, %u : tensor<?xf32>""",
    ),
    "two asserts": function(
        "%t: tensor<?xf32>",
        """
        %c0 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %n = tensor.dim %t, %c0 : tensor<?xf32>
        %k = arith.cmpi sge, %n, %c4 : index
        cf.assert %k, "k"
        %x = arith.addf %t, %t : tensor<?xf32>
        %l = arith.cmpi sle, %n, %c4 : index
        cf.assert %l, "k"
        %y = arith.addf %t, %t : tensor<?xf32>
        %m = arith.minsi %n, %c4 : index
        %e = tensor.empty(%m) : tensor<?xf32>""",
    ),
    "demands pin": function(
        "%n: index",
        """
        %c4 = arith.constant 4 : index
        %a = arith.subi %n, %c4 : index
        %b = arith.subi %c4, %n : index
        %x = tensor.empty(%a) : tensor<?xf32>
        %y = tensor.empty(%b) : tensor<?xf32>
        %z = tensor.empty(%n) : tensor<?xf32>""",
    ),
    "pinned by solutions": function(
        "%t: tensor<?xf32>, %u: tensor<?xf32>, %x: tensor<?xf32>, %v: f32",
        """
        %p = tensor.pad %t low[3] high[0] { ^bb0(%i: index): tensor.yield %v : f32 } : tensor<?xf32> to tensor<?xf32>
        %r = arith.addf %p, %u : tensor<?xf32>
        %c3 = arith.constant 3 : index
        %c0 = arith.constant 0 : index
        %d = tensor.dim %u, %c0 : tensor<?xf32>
        %s = arith.subi %c3, %d : index
        %q = tensor.empty(%s) : tensor<?xf32>
        %w = arith.addf %u, %r : tensor<?xf32>""",
    ),
    "mod parity": function(
        "%n: index",
        """
        %c2 = arith.constant 2 : index
        %a = arith.muli %n, %c2 : index
        %b = arith.remsi %a, %c2 : index
        %x = tensor.empty(%b) : tensor<?xf32>
        %c = arith.floordivsi %n, %c2 : index
        %d = arith.muli %c, %c2 : index
        %e = arith.subi %n, %d : index
        %f = arith.minsi %e, %b : index
        %y = tensor.empty(%f) : tensor<?xf32>""",
    ),
    "cast declared": function(
        "%x: tensor<?xf32>, %n: index, %k: i1",
        """
        %e = tensor.empty(%n) : tensor<?xf32>
        %c = tensor.cast %e : tensor<?xf32> to tensor<5xf32>
        %d = tensor.empty(%n) : tensor<?xf32>
        cf.assert %k, "k"
        %f = tensor.cast %x : tensor<?xf32> to tensor<6xf32>
        %g = arith.addf %x, %x : tensor<?xf32>""",
    ),
    "reshape": function(
        "%x: tensor<?xf32>, %y: tensor<?x4xf32>",
        """
        %c0 = arith.constant 0 : index
        %n = tensor.dim %x, %c0 : tensor<?xf32>
        %c = tensor.collapse_shape %y [[0,1]] : tensor<?x4xf32> into tensor<?xf32>
        %s = arith.addf %c, %x : tensor<?xf32>
        %c4 = arith.constant 4 : index
        %r = arith.remui %n, %c4 : index
        %e = tensor.empty(%r) : tensor<?xf32>""",
    ),
    "slice": function(
        "%x: tensor<?xf32>, %n: index, %o: index",
        """
        %s = tensor.extract_slice %x[%o] [%n] [1] : tensor<?xf32> to tensor<?xf32>
        %t = tensor.extract_slice %x[2] [3] [1] : tensor<?xf32> to tensor<3xf32>
        %c = tensor.cast %t : tensor<3xf32> to tensor<?xf32>
        %r = arith.addf %c, %s : tensor<?xf32>""",
    ),
    "facts": function(
        "%t: tensor<?xf32>, %u: tensor<?xf32>, %w: tensor<7xf32>",
        """
        %a = tensor.concat dim(0) %t, %t : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        %b = tensor.concat dim(0) %u, %u, %u : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        %r = arith.addf %a, %b : tensor<?xf32>
        %c = tensor.concat dim(0) %t, %u : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
        %z = tensor.cast %c : tensor<?xf32> to tensor<5xf32>""",
    ),
    "while": function(
        "%t: tensor<?xf32>, %n: index, %y: tensor<4xf32>",
        """
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %a = arith.addf %t, %t : tensor<?xf32>
        %r = scf.while (%i = %c0) : (index) -> index {
        %k = arith.cmpi slt, %i, %n : index
        scf.condition(%k) %i : index
        } do { ^bb0(%j: index):
        %m = arith.addi %j, %c1 : index
        scf.yield %m : index }
        %b = linalg.copy ins(%y : tensor<4xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
        %e = tensor.empty(%r) : tensor<?xf32>""",
    ),
    "nested assert": function(
        "%t: tensor<?xf32>, %n: index, %m: index",
        """
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %e0 = tensor.empty(%n) : tensor<?xf32>
        scf.for %i = %c0 to %n step %c1 {
        %k = arith.cmpi slt, %i, %c4 : index
        cf.assert %k, "k" }
        %e = tensor.empty(%n) : tensor<?xf32>
        %l = arith.cmpi sge, %n, %c4 : index
        cf.assert %l, "l"
        %f = tensor.empty(%n) : tensor<?xf32>""",
    ),
    "several blocks": """
        func.func @f(%t: tensor<?xf32>, %u: tensor<?xf32>, %k: i1, %a: tensor<4xf32>, %b: tensor<5xf32>) -> tensor<?xf32> {
          %r = linalg.copy ins(%a : tensor<4xf32>) outs(%u : tensor<?xf32>) -> tensor<?xf32>
          cf.assert %k, "k"
          %s = linalg.copy ins(%u : tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
          cf.cond_br %k, ^bb1(%t: tensor<?xf32>), ^bb2
        ^bb1(%q: tensor<?xf32>):
          %x = linalg.copy ins(%a : tensor<4xf32>) outs(%q : tensor<?xf32>) -> tensor<?xf32>
          return %x : tensor<?xf32>
        ^bb2:
          %y = arith.addf %t, %t : tensor<?xf32>
          return %t : tensor<?xf32>
        }""",
}

ROOT = Path(__file__).parents[3] / "testdata"
FILES = sorted(path for path in ROOT.rglob("*.mlir") if "errors" not in path.parts)


def dynamic_sizes(model: FunctionModel) -> Iterator[tuple[SSAValue, int]]:
    """The sizes of the function's values that no type declares."""
    for value in model.values():
        if isinstance(value.type, ShapedType):
            shape = value.type.get_shape()
            yield from ((value, d) for d, size in enumerate(shape) if size == DYNAMIC_INDEX)


def disagreements(model: FunctionModel) -> Iterator[str]:
    """Where shapes and bounds say different things of one size, or one knows what the other does not."""
    for value, dimension in dynamic_sizes(model):
        name = f"dimension {dimension} of {model.name_of(value)}"
        form = model.shapes.forms(value)[dimension]
        found = model.assuming.bounds(value, dimension)
        if found.never:
            continue
        numbers = (found.lower.constant, found.upper.constant)
        size = form.expression
        if size.is_constant != (numbers[0] is not None and numbers[0] == numbers[1]) or (
            size.is_constant and numbers[0] != size.constant
        ):
            yield f"{name}: the shape says {size}, bounds {numbers}"
        elif size.is_constant and form.assumptions != found.assumptions:
            yield f"{name}: the shape assumes {form.assumptions}, bounds {found.assumptions}"
        elif model.view(value).store.sizes(value) != model.shapes.sizes(value):
            yield f"{name}: its regions are of {model.view(value).store.sizes(value)}"
        elif proved(model, value, dimension, size) is not Verdict.PROVED:
            yield f"{name}: bounds do not prove that it is {size}"


def proved(model: FunctionModel, value: SSAValue, dimension: int, size: Expression) -> Verdict:
    store = model.bounds
    difference = store.definitions.resolve(dim_of(value, dimension)) - store.definitions.resolve(size)
    return store.comparisons.to_zero(difference, "==", value).verdict


def models(program: Program) -> Iterator[FunctionModel]:
    return (model for unit in program.units for model in unit.models())


@pytest.mark.sample(4)
@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_shapes_and_bounds_of_the_examples_agree(path: Path) -> None:
    program = load(str(path), split=True)
    assert [each for model in models(program) for each in disagreements(model)] == []


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_shapes_and_bounds_agree(name: str) -> None:
    assert list(disagreements(model_of(PROGRAMS[name]))) == []


@pytest.mark.slow
@pytest.mark.parametrize("twenty", seeds(3, of=10))
def test_sizes_of_random_programs(twenty: int) -> None:
    """Each size that is reached in a run is what its shape says, and bounds say the same."""
    for seed in range(20 * twenty, 20 * twenty + 20):
        made = program(seed)
        model = model_of(made.text())
        found = [*wrong(made, model), *disagreements(model)]
        assert found == [], f"{made.text()}\n" + "\n".join(found)


def wrong(made: Sized, model: FunctionModel) -> Iterator[str]:
    """The sizes that are others in some run."""
    runs: list[dict[str, int]] = []
    for arguments in inputs():
        with suppress(Undefined):
            runs.append(made.run(*arguments))
    for value in filter(lambda v: isinstance(v.type, ShapedType), model.values()):
        name, (form,) = model.name_of(value), model.shapes.forms(value)
        for run in (run for run in runs if name in run):
            if valued(form.expression, model, run) != run[name]:
                yield f"{name} is {form.expression}, which is not {run[name]}, for {run}"
                break


def valued(size: Expression, model: FunctionModel, run: Mapping[str, int]) -> int:
    """SIZE, whose variables are the numbers of RUN."""

    def leaf(atom: Atom) -> Expression | None:
        return constant(run[model.name_of(atom.value)]) if isinstance(atom, Value | Dim) else None

    found = substitute(size, leaf)
    assert found.is_constant
    return found.constant
