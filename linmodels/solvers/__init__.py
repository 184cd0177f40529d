"""What makes the book fast and sound: the solvers behind its doors. A reader need not enter."""
