"""Calls as mlir-opt takes them: long options with one dash, and each pass as an option of its own."""

from __future__ import annotations

import click

from volcli.passes.table import PASSES


class MlirStyleCommand(click.Command):
    """A command with a --pass-pipeline that reads its arguments as mlir-opt does.

    `-split-input-file` is `--split-input-file`. A pass is an option, with its own options as the value:
    `--infer-shapes --sparsity-regions="of=%x"` is `-p 'infer-shapes,sparsity-regions{of=%x}'`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click's, of ARGS in click's spelling."""
        known = {name for each in self.get_params(ctx) for name in each.opts if name.startswith("--")}
        spelled: list[str] = []
        passes: list[str] = []
        rest = iter(args)
        for word in rest:
            if word == "--":
                spelled += [word, *rest]
                break
            name, equals, value = word.lstrip("-").partition("=")
            if not word.startswith("-") or len(name) < 2:
                spelled.append(word)
            elif name in PASSES:
                passes.append(f"{name}{{{value}}}" if equals else name)
            else:
                spelled.append("-" + word if not word.startswith("--") and f"--{name}" in known else word)
        if passes:
            spelled = ["--pass-pipeline", ",".join(passes), *spelled]
        return super().parse_args(ctx, spelled)
