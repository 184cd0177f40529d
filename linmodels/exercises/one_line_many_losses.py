"""Exercises of chapter 13: predict a picture, know a pull, write the one loop, prove a sum, choose a model."""

import numpy as np

from linmodels import datasets, design, linear_regression, logistic_regression, svm
from linmodels.special import sigmoid

from .grading.before import Question
from .grading.by_hand import ByHand, once
from .grading.checker import Case, Exercise, run
from .grading.prove import Decoy, Line, Proof

chapter = "13"


def _turning():
    return np.array([1.0, 1, 0, 0, 0])


_FIVE = "[1.0, 1, 0, 0, 0]"
whose_line_turns = ByHand(
    stars=1,
    notes="C 3.3, D 1",
    ask="Predict a picture: five samples of class 1 are added at the end, far to the lower right, on the correct "
    "side of every line. Whose line turns? Give five numbers, 1 for a line that turns and 0 for one that stays: least "
    "squares, Fisher, logistic regression, the perceptron, the support vector machine, in this order.",
    hints=(
        "Which methods look at samples that are already right, and far out? Chapter 06 has drawn two of them.",
        "Fisher's direction is that of least squares. A perceptron looks at a sample only if it is wrong.",
    ),
    returns=("the five lines",),
    answer=_turning,
    mistakes=(
        (_FIVE, "[1.0, 0, 0, 0, 0]", "Fisher's direction uses the means and the scatter of all samples"),
        (_FIVE, "[1.0, 1, 1, 0, 0]", "for logistic regression the five have a loss near 0"),
        (_FIVE, "[0, 0, 0, 0, 0.0]", "least squares wants an output of 1, and the five have much more"),
        (_FIVE, "[1.0, 1, 0, 1, 0]", "a perceptron changes nothing for a sample that is right"),
        (_FIVE, "[1.0, 1, 0, 0, 1]", "the five lie beyond the street, and are no support vectors"),
    ),
    one_by_one=True,
    cases=once,
)


def _pulls():
    return -2.0, sigmoid(-2.0), 0.0, 0.0


_ALL = "-2.0, sigmoid(-2.0), 0.0, 0.0"
pull_at_two = ByHand(
    stars=1,
    notes="A 5.2, C 3.3",
    ask="Give the pulls of a sample with the margin m = 2, minus the slope of each loss there, to three digits: "
    "squared (1 - m)², logistic ln(1 + e^-m), perceptron max(0, -m), hinge max(0, 1 - m), in this order. A calculator "
    "may help.",
    hints=(
        "The sign matters: the pull is minus the slope. Where is each loss flat?",
        "Squared: 2(1 - m). Logistic: 1/(1 + e^m). Perceptron and hinge are flat at m = 2.",
    ),
    returns=("squared", "logistic", "perceptron", "hinge"),
    answer=_pulls,
    mistakes=(
        (_ALL, "2.0, -sigmoid(-2.0), 0.0, 0.0", "those are the slopes: the question says what a pull is"),
        (_ALL, "1.0, np.log1p(np.exp(-2.0)), 0.0, 0.0", "those are the losses themselves, not their slopes"),
        (_ALL, "6.0, sigmoid(2.0), 1.0, 1.0", "those are the pulls of a sample that is wrong: with m = 2 it is right"),
        ("-2.0, s", "2.0, s", "the squared loss rises beyond m = 1: which way does its pull move m?"),
        ("-2.0, s", "1.0, s", "that is the squared loss itself: its slope is needed"),
        ("-2.0, s", "-1.0, s", "that is 1 - m: differentiate the whole square (1 - m)²"),
        ("sigmoid(-2.0)", "sigmoid(2.0)", "that is σ(2): write the slope of ln(1 + e^-m) as a fraction"),
        ("sigmoid(-2.0)", "-sigmoid(-2.0)", "the logistic loss falls: which way does its pull move m?"),
        ("sigmoid(-2.0)", "np.log1p(np.exp(-2.0))", "that is the logistic loss itself"),
        ("sigmoid(-2.0)", "sigmoid(-2.0) * sigmoid(2.0)", "that is σ'(2): the loss is ln(1 + e^-m), not σ"),
        ("sigmoid(-2.0)", "np.exp(-2.0)", "that is e^-m: where does the 1 of ln(1 + e^-m) go?"),
        *(("0.0, 0.0", f"0.0, {a}", "the hinge: on which side of its corner does m = 2 lie?") for a in (1.0, -1.0)),
        *(
            ("0.0, 0.0", f"{a}, 0.0", "the perceptron: on which side of its corner does m = 2 lie?")
            for a in (1.0, -1.0)
        ),
    ),
    one_by_one=True,
    cases=once,
)


