"""Exercises of other kinds: a line to draw, a wrong line to find."""

import numpy as np

from linmodels import svm

from .grading.by_hand import wrong_line
from .grading.checker import Construction, Requirement
from .perceptron import EYE_LABELS, EYE_POINTS, is_line, points_where

# --- draw a line, and have it judged ----------------------------------------------------------------------------


def _widest():
    """The distance of the best line to the nearest of the eight points."""
    machine = svm.fit(EYE_POINTS, EYE_LABELS)
    return svm.geometric_margin(machine.w, machine.b, EYE_POINTS, EYE_LABELS)


def _street():
    return np.array([-1.0, 2.0]), -2.0  # parallel to the edge from (2, 1) to (6, 3), half way to (2, 3) and (4, 4)


def _narrow(w, b):
    m = EYE_LABELS * (EYE_POINTS @ w + b) / np.linalg.norm(w)
    nearest = " and ".join(f"({x:g}, {y:g})" for x, y in EYE_POINTS[m < m.min() + 0.05])
    return f"the nearest points are {m.min():.3f} away, and {_widest():.3f} is possible: move away from {nearest}"


street_by_eye = Construction(
    chapter="10",
    stars=2,
    notes="D 5",
    ask="The street of a separating line is the band around it that reaches to the nearest points. Draw the widest "
    "one by eye: return (w, b) of a line that separates the positive points (1, 4), (2, 3), (3, 5), (4, 4) from "
    "the negative ones (2, 1), (4, 2), (5, 1), (6, 3), and whose distance to the nearest point is at least 95 % "
    "of the largest possible; w has any length.",
    hints=(
        "Which points would the street touch? On each side of the line the nearest ones must be equally far.",
        "Take the edge of one class, a line through two of its points. The best line is parallel to it, in the middle.",
    ),
    returns=("w", "b"),
    requirements=(
        Requirement("w must hold two numbers, and b be one", is_line, (np.ones(3), 0.0)),
        Requirement("w = (0, 0) is no line", lambda w, b: w.any(), (np.zeros(2), 1.0)),
        Requirement(
            "it separates the points, but the positive ones lie on its negative side: change the sign of w and b",
            lambda w, b: np.any(EYE_LABELS * (EYE_POINTS @ w + b) > 0),
            (np.array([1.0, -2]), 2.0),
        ),
        Requirement(
            lambda w, b: (
                f"first it must separate them; on the wrong side or on the line: {points_where(w, b, lambda m: m <= 0)}"
            ),
            lambda w, b: np.all(EYE_LABELS * (EYE_POINTS @ w + b) > 0),
            (np.array([0.0, 1]), -2.5),
        ),
        Requirement(
            _narrow,
            lambda w, b: svm.geometric_margin(w, b, EYE_POINTS, EYE_LABELS) >= 0.95 * _widest(),
            (np.array([-1.0, 2.0]), -3.5),
        ),
    ),
    example=_street,
)


# --- the wrong line of a derivation -----------------------------------------------------------------------------


def _machine_lines(c, s):
    """The dual of two points x, -x with labels +1, -1, x·x = s and both multipliers c: w = 2c x, w·w = 4c²s."""
    square = 4 * c**2 * s
    return [
        (2 * c * np.sqrt(s), np.sqrt(square)),
        (c - c, 0.0),
        (square / 2 - (square - 2 * c), square / 2 - square + 2 * c),
        (square / 2 - square + 2 * c, square / 2 + 2 * c),
    ]


def _line_of_the_dual():
    return 4, 1.0, 2.0, 2 - 4.0


wrong_line_of_the_dual = Construction(
    chapter="10",
    stars=3,
    notes="D 5",
    ask="One of four lines is wrong. The two points are x and -x, with labels +1 and -1; s = x·x, both multipliers "
    "are c, and L is the Lagrangian at w = Σ α_i y_i x_i. (1) ‖w‖ = 2c√s. (2) Σ α_i y_i = 0. (3) L = w·w/2 - (w·w "
    "- Σ α_i). (4) L = w·w/2 + Σ α_i. Return (line, c, s, right): its number, a c > 0 and an s > 0 for which its "
    "two sides differ, and the value of L that should stand there.",
    hints=(
        "Take c = 1 and s = 2: what are w·w and Σ α_i? Compute both sides of each line.",
        "In line 4 two terms with w·w become one: 1/2 - 1 is not 1/2.",
    ),
    returns=("line", "c", "s", "right"),
    requirements=(
        Requirement("c and s must be positive", lambda k, c, s, right: c > 0 and s > 0, (4, -1.0, 2.0, 0.0)),
        *wrong_line(_machine_lines, (3, 1.0, 2.0, 0.0)),
    ),
    example=_line_of_the_dual,
)
