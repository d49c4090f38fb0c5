"""What the operations of several dialects share: pieces of syntax, constraints, elementwise cases."""
