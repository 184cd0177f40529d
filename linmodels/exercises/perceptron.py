"""Exercises of chapter 09, the perceptron (notes A 5, B, D 4). Whole numbers and dyadic steps: ties are real ties."""

from functools import cache
from itertools import permutations

import numpy as np

from linmodels import datasets, perceptron

from .grading.before import Question
from .grading.by_hand import ByHand, once
from .grading.cases import integer_points
from .grading.checker import Case, Construction, Exercise, Requirement, run
from .grading.derive import Derivation
from .grading.kinds import Loop, Mutants, Project, per_cent_wrong, share_wrong
from .grading.prove import Decoy, Line, Proof

chapter = "09"
_X, _Y = np.array([[3.0, 3], [4, 3], [1, 1]]), np.array([1.0, 1, -1])  # the three samples of the page


def _runs(rng):
    """Each run has a label, X (N, d), y (N,), 30 visits that begin with a +1 or a -1, eta, N + 1 numbers to start."""
    sizes = (5, 2, 0.5, 0.0), (7, 3, 0.25, 0.0), (6, 2, 0.5, 0.125), (8, 1, 0.25, 0.0625), (7, 3, 2.0, 0.3)
    for k, (N, d, eta, grid) in enumerate(sizes):  # a start off the grid of eta: scores come near 0
        X, y = integer_points(rng, N, d)
        X = X if eta < 1 else 0.3 * (X + rng.normal(size=(N, d)))
        order = np.append(k % 2, rng.integers(N, size=29)).tolist()
        label = f"a run over {N} samples, d = {d}, eta = {eta}, from {'another start' if grid else 0}"
        yield label, X, y, order, eta, grid * rng.integers(-3, 4, N + 1) + 0.0


def _of_a_visit(y):
    """What goes wrong in the test of a sample with the label y, and in the step of b."""
    return (
        ("<= 0", "< 0", "y(w·x + b) = 0 counts as a mistake: with < 0 nothing ever starts from 0"),
        ("<= 0", f"< ({y} < 0) * 1e-9", "with sign(0) = +1 you skip a positive sample on the plane: test <= 0"),
        ("<= 0", f"< ({y} > 0) * 1e-9", "with sign(0) = -1 you skip a negative sample on the plane: test <= 0"),
        (f"{y} * (", "(", "y is missing in the test: a sample is right where y(w·x + b) > 0"),
        (" + b) <= 0", ") <= 0", "b is missing in the test y(w·x + b) <= 0"),
        (" + b) <= 0", ") + b <= 0", "b is outside the brackets in the test: y multiplies both w·x and b"),
        (" + b) <= 0", f" + b + eta * {y}) <= 0", "b moved before the test: test with the b that came in"),
        ("<= 0", "< np.inf", "you update at every sample: only the misclassified ones are updated"),
        ("<= 0", "> 0", "you update at the samples that are right: the test is y(w·x + b) <= 0"),
        (f"b + eta * {y}", "b + eta", "y is missing in the step of b: it is eta y"),
        (f"b + eta * {y}", f"b + {y}", "eta is missing in the step of b: it is eta y"),
        (f"b + eta * {y}", "b", "b does not move: it must move too, by eta y"),
    )


def _step(w, b, x, y, eta):
    if y * (w @ x + b) <= 0:
        return w + eta * y * x, b + eta * y
    return w, b


perceptron_step = Exercise(
    stars=0,
    notes="A 5.3.1, B, D 4",
    ask="Return (w, b) after the visit of one sample: (w + eta y x, b + eta y) if y(w·x + b) <= 0, else (w, b). w, x "
    "(d,), b a number, eta a number > 0, y -1 or +1; do not change the array w. Your function is tried on many steps "
    "in a row.",
    hints=(
        "A sample is right where y and w·x + b have the same sign. From w = 0, b = 0 no sample is right.",
        "Test y * (w @ x + b) <= 0, not < 0; then w moves by eta * y * x and b by eta * y.",
    ),
    answer=_step,
    mistakes=(
        *_of_a_visit("y"),
        ("<= 0", "<= 1", "you update where y(w·x + b) <= 1: that is the SVM's margin, here the limit is 0"),
        ("eta * y * x", "eta * x", "y is missing in the step of w: it is eta y x"),
        ("eta * y * x", "y * x", "eta is missing in the step of w: it is eta y x"),
        ("w + eta * y * x, b + eta * y", "eta * y * x, eta * y", "you returned the step alone: add it to w and b"),
        ("eta * y * x", "eta * (y - w @ x - b) * x", "eta (y - w·x - b) x is the step of least squares, not eta y x"),
    ),
    cases=lambda rng: [
        Case(label, ((start[1 : 1 + len(X.T)], start[0]), [(X[i], y[i], eta) for i in order]))
        for label, X, y, order, eta, start in _runs(rng)
    ],
    play=run,
)


why_it_helps = Derivation(
    stars=1,
    notes="A 5.3.1",
    ask="Why does an update help? After it the margin of the sample is y((w + eta y x)·x + b + eta y). Derive, line "
    "by line, how much the margin has grown: to y(w·x + b) plus something in which no y stands. Write w @ x for w·x, "
    "and one rule a line.",
    hints=(
        "First open the brackets, and leave y alone.",
        "y * y stands in two places. What is y², and which two terms does it leave?",
    ),
    start="y*((w + eta*y*x) @ x + b + eta*y)",
    letters={"w": "d", "x": "d", "b": "number", "eta": "positive", "y": "±1"},
    free_of=(),
    once=("y",),
    lines=("y*(w @ x + b) + y**2*eta*(x @ x) + y**2*eta", "y*(w @ x + b) + eta*(x @ x + 1)"),
    slips=(
        (1, "y*(w @ x + b) - y**2*eta*(x @ x) + y**2*eta", "the sign before `y ** 2 * eta * (x @ x)` is wrong"),
        (1, "y*(w @ x + b) + 2*y**2*eta*(x @ x) + y**2*eta", "a factor 2 is too much in"),
        (2, "y*(w @ x + b) + eta*(x @ x)", "the term `y ** 2 * eta` of the line above is lost"),
        (1, "y*(w @ x + b) + eta*(x @ x + 1)", "uses that y is ±1 and the opening of brackets"),
    ),
)


def _four_samples(rng):
    """Four samples of small whole numbers; at least three of the five visits find a mistake, and so does the last."""
    while True:
        X, y = rng.integers(1, 4, (4, 2)) * rng.choice([-1.0, 1.0], (4, 2)), rng.permutation([1.0, 1.0, -1.0, -1.0])
        moves = np.any(np.diff(_five_visits(X, y), axis=0), axis=1)
        if moves[-1] and 2 <= moves.sum() < 4:
            return [Case("your four samples", (X, y))]


def _five_visits(X, y):
    w, b, path = np.zeros(2), 0.0, []
    for i in (0, 1, 2, 3, 0):
        if y[i] * (w @ X[i] + b) <= 0:
            w, b = w + y[i] * X[i], b + y[i]
        path.append([*w, b])
    return np.array(path)


five_visits = ByHand(
    stars=1,
    notes="A 5.3.1, B, D 4",
    ask="Make five visits with a pencil, with eta = 1, from w = (0, 0), b = 0: sample 1, 2, 3, 4, and 1 again. Give a "
    "row [w_1, w_2, b] after each visit, five rows. The samples are your own: check.me('your name') deals them, and "
    "they are shown below.",
    hints=(
        "Visit 1 always finds a mistake: the score is 0. What are w and b after it?",
        "A visit that finds its sample right repeats the row above. Write the product y(w·x + b) beside each row.",
    ),
    answer=_five_visits,
    returns=("path",),
    mistakes=(
        ("np.array(path)", "np.array([[0.0, 0, 0], *path[:-1]])", "those are the weights before each visit"),
        ("(0, 1, 2, 3, 0)", "(0, 0, 1, 2, 3)", "the visits are to 1, 2, 3, 4 and then 1 again"),
        ("y[i] * X[i], b + y[i]", "y[i] * X[i] / 2, b + y[i] / 2", "eta is 1: an update adds y x, and y to b"),
        ("w + y[i] * X[i], b", "y[i] * X[i], b", "w is replaced: y x is added to the old w"),
        (
            "y[i] * (w @ X[i] + b) <= 0",
            "(1 if w @ X[i] + b >= 0 else -1) != y[i]",
            "with sign(0) = +1 a positive sample on the line passes for right: a product of 0 is a mistake",
        ),
        ("<= 0", "< (not w.any()) * 1e-9", "a product of 0 is a mistake at every visit, not only at the first"),
        ("<= 0", "< 0", "y(w·x + b) = 0 counts as a mistake: visit 1 must change the weights"),
        (" + b) <= 0", ") <= 0", "b is missing in a test: the score is w·x + b"),
        ("if y[i] * (", "if (", "a sample is right where y and the score have the same sign: y is missing in the test"),
        ("w + y[i] * X[i]", "w + X[i]", "a negative sample is subtracted from w: y is missing"),
        ("b + y[i]", "b + 1", "b moves by y, the label of the sample"),
        ("b + y[i]", "b", "b moves with each update, too, by y"),
        ("<= 0", "< np.inf", "only a sample that is wrong moves the weights: test before each update"),
        ("w + y[i] * X[i]", "w - y[i] * X[i]", "the sign of the update of w is reversed: w grows by y x"),
    ),
    cases=_four_samples,
)


