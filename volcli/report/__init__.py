"""What was found, for people and for programs: tables, JSON."""
