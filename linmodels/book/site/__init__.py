"""The book as pages: `pages` writes what Sphinx reads, `conf` and `words_of` tell it how, `build` runs it."""