_NARROW = np.array([[-1.0, 3], [1, 3], [-2, 2]])


def _learn_cases(rng):
    def one(label, X, y, rounds):
        return Case(label, (X, y, rounds), {})

    gap = rng.normal(size=(30, 2))
    gap = gap[np.abs(gap @ [1, 2] - 0.3) > 0.3][:14]
    whole, labels = integer_points(rng, 6)
    return [
        one("separable samples", gap, np.where(gap @ [1, 2] > 0.3, 1.0, -1.0), 200),
        one("the three samples of the page", _X, _Y, 100),
        one("data of one feature", np.array([[3.0], [1.0], [2.5]]), np.array([1.0, -1.0, 1.0]), 100),
        one("samples of whole numbers that no line separates", whole, labels, 7),
        one("a positive sample that ends near 0", np.array([[2.0], [3.0]]), np.array([1.0, -1.0]), 100),
        one("a gap so narrow that it takes 211 updates", _NARROW, np.array([1.0, -1.0, -1.0]), 500),
        one("one epoch only", gap, np.where(gap @ [2, -1] > 0, 1.0, -1.0), 1),
    ]


def _learn(X, y, max_rounds):
    w, b, mistakes = np.zeros(X.shape[1]), 0.0, list[int]()
    for _ in range(max_rounds):
        before = len(mistakes)
        for i in range(len(X)):
            if y[i] * (w @ X[i] + b) <= 0:
                w, b = w + y[i] * X[i], b + y[i]
                mistakes.append(i)
        if len(mistakes) == before:
            break
    return w, b, np.array(mistakes)


_END_OF_EPOCH = """if len(mistakes) == before:
            break
    return w, b, np.array(mistakes)"""
_COUNTED = "counts = [*(counts if before else []), len(mistakes) - before]\n        "
_COUNTS = "those are the mistakes of each epoch, counted; the list holds the samples themselves"

learn = Loop(
    stars=2,
    notes="A 5.3.1, B",
    ask="Write the whole machine. From w = 0, b = 0 and with eta = 1, visit the samples 0 to N - 1 in order, epoch "
    "after epoch, until an epoch finds no mistake, or max_rounds epochs are done. Return (w, b, mistakes): the list "
    "of the samples that were found wrong, in order. X (N, d), y (N,) of -1 and +1.",
    hints=(
        "Two loops: epochs outside, samples inside. What must an epoch remember, so that you know that it was clean?",
        "Count the mistakes before the epoch and after it. w = w + y[i] * X[i], and b moves with it.",
    ),
    answer=_learn,
    returns=("w", "b", "mistakes"),
    path="mistakes",
    step="mistake",
    mistakes=(
        ("np.array(mistakes)", "np.array(sorted(set(mistakes)))", "the list holds a sample as often as it was wrong"),
        ("np.array(mistakes)", "len(mistakes)", "those are how many; the list itself is wanted"),
        (_END_OF_EPOCH, _COUNTED + _END_OF_EPOCH.replace("array(mistakes", "array(counts"), _COUNTS),
        ("before = len(mistakes)", "before = len(mistakes := [])", "the list is emptied in each epoch"),
        (
            "w + y[i] * X[i], b + y[i]",
            "w - y[i] * X[i], b - y[i]",
            "the sign of the update is reversed: w grows by y x",
        ),
        ("w + y[i] * X[i], b", "y[i] * X[i], b", "w is replaced: y x is added to the old w"),
        ("w + y[i]", "w - y[i]", "the sign in the update of w is reversed: w grows by y x"),
        ("w + y[i] * X[i], b + y[i]", "w + y[i] * X[i] / 2, b + y[i] / 2", "eta is 1: your w and b move half as far"),
        (
            "if y[i] * (w @ X[i] + b) <= 0:",
            "for _ in range(30):\n                if y[i] * (w @ X[i] + b) > 0:\n                    break",
            "a visit makes one update at most: `if`, not `while`",
        ),
        ("len(mistakes) == before", "y[i] * (w @ X[i] + b) > 0", "it ends when the last sample is right; all must be"),
        (
            "len(mistakes) == before",
            "np.all(np.where(X @ w + b >= 0, 1, -1) == y)",
            "it ends when every label is right; a positive sample with the score 0 is a mistake, too",
        ),
        (
            "mistakes.append(i)",
            "mistakes.append(i)\n                if len(mistakes) == max_rounds:\n                    "
            "return w, b, np.array(mistakes)",
            "max_rounds counts epochs, not updates",
        ),
        ("range(max_rounds)", "range(max_rounds - 1)", "it makes one epoch too few where no epoch is clean"),
        ("np.zeros(X", "np.ones(X", "start from w = 0"),
        ("<= 0", "<= 1", "the test is y(w·x + b) <= 0; a margin of 1 belongs to the SVM"),
        (
            "y[i] * (w @ X[i] + b) <= 0",
            "(1 if w @ X[i] + b >= 0 else -1) != y[i]",
            "a score of 0 is a mistake for either label: test y(w·x + b) <= 0",
        ),
        ("<= 0", "< 0", "y(w·x + b) = 0 counts as a mistake: with < 0 nothing ever starts"),
        ("if y[i] * (", "if (", "y is missing in the test: a sample is right where y(w·x + b) > 0"),
        (" + b) <= 0", ") <= 0", "b is missing in the test"),
        ("w + y[i] * X[i]", "w + X[i]", "y is missing in the update of w"),
        ("b + y[i]", "b + 1", "y is missing in the update of b"),
        ("b + y[i]", "b", "b does not move: it moves by y at each update"),
        ("range(len(X))", "range(len(X) - 1)", "the last sample is never visited: range(len(X))"),
        ("range(len(X))", "range(1, len(X))", "the first sample is never visited: the count begins with 0"),
        ("range(len(X))", "reversed(range(len(X)))", "you visit the samples from the last to the first"),
        ("mistakes.append(i)", "mistakes.append(i + 1)", "samples are counted from 0"),
        (
            "mistakes.append(i)",
            "mistakes.append(i)\n                break",
            "an epoch goes on after a mistake: no break there",
        ),
        ("range(max_rounds)", "range(1)", "it ends after one epoch: go on until an epoch is clean"),
        ("range(max_rounds)", "range(max_rounds + 1)", "it makes one epoch too many where no epoch is clean"),
        (
            "before = len(mistakes)",
            "before = len(mistakes); wrong = y * (X @ w + b) <= 0\n        w, "
            "b = w + (y * wrong) @ X, b + np.sum(y * wrong); mistakes += np.flatnonzero(wrong).tolist(); continue",
            "you test all samples first and then make all updates: test each sample with the weights of now",
        ),
    ),
    cases=_learn_cases,
)


def _all_but_the_third():
    return np.array([[9.0, -8.0], [-2.0, -2.0], [-2.0, 3.0]]), np.array([1.0, -1.0, 1.0])


