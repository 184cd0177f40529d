"""`show` prints a function as it runs: equation and body, nothing else."""

import ast
import importlib
import inspect
import pkgutil
import re
import textwrap

import pytest

import linmodels
from linmodels import kernel_lms, lda, logistic_regression
from linmodels.page import fold, show

ROOMS = [m.name for m in pkgutil.iter_modules(linmodels.__path__) if not m.ispkg and m.name != "__main__"]
PUBLIC = {
    f"{room.__name__}.{name}": f
    for room in (importlib.import_module(f"linmodels.{name}") for name in ROOMS)
    for name, f in vars(room).items()
    if inspect.isfunction(f) and f.__module__ == room.__name__ and not name.startswith("_")
}


def test_what_is_shown_is_the_equation_and_the_body_that_runs():
    assert repr(show(lda.scatter_of_means, logistic_regression.posterior)) == textwrap.dedent('''\
        def scatter_of_means(X, t):
            """S_b = (μ_0 - μ_1)(μ_0 - μ_1)ᵀ, for two classes."""
            mu_0, mu_1 = means(X - X[0], t)  # their difference depends on no origin
            return np.outer(mu_0 - mu_1, mu_0 - mu_1)

        def posterior(w, X):
            """p(t = 1|x) = σ(w·x) = eᵃ/(1 + eᵃ)."""
            return sigmoid(X @ w)''')


def test_jupyter_sets_it_as_code_and_what_answers_an_exercise_is_folded_wherever_the_page_is_read():
    assert show(lda.project)._repr_markdown_() == f"```python\n{show(lda.project)!r}\n```"
    folded = fold(lda.project, lda.threshold)
    assert repr(folded) == "[folded: show(lda.project, lda.threshold) prints it]"  # a page without Markdown
    assert folded._repr_markdown_() == (
        "<details><summary>The book's own: project, threshold</summary>\n\n"
        f"```python\n{show(lda.project, lda.threshold)!r}\n```\n\n</details>"
    )


def test_what_has_no_body_to_show_is_refused():
    for thing in (len, lda, 3, [lda.project], logistic_regression.posterior.__name__):
        with pytest.raises(TypeError, match=r"show: found .*; expected functions written in Python"):
            show(lda.project, thing)


def test_no_guard_is_shown_however_many_there_are():
    """Two lines stand above it: @models.not_diverged and @takes(...)."""
    assert repr(show(kernel_lms.stochastic_feature_iterates)).startswith("def stochastic_feature_iterates(")


def test_every_public_function_can_be_shown_without_ids():
    for name, f in PUBLIC.items():
        code = repr(show(f))
        shown, runs = (
            ast.parse(textwrap.dedent(text)).body[0] for text in (code, inspect.getsource(inspect.unwrap(f)))
        )
        assert [*map(ast.dump, shown.body[1:])] == [*map(ast.dump, runs.body[1:])], name
        assert not re.search(r"\[[A-E]-|erratum", ast.get_docstring(shown).partition("\n\n")[0]), name
    assert len(PUBLIC) > 250
