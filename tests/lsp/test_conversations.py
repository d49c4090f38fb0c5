"""Conversations with the server, as an editor has them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.uris import to_fs_path

from tests.lsp.editor import Editor

ROWS = """\
// Zeilen \U0001d4dc: a character of two units.
func.func @rows(%m: memref<10x10xf32>, %n: index) {
  %c = arith.constant 7.0 : f32
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 9 {
      affine.store %c, %m[%i, %j] : memref<10x10xf32>
      %x = affine.load %m[%i - 2, %j] : memref<10x10xf32>
    }
  }
  return
}

func.func @sizes(%t: tensor<?x4xf32>) -> index {
  /* */
  %c0 = arith.constant 0 : index
  %i = tensor.dim %t, %c0 : tensor<?x4xf32>
  return %i : index
}
""".replace("  /* */\n", "")


async def test_a_finding_of_check_is_a_diagnostic(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    (found,) = await editor.diagnostics(uri)
    assert (found.code, editor.read(uri, found.range)) == ("V203", "affine.load")
    assert found.severity == types.DiagnosticSeverity.Error
    assert "index -2 in dimension 0 of size 10" in found.message
    assert found.code_description is not None
    assert found.code_description.href.endswith("/reference/codes/V203.html")
    assert [each.message for each in found.related_information or ()] == ["the loop is here"] * 2


async def test_an_edit_repairs_and_the_policy_of_the_folder_holds(editor: Editor) -> None:
    (editor.folder / "volcli.toml").write_text('[severity]\nV203 = "warning"\n')
    uri = editor.open("a.mlir", ROWS)
    (found,) = await editor.diagnostics(uri)
    assert found.severity == types.DiagnosticSeverity.Warning
    editor.replace(uri, "%i - 2", "%i")
    assert await editor.diagnostics(uri) == []


async def test_a_hover_tells_what_is_known_of_a_value_and_of_an_access(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)

    async def said(word: str, nth: int = 0) -> str:
        place = editor.place(uri, word, nth)
        document = types.TextDocumentIdentifier(uri)
        found = await editor.client.text_document_hover_async(types.HoverParams(document, place))
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    assert await said("%i,") == (
        "```mlir\n%i : index\n// %i in [0, 8]\n// %i carries RAW %m[%i, %j] -> %m[%i - 2, %j], "
        "distance (2, 0): (0, 0) then (2, 0) at [0, 0]\n```"
    )
    assert "%i : index\n// %i = dim(%t, 0), in [0, +inf]" in await said("%i : index")
    assert "// write %m[%i, %j] in bounds" in await said("affine.store")
    assert "shape %t: [t_d0, 4]" in await said("%t,")


async def test_hints_stand_behind_values_and_at_the_ends_of_lines(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    end = types.Position(ROWS.count("\n"), 0)
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), types.Range(types.Position(0, 0), end))
    found = await editor.client.text_document_inlay_hint_async(params)
    lines = ROWS.split("\n")
    assert [(lines[e.position.line][: e.position.character].split()[-1], e.label) for e in found or ()] == [
        ("%i", "in [0, 8]"),
        ("{", "carried"),
        ("%j", "in [0, 8]"),
        ("{", "parallel"),
        ("memref<10x10xf32>", "in bounds"),
        ("memref<10x10xf32>", "out of bounds"),
        ("%i", "= dim(%t, 0), in [0, +inf]"),
    ]


@pytest.mark.parametrize(("word", "count"), [("%i,", 3), ("%m[", 3), ("%i :", 2), ("@rows", 1)])
async def test_a_name_has_its_definition_and_its_uses(editor: Editor, word: str, count: int) -> None:
    uri = editor.open("a.mlir", ROWS)
    document, place = types.TextDocumentIdentifier(uri), editor.place(uri, word)
    found = await editor.client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, place)
    )
    assert len(found or ()) == count
    name = word.strip(", :[")
    assert {editor.read(uri, each.range) for each in found or ()} == {name}
    defined = await editor.client.text_document_definition_async(types.DefinitionParams(document, place))
    assert isinstance(defined, list | tuple)
    assert len(defined) == 1


async def test_a_value_is_renamed_where_it_is_that_value(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    document, place = types.TextDocumentIdentifier(uri), editor.place(uri, "%i,")
    edit = await editor.client.text_document_rename_async(types.RenameParams(document, place, "row"))
    assert edit is not None
    first, second = ROWS.split("func.func @sizes")
    assert editor.edited(uri, edit) == f"{first.replace('%i', '%row')}func.func @sizes{second}"
    with pytest.raises(Exception, match="%j is another name here"):
        await editor.client.text_document_rename_async(types.RenameParams(document, place, "%j"))
    with pytest.raises(Exception, match="%a b is not a name"):
        await editor.client.text_document_rename_async(types.RenameParams(document, place, "a b"))


async def test_places_are_counted_as_the_editor_counts(editor: Editor) -> None:
    text = 'func.func @f() -> i32 {\n  %c = arith.constant 1 : index\n  %r = "x.y"(%c) {n = "\U0001d4dc"} : (index) -> i32 loc("\U0001d4dc") return %r : i32\n}\n'
    uri = editor.open("u.mlir", text)
    document, place = types.TextDocumentIdentifier(uri), editor.place(uri, "%r :")
    found = await editor.client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(True), document, place)
    )
    assert [editor.read(uri, each.range) for each in found or ()] == ["%r", "%r"]


async def test_functions_are_an_outline_and_blocks_fold(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    document = types.TextDocumentIdentifier(uri)
    found = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert [
        (e.name, e.range.start.line, e.range.end.line)
        for e in found or ()
        if isinstance(e, types.DocumentSymbol)
    ] == [
        ("@rows", 1, 10),
        ("@sizes", 12, 16),
    ]
    folds = await editor.client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert [(each.start_line, each.end_line) for each in folds or ()] == [(1, 9), (3, 7), (4, 6), (12, 15)]


async def test_words_have_kinds(editor: Editor) -> None:
    uri = editor.open("a.mlir", "// c\nfunc.func @f(%x: index)\n")
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    found = await editor.client.text_document_semantic_tokens_full_async(params)
    assert found is not None
    data = [tuple(found.data[at : at + 4]) for at in range(0, len(found.data), 5)]
    assert data == [(0, 0, 4, 0), (1, 0, 9, 8), (0, 10, 2, 3), (0, 3, 2, 2), (0, 4, 5, 4)]


async def test_a_lens_counts_loops_and_accesses(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    [found] = [*(await editor.client.text_document_code_lens_async(params) or ())]
    assert found.command is not None
    assert found.range.start.line == 1
    assert (
        found.command.title == "1 loop carried; 1 loop parallel; 1 access in bounds; 1 access out of bounds"
    )


async def test_what_is_known_stays_while_a_function_cannot_be_read(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    document = types.TextDocumentIdentifier(uri)
    await editor.client.text_document_hover_async(types.HoverParams(document, editor.place(uri, "%j =")))
    editor.replace(uri, "  return\n}\n\n", "  return (\n}\n\n")
    found = await editor.diagnostics(uri)
    assert "V103" in [each.code for each in found]
    for word, text in (("%j =", "%j in [0, 8]"), ("%t,", "shape %t: [t_d0, 4]")):
        hover = await editor.client.text_document_hover_async(
            types.HoverParams(document, editor.place(uri, word))
        )
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert text in hover.contents.value


STORES = """\
func.func @stores(%m: memref<4xf32>, %c: f32) {
  %i = arith.constant 1 : index
  memref.store %c, %m[%i] : memref<4xf32>
  memref.store %c, %m[%i] : memref<4xf32>
  return
}
"""


async def test_a_fix_is_proved_when_it_is_chosen(editor: Editor) -> None:
    uri = editor.open("s.mlir", STORES)
    (found,) = await editor.diagnostics(uri)
    assert (found.code, found.tags) == ("V206", (types.DiagnosticTag.Unnecessary,))
    context = types.CodeActionContext([found], only=[types.CodeActionKind.QuickFix])
    params = types.CodeActionParams(types.TextDocumentIdentifier(uri), found.range, context)
    [action] = [*(await editor.client.text_document_code_action_async(params) or ())]
    assert isinstance(action, types.CodeAction)
    assert action.edit is None
    resolved = await editor.client.code_action_resolve_async(action)
    assert resolved.edit is not None
    store = "  memref.store %c, %m[%i] : memref<4xf32>\n"
    assert editor.edited(uri, resolved.edit) == STORES.replace(store * 2, store)


async def test_a_closed_document_has_no_diagnostics(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    assert await editor.diagnostics(uri)
    identifier = types.TextDocumentIdentifier(uri)
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))
    while editor.client.shown[uri].version is not None:
        await asyncio.sleep(0.01)
    assert not editor.client.shown[uri].diagnostics


SHIFT = """\
func.func @shift(%m: memref<?xf32>, %n: index) {
  affine.for %i = 2 to %n {
    %x = affine.load %m[%i - 2] : memref<?xf32>
    affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}
"""


async def test_a_lens_tells_what_a_function_needs_of_its_callers(editor: Editor) -> None:
    uri = editor.open("n.mlir", SHIFT)
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    [found] = [*(await editor.client.text_document_code_lens_async(params) or ())]
    assert found.command is not None
    assert found.command.title.startswith("needs %n <= dim(%m, 0), if %n >= 3; 1 loop carried")


async def test_what_is_known_is_written_as_volcli_annotate_writes_it(editor: Editor) -> None:
    uri = editor.open("w.mlir", SHIFT)
    document, line = types.TextDocumentIdentifier(uri), editor.place(uri, "affine.for")

    async def written() -> types.CodeAction | None:
        here = types.CodeActionParams(document, types.Range(line, line), types.CodeActionContext([]))
        actions = await editor.client.text_document_code_action_async(here) or ()
        found = [each for each in actions if isinstance(each, types.CodeAction)]
        return next((each for each in found if each.kind == types.CodeActionKind.Source), None)

    action = await written()
    assert action is not None
    assert action.edit is not None
    after = editor.edited(uri, action.edit)
    said, loop = "  // volcli: %i in [2, %n - 1]\n  // volcli: %i carries RAW", "  affine.for"
    assert said in after.split(loop)[0]
    editor.change(uri, after)
    line = editor.place(uri, "affine.for")
    assert await written() is None


async def test_an_edit_that_changes_nothing_has_diagnostics_of_its_version(editor: Editor) -> None:
    uri = editor.open("same.mlir", SHIFT)
    await editor.diagnostics(uri)
    editor.replace(uri, "affine", "affine")
    assert [each.code for each in await editor.diagnostics(uri)] == []


async def actions_at(editor: Editor, uri: str, word: str) -> list[types.CodeAction | types.Command]:
    """What is offered where WORD stands first."""
    place = editor.place(uri, word)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri), types.Range(place, place), types.CodeActionContext([])
    )
    return [*(await editor.client.text_document_code_action_async(params) or ())]


async def test_a_finding_and_its_place_are_explained_beside_the_text(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    await editor.diagnostics(uri)
    offered = await actions_at(editor, uri, "affine.load")
    (command,) = [each for each in offered if isinstance(each, types.Command)]
    text = await editor.client.workspace_execute_command_async(
        types.ExecuteCommandParams(command.command, command.arguments)
    )
    assert isinstance(text, str)
    assert "evidence: " in text
    assert "by access 0, %m[%i, %j]: { [i, j] -> [i' = 2 + i, j' = j]" in text
    assert "--at 6,7  affine.store %m[%i, %j] -> affine.load %m[%i - 2, %j]" in text
    (file,) = editor.client.shown_documents
    assert Path(to_fs_path(file.uri) or "").read_text() == text


async def test_parallel_loops_are_rewritten_and_comments_above_the_function_stay(editor: Editor) -> None:
    uri = editor.open("a.mlir", ROWS)
    await editor.diagnostics(uri)
    rewrites = [
        [
            each
            for each in await actions_at(editor, uri, loop)
            if isinstance(each, types.CodeAction) and each.kind == types.CodeActionKind.RefactorRewrite
        ]
        for loop in ("affine.for %i", "affine.for %j")
    ]
    (chosen,) = rewrites[1]
    assert rewrites[0] == []
    assert chosen.edit is None
    resolved = await editor.client.code_action_resolve_async(chosen)
    assert resolved.edit is not None
    after = editor.edited(uri, resolved.edit)
    assert "    affine.parallel (%j) = (0) to (9) {\n" in after
    assert "  affine.for %i = 0 to 9 {\n" in after
    assert after.split("\n")[0] == ROWS.split("\n")[0]
    assert after[after.index("func.func @sizes") :] == ROWS[ROWS.index("func.func @sizes") :]


async def test_a_tensor_is_computed_in_tiles(editor: Editor) -> None:
    uri = editor.open(
        "t.mlir",
        """func.func @f(%a: tensor<10x8xf32>, %b: tensor<8x40xf32>, %c: tensor<10x40xf32>) -> tensor<10x40xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<10x8xf32>, tensor<8x40xf32>)
    outs(%c : tensor<10x40xf32>) -> tensor<10x40xf32>
  return %r : tensor<10x40xf32>
}
""",
    )
    await editor.diagnostics(uri)
    offered = await actions_at(editor, uri, "%r = linalg")
    (chosen,) = (each for each in offered if each.title.startswith("compute"))
    assert chosen.title == "compute %r and what it needs in tiles of 8x32 (comments in the function are lost)"
    assert isinstance(chosen, types.CodeAction)
    resolved = await editor.client.code_action_resolve_async(chosen)
    assert resolved.edit is not None
    after = editor.edited(uri, resolved.edit)
    assert after.count("linalg.matmul") == 4  # of 8 or 2 rows and 32 or 8 columns
    assert "tensor<8x32xf32>" in after


async def test_a_hover_draws_the_regions_of_a_tensor(editor: Editor) -> None:
    uri = editor.open(
        "p.mlir",
        """func.func @f(%t: tensor<3xf32>) -> tensor<5xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<3xf32> to tensor<5xf32>
  return %p : tensor<5xf32>
}
""",
    )
    document = types.TextDocumentIdentifier(uri)
    params = types.HoverParams(document, editor.place(uri, "%p"))
    found = await editor.client.text_document_hover_async(params)
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    assert "d0  0 1 2 3 4\n    B A A A B\n" in found.contents.value