kill_the_mutants = Mutants(
    stars=2,
    notes="A 5.3.1, B",
    ask="Six faulty programs were made from the machine of this chapter, each by one change. (1) `< 0` in the test. "
    "(2) no b in the test. (3) b grows by 1 at every update, whatever y is. (4) the last sample is never visited. (5) "
    "it stops after two epochs. (6) w becomes y x, and the old w is lost. Return one data set (X, y), at most 5 "
    "samples of both labels that a line separates. Five programs must end with another (w, b) there, or with other "
    "mistakes; but program 3 must not.",
    hints=(
        "Where does b + 1 the same as b + y? So which samples may be wrong, and which never?",
        "(4) needs a last sample that is wrong when visited, (5) a mistake in epoch 3: two positive ones pull to and "
        "fro.",
    ),
    returns=("X", "y"),
    program=_learn,
    settings=(1000,),
    faults=(
        ("<= 0", "< 0", "program 1 tests < 0"),
        (" + b) <= 0", ") <= 0", "program 2 has no b in the test"),
        ("range(len(X))", "range(len(X) - 1)", "program 4 never visits the last sample"),
        ("range(max_rounds)", "range(2)", "program 5 stops after two epochs"),
        ("w + y[i] * X[i]", "y[i] * X[i]", "program 6 forgets the old w"),
    ),
    spared=(("b + y[i]", "b + 1", "program 3 adds 1 to b at every update"),),
    requirements=(
        Requirement(
            "X must be (N, d), with at most 5 samples, and y (N,)",
            lambda X, y: np.ndim(X) == 2 and 0 < len(X) <= 5 and np.shape(y) == (len(X),),
            (np.zeros((6, 2)), np.ones(6)),
        ),
        Requirement(
            "y must hold -1 and +1 only", lambda X, y: np.isin(y, (-1, 1)).all(), (np.eye(2), np.array([0.0, 1.0]))
        ),
        Requirement("both labels must occur", lambda X, y: abs(y.sum()) < len(y), (np.eye(2), np.ones(2))),
        Requirement(
            "the right program has no clean epoch in 1000 on your data: no line separates them, or hardly any",
            lambda X, y: len(_learn(X, y, 1000)[2]) == len(_learn(X, y, 1001)[2]),
            (np.array([[0.0], [0.0]]), np.array([1.0, -1.0])),
        ),
    ),
    example=_all_but_the_third,
)


def _eight_samples(rng):
    """Eight samples for which few orders of visits need twice as many updates as the order 0 to 7, but some do."""
    while True:
        X = rng.integers(-5, 6, (8, 2)).astype(float)
        scores = X @ rng.normal(size=2) + rng.normal()
        y = np.where(scores > 0, 1.0, -1.0)
        if abs(y.sum()) < 4 and 4 < _count(range(8), X, y) < 25:
            ratio = np.array([_count(rng.permutation(8), X, y) for _ in range(30)]) / _count(range(8), X, y)
            if 1 <= np.sum(ratio >= 2) <= 4:
                return X, y


def _count(order, X, y):
    """The updates until an epoch is clean."""
    return perceptron.fit(X, y, order=np.asarray(order, int), max_updates=1000).n_iter


def _worst_order(X, y):
    orders = [np.random.default_rng(k).permutation(8) for k in range(200)]
    return max(orders, key=lambda order: perceptron.fit(X, y, order=order).n_iter)


worst_order = Construction(
    stars=1,
    notes="A 5.3.2, A 5.3.3",
    ask="The worst teacher. Your eight samples X (8, 2), y (8,) are visited in one order, again and again, until an "
    "epoch is clean. Return an order, a permutation of 0 to 7, that needs at least twice as many updates as 0, 1, "
    "..., 7.",
    hints=(
        "From zero the first visit is always a mistake, and makes the first line. So it matters which one is first.",
        "Try each in front, then others at random: `perceptron.fit(X, y, order=order).n_iter` counts the updates.",
    ),
    returns=("order",),
    own=_eight_samples,
    requirements=(
        Requirement(
            "samples are counted from 0: the order holds 0 to 7, not 1 to 8",
            lambda order, X, y: np.ndim(order) != 1 or sorted(order) != list(range(1, 9)),
            (np.arange(1, 9),),
        ),
        Requirement(
            "the order must be one row of eight numbers that holds each of 0 to 7 once",
            lambda order, X, y: np.ndim(order) == 1 and sorted(order) == list(range(8)),
            ([0, 1, 2, 3, 4, 5, 6, 6],),
        ),
        Requirement(
            lambda order, X, y: (
                f"your order makes {_count(order, X, y)} updates, and 0, 1, ..., 7 makes {_count(range(8), X, y)}: "
                "make it twice as many"
            ),
            lambda order, X, y: _count(order, X, y) >= 2 * _count(range(8), X, y),
            ([0, 1, 2, 3, 4, 5, 6, 7],),
        ),
    ),
    example=_worst_order,
)


@cache
def _count_from(start, eta, times):
    """The updates from w = (start, start), b = 0, with all x multiplied."""
    begin = np.full(2, float(start)), 0.0
    return sum(1 for _ in perceptron.updates(times * _X, _Y, eta, [0, 2, 1], begin))


def _four_counts():
    step, ten = _count_from(0, eta=1 / 64, times=1), _count_from(0, eta=1, times=10)
    return step, ten, _count_from(5, eta=1, times=1), _count_from(5, eta=1 / 64, times=1)


_STEP, _TEN = "_count_from(0, eta=1 / 64, times=1)", "_count_from(0, eta=1, times=10)"
_START, _BOTH = "_count_from(5, eta=1, times=1)", "_count_from(5, eta=1 / 64, times=1)"
predict_the_updates = ByHand(
    stars=2,
    notes="A 5.3.2, A 5.3.3",
    ask="Predict before you run. From zero, with eta = 1 and the order 0, 2, 1, the three samples of this chapter make "
    "11 updates. How many are made (step) with eta = 1/64, (ten) with all x multiplied by 10 and the 1 of the bias as "
    "it is, (start) from w = (5, 5), b = 0, (both) from that start with eta = 1/64? A pencil is enough for three of "
    "them. Of the other one say first whether it is more than 11; then count with your loop.",
    hints=(
        "step: write w and b as eta times something. start: which sample is wrong at (5, 5), 0, and by how much?",
        "both: an update raises the margin of its sample by eta (‖x‖² + 1). How many does it need to be above 0?",
    ),
    returns=("step", "ten", "start", "both"),
    one_by_one=True,
    answer=_four_counts,
    mistakes=(
        (
            _STEP,
            "64 * _count_from(0, eta=1, times=1)",
            "from zero, (w, b) is eta times a sum: what is its sign for?",
        ),
        (
            _TEN,
            "_count_from(0, eta=1, times=1)",
            "(x, 1) is not multiplied by 10: its last entry stays 1, and b hardly keeps up",
        ),
        (
            _TEN,
            "10 * _count_from(0, eta=1, times=1)",
            "the count does not grow with x: b has to make its way in steps of 1",
        ),
        (_TEN, "_count_from(0, eta=1, times=0.1)", "the samples are multiplied by 10, not divided"),
        (
            _START,
            "_count_from(0, eta=1, times=1)",
            "from the other start too few samples are wrong for this: test all three",
        ),
        (_START, f"{_START} - 1", "after so many updates from that start one margin is still not above 0"),
        (
            _BOTH,
            "_count_from(5, eta=1, times=1)",
            "only from zero does eta change nothing: here the start keeps its length",
        ),
        (_BOTH, f"64 * {_START}", "the last of the long steps went farther than it had to: count anew"),
        (_BOTH, f"{_BOTH} - 1", "after so many short steps the margin is still below 0"),
        (_BOTH, _STEP, "that is the count from zero: from another start eta does matter"),
    ),
    cases=once,
)


EYE_POINTS = np.array([[1.0, 4], [2, 3], [3, 5], [4, 4], [2, 1], [4, 2], [5, 1], [6, 3]])
EYE_LABELS = np.array([1.0, 1, 1, 1, -1, -1, -1, -1])


def eye_margins(w, b):
    """The products y(w·x + b) of the points of the drawing."""
    return EYE_LABELS * (EYE_POINTS @ w + b)


def points_where(wrong):
    """The points that are meant, by name."""
    return " and ".join(f"({x:g}, {y:g})" for x, y in EYE_POINTS[wrong])


LINE = (
    Requirement(
        "w must hold two numbers, and b be one", lambda w, b: (np.shape(w), np.ndim(b)) == ((2,), 0), (np.ones(3), 0.0)
    ),
    Requirement("w = (0, 0) is no line", lambda w, b: w.any(), (np.zeros(2), 1.0)),
)
TURNED = Requirement(
    "it separates the points, but the positive ones lie on its negative side: change the sign of w and b",
    lambda w, b: np.any(eye_margins(w, b) > 0),
    (np.array([1.0, -2]), 2.0),
)


def _separating():
    return np.array([-1.0, 2.0]), -2.5


