"""Exercises of chapter 14: find the wrong line, and prove it with numbers."""

import numpy as np

from .grading.by_hand import wrong_line
from .grading.checker import Construction, Requirement

chapter = "14"


def _scatter_lines(u, v):
    """A class of two numbers: its mean, its scatter (a sum of squares) and its covariance (a mean of squares)."""
    mean, square = (u + v) / 2, (u - v) ** 2
    S = (u - mean) ** 2 + (v - mean) ** 2
    return [(u - mean, (u - v) / 2), (S, square / 2), (S / 2, square / 4), (S, square / 4)]


def _line_of_the_scatter():
    return 4, 0.0, 2.0, 2.0


wrong_line_of_the_scatter = Construction(
    stars=1,
    notes="A 4.1.1, A 4.2, errata A27, A34",
    ask="Find the one wrong line of four. A class consists of two numbers u and v with the mean m. (1) u - m = (u - "
    "v)/2. (2) Its scatter S = (u - m)² + (v - m)² is (u - v)²/2. (3) Its covariance is S/2 = (u - v)²/4. (4) S = (u "
    "- v)²/4. Return (line, u, v, right): its number, u and v for which its two sides differ, and the value that "
    "should stand on its right side there.",
    hints=(
        "Take u = 0 and v = 2: what are the mean, the scatter and the covariance? Compute both sides of each line.",
        "A scatter is a sum, a covariance is a mean. Two of the lines say that S is two different things.",
    ),
    returns=("line", "u", "v", "right"),
    requirements=wrong_line(
        _scatter_lines,
        (2, 0.0, 2.0, 2.0),
        slips=(
            ("that is the covariance, a mean; S is a sum", lambda u, v: (u - v) ** 2 / 4),
            ("that is (u - v)²; S holds the squares of u - m and v - m", lambda u, v: (u - v) ** 2),
        ),
    ),
    example=_line_of_the_scatter,
)


def _features(x, sign):
    return np.array([x * x, sign * np.sqrt(2) * x, 1.0])


def _kernel_lines(u, v):
    """(uv + 1)² has three features; the same idea with a minus gives no features."""
    plus, phi, psi = (u * v + 1) ** 2, _features(u, 1) @ _features(v, 1), _features(u, -1) @ _features(v, -1)
    return [(plus, u * u * v * v + 2 * u * v + 1), (plus, phi), (plus, psi), ((u * v - 1) ** 2, psi)]


def _line_of_the_kernel():
    return 4, 1.0, 1.0, 0.0


wrong_line_of_the_kernel = Construction(
    stars=2,
    notes="E, erratum E23",
    ask="Find the one wrong line of four, for numbers u and v. (1) (uv + 1)² = u²v² + 2uv + 1. (2) (uv + 1)² = "
    "φ(u)·φ(v) with φ(x) = (x², √2 x, 1). (3) (uv + 1)² = ψ(u)·ψ(v) with ψ(x) = (x², -√2 x, 1). (4) (uv - 1)² = "
    "ψ(u)·ψ(v). Return (line, u, v, right): its number, u and v for which its two sides differ, and the value that "
    "should stand on its right side there.",
    hints=(
        "Take u = v = 1 and compute both sides of each line. What does the sign in ψ do to the product of two of them?",
        "(-√2 u)(-√2 v) = 2uv: both minus signs are gone. But (uv - 1)² has -2uv.",
    ),
    returns=("line", "u", "v", "right"),
    requirements=wrong_line(_kernel_lines, (3, 1.0, 1.0, 4.0)),
    example=_line_of_the_kernel,
)


def _distance_lines(u, eta):
    """The positive sample -u, the line x = 8 (w = 1, b = -8), one update with the step eta."""
    before, w, b, rise = -u - 8, 1 - eta * u, -8 + eta, eta * (u * u + 1)
    score = -w * u + b
    return [(before, -(u + 8)), (score - before, rise), (w, 1 - eta * u), (abs(score) / abs(w) - abs(before), -rise)]


def _small_steps(rng):
    u = rng.uniform(0.1, 6)
    return u, rng.uniform(0.05, 0.95) / u


def _after(u, eta):
    return abs(u + 8 - eta * (u * u + 1)) / (1 - eta * u)


def _line_of_the_distance():
    return 4, 2.0, 0.1, 9.5 / 0.8 - 10


_SMALL = "u and eta must be positive, and eta u below 1"
_OLD = "the old score belongs to w = 1, the new one to another w"
wrong_line_of_the_distance = Construction(
    stars=3,
    notes="A 5.3.2, erratum A50",
    ask="Find the one wrong line of four. The positive sample x = -u, u > 0, is wrong for the line w x + b = 0 with w "
    "= 1, b = -8; an update has the step eta, eta u < 1. (1) Its score is -(u + 8). (2) It rises by eta (u² + 1). (3) "
    "The new w is 1 - eta u. (4) The distance changes by -eta (u² + 1). Return (line, u, eta, right): its number, u "
    "and eta for which its sides differ, and the right value.",
    hints=(
        "Take u = 2 and eta = 0.1. What are the score, w and the distance |score|/|w|, before and after?",
        "The new w is shorter than 1. A distance is the score divided by the length of w, and the line forgets this.",
    ),
    returns=("line", "u", "eta", "right"),
    requirements=(
        Requirement(_SMALL, lambda k, u, eta, right: u > 0 and 0 < eta * u < 1, (4, 2.0, 1.0, 0.0)),
        *wrong_line(
            _distance_lines,
            (2, 2.0, 0.1, 0.5),
            some=_small_steps,
            slips=(
                ("that is the new distance, and the line is about its change", _after),
                ("compute both distances: which one is larger?", lambda u, eta: u + 8 - _after(u, eta)),
                (_OLD, lambda u, eta: eta * (u * u + 1) / (1 - eta * u)),
                (_OLD, lambda u, eta: -eta * (u * u + 1) / (1 - eta * u)),
            ),
        ),
    ),
    example=_line_of_the_distance,
)
