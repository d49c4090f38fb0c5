"""The table of passes and of questions: names, and where their code is, so that a name costs no import."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import cast

from volcli.diagnostics import Diagnostic, UsageError
from volcli.passes.base import Pass

PASSES: Mapping[str, str] = {
    "infer-shapes": "volcli.passes.analyses.infer_shapes:InferShapes",
    "element-maps": "volcli.passes.analyses.element_maps:ElementMaps",
    "sparsity-regions": "volcli.passes.analyses.sparsity_regions:SparsityRegions",
    "volumes": "volcli.passes.analyses.volumes:Volumes",
    "structural-zeros": "volcli.passes.analyses.structural_zeros:StructuralZeros",
    "layers": "volcli.passes.analyses.layers:Layers",
    "value-bounds": "volcli.passes.analyses.value_bounds:ValueBounds",
    "allocations": "volcli.passes.analyses.allocations:Allocations",
    "compare-values": "volcli.passes.analyses.compare_values:CompareValues",
    "compare-slices": "volcli.passes.analyses.compare_slices:CompareSlices",
    "reify-bounds": "volcli.passes.rewrites.reify_bounds:ReifyBounds",
    "simplify-bounds": "volcli.passes.rewrites.simplify_bounds:SimplifyBounds",
    "dependences": "volcli.passes.analyses.dependences:Dependences",
    "memory-flow": "volcli.passes.analyses.memory_flow:MemoryFlowPass",
    "undefined-elements": "volcli.passes.analyses.undefined_elements:UndefinedElements",
    "check-accesses": "volcli.passes.analyses.check_accesses:CheckAccesses",
    "check-races": "volcli.passes.analyses.check_races:CheckRaces",
    "check-lifetimes": "volcli.passes.analyses.check_lifetimes:CheckLifetimes",
    "dead-code": "volcli.passes.analyses.dead_code:DeadCode",
    "nests": "volcli.passes.analyses.nests:Nests",
    "mars": "volcli.passes.analyses.mars:Mars",
    "index-costs": "volcli.passes.analyses.index_costs:IndexCosts",
    "mark-parallel": "volcli.passes.rewrites.mark_parallel:MarkParallel",
    "as-linalg": "volcli.passes.rewrites.as_linalg:AsLinalg",
    "partition": "volcli.passes.rewrites.partition:Partition",
    "tile": "volcli.passes.rewrites.tile:Tile",
    "parallelize": "volcli.passes.rewrites.parallelize:Parallelize",
    "tile-symbolic": "volcli.passes.rewrites.tile_symbolic:TileSymbolic",
    "communication": "volcli.passes.rewrites.communication:Communication",
    "test-memref-dependence-check": "volcli.passes.mlir_opt.memref_dependence_check:MemrefDependenceCheck",
    "test-affine-reify-value-bounds": "volcli.passes.mlir_opt.reify_value_bounds:ReifyValueBounds",
}
"""Each pass's name, and the module and class that are it."""

QUESTIONS: Mapping[str, str] = {
    "shapes": "infer-shapes",
    "maps": "element-maps",
    "regions": "sparsity-regions",
    "zeros": "structural-zeros",
    "volumes": "volumes",
    "layers": "layers",
    "bounds": "value-bounds",
    "allocations": "allocations",
    "dependences": "dependences{pairs-only=true}",
    "flow": "memory-flow",
    "access": "check-accesses",
    "preconditions": "check-accesses",
    "races": "check-races",
    "loops": "dependences{loops-only=true}",
    "dead": "dead-code",
    "nests": "nests",
    "mars": "mars",
    "slices": "compare-slices",
    "cost": "index-costs",
}
"""Each question of `volcli analyze --ask`, and the pipeline whose facts answer it."""

NEEDED: Mapping[str, str] = {"mars": "tile"}
"""Questions that need an option of their pass, and the option."""

_REPEATING = ("volumes", "layers")
"""Questions whose answers mostly repeat what others say: most tensors are arrays of their shape."""

UNASKED = tuple(question for question in QUESTIONS if question not in (*NEEDED, *_REPEATING))
"""What is asked of a file unless something else is said."""


def find(name: str) -> type[Pass]:
    """The pass NAME, imported. Raises UsageError (V001) naming the closest pass if there is none."""
    if name not in PASSES:
        note = closest(name, PASSES, "`volcli passes`")
        raise UsageError(Diagnostic("V001", f"no pass '{name}'", note=note))
    module, _, attribute = PASSES[name].partition(":")
    return cast("type[Pass]", getattr(importlib.import_module(module), attribute))


def find_question(name: str) -> str:
    """The pipeline that answers question NAME. Raises UsageError (V004) if there is none."""
    if name not in QUESTIONS:
        note = closest(name, QUESTIONS, "`volcli analyze --help`")
        raise UsageError(Diagnostic("V004", f"no question '{name}'", note=note))
    return QUESTIONS[name]


def closest(name: str, names: Iterable[str], where: str) -> str:
    """The next step for somebody who wrote NAME: the name that they may have meant, and WHERE all are.

    >>> closest("infer-shape", PASSES, "`volcli passes`")
    "did you mean 'infer-shapes'? `volcli passes` lists all"
    """
    import difflib

    known = sorted(names)
    near = difflib.get_close_matches(name, known, n=1) or [k for k in known if name and k.startswith(name)]
    if near:
        return f"did you mean '{near[0]}'? {where} lists all"
    return f"{where} lists all: {', '.join(known)}"