separate_by_eye = Construction(
    stars=0,
    notes="A 5.2, B",
    ask="Draw a line by eye. The positive points are (1, 4), (2, 3), (3, 5), (4, 4), the negative ones (2, 1), (4, "
    "2), (5, 1), (6, 3). Return (w, b) of a line w·x + b = 0 that separates them, with the positive points on its "
    "positive side; w has two numbers, b is one.",
    hints=(
        "Draw the points on paper and lay a ruler between them. Which two points does your line pass through?",
        "A line x_2 = m x_1 + c is w = (-m, 1), b = -c: positive above it.",
    ),
    returns=("w", "b"),
    requirements=(
        *LINE,
        Requirement(
            lambda w, b: f"the line passes through {points_where(eye_margins(w, b) == 0)}: no point may lie on it",
            lambda w, b: np.all(eye_margins(w, b)),
            (np.array([0.0, 1]), -2.0),
        ),
        TURNED,
        Requirement(
            lambda w, b: (
                f"on the wrong side: {points_where(eye_margins(w, b) < 0)}. "
                + (
                    "These are most of them: change the sign of w and b first."
                    if np.sum(eye_margins(w, b) < 0) > 4
                    else "Which way must the line move there?"
                )
            ),
            lambda w, b: np.all(eye_margins(w, b) > 0),
            (np.array([0.0, 1]), -2.5),
        ),
    ),
    example=_separating,
)


def _two_sets(rng):
    """Nine samples twice: a line separates one of the two sets, and none the other; which of them is luck."""
    while True:
        X = rng.integers(-4, 5, (2, 9, 2)).astype(float)
        w, b = rng.normal(size=2), rng.normal()
        y = np.where(X @ w + b > 0, 1.0, -1.0)
        y[1, rng.integers(9)] *= -1
        if all(-5 < labels.sum() < 5 for labels in y):
            found = [perceptron.certificate(*pair) for pair in zip(X, y, strict=True)]
            if found[0].separable and not found[1].separable:
                order = rng.permutation(2)
                return X[order[0]], y[order[0]], X[order[1]], y[order[1]]


def _separates(w, b, X, y):
    return np.all(y * (X @ w + b) > 0)


def _proves_none(alpha, X, y):
    return not np.append((alpha * y) @ X, alpha @ y).any()


def _others(X, y, V, z):
    """The samples that no line separates."""
    return (V, z) if perceptron.certificate(X, y).separable else (X, y)


def _prove_both(X, y, V, z):
    found = []
    for samples, labels in ((X, y), (V, z)):
        u, alpha, seen = np.zeros(3), np.zeros(9), {}
        while tuple(u) not in seen:  # the state after each epoch; it comes back, or an epoch was clean
            seen[tuple(u)] = alpha.copy()
            for i, x in enumerate(np.column_stack([samples, np.ones(9)])):
                if labels[i] * (u @ x) <= 0:
                    u, alpha[i] = u + labels[i] * x, alpha[i] + 1
        found.append((u, alpha - seen[tuple(u)]))  # how often each was used since: never, where the epoch was clean
    (line, _), (_, counts) = sorted(found, key=lambda pair: pair[1].any())
    return line[:2], line[2], counts


def _rest(alpha, X, y):
    """What the sum is, and why it is not 0."""
    total = np.append((alpha * y) @ X, alpha @ y)
    told = f"Σ alpha_i y_i (x_i, 1) is not 0 for the other set, but {', '.join(f'{x:.2g}' for x in total)}"
    if not (alpha @ X).any() or not (alpha @ np.column_stack([X, np.ones(len(X))])).any():
        return f"{told}: without the labels it is; each sample enters with its own"
    if not total[:2].any():
        return f"{told}: the samples cancel, and their 1 does not"
    if np.abs(total).max() < 0.01 * alpha.sum():
        return f"{told}: nearly 0 proves nothing; rounded numbers do not cancel"
    return told


def _why_neither(w, b, alpha, X, y, V, z):
    told = "your line separates neither of the two sets"
    if not np.any(w):
        return f"{told}: with w = 0 there is no line"
    if _separates(w, -b, X, y) or _separates(w, -b, V, z):
        return f"{told}; with -b it does"
    if _separates(w[::-1], b, X, y) or _separates(w[::-1], b, V, z):
        return f"{told}; with the entries of w exchanged it does"
    return told


prove_which = Construction(
    stars=2,
    notes="A 5.2, A 5.3.3",
    ask="Two sets of nine samples, yours: X, y and V, z. A line separates one of them. Return (w, b, alpha): a line "
    "that does, and for the other set nine whole numbers alpha_i from 0 to a million, not all 0, such that the sum of "
    "alpha_i times label times (sample, 1) is exactly 0. Such numbers are a proof that no line separates it; not to "
    "have found one is none. Do it without `perceptron.certificate`.",
    hints=(
        "On XOR the weights come back after four updates. What do the updates of such a round trip add up to?",
        "Let the loop run on both sets. On one it ends; on the other count the updates between two equal states.",
        "With whole numbers a state must come back where the loop does not end (why is not shown here).",
    ),
    returns=("w", "b", "alpha"),
    own=_two_sets,
    requirements=(
        Requirement(
            "w must be of shape (2,), alpha of shape (9,), and b one number",
            lambda w, b, alpha, *own: (np.shape(w), np.shape(b), np.shape(alpha)) == ((2,), (), (9,)),
            ([1.0], 0.0, np.ones(9)),
        ),
        Requirement(
            "your line separates a set with the labels the other way round: take -w and -b",
            lambda w, b, alpha, X, y, V, z: not (_separates(-w, -b, X, y) or _separates(-w, -b, V, z)),
            lambda *own: (*(-np.asarray(a) for a in _prove_both(*own)[:2]), np.ones(9)),
        ),
        Requirement(
            "a sample lies on your line: its score is 0, and 0 is on neither side",
            lambda w, b, alpha, X, y, V, z: (
                not any(
                    np.all(labels * (A @ w + b) >= 0) and np.any(w) and not _separates(w, b, A, labels)
                    for A, labels in ((X, y), (V, z))
                )
            ),
            lambda *own: (*_through_a_sample(*own), np.ones(9)),
        ),
        Requirement(
            _why_neither,
            lambda w, b, alpha, X, y, V, z: _separates(w, b, X, y) or _separates(w, b, V, z),
            ([0.0, 0.0], 0.0, np.ones(9)),
        ),
        Requirement(
            "one alpha is negative: then a sum of positive products need not be positive",
            lambda w, b, alpha, *own: np.min(alpha) >= 0,
            lambda *own: (*_prove_both(*own)[:2], -np.ones(9)),
        ),
        Requirement(
            "alpha must be whole numbers: then the sum is exact",
            lambda w, b, alpha, *own: np.all(alpha == np.rint(alpha)),
            lambda *own: (*_prove_both(*own)[:2], np.full(9, 0.5)),
        ),
        Requirement(
            "alpha must be at most a million: divide by a common factor",
            lambda w, b, alpha, *own: np.max(alpha) <= 1e6,
            lambda *own: (*_prove_both(*own)[:2], np.full(9, 2e6)),
        ),
        Requirement(
            "alpha = 0 proves nothing",
            lambda w, b, alpha, *own: np.any(alpha),
            lambda *own: (*_prove_both(*own)[:2], np.zeros(9)),
        ),
        Requirement(
            lambda w, b, alpha, *own: _rest(alpha, *_others(*own)),
            lambda w, b, alpha, *own: _proves_none(alpha, *_others(*own)),
            lambda *own: (*_prove_both(*own)[:2], np.ones(9)),
        ),
    ),
    example=_prove_both,
)


def _through_a_sample(*own):
    """The line that separates, moved until a positive sample lies on it."""
    w, b, _ = _prove_both(*own)
    X, y = own[:2] if _separates(w, b, *own[:2]) else own[2:]
    return w, b - np.min((X @ w + b)[y > 0])


from_loss_to_rule = Derivation(
    stars=1,
    notes="A 5.3.1, B, D 4",
    ask="From another loss to its rule. Let m = y(w·x + b), and take half of the squared loss, (1 - m)²/2, in the "
    "place of -m. Derive the step against its gradient with respect to w, one rule a line, until no d is left. Then "
    "say aloud which number stands before eta y x, and for which m it is 0 or negative.",
    hints=(
        "The derivative of a square comes first: (1 - m) times d(1 - m, w).",
        "What is left under the d is linear in w. Which vector does w multiply?",
    ),
    start="w - eta*d((1 - y*(w @ x + b))**2/2, w)",
    letters={"w": "d", "x": "d", "b": "number", "eta": "positive", "y": "±1"},
    free_of=("d",),
    lines=(
        "w - eta*(1 - y*(w @ x + b))*d(1 - y*(w @ x + b), w)",
        "w + eta*(1 - y*(w @ x + b))*y*x",
    ),
    slips=(
        (1, "w - 2*eta*(1 - y*(w @ x + b))*d(1 - y*(w @ x + b), w)", "a factor 2 is too much"),
        (1, "w - eta*(1 - y*(w @ x + b))", "does not follow"),
        (1, "w + eta*y*x", "the factor `1 - y * (w @ x + b)` is missing"),
        (1, "w - eta*(1 - y*(w @ x + b))*(-y)", "the factor `x` is missing"),
        (2, "w + eta*y*x", "the factor `1 - y * (w @ x + b)` is missing"),
        (1, "w + eta*(1 - y*(w @ x + b))*y*x", "take one at a time"),
        (2, "w - eta*(1 - y*(w @ x + b))*y*x", "the sign before"),
        (2, "w + eta*(1 - y*(w @ x + b))*x", "the factor `y` is missing"),
        (2, "w + eta*(1 - y*(w @ x + b))*y*w", "does not follow"),
    ),
)


