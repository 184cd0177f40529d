"""The book as a thing on disk: its ledger, its runner and its command line.

This file imports nothing heavy, because every command starts here.
"""

TIMEOUT = 120  # seconds for one cell; a whole chapter is meant to take five
