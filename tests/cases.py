"""Which cases only `pytest -m slow` takes."""

from collections.abc import Iterable

import pytest


def slow(values: Iterable) -> list:
    """Values for `pytest.mark.parametrize` that only `pytest -m slow` takes."""
    return [pytest.param(*(value if isinstance(value, tuple) else [value]), marks=pytest.mark.slow) for value in values]
