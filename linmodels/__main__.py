"""``python -m linmodels`` is the command ``linmodels``."""

from linmodels.book.cli import main

raise SystemExit(main())
