"""Exercises of chapter 14: find the wrong line, and prove it with numbers."""

import numpy as np

from .grading.by_hand import wrong_line
from .grading.checker import Construction, Requirement

chapter = "14"


def _scatter_lines(u, v):
    """A class of two numbers with its mean m and its scatter S, a sum of squares."""
    m, square = (u + v) / 2, (u - v) ** 2
    S = (u - m) ** 2 + (v - m) ** 2
    return [(u - m, (u - v) / 2), (S, square / 4), (u * u + v * v, S + 2 * m * m), (u * v, m * m - S / 2)]


def _line_of_the_scatter():
    return 2, 0.0, 2.0, 2.0


wrong_line_of_the_scatter = Construction(
    stars=1,
    notes="A 4.1.1, A 4.2, errata A27, A34",
    ask="Find the one wrong line of four. A class consists of two numbers u and v with the mean m. (1) u - m = (u - "
    "v)/2. (2) Its scatter S = (u - m)² + (v - m)² is (u - v)²/4. (3) u² + v² = S + 2m². (4) uv = m² - S/2. Return "
    "(line, u, v, right): its number, u and v for which its two sides differ, and the value that its right side must "
    "have there, if its left side stays.",
    hints=(
        "Take u = 0 and v = 2. What are m and S = (u - m)² + (v - m)²? Compute both sides of each line.",
        "A scatter is a sum of squares, a covariance is their mean. Which of the two is (u - v)²/4?",
    ),
    returns=("line", "u", "v", "right"),
    requirements=wrong_line(
        _scatter_lines,
        (1, 0.0, 2.0, 2.0),
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
    plus, minus = (_features(u, sign) @ _features(v, sign) for sign in (1, -1))
    product, square = u * v, u * u * v * v
    return [
        ((product - 1) ** 2, minus),
        ((product + 1) ** 2, plus),
        ((product - 1) ** 2, square - 2 * product + 1),
        (square + product, np.array([u * u, u]) @ np.array([v * v, v])),
    ]


def _line_of_the_kernel():
    return 1, 1.0, 1.0, 0.0


wrong_line_of_the_kernel = Construction(
    stars=2,
    notes="E, erratum E23",
    ask="Find the one wrong line of four, for numbers u and v. (1) (uv - 1)² = ψ(u)·ψ(v) with ψ(x) = (x², -√2 x, 1). "
    "(2) (uv + 1)² = φ(u)·φ(v) with φ(x) = (x², √2 x, 1). (3) (uv - 1)² = u²v² - 2uv + 1. (4) u²v² + uv = χ(u)·χ(v) "
    "with χ(x) = (x², x). Return (line, u, v, right): its number, u and v for which its two sides differ, and the "
    "value that its right side must have there, if its left side stays.",
    hints=(
        "Take u = v = 1 and compute both sides of each line. What does the sign in ψ do to the product of two of them?",
        "(-√2 u)(-√2 v) = 2uv: both minus signs are gone. But (uv - 1)² has -2uv.",
    ),
    returns=("line", "u", "v", "right"),
    requirements=wrong_line(
        _kernel_lines,
        (2, 1.0, 1.0, 4.0),
        slips=(("that is ψ(u)·ψ(v), as printed; the left side stays", lambda u, v: (u * v + 1) ** 2),),
    ),
    example=_line_of_the_kernel,
)


def _start_lines(u, v):
    """A perceptron without bias and one positive sample u; it starts at w = -v."""
    return [(u * -v, -u * v), (u * (u - v) - u * -v, u * u), (np.floor(v / u + 1e-9) + 1, 1.0), (-v + u + u, 2 * u - v)]


def _far_starts(rng):
    u = rng.uniform(0.5, 2)
    return u, u * rng.uniform(1.1, 6)


def _line_of_the_start():
    return 3, 1.0, 2.0, 3.0


wrong_line_of_the_start = Construction(
    stars=2,
    notes="A 5.3.3, erratum A52",
    ask="Find the one wrong line of four. A perceptron without bias has one sample, u > 0 with the label +1. It starts "
    "at w = -v, v ≥ 0, and each update has the step 1. (1) Its score is -uv at first. (2) An update adds u² to the "
    "score. (3) The number of updates is (R/r)² = (u/u)² = 1. (4) If two updates are made, w = 2u - v then. Return "
    "(line, u, v, right): its number, u and v for which it is wrong, and the right value there.",
    hints=(
        "Take u = 1 and v = 2. Make the updates one by one until no sample counts as a mistake. How many are they?",
        "The bound (R/r)² holds from w = 0. And at a score of 0 the sample still counts as a mistake.",
    ),
    returns=("line", "u", "v", "right"),
    requirements=(
        Requirement(
            "u must be positive, and v not negative", lambda k, u, v, right: u > 0 and v >= 0, (3, 1.0, -2.0, 0)
        ),
        *wrong_line(
            _start_lines,
            (2, 1.0, 2.0, 1.0),
            some=_far_starts,
            slips=(
                ("at a score of 0 the sample still counts as a mistake", lambda u, v: np.ceil(v / u - 1e-9)),
                ("there are only whole updates", lambda u, v: v / u),
            ),
        ),
    ),
    example=_line_of_the_start,
)