def _run_of_three():
    """The updates on the three samples of the chapter: the weights before and after each, and the signed sample."""
    u, path = np.zeros(3), []
    for i in _learn(_X, _Y, 50)[2]:
        z = _Y[i] * np.append(_X[i], 1.0)
        path.append((u, z))
        u = u + z
    return path


def _longer_by_more():
    u, z = next((u, z) for u, z in _run_of_three() if u.any())
    grown = (u + z) @ (u + z) - u @ u
    moved = f"{'grow' if grown > 0 else 'fall'} by {abs(grown):g}"
    return f"on the chapter's three samples one update makes ‖u‖² {moved}, and R² is 26: it is no lower bound"


def _fewer_mistakes():
    Z = _Y[:, None] * np.column_stack([_X, np.ones(3)])
    wrong = [int(np.sum(Z @ (u + z) <= 0)) for u, z in _run_of_three()]
    k = next(k for k in range(1, len(wrong)) if wrong[k] > wrong[k - 1])
    return f"on the chapter's three samples update {k + 1} raises the mistakes from {wrong[k - 1]} to {wrong[k]}"


def _not_equal():
    u = _run_of_three()[1][0]
    star = np.array([1.0, 1, -4]) / np.sqrt(18)
    return f"after one update on the chapter's samples u*·u is {star @ u:.2f} and ‖u‖ is {np.linalg.norm(u):.2f}"


novikoff_proof = Proof(
    stars=2,
    notes="A 5.3.3",
    ask="Put Novikoff's proof together, for eta = 1: with u = (w, b), x~ = (x, 1) and the k-th update at sample i. "
    "Give the letters of the twelve lines that you need, each below what it uses; any such order is right. Three lines "
    "do not belong. After three wrong tries the letters are dealt anew.",
    hints=(
        "Two chains, one for u*·u_k and one for ‖u_k‖². Each begins with one update and ends with k of them.",
        "The mistake is used once: it makes the middle term of ‖u + y x~‖² at most 0. Cauchy-Schwarz joins the chains.",
    ),
    lines={
        "unit": Line("‖u*‖ = 1", "how long u* is"),
        "separates": Line("y_i u*·x~_i >= r > 0 for all samples", "that u* separates"),
        "radius": Line("‖x~_i‖ <= R for all samples", "that no sample is longer than R"),
        "start": Line("u_0 = 0", "where u starts"),
        "mistake": Line("y_i u_{k-1}·x~_i <= 0", "that sample i was wrong"),
        "forward": Line(
            "u*·u_k = u*·u_{k-1} + y_i u*·x~_i >= u*·u_{k-1} + r", "how far one update goes", ("separates",)
        ),
        "forward k": Line("u*·u_k >= k r", "how far k updates go", ("forward", "start")),
        "square": Line("‖u_k‖² = ‖u_{k-1}‖² + 2 y_i u_{k-1}·x~_i + ‖x~_i‖²", "the square of the new length"),
        "longer": Line(
            "‖u_k‖² <= ‖u_{k-1}‖² + R²", "how much longer one update makes it", ("square", "mistake", "radius")
        ),
        "longer k": Line("‖u_k‖² <= k R²", "how long k updates make it", ("longer", "start")),
        "Cauchy": Line("u*·u_k <= ‖u*‖ ‖u_k‖ = ‖u_k‖", "that no vector reaches farther than it is long", ("unit",)),
        "bound": Line("k r <= √k R, so k <= (R/r)²", "the bound", ("forward k", "longer k", "Cauchy")),
    },
    decoys={
        "more": Decoy("‖u_k‖² >= ‖u_{k-1}‖² + R²", _longer_by_more),
        "fewer": Decoy("after each update fewer samples are wrong", _fewer_mistakes),
        "equal": Decoy("u*·u_k = ‖u_k‖, because both separate", _not_equal),
    },
)


def _every_mistake(X, y):
    """Of the run from zero: the sample of each mistake, its margin there, and all margins at the end. What rounding
    alone keeps from 0 is 0; at most 300 epochs."""
    Z = y[:, None] * np.column_stack([X, np.ones(len(X))])
    u, used, found, nearly = np.zeros(len(Z.T)), list[int](), list[float](), 1e-9 * np.max(Z * Z)
    for i, z in list(enumerate(Z)) * 300:
        if z @ u <= nearly:
            used, found = [*used, i], [*found, z @ u if z @ u < -nearly else 0.0]
            u = u + z
    return used, found, Z @ u


def _from_to(values):
    return f"from {np.min(values):.4g} to {np.max(values):.4g}"


def _one_value(values):
    return np.ptp(values) <= 1e-6 * np.max(np.abs(values))


def _ones_and_minus_two():
    return np.ones((5, 5)) - 3 * np.eye(5), np.array([1.0, -1.0, 1.0, -1.0, 1.0])


_MIXED = np.array([1.0, -1.0, 1.0, -1.0, 1.0])
nothing_wasted = Construction(
    stars=3,
    notes="A 5.3.3",
    ask="Nothing wasted. Find samples X (N, d) and labels y (N,), for which the perceptron, visiting them in order "
    "from zero with eta = 1, makes exactly (R/r)² updates, with the r of the best line, and the appended 1 in R and r. "
    "Each inequality of the proof must be an equality. Give at least five samples, no two of them the same, of both "
    "labels, and each must be used.",
    hints=(
        "‖u_k‖² grows by R² each time only if all (x, 1) are equally long, and each mistake has the margin 0.",
        "A margin of 0 each time: let all (x, 1) be orthogonal. What is x_i·x_j then? In how many dimensions?",
        "Five vectors of equal length with x_i·x_j = -1: try rows that are 1 everywhere but in one place.",
    ),
    returns=("X", "y"),
    requirements=(
        Requirement(
            lambda X, y: f"X must be (N, d), and y (N,): yours are of shape {np.shape(X)} and {np.shape(y)}",
            lambda X, y: np.ndim(X) == 2 and np.shape(y) == (len(X),),
            (np.ones((5, 5)) - 3 * np.eye(5), _MIXED[:4]),
        ),
        Requirement(
            lambda X, y: f"at least five samples are asked for; you give {len(X)}",
            lambda X, y: len(X) > 4,
            (np.ones((4, 4)) - 3 * np.eye(4), _MIXED[:4]),
        ),
        Requirement(
            "two of your samples are the same",
            lambda X, y: len(np.unique(np.round(X, 6), axis=0)) == len(X),
            (np.array([[1.0], [1], [1], [-1], [-1]]), _MIXED),
        ),
        Requirement(
            "y must hold -1 and +1, both of them and nothing else",
            lambda X, y: set(y.tolist()) == {-1, 1},
            (np.ones((5, 5)) - 3 * np.eye(5), np.ones(5)),
        ),
        Requirement(
            lambda X, y: f"{len(set(_every_mistake(X, y)[0]))} of your {len(X)} samples made an update: each must",
            lambda X, y: len(set(_every_mistake(X, y)[0])) == len(X),
            (np.array([[2.0], [-2], [3], [-4], [5]]), _MIXED),
        ),
        Requirement(
            lambda X, y: f"‖(x, 1)‖² runs {_from_to(np.sum(X * X, axis=1) + 1)}: the proof takes R for each of them",
            lambda X, y: _one_value(np.sum(X * X, axis=1) + 1),
            (np.diag([3.0, 3, 3, 3, 9]) - 1, _MIXED),
        ),
        Requirement(
            lambda X, y: (
                f"the margins at the mistakes run {_from_to(_every_mistake(X, y)[1])}: where one is below 0, ‖u‖² "
                "grows by less than R²"
            ),
            lambda X, y: not any(_every_mistake(X, y)[1]),
            (3 * np.eye(5) - 2, _MIXED),
        ),
        Requirement(
            lambda X, y: (
                f"at the end the margins run {_from_to(_every_mistake(X, y)[2])}: the proof takes the smallest one "
                "for each"
            ),
            lambda X, y: _one_value(_every_mistake(X, y)[2]),
            (np.array([[1.0, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0]]), _MIXED),
        ),
    ),
    example=_ones_and_minus_two,
)


