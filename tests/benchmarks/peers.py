"""scikit-learn and statsmodels where they are installed: a peer that is not there is left out of the race."""

import importlib
import importlib.util
from collections.abc import Callable
from functools import partial
from typing import Any

from .race import Loosest

PACKAGES = ("sklearn", "statsmodels")


def missing() -> list[str]:
    return [name for name in PACKAGES if importlib.util.find_spec(name) is None]


def sklearn(module: str, name: str) -> Any:
    """A class or function of scikit-learn, or None where it is not installed."""
    return imported(f"sklearn.{module}", name)


def statsmodels(module: str, name: str) -> Any:
    """The same of statsmodels."""
    return imported(f"statsmodels.{module}", name)


def imported(module: str, name: str) -> Any:
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError:
        return None


def available(peers: dict[str, tuple[Any, Callable[..., Any] | Loosest]]) -> dict[str, Any]:
    """Of {name: (what the peer is called by, what to do with it)} those that are installed."""
    return {name: bound(found, run) for name, (found, run) in peers.items() if found is not None}


def bound(found: Any, run: Callable[..., Any] | Loosest) -> Any:
    return Loosest(partial(run.run, found), run.tolerances) if isinstance(run, Loosest) else partial(run, found)


def decades(default: float, last: float = 1e-12) -> list[float]:
    """The tolerances default, default / 10 ... last."""
    tolerances = [default]
    while tolerances[-1] > 1.5 * last:
        tolerances.append(float(f"{tolerances[-1] / 10:.3g}"))
    return tolerances
