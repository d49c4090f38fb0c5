"""What a function does to memory: accesses, the buffers behind them, and which access depends on which."""
