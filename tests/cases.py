"""One test of many cases: it looks at all of them, and names those that fail; and where `pytest -m slow` takes more."""

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


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


def each_of(cases: dict[Any, Any]) -> dict[str, tuple]:
    """Cases of one argument, by its name."""
    return {str(name): (case,) for name, case in cases.items()}


def each(names: str, values: Iterable, ids: Any = None, more: Iterable = ()) -> Callable:
    """As `pytest.mark.parametrize`, in one test: a case of its own costs pytest more than most of them take.

    With ``more`` there is a second test, of those, which is slow.
    """
    names_of = [name.strip() for name in names.split(",")]
    some, others = _named(names_of, list(values), ids), _named(names_of, list(more), None)

    def decorate(test: Callable) -> Callable:
        def of_all(**rest):
            named = rest.pop(cases, some)
            assert_each(lambda *case: test(**dict(zip(names_of, case, strict=True)), **rest), named)

        cases = f"{names_of[0]}_cases"
        of_all = _with_signature(of_all, test, lambda name: name not in names_of, [cases] if others else [])
        if not others:
            return of_all
        slow = pytest.param(others, marks=pytest.mark.slow)
        return pytest.mark.parametrize(cases, [some, slow], ids=[f"{len(some)}", f"{len(others)} more"])(of_all)

    return decorate


def _named(names: list[str], values: list, ids: Any) -> dict[str, tuple]:
    if any(isinstance(value, type(pytest.param())) for value in values):
        raise TypeError("pytest.param(...) is for pytest.mark.parametrize")
    cases = [value if len(names) > 1 else (value,) for value in values]
    if callable(ids) or ids is None:
        ids = [", ".join(str((ids or _label)(value)) for value in case) for case in cases]
    return {f"{', '.join(names)} {i}: {label}": case for i, (label, case) in enumerate(zip(ids, cases, strict=True))}


def for_seeds(some: range, more: range = range(0)) -> Callable:
    """The test(seed) for some seeds, in one; with `-m slow` also for more."""

    def decorate(test: Callable) -> Callable:
        def of_all(seeds):
            assert_each(test, each_of({f"seed {seed}": seed for seed in seeds}))

        slow = [pytest.param(more, marks=pytest.mark.slow)] if more else []
        ids = [f"{len(some)} seeds", f"{len(more)} more"][: 1 + len(slow)]
        of_all.__dict__.update(test.__dict__)
        of_all.__name__, of_all.__doc__, of_all.__module__ = test.__name__, test.__doc__, test.__module__
        return pytest.mark.parametrize("seeds", [some, *slow], ids=ids)(of_all)

    return decorate


def _with_signature(f: Callable, test: Callable, kept: Callable[[str], bool], added: list[str]) -> Callable:
    """f under the name of the test, with its marks, those of its arguments that are kept, and others."""
    signature = inspect.signature(test)
    f.__dict__.update(test.__dict__)
    f.__name__, f.__doc__, f.__module__ = test.__name__, test.__doc__, test.__module__
    others = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in added]
    f.__signature__ = signature.replace(
        parameters=[*others, *(p for p in signature.parameters.values() if kept(p.name))]
    )
    return f


def _label(value: Any) -> str:
    return getattr(value, "__name__", f"{value!s:.40}").replace("\n", " ")


def one_in(n: int) -> pytest.MarkDecorator:
    """`step`, for cases[::step]: one case of n, with `-m slow` all."""
    return pytest.mark.parametrize("step", [n, pytest.param(1, marks=pytest.mark.slow)], ids=[f"one in {n}", "all"])
