"""Exercises of chapter 13: predict a picture, know a pull, write the one loop, choose a model."""

import numpy as np

from linmodels.special import sigmoid

from .grading.by_hand import ByHand, once
from .grading.checker import Case, Exercise, run

chapter = "13"


def _turning():
    return np.array([1.0, 1, 0, 0, 0])


_FIVE = "[1.0, 1, 0, 0, 0]"
whose_line_turns = ByHand(
    stars=1,
    notes="C 3.3, D 1",
    ask="Predict a picture: five samples of class 1 are added at the end, far to the lower right, on the right side "
    "of every line. Whose line turns? Give five numbers, 1 for a line that turns and 0 for one that stays: least "
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
    stars=2,
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


def _choice():
    return np.array([4.0, 8, 3, 10, 2, 1])


choose_the_model = ByHand(
    stars=2,
    notes="A 1, C 4.2, D 5",
    ask="Choose a model for each of six problems, and give six chapter numbers: the probability that a loan is paid "
    "back; the topic of a short text from its words, learned from very few texts; the number of calls in an hour; the "
    "street with the most room between two classes; the few genes of 5000 that matter for a blood value; the height "
    "of a plant from one length, without a penalty.",
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
        ("[4.0", "[10.0", "the scores of that machine are no probabilities"),
        ("[4.0", "[9.0", "a perceptron says which class, and not how probable"),
    ),
    one_by_one=True,
    cases=once,
)
