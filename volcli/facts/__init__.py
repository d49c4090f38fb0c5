"""Facts: what volcli says of a program, one file a question.

A fact is a typed answer: it holds the sets, relations and expressions that were found, and says how it looks
as JSON, as rows of a table and as annotation. It holds nothing of the IR: it may be sent to another process,
kept and compared.

Imports: `diagnostics`, `language`, `model`, `presburger`.
"""
