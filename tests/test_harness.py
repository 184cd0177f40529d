"""The harness that compares two versions of the package: it runs, and it sees faults. Otherwise it is run by hand."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from harness import __main__ as command
from harness import runs
from harness.doors import DOORS, NEED_FULL_RANK
from harness.problems import problem, rank_problem

import linmodels
from linmodels import linear_regression, logistic_regression, optimize, svm

ROOT = str(Path(__file__).parents[1])
LEAST_SQUARES, LOGISTIC = "linear_regression.least_squares X y", "logistic_regression.fit X t lam"


def faults(words, look, draw=problem, seeds=range(16)):
    """What the harness prints of a door beside its counts."""
    chosen = [door for door in DOORS if door.call == words]
    return "\n".join(line for line in runs.run(chosen, draw, seeds, look) if line.startswith("    "))


def with_fault(chapter, **functions):
    """The package with other functions in a chapter."""
    return SimpleNamespace(**{chapter.__name__.rpartition(".")[2]: SimpleNamespace(**vars(chapter) | functions)})


def test_a_package_does_not_differ_from_itself(capsys):
    assert command.main(["--old", ROOT, "--new", ROOT, "--draws", "3"]) == 0
    assert f"{len(DOORS)} doors, 3 draws each: none to look at" in capsys.readouterr().out


def test_it_proves_what_the_package_says_and_asks_for_full_rank(capsys):
    assert command.main(["--new", ROOT, "--prove", "--draws", "3"]) == 0
    assert command.main(["--new", ROOT, "--rank", "5"]) == 0
    assert f"{len(NEED_FULL_RANK)} doors, 10 draws each: none to look at" in capsys.readouterr().out


def ends_too_early(X, t, lam):
    end = optimize.run(logistic_regression.newton_iterates(X, t, lam), tol=1e-3 * len(X))
    return SimpleNamespace(w=end.w, converged=end.converged, direction=None)


def forgets_a_penalty(X, t, lam):
    return logistic_regression.fit(X, t, np.append(np.full(X.shape[1] - 1, np.max(lam)), 0.0))


def finds_a_minimum_always(X, t, lam):
    return SimpleNamespace(w=logistic_regression.fit(X, t, lam).w, converged=True, direction=None)


@pytest.mark.parametrize(
    "fit, seen",
    [(ends_too_early, "higher: by"), (forgets_a_penalty, "higher: by"), (finds_a_minimum_always, "no minimum -> con")],
)
def test_an_answer_beside_the_minimum_and_a_minimum_that_is_not_there_are_seen_and_not_proved(fit, seen):
    faulty = with_fault(logistic_regression, fit=fit)
    compared = partial(runs.compared, linmodels, faulty)
    found = faults(LOGISTIC, compared)
    assert seen in found and "converged: misses its proof" in faults(LOGISTIC, partial(runs.proved, faulty))
    seed = int(found.partition("--only ")[2].split()[0])
    assert faults(LOGISTIC, compared, seeds=[seed]) == found.splitlines()[0]


def test_a_lax_test_of_the_rank_is_seen():
    faulty = with_fault(linear_regression, least_squares=linear_regression.minimum_norm)
    assert "refused: LinAlgError -> answered" in faults(LEAST_SQUARES, partial(runs.compared, linmodels, faulty))
    missed = faults(LEAST_SQUARES, partial(runs.ranked, faulty), rank_problem, range(10))
    assert missed.count(": answered: ") == 5 and "full rank" not in missed


def test_a_certificate_that_proves_nothing_is_seen():
    def fit(X, y, C):
        found = svm.fit(X, y, C)
        even = np.full(len(y), 1 / len(y))
        return found if found.certificate is None else SimpleNamespace(w=found.w, alpha=even, certificate=even)

    look = partial(runs.proved, with_fault(svm, fit=fit))
    assert "no minimum: misses its proof" in faults("svm.fit F signs C", look)


def writes_into_y(X, y):
    y -= y.mean()


def is_broken(X, y):
    return {}["w"]


@pytest.mark.parametrize("f, told", [(writes_into_y, "answered -> refused: ValueError"), (is_broken, "KeyError")])
def test_an_argument_that_is_changed_and_what_is_no_refusal_are_seen(f, told):
    look = partial(runs.compared, linmodels, with_fault(linear_regression, least_squares=f))
    assert told in faults(LEAST_SQUARES, look, seeds=[0])
