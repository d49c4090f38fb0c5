"""The language server: what volcli knows of a program, in an editor.

A document is analysed as `volcli check` analyses its file, with the same policy and cache, function by
function (`volcli.gate.work.pieces`): an edit costs what the functions cost whose closure it changes. Analyses
run in worker processes, so that a crash or a long one loses nothing else; what is asked of names and of the
structure of the text is answered here.

Guarantees: diagnostics are the findings of `volcli check` on the same text; while a text cannot be read, the
notes are those of the last one that could.

Imports: `api`, `diagnostics`, `facts`, `frontend`, `gate`, `loading`, `passes`, `report`, `runtime`.
"""
