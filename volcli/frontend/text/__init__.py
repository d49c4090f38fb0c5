"""Source text: files, chunks, comments, tokens, places."""
