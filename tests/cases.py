"""Which cases only `pytest -m slow` takes; and, for files that still have it, one test of many cases."""

from collections.abc import Callable, Iterable

import pytest


def slow(values: Iterable) -> list:
    """Values for `pytest.mark.parametrize` that only `pytest -m slow` takes."""
    return [pytest.param(*(value if isinstance(value, tuple) else [value]), marks=pytest.mark.slow) for value in values]


def assert_each(check: Callable[..., None], cases: dict[str, tuple]) -> None:
    """check(*case) of every case; what fails is told by its name, with its own words."""
    assert cases, "a test without cases proves nothing"
    wrong: dict[str, BaseException] = {}
    for name, case in cases.items():
        try:
            check(*case)
        except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # skipped: not looked at
            wrong[name] = error
    if wrong:
        told = "\n".join(f"{name}: {type(error).__name__}: {str(error)[:2000]}" for name, error in wrong.items())
        raise AssertionError(f"{len(wrong)} of {len(cases)} cases fail\n{told}") from next(iter(wrong.values()))


def one_in(n: int) -> pytest.MarkDecorator:
    """`step`, for cases[::step]: one case of n, with `-m slow` all."""
    return pytest.mark.parametrize("step", [n, pytest.param(1, marks=pytest.mark.slow)], ids=[f"one in {n}", "all"])
