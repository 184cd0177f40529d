"""What stands before the equations: shapes and entries of arguments, and the words in which they are refused."""