def _step(w, x, y, eta, pull):
    m = y * (w @ x)
    return w + eta * pull(m) * y * x


def _step_cases(rng):
    cases = []
    for loss, pull, d in (
        ("the squared loss", lambda m: 2 * (1 - m), 2),
        ("the logistic loss", lambda m: sigmoid(-m), 3),
        ("the hinge", lambda m: np.where(m < 1, 1.0, 0.0), 1),
    ):
        X = np.column_stack([rng.normal(size=(9, d)), np.ones(9)])
        visits = [(x, y, rng.uniform(0.2, 0.5), pull) for x, y in zip(X, rng.choice([-1.0, 1.0], 9), strict=True)]
        cases.append(Case(loss, ((rng.normal(size=d + 1),), visits), {"d": d + 1}))
    return cases


margin_step = Exercise(
    stars=1,
    notes="A 5.3.1, C 3.1, E",
    ask="Return the new w (d,) after one step against the gradient of φ(y w·x), for any loss φ of the margin. pull is "
    "a function: pull(m) is -φ'(m). x (d,) ends in the 1 of the bias, y is -1 or +1, eta > 0; leave w as it is. Runs "
    "of many steps are judged.",
    hints=(
        "First the margin, m = y w·x. The gradient by w is φ'(m) y x.",
        "Against the gradient: add eta * pull(m) * y * x.",
    ),
    answer=_step,
    mistakes=(
        ("m = y * (w @ x)", "m = w @ x", "the margin is y w·x: multiply by y"),
        ("pull(m) * y * x", "pull(m) * x", "y is missing: the gradient of y w·x is y x"),
        ("pull(m) * y", "y", "pull(m) is missing: every sample would pull with 1"),
        ("w + eta", "eta", "that is the step alone: add it to w"),
        ("pull(m)", "sigmoid(-m)", "pull is an argument: σ(-m) is that of the logistic loss alone"),
        ("eta *", "(m <= 0) * eta *", "you move at mistakes only, as the perceptron does: every sample pulls"),
        ("(w @ x)", "(w @ x) / np.linalg.norm(w)", "the margin is y w·x itself: do not divide it by ‖w‖"),
    ),
    cases=_step_cases,
    play=run,
)


def _taken_apart():
    X, w = np.array([[1.0, 0], [2, 0]]), np.array([5.0, 1])
    return X, w, X.T @ np.linalg.pinv(X.T) @ w


def _not_cheaper():
    _, _, u = _taken_apart()
    return f"if v = 0, then w = u, and both sides are equal: for u = ({u[0]:g}, {u[1]:.0f}) they are {u @ u / 2:g}"


def _same_losses():
    X, w, u = _taken_apart()
    (a, b), (c, d) = X @ w, X @ u
    return (
        f"for the samples (1, 0) and (2, 0) and w = (5, 1), w·x_i is {a:g} and {b:g}, and u·x_i is {c:g} and {d:g}: "
        "which of the losses changes?"
    )


def _nothing_left():
    _, w, u = _taken_apart()
    return f"for the samples (1, 0) and (2, 0) and w = (5, 1), v = ({w[0] - u[0]:.0f}, {w[1] - u[1]:.0f})"


