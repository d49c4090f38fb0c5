"""Value-based flow: which write a read gets its value from, what nothing wrote, what nobody reads."""
