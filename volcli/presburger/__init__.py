"""Integer sets and relations: the only room that knows isl's positions, and the budget of its calls.

From below: `limits` end what takes too long, `sets` are made of expressions, `tableaus` eliminate columns,
`measures` count and bound, `relations` say what two relations share, `expressions` read sets back, `profiles`
cut domains into boxes.

Guarantees: isl ends neither the process nor the answer: a query that fails or runs out of its budget is
unknown.

Imports: no other room.
"""