def _gram(X):
    return X @ X.T


gram = Exercise(
    stars=0,
    notes="A 5.3.4, B",
    ask="Return the Gram matrix G (N, N) of all inner products, G_ij = x_i·x_j. X (N, d) holds a sample per row; take "
    "it as it is: no labels, no column of ones.",
    hints=(
        "How many pairs of samples are there? G_ij needs row i and row j of X.",
        "Entry (i, j) of a matrix product is row i of the left times column j of the right factor.",
    ),
    answer=_gram,
    mistakes=(
        ("X @ X.T", "X.T @ X", "that is XᵀX (d, d), products of features; samples are the rows, so it is XXᵀ"),
        ("X @ X.T", "X * X", "X * X multiplies entry by entry; the inner product of two rows is x_i @ x_j"),
        ("X @ X.T", "np.outer(X, X)", "np.outer multiplies all single entries; G_ij is the inner product of two rows"),
        ("return", "X = X / np.linalg.norm(X, axis=1)[:, None]; return", "those are cosines: do not scale the samples"),
        ("return", "X = X - X.mean(axis=0); return", "you subtracted the mean of the samples: take them as they are"),
        ("X @ X.T", "np.cov(X)", "np.cov subtracts means and divides by d - 1: G holds the products alone"),
        ("X @ X.T", "np.sum((X[:, None] - X) ** 2, axis=2)", "those are squared distances, not inner products x_i·x_j"),
    ),
    cases=lambda rng: [
        Case(f"N = {N}, d = {d}", (rng.normal(size=(N, d)) + rng.uniform(0.5, 1, d),), {"N": N, "d": d})
        for N, d in ((5, 2), (3, 4), (3, 3), (1, 3), (7, 1))
    ],
    factors={"1/N": "G holds products, no means over the samples", "1/d": "an inner product is a sum, not a mean"},
)


def _eights():
    digits = datasets.digits()
    return digits.X, np.where(digits.y == 8, 1.0, -1.0)


def _signs_only(predictions):
    found = set(np.unique(predictions).tolist())
    if found <= {-1, 1}:
        return ""
    if found == {-1, 0, 1}:
        return "np.sign gives 0 where the score is 0: predictions must be -1 and +1 only"
    return f"{'those are scores: ' if len(found) > 3 else ''}predictions must be -1 and +1 only"


def _averaged(X, y, X_new):
    w, b, sum_w, sum_b = np.zeros(X.shape[1]), 0.0, np.zeros(X.shape[1]), 0.0
    for _ in range(10):
        for i in range(len(X)):
            if y[i] * (w @ X[i] + b) <= 0:
                w, b = w + y[i] * X[i], b + y[i]
            sum_w, sum_b = sum_w + w, sum_b + b
    return np.where(X_new @ sum_w + sum_b > 0, 1.0, -1.0)


eights = Project(
    stars=2,
    notes="A 5.3.1, B, D 4",
    ask="Eights. 1797 written digits, 64 bits each: +1 for an eight, -1 for any other digit. Write a function of X, y "
    "(N,) of -1 and +1, and X_new that returns the label of each row of X_new, by updates of the perceptron, and what "
    "you make of them. It is judged on eight halves that your name deals: at most 6.4 % wrong in the mean, and on none "
    "more than 8 %. Who says -1 to all is wrong for about 10 %.",
    hints=(
        "No line separates all 1797. Plot the mistakes of each epoch: does the line of the last update deserve trust?",
        "Many lines were passed on the way. What could you do with all of them, in place of the last one alone?",
    ),
    data=_eights,
    score=share_wrong,
    said=per_cent_wrong,
    mark=0.064,
    worst=0.08,
    doubt=0.015,
    outputs=_signs_only,
    answer=_averaged,
)

# --- more to type, at the end of the page ---


def _four_visits():
    X, y, w, b = np.array([[3.0, 3], [4, 3], [1, 1]]), np.array([1, 1, -1]), np.zeros(2), 0.0
    for i in (2, 1, 0, 2):
        if y[i] * (w @ X[i] + b) <= 0:
            w, b = perceptron.update(w, b, X[i], y[i])
    return w, b


perceptron_by_hand = ByHand(
    stars=0,
    notes="A 5.3, B, D 4",
    ask="Make four visits with a pencil: the perceptron with eta = 1 from w = (0, 0), b = 0. The samples are x1 = (3, "
    "3) and x2 = (4, 3) with y = +1, and x3 = (1, 1) with y = -1. Visit x3, x2, x1, x3, in this order. Give two "
    "values, (w_1, w_2) and b, after the last visit.",
    hints=(
        "At the start every score is 0. Is a score of 0 a mistake?",
        "It is: x3 is used at once, w = (-1, -1), b = -1. Two of the other three visits change w, too.",
    ),
    returns=("w", "b"),
    answer=_four_visits,
    mistakes=(
        ("<= 0", "< 0", "a score of 0 is a mistake: with < 0 nothing ever starts"),
        ("if y[i] * (w @ X[i] + b) <= 0", "if True", "x1 is right when you visit it: a right sample changes nothing"),
        ("X[i], y[i])\n", "X[i], 1)\n", "the label is missing: a negative sample is subtracted"),
        ("w, b = perceptron.update(w, b, X[i], y[i])", "w = w + y[i] * X[i]", "b moves, too: add y to it"),
        ("(2, 1, 0, 2)", "(2, 1, 0)", "the fourth visit is missing: x3 is wrong again"),
        ("(2, 1, 0, 2)", "(0, 1, 2, 0)", "you visited x1, x2, x3, x1: the order here is x3, x2, x1, x3"),
        ("(2, 1, 0, 2)", "(0, 1, 2, 2)", "you visited x1, x2, x3, x3: the order here is x3, x2, x1, x3"),
    ),
    cases=once,
)


def _loss_cases(rng):
    cases = []
    for N, d, truth, ties in ((12, 3, 0, 0), (10, 2, 0, 2), (8, 2, -1, 0), (7, 2, 1, 0), (11, 1, 0, 0)):
        X, y = integer_points(rng, N, d)
        w, b = rng.choice([-2.0, -1.0, 1.0, 2.0], d), float(rng.choice([-2, -1, 1, 2]))
        if not ties:
            X, w, b = X + rng.normal(size=(N, d)), w * rng.uniform(1, 2), b + rng.uniform(-0.5, 0.5)
        X[3 : 3 + ties, 0] -= (X[3 : 3 + ties] @ w + b) / w[0]  # on the plane, without rounding
        f = X @ w + b
        y = (truth * np.where(f < 0, -1, 1) if truth else y).astype(int)
        label = f"{N} samples of {d} features, {('some', 'none', 'all')[truth]} wrong, {ties} on the plane"
        cases.append(Case(label, (w, b, X, y), {"N": N, "M": max(np.sum(y * f <= 0), 1)}))
    return cases


def _loss(w, b, X, y):
    return np.sum(np.maximum(0, -y * (X @ w + b)))


perceptron_loss = Exercise(
    stars=0,
    notes="A 5.2, B",
    ask="Return the loss L(w, b) = -Σ y_i(w·x_i + b), one number: a sum over the misclassified samples only, those "
    "with y_i(w·x_i + b) <= 0, and 0 if there are none. w (d,), b a number, X (N, d), y (N,) of -1 and +1.",
    hints=(
        "Compute all N margins y_i(w·x_i + b) first. Which of them belong to the sum?",
        "Each sample gives max(0, -y_i(w·x_i + b)).",
    ),
    answer=_loss,
    mistakes=(
        ("np.maximum(0, ", "(", "you took all samples: the sum runs over the misclassified ones only"),
        ("-y", "y", "you took the samples that are right: the sum runs over the misclassified ones"),
        ("np.maximum(0, -y * (X @ w + b))", "y * (X @ w + b) <= 0", "you counted the mistakes: each adds -y(w·x + b)"),
        ("-y", "1 - y", "max(0, 1 - m) is the hinge loss of the SVM; the perceptron's is max(0, -m)"),
        ("b)))", "b)) ** 2)", "you squared the terms: they enter the sum as they are"),
        ("(X @ w + b)", "(X @ w) - b", "b is outside the brackets: y_i multiplies both w·x_i and b"),
        ("np.maximum(0, -y * (X @ w + b))", "np.abs(X @ w + b)", "you summed |w·x_i + b| over all samples"),
        ("b)))", "b))) / np.linalg.norm(w)", "that is the sum of distances; the perceptron's loss leaves 1/‖w‖ out"),
    ),
    cases=_loss_cases,
    factors={
        "-": "the margins of misclassified samples are negative, the loss is not",
        "2": "y - sign(f) is 2y at a mistake",
        "1/N": "the loss is a sum, not a mean",
        "1/M": "M is the number of misclassified samples: the loss is their sum, not their mean",
    },
)


