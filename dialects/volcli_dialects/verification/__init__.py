"""What verifiers of several dialects share."""
