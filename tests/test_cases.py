"""Where `pytest -m slow` takes more cases."""

import pytest
from cases import one_in, slow


@pytest.mark.parametrize("x, y", [(1, 2), *slow([(3, 4)])])
def test_some_and_more(x, y):
    assert x + 1 == y


@one_in(3)
def test_steps(step):
    assert step in (1, 3)


def test_the_rest_is_left_to_the_slow_tests():
    for test, quick, more in ((test_some_and_more, (1, 2), (3, 4)), (test_steps, 3, (1,))):
        (mark,) = test.pytestmark
        first, last = mark.args[1]
        assert (first, last.values) == (quick, more) and [m.name for m in last.marks] == ["slow"]