def _example():
    w, b = np.array([1.0, 0.0]), -100.0  # far away, so that ‖w‖ matters: d = |w·x + b|/‖w‖
    x, y, eta = np.array([-1.0, 0.0]), 1, 0.1  # x points against y w, so the update shortens w
    return w, b, x, y, eta


def _misclassified(w, b, x, y, eta):
    return y * perceptron.decision_function(w, b, x) < 0


def _has_a_plane(w, b, x, y, eta):
    return np.linalg.norm(w + eta * y * x) > 1e-9 * np.linalg.norm(w)


def _still_wrong(w, b, x, y, eta):
    w, b = perceptron.update(w, b, x, y, eta)
    return _misclassified(w, b, x, y, eta)


def _farther(w, b, x, y, eta):
    new_w, new_b = perceptron.update(w, b, x, y, eta)
    return perceptron.distance(new_w, new_b, x) > perceptron.distance(w, b, x) * (1 + 1e-9)


def _nearer_in_the_book(w, b, x, eta):
    """The sample and the line of ch09-nearer-code, before or after its update, and mirrored."""
    one, six = (1, 1 - eta), (6, 6 - eta)
    on_the_axis = np.size(w) == 2 and w[1] == x[1] == 0
    return on_the_axis and all(np.isclose(abs(v), of).any() for v, of in ((w[0], one), (x[0], one), (b, six)))


_RIGHT = "x must be misclassified, y(w·x + b) < 0, and not on the plane, where any distance is farther"
_NO_PLANE = "the update makes w = 0: there is no plane any more"
_JUMPED = "the plane jumped over the sample, which is right now; note A means small steps"
_NEARER = "the sample is not farther away; look for a large |b| and an x opposite to y w"
perceptron_moves_away = Construction(
    stars=0,
    notes="A 5.3.2, erratum A50",
    ask="Return (w, b, x, y, eta), other than the page's, with y(w·x + b) < 0, for which the update makes the distance "
    "of the sample from the plane larger, and leaves it on the same wrong side. Note A says that this cannot happen "
    "for a small step. w, x (d,), b a number, y -1 or +1, 0 < eta <= 1.",
    hints=(
        "The distance is |w·x + b|/‖w‖. The update makes the numerator smaller; what may it do to the denominator?",
        "In one dimension: x opposite to y w, so that |w| shrinks, and |b| so large that the numerator hardly changes.",
    ),
    returns=("w", "b", "x", "y", "eta"),
    requirements=(
        Requirement(
            "w and x must be vectors of one length, shape (d,), and b, y, eta numbers",
            lambda *made: (
                [np.ndim(a) for a in made] == [1, 0, 1, 0, 0] and made[0].size and made[0].shape == made[2].shape
            ),
            ([1.0, 0.0], -1.0, [1.0], 1, 0.5),
        ),
        Requirement("w must not be 0: there is no plane", lambda w, *_: np.any(w), ([0.0], -1.0, [1.0], 1, 0.5)),
        Requirement("y must be -1 or +1", lambda w, b, x, y, eta: y in (-1, 1), ([1.0], -9.0, [-1.0], 2, 0.5)),
        Requirement("eta must lie in 0 < eta <= 1", lambda *made: 0 < made[-1] <= 1, ([1.0], -9.0, [-1.0], 1, 1.5)),
        Requirement(_RIGHT, _misclassified, ([1.0], 1.0, [-1.0], 1, 0.5)),
        Requirement(_NO_PLANE, _has_a_plane, ([0.5], -9.0, [-1.0], 1, 0.5)),
        Requirement(_JUMPED, _still_wrong, ([1.0, 0.0], -4.0, [3.0, 0.0], 1, 1.0)),
        Requirement(_NEARER, _farther, ([1.0, 0.0], 0.0, [-1.0, 0.0], 1, 0.1)),
    ),
    example=_example,
    printed=lambda w, b, x, y, eta: _nearer_in_the_book(w, b, x, eta),
)


