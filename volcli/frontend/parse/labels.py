"""Labels of blocks that MLIR has and xDSL takes for no names: `^0`, `^_1`."""

from __future__ import annotations

from xdsl.ir import Block
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.frontend.parse.constants.carried import CarryingParser


class LabelParser(CarryingParser):
    """A parser of blocks whose labels may be any of MLIR's.

    xDSL keeps a label without the number after it. Where nothing is left, a block gets a name when it is
    printed.
    """

    def _parse_block(self) -> Block:
        span = self._current_token.span
        name = span.text[1:]
        if _is_kept(name):
            return super()._parse_block()
        if name in self.blocks and self.blocks[name][1] is not None:
            return super()._parse_block()  # declared twice, as it says
        self._parse_token(MLIRTokenKind.CARET_IDENT, " in block definition")
        block = self._declared(name)
        self.forward_block_references.pop(name, None)
        self.blocks[name] = block, span
        self._parse_optional_block_arg_list(block)
        self.parse_punctuation(":")
        self._parse_block_body(block)
        return block

    def parse_optional_successor(self) -> Block | None:
        token = self._current_token
        if token.kind is MLIRTokenKind.CARET_IDENT:
            self._refer_to(token.span)
        return super().parse_optional_successor()

    def _get_block_from_name(self, block_name: Span) -> Block:
        self._refer_to(block_name)
        return super()._get_block_from_name(block_name)

    def _refer_to(self, label: Span) -> None:
        """Make the block at LABEL, which has not been read yet, if xDSL would not."""
        name = label.text[1:]
        if name not in self.blocks and not _is_kept(name):
            self.forward_block_references[name].append(label)
            self.blocks[name] = self._declared(name), None

    def _declared(self, name: str) -> Block:
        """The block that something before it named, or a new one."""
        return self.blocks[name][0] if name in self.blocks else Block()


def _is_kept(name: str) -> bool:
    return bool(Block.is_valid_name(name)) and Block.extract_valid_name(name) != ""
