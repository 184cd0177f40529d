"""Laws that hypothesis tries on cases it invents: a few and always the same here, many and new ones in `-m slow`."""

import functools
import inspect

import pytest
from hypothesis import given, settings

FEW, MANY = 4, 60


def law(*drawn, few=FEW, many=MANY):
    """In place of @given(*drawn), above any @example: two tests, of which the one with many cases is slow."""

    def twice(test):
        @functools.wraps(test, updated=())
        def run(cases, **given_by_pytest):
            tried = settings(max_examples=cases, derandomize=cases == few)(given(*drawn)(test))
            tried(**given_by_pytest)

        others = [*inspect.signature(test).parameters.values()][: -len(drawn)]
        cases = inspect.Parameter("cases", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        run.__signature__ = inspect.Signature([cases, *others])
        return pytest.mark.parametrize("cases", [few, pytest.param(many, marks=pytest.mark.slow)])(run)

    return twice
