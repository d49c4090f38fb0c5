"""What is said of a program: volumes, element maps, element facts, regions, and the store of its sizes."""
