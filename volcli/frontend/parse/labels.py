"""Labels of blocks, of which MLIR has some that xDSL takes for no names: `^0`, `^_1`."""

from __future__ import annotations

from xdsl.ir import Block
from xdsl.utils.exceptions import MultipleSpansParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind

from volcli.frontend.parse.constants.carried import CarryingParser


class LabelParser(CarryingParser):
    """A parser of blocks whose labels may be any of MLIR's."""

    def _parse_block(self) -> Block:
        block = self._parse_label()
        self._parse_block_body(block)
        return block

    def _parse_label(self) -> Block:
        """`^bb1(%a: i32):`, and the block that begins with it."""
        label = self._current_token.span
        self._parse_token(MLIRTokenKind.CARET_IDENT, " in block definition")
        block = self._begin_block(label)
        self._parse_optional_block_arg_list(block)
        self.parse_punctuation(":")
        return block

    def _begin_block(self, label: Span) -> Block:
        """The block that begins at LABEL, which something before it may have named."""
        name = label.text[1:]
        block, earlier = self.blocks.get(name) or (_named(name), None)
        if earlier is not None:
            raise MultipleSpansParseError(
                label, f"re-declaration of block '{name}'", "originally declared here:", [(earlier, None)]
            )
        self.forward_block_references.pop(name, None)
        self.blocks[name] = block, label
        return block

    def parse_optional_successor(self) -> Block | None:
        token = self._current_token
        if token.kind is not MLIRTokenKind.CARET_IDENT:
            return None
        self._consume_token()
        return self._get_block_from_name(token.span)

    def _get_block_from_name(self, block_name: Span) -> Block:
        name = block_name.text[1:]
        known = self.blocks.get(name)
        if known is not None:
            return known[0]
        self.forward_block_references[name].append(block_name)
        block = _named(name)
        self.blocks[name] = block, None
        return block


def _named(name: str) -> Block:
    """A new block. xDSL keeps a label without the number after it, and none of which nothing is left."""
    block = Block()
    if not Block.is_default_block_name(name) and Block.is_valid_name(name):
        block.name_hint = Block.extract_valid_name(name) or None
    return block
