"""A test of many cases looks at all of them, fails where one does, and says which."""

import pytest
from cases import assert_each, each, each_of, for_seeds, one_in


def positive(x):
    assert x > 0, f"found {x}"


def test_all_cases_are_looked_at_and_those_that_fail_are_named():
    seen = []
    assert_each(seen.append, each_of({"a": 1, "b": 2}))
    assert seen == [1, 2]
    with pytest.raises(AssertionError, match=r"^2 of 3 cases fail\na: AssertionError: found -1\s.*\nc: .*found -3"):
        assert_each(positive, each_of({"a": -1, "b": 2, "c": -3}))


@pytest.mark.parametrize("outcome", [pytest.fail, pytest.skip])
def test_a_case_that_fails_or_is_skipped_by_name_has_not_held(outcome):
    with pytest.raises(AssertionError, match="1 of 1 cases fail"):
        assert_each(lambda: outcome("so"), {"": ()})


def test_without_cases_nothing_is_proved():
    for test in (each("x", [])(positive), lambda: assert_each(positive, {})):
        with pytest.raises(AssertionError, match="without cases"):
            test()


def test_each_takes_away_its_arguments_only():
    seen = []

    @each("b, c", [(1, 2), (3, 4)], ids=["low", "high"])
    @each("a", [0, 9])
    def test_it(a, b, c, d):
        seen.append((a, b, c, d))
        assert (a, b) != (9, 3)

    with pytest.raises(AssertionError, match=r"1 of 2 cases fail\nb, c 1: high: .*1 of 2 cases fail\na 1: 9: "):
        test_it(d=5)
    assert seen == [(0, 1, 2, 5), (9, 1, 2, 5), (0, 3, 4, 5), (9, 3, 4, 5)] and test_it.__name__ == "test_it"
    with pytest.raises(TypeError, match=r"for pytest\.mark\.parametrize"):
        each("x", [pytest.param(1)])


@for_seeds(range(2), range(2, 4))
def test_seeds(seed):
    assert seed in range(4)


@one_in(3)
def test_steps(step):
    assert step in (1, 3)


@each("x", [1, 2], more=[3])
def test_some_and_more(x):
    assert x in (1, 2, 3)


def test_of_each_some_cases_are_quick_and_more_are_slow():
    (mark,) = test_some_and_more.pytestmark
    some, slow = mark.args[1]
    assert [*some.values()] == [(1,), (2,)] and [[*more.values()] for more in slow.values] == [[(3,)]]
    assert [m.name for m in slow.marks] == ["slow"]


def test_seeds_and_steps_leave_the_rest_to_the_slow_tests():
    for test, some, more in ((test_seeds, range(2), range(2, 4)), (test_steps, 3, 1)):
        (mark,) = test.pytestmark
        quick, slow = mark.args[1]
        assert (quick, slow.values) == (some, (more,)) and [m.name for m in slow.marks] == ["slow"]