sum_of_samples = Proof(
    stars=2,
    notes="E",
    ask="A pair (w, b) makes ½‖w‖² + C Σ_i φ(m_i) smallest, m_i = y_i(w·x_i + b), for any loss φ. Give the letters of "
    "the nine lines that prove: w is a sum of multiples of samples. Each stands below what it uses; any such order is "
    "right. Three lines do not belong: they are false. After three wrong tries the letters are dealt anew.",
    hints=(
        "What do the losses know of v? Answer this first, from w·x_i.",
        "What does v cost? Then compare (w, b) with another pair that the losses cannot tell from it.",
    ),
    lines={
        "best": Line("no pair has a smaller value of ½‖w‖² + C Σ_i φ(m_i) than (w, b)", "that (w, b) is best"),
        "split": Line("w = u + v, with u = Σ_i c_i x_i, and v·x_i = 0 for each i", "how w is taken apart"),
        "scores": Line("w·x_i + b = u·x_i + b for each i", "that the scores do not see v", ("split",)),
        "losses": Line("Σ_i φ(m_i) is the same for (u, b) and (w, b)", "that no loss changes", ("scores",)),
        "orthogonal": Line("u·v = Σ_i c_i (x_i·v) = 0", "that u and v are orthogonal", ("split",)),
        "squares": Line("‖w‖² = ‖u‖² + ‖v‖²", "the length of w", ("orthogonal",)),
        "cheaper": Line("if v ≠ 0, then ½‖u‖² < ½‖w‖²", "that v costs something", ("squares",)),
        "zero": Line("v = 0, for otherwise (u, b) has a smaller value", "that v is 0", ("best", "losses", "cheaper")),
        "claim": Line("w = Σ_i c_i x_i", "the claim", ("zero", "split")),
    },
    decoys={
        "always": Decoy("½‖u‖² < ½‖w‖²", _not_cheaper),
        "fewer": Decoy("Σ_i φ(m_i) is smaller for (u, b) than for (w, b)", _same_losses),
        "different": Decoy("if the samples are different from one another, then v = 0 for each w", _nothing_left),
    },
)


def _coefficients(C, m):
    squared = 2 * C * (1 - m)
    logistic = C * sigmoid(-m)
    hinge = 0.0
    return squared, logistic, hinge


SQUARED, LOGISTIC = "2 * C * (1 - m)", "C * sigmoid(-m)"
coefficients_by_hand = ByHand(
    stars=1,
    notes="E",
    ask="At the minimum of ½‖w‖² + C Σ_i φ(m_i) a sample has the margin m. Give its coefficient α in "
    "w = Σ_i α_i y_i x_i, to three digits, if φ is the squared loss (1 - m)², the logistic loss ln(1 + e^-m), the "
    "hinge max(0, 1 - m), in this order. C and m are your own; a calculator may help.",
    hints=(
        "A coefficient is a pull, and what else?",
        "Where m lies, is the squared loss rising or falling? Is the hinge still there?",
    ),
    returns=("squared", "logistic", "hinge"),
    answer=_coefficients,
    mistakes=(
        (SQUARED, "2 * C * (m - 1)", "the squared loss: which way does its pull move m?"),
        (SQUARED, "C * (1 - m)", "the squared loss: differentiate the whole square"),
        (SQUARED, "2 * (1 - m)", "the squared loss: that is the pull; what stands before the sum of losses?"),
        (SQUARED, "C * (1 - m) ** 2", "the squared loss: that is C times the loss itself"),
        (LOGISTIC, "C * sigmoid(m)", "the logistic loss: take the probability of the wrong class"),
        (LOGISTIC, "-C * sigmoid(-m)", "the logistic loss: which way does its pull move m?"),
        (LOGISTIC, "sigmoid(-m)", "the logistic loss: that is the pull; what stands before the sum of losses?"),
        (LOGISTIC, "C * np.log1p(np.exp(-m))", "the logistic loss: that is C times the loss itself"),
        ("0.0", "C", "the hinge: on which side of its corner does m lie?"),
        ("0.0", "C * (1 - m)", "the hinge: it is the larger of two numbers, and flat beyond its corner"),
    ),
    one_by_one=True,
    cases=lambda rng: [Case("your sample", (int(rng.integers(2, 7)), float(rng.integers(12, 29)) / 10))],
)


def _choice():
    return np.array([4.0, 8, 3, 10, 2, 1])