def _bound_cases(rng):
    cases = []
    for N, d, nearest, scale in ((8, 2, 1, 1.0), (6, 1, -1, 1.0), (15, 4, -1, 1.0), (9, 2, 1, 1e-4)):
        w, b = rng.normal(size=d) * rng.uniform(0.5, 4), float(2 * rng.normal())
        y = rng.permutation(np.where(np.arange(N) < N // 3, -1.0, 1.0))
        m = rng.uniform(1, 4, N)
        m[rng.choice(np.flatnonzero(y == nearest))] = 0.5
        X = 3 * rng.normal(size=(N, d))
        X = X - np.outer(X @ w + b - y * m, w) / (w @ w)
        label = f"{N} samples, {d} features, numbers of the size {scale:g}, the nearest is a {nearest:+}"
        cases.append(Case(label, (w, scale * b, scale * X, y), {"N": N}))
    return cases


def _novikoff_bound(w, b, X, y):
    R_squared = np.max(np.sum(X * X, axis=1)) + 1  # ‖(x, 1)‖² = ‖x‖² + 1
    r = np.min(y * (X @ w + b)) / np.sqrt(w @ w + b * b)
    return R_squared / r**2


_MARGINS, _LENGTH = "y * (X @ w + b)", "np.sqrt(w @ w + b * b)"
novikoff_bound = Exercise(
    stars=0,
    notes="A 5.3.3",
    ask="Return the bound (R/r)² on the number of updates from a zero start, for a (w, b) that separates: with x~ = "
    "(x, 1), R = max_i ‖x~_i‖ and r = min_i y_i(w·x_i + b) once (w, b) is scaled to ‖(w, b)‖ = 1. Here (w, b) comes "
    "in any length. w (d,), b a number, X (N, d), y (N,) of -1 and +1.",
    hints=(
        "Doubling (w, b) must not change the bound: divide the margins by a length. Of which vector?",
        "R² = max ‖x_i‖² + 1 and r = min y_i(w·x_i + b)/√(w·w + b²).",
    ),
    answer=_novikoff_bound,
    mistakes=(
        (_LENGTH, "np.sqrt(w @ w)", "you divided r by ‖w‖: it needs ‖(w, b)‖ = √(w·w + b²)"),
        (f" / {_LENGTH}", "", "r is the margin for ‖(w, b)‖ = 1: divide by √(w·w + b²) first"),
        (_LENGTH, "(w @ w + b * b)", "you divided r by w·w + b²: the length is the square root of that"),
        ("np.min", "np.max", "r is the minimum, not the maximum"),
        (_MARGINS, "y * (X @ w)", "b is missing in the margins y(w·x + b)"),
        ("axis=1)) + 1", "axis=1))", "you left the 1 of the bias out: R is the largest ‖(x_i, 1)‖"),
        (") + 1", ") + 1 + 2 * np.linalg.norm(X, axis=1).max()", "you added 1 to the length: ‖(x, 1)‖² is ‖x‖² + 1"),
        ("np.max(np.sum(X * X, axis=1)) + 1", "np.sum(X * X) + len(X)", "you took all x~ together: R is the longest"),
        ("axis=1", "axis=0", "those are the lengths of the columns: the samples are the rows, axis=1"),
        ("R_squared /", "np.sqrt(R_squared) /", "R is not squared: the bound is (R/r)² = R²/r²"),
        ("**2", "", "r is not squared: the bound is (R/r)² = R²/r²"),
        (
            "R_squared / r**2",
            "np.ceil(R_squared / r**2)",
            "you rounded up: the bound itself is a number with a fraction",
        ),
    ),
    cases=_bound_cases,
)


def _primal(alpha, y, X):
    return (alpha * y) @ X, np.sum(alpha * y)


dual_to_primal = Exercise(
    stars=0,
    notes="A 5.3.4, B",
    ask="Return (w, b) from the dual coefficients alpha (N,) of the perceptron, w (d,) and b a number: w = Σ_i "
    "alpha_i y_i x_i, and b the sum of its own updates eta y_i from b = 0. y (N,) of -1 and +1, X (N, d).",
    hints=(
        "alpha_i is eta times the number of updates at sample i. By what did each of them change w, and b?",
        "b is what w would be for the feature that is always 1: Σ_i alpha_i y_i.",
    ),
    answer=_primal,
    returns=("w", "b"),
    mistakes=(
        ("np.sum(alpha * y)", "np.sum(y[alpha > 0])", "in b you count each sample once: count it alpha_i times"),
        ("return", "alpha = alpha > 0; return", "you count each sample once: count it alpha_i times"),
        ("np.sum(alpha * y)", "0.0", "b is not 0: it is Σ alpha_i y_i"),
        ("np.sum(alpha * y)", "np.mean(alpha * y)", "b is the sum of the alpha_i y_i, not their mean"),
        ("return", "alpha = alpha / alpha.sum(); return", "you divided alpha by its sum: take it as it is"),
        ("(alpha * y) @ X", "np.sum(alpha * y) * X.sum(axis=0)", "multiply each x_i by its alpha_i y_i, then sum"),
        ("np.sum(alpha * y)", "np.mean(y - X @ ((alpha * y) @ X))", "b is no mean of y_i - w·x_i: it is Σ alpha_i y_i"),
    ),
    cases=lambda rng: [
        Case(f"N = {len(X)}, d = {len(X.T)}, eta = {eta}", (np.abs(start[1:]), y, X), {"N": len(X)})
        for _, X, y, _, eta, start in _runs(rng)
        if start.any()
    ],
    factors={"1/N": "these are sums, not means", "-": "each update adds eta y_i x_i"},
)


def _dual_step(alpha, b, i, G, y, eta):
    if y[i] * (G[i] @ (alpha * y) + b) <= 0:
        return alpha + eta * (np.arange(len(y)) == i), b + eta * y[i]
    return alpha, b


_DUAL = """if y[i] * (G[i] @ (alpha * y) + b) <= 0:
        return alpha + eta * (np.arange(len(y)) == i), b + eta * y[i]"""
perceptron_dual_step = Exercise(
    stars=0,
    notes="A 5.3.4, B",
    ask="Return (alpha, b) after the visit of sample i in the dual form: if y_i(Σ_j alpha_j y_j G_ij + b) <= 0, "
    "alpha_i grows by eta and b by eta y_i. alpha (N,), G (N, N) = [x_i·x_j], y (N,) of -1 and +1, b a number, eta a "
    "number > 0; do not change the array alpha. Your function is tried on many steps in a row.",
    hints=(
        "With w = Σ_j alpha_j y_j x_j, what is w·x_i? Which row of G does it need?",
        "The score is G[i] @ (alpha * y) + b. alpha_i grows by eta alone: y_i stands already in alpha_i y_i x_i.",
    ),
    answer=_dual_step,
    mistakes=(
        *_of_a_visit("y[i]"),
        ("eta * (np.arange", "(np.arange", "alpha_i grows by eta, not by 1"),
        ("(alpha * y)", "alpha", "the labels y_j are missing in Σ_j alpha_j y_j G_ij"),
        ("G[i] @ (alpha * y)", "alpha[i] * y[i] * G[i, i]", "the sum Σ_j runs over all samples: you took j = i only"),
        ("(alpha * y)", "(eta * alpha * y)", "alpha_j holds eta already: the score is Σ_j alpha_j y_j G_ij + b"),
        (" + b) <= 0", " + alpha @ y) <= 0", "you took Σ_j alpha_j y_j for b: take the b that came in"),
        ("alpha + eta *", "alpha + eta * y[i] *", "alpha_i grows by eta, not by eta y_i: y_i is in alpha_i y_i x_i"),
        ("(np.arange(len(y)) == i)", "1", "you let all of alpha grow: only alpha_i grows"),
        ("alpha + eta *", "alpha * (np.arange(len(y)) != i) + eta *", "you set alpha_i to eta: it must grow by eta"),
        ("return alpha + eta", "eta = 1.0; return alpha + eta", "eta is missing: you added 1 to alpha_i and y_i to b"),
        (
            _DUAL,
            f"alpha = np.trunc(alpha)\n    {_DUAL.replace('+ eta * (', '+ np.trunc(eta) * (')}",
            "alpha is cut to whole numbers: dtype=int keeps no fraction of eta",
        ),
    ),
    cases=lambda rng: [
        Case(label, ((np.abs(start[1:]), start[0]), [(i, X @ X.T, y, eta) for i in order]))
        for label, X, y, order, eta, start in _runs(rng)
    ],
    play=run,
)


def _ended(order):
    return perceptron.fit(_X, _Y, order=np.array(order))


before = {
    "ch09-machine": Question(
        lambda: [1, 1, -1],
        {
            "sign(0) = +1: the point on the line is positive": lambda: [-1, 1, -1],
            "np.sign(0) is 0, and 0 is no label": lambda: [0, 1, -1],
            "those are the scores; a label is a sign": lambda: [0, 1, -3],
        },
    ),
    "ch09-plane": Question(
        lambda: [-1, 3 / np.sqrt(5)],
        {
            "the label is that of the sign of w·x + b; above or below says nothing": lambda: [1, 3 / np.sqrt(5)],
            "divide the score by the length of w": lambda: [-1, 3],
            "a distance is not negative": lambda: [-1, -3 / np.sqrt(5)],
        },
    ),
    "ch09-wrong": Question(
        lambda: 3,
        {
            "with w = 0 every product is 0, and 0 is a mistake": lambda: 0,
            "a product of 0 is a mistake whatever the label": lambda: 1,
        },
    ),
    "ch09-update": Question(
        lambda: [2, 2, 0],
        {
            "x3 is wrong after the first update, so it makes a second one": lambda: [3, 3, 1],
            "a negative sample is subtracted, and its b too": lambda: [4, 4, 2],
            "b moves as well, by y": lambda: [2, 2, 1],
        },
    ),
    "ch09-orders": Question(
        lambda: len({(*fit.w, fit.b) for fit in map(_ended, permutations(range(3)))}),
        {
            "several orders may end on one line": lambda: 6,
            "the algorithm stops at the first line without a mistake, and there are many": lambda: 1,
        },
    ),
    "ch09-separable": Question(
        lambda: 3,
        {
            "add the conditions of samples 1 and 4, and those of 2 and 3": lambda: 4,
            "a line may cut off one corner alone": lambda: 2,
        },
    ),
    "ch09-gradient": Question(
        lambda: np.append(*perceptron.gradient(np.array([1.0, -2.0]), 0.5, _X, _Y)),
        {
            "the step goes against the gradient: the gradient itself is -Σ y x": lambda: [7, 6, 2],
            "x3 is right there: only the mistakes count": lambda: [-6, -5, -1],
        },
    ),
    "ch09-kink": Question(
        lambda: [-6, -2],
        {
            "below -6 sample 1 is wrong, already": lambda: [-7, -2],
            "first the smaller end, then the larger one": lambda: [-2, -6],
        },
    ),
    "ch09-dropped": Question(
        lambda: 0.004,
        {
            "the line stays, but each score is divided by 1000": lambda: 4,
            "a score holds w once, not squared": lambda: 4e-6,
        },
    ),
    "ch09-monotone": Question(
        lambda: [4, 8],
        {
            "those are the updates before it": lambda: [3, 7],
            "those are the updates that mend it": lambda: [5, 9],
        },
    ),
    "ch09-improves": Question(
        lambda: perceptron.novikoff_bound(np.ones(2), -4.0, _X, _Y),
        {
            "the length of (w, b) is the root of 18: r is the smallest product divided by it": lambda: 26 / 4,
            "R² holds the 1 of the bias, too": lambda: 25 * 18 / 4,
            "the length is that of (w, b), not of w": lambda: 26 * 2 / 4,
            "not squared: the bound is (R/r)²": lambda: np.sqrt(117),
            "r is not squared: the bound is (R/r)² = R²/r²": lambda: 26 / np.sqrt(4 / 18),
            "that many were made; the bound is asked": lambda: 11,
        },
    ),
    "ch09-dual": Question(
        lambda: perceptron.fit_dual(_X @ _X.T, _Y, order=np.array([0, 2, 1])).alpha,
        {
            "give them in the order of the samples: x1, x2, x3": lambda: [1, 8, 2],
            "those are w and b; count the updates of each sample": lambda: [3, 1, -5],
        },
    ),
    "ch09-nearer": Question(
        lambda: [7, 12],
        {
            "those are the scores: divide each by the length of its w": lambda: [7, 6],
            "w becomes shorter, too": lambda: [7, 5.5],
        },
    ),
}
