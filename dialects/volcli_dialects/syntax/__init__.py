"""Custom assembly formats that several dialects share."""