choose_the_model = ByHand(
    stars=2,
    notes="A 1, C 4.2, D 5",
    ask="Choose a model for each of six problems, and give six chapter numbers: the probability that a loan is paid "
    "back; the topic of a short text from its words, learned from very few texts; the number of calls in an hour; the "
    "straight street with the most room between two classes; the few genes of 5000 that matter for a blood value; a "
    "plant's height from the length of its leaf, by a straight line without a penalty.",
    hints=(
        "Ask what is wanted: a probability, words, a count, a street, a few of many features, a number.",
        "A Poisson model is in chapter 03, the lasso in 02. The widest street is that of the support vector machine.",
    ),
    returns=("the six chapters",),
    answer=_choice,
    mistakes=(
        ("8, 3", "4, 3", "words that occur or not, and short texts: counts do it"),
        ("3, 10", "1, 10", "a count of calls cannot be negative: which distribution has counts?"),
        ("10, 2", "9, 2", "a perceptron stops at the first line that separates, not at the widest street"),
        ("2, 1", "1, 1", "5000 features and few samples: least squares is not unique there, and keeps all of them"),
        ("10, 2", "12, 2", "chapter 12 bends the boundary: which chapter has the straight street?"),
        ("[4.0", "[5.0", "paid back or not are two outcomes: which chapter has the model for two?"),
        ("[4.0", "[10.0", "the scores of the support vector machine are no probabilities"),
        ("[4.0", "[9.0", "a perceptron says which class, and not how probable"),
        ("[4.0", "[3.0", "that GLM has a chapter of its own: the one for two outcomes"),
        ("8, 3", "5, 3", "softmax needs enough texts to fit a weight for each word: very few texts do for counts"),
        ("2, 1", "4, 1", "a blood value is a number, and no class: which chapter has the penalty for a number?"),
        ("2, 1", "2, 2", "the height: without a penalty, and one feature: which chapter comes before the penalty?"),
        ("2, 1", "2, 3", "the height is a number with a straight line: which chapter has least squares alone?"),
    ),
    one_by_one=True,
    cases=once,
)


def _sets():
    """The forty samples of the chapter, separable."""
    X, t = datasets.clusters([[-2, -1], [2, 1]], 20, spread=0.9, rng=np.random.default_rng(4))
    return np.round(4 * X) / 4, t


def _lines_that_turn():
    """How many of three lines turn by more than a degree when one sample moves from (3, 0) to (12, -6)?"""
    X, t = _sets()

    def angles(place):
        X_one, t_one = np.vstack([X, [place]]), np.append(t, 1)
        A, y = design.augment(X_one), design.signs(t_one)
        found = (
            linear_regression.least_squares(A, y),
            logistic_regression.fit(A, t_one, design.free_bias(0.1, 3)).w,
            svm.fit(X_one, y, C=10.0).w,
        )
        return np.array([np.degrees(np.arctan2(w[1], w[0])) for w in found])

    return float(np.sum(abs(angles((3.0, 0.0)) - angles((12.0, -6.0))) > 1))


before = {
    "ch13-farther": Question(
        lambda: [1, -1, 0],
        {
            "beyond the corner of the hinge nothing changes": lambda: [1, -1, -1],
            "compare the squared pull at 3 and at 10, without the sign": lambda: [-1, -1, 0],
            "the logistic pull is the probability of the wrong class: what becomes of it?": lambda: [1, 1, 0],
            "the logistic loss is not flat there, only nearly": lambda: [1, 0, 0],
        },
    ),
    "ch13-moved": Question(
        _lines_that_turn,
        {
            "which pulls are nearly 0 at both places?": lambda: 3,
            "the title of the left picture tells the three directions": lambda: 2,
            "is one of the three pulls far from 0 at the second place?": lambda: 0,
        },
    ),
    "ch13-jump": Question(
        lambda: 1,
        {
            "its pull changes gradually with the margin, and a smaller step moves less": lambda: 2,
            "its pull is 0 at m = 1, and near the minimum the small steps nearly balance": lambda: 3,
        },
    ),
    "ch13-negative": Question(
        lambda: [1, 0, 0],
        {
            "σ is a probability: can it be negative?": lambda: [1, 1, 0],
            "the hinge never pulls back": lambda: [1, 0, 1],
            "which loss rises again for large margins?": lambda: [0, 0, 0],
        },
    ),
    "ch13-half": Question(
        lambda: 0.5,
        {
            "each column is half of w; the square of a half is a quarter; there are two columns": lambda: 0.25,
            "in which direction do you go: from softmax to w, or back?": lambda: 2,
            "the columns are shorter than w": lambda: 1,
        },
    ),
}
