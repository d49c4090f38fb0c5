"""What a call does to the lifetimes of what it passes.

func.func private @done(%m: memref<8xf32>) { memref.dealloc %m; return }         frees its first argument
func.func private @keep(%m: memref<8xf32>) { memref.store %m, %global[] ... }    keeps its first argument
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class CallEnds:
    """What a function does to its arguments, by their numbers, and to globals, by their symbols.

    Of what it `frees`, `uses` and `keeps` (stores where it is found after the call) it is said whether it
    does so in every call. A `perhaps` unknown function may free anything that it can reach.
    """

    frees: Mapping[int | str, bool] = field(default_factory=dict[int | str, bool])
    uses: Mapping[int | str, bool] = field(default_factory=dict[int | str, bool])
    keeps: Mapping[int | str, bool] = field(default_factory=dict[int | str, bool])
    unknown: bool = False


UNKNOWN = CallEnds(unknown=True)
