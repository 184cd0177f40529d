"""The examples in the docstrings of the chapters and tools give what stands below them.

pytest's own --doctest-modules passes over every function under `takes`: it takes them for functions of another file.
"""

import doctest
import importlib
import inspect

import pytest
from test_layout import ALGORITHMS, CHAPTERS, TOOLS

MODULES = sorted({*CHAPTERS, *ALGORITHMS, *TOOLS})


def examples(name):
    """The examples of each public function of a module; its names are in scope."""
    module = importlib.import_module(f"linmodels.{name}")
    for f in vars(module).values():
        if inspect.isfunction(f) and f.__module__ == module.__name__ and not f.__name__.startswith("_"):
            yield from doctest.DocTestFinder().find(f, f"{name}.{f.__name__}", globs=dict(vars(module)))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_give_what_they_say(name):
    for example in examples(name):
        told = []
        doctest.DocTestRunner(verbose=False).run(example, out=told.append)
        assert not told, "".join(told)


@pytest.mark.parametrize("name", CHAPTERS)
def test_each_fit_of_a_chapter_has_an_example(name):
    without = [example.name for example in examples(name) if ".fit" in example.name and not example.examples]
    assert without == [], "add an example of two to five lines to its docstring, with an answer known from paper"
