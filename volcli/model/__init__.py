"""What is said of a program: volumes, element maps, element facts, regions, and their sizes."""
