"""Exercises of chapter 10, the support vector machine (notes D 5). alpha holds the multipliers, note D's λ."""

import numpy as np

from linmodels import svm

from .grading.checker import Case, Exercise

chapter = "10"


def _plane(rng, d):
    """A hyperplane (w, b) of a length other than 1."""
    w = rng.normal(size=d)
    return w * rng.uniform(2, 5) / np.linalg.norm(w), rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2)


def _at_distances(rng, w, b, y, distances):
    """X (N, d) with y_n(w·x_n + b)/‖w‖ as given."""
    Z = 2 * rng.normal(size=(len(y), len(w)))
    return Z + np.outer(y * distances - (Z @ w + b) / np.linalg.norm(w), w) / np.linalg.norm(w)


def _labels(rng, N):
    """y (N,) with both labels more than once, of which neither is always the first."""
    return rng.permutation(np.concatenate([[1.0, 1, -1, -1], rng.choice([-1.0, 1.0], N - 4)]))


def _score(w, b, X):
    return X @ w + b


def _with_label(f, y):
    return y * f


def _geometric(w, b, X, y, *, score=_score, signed=_with_label, norm=lambda w, b: np.linalg.norm(w), pick=np.min):
    return pick(signed(score(w, b, X), y) / norm(w, b))


def _geometric_cases(rng):
    def one(label, N, d, wrong):
        (w, b), y = _plane(rng, d), _labels(rng, N)
        distances = rng.uniform(0.5, 2, N)
        distances[0] = 0.3
        distances[:wrong] *= -1  # the nearest sample is one of them, and not the farthest on the wrong side
        mixed = rng.permutation(N)
        return Case(label, (w, b, _at_distances(rng, w, b, y, distances)[mixed], y[mixed]), {"N": N})

    return [
        one("samples on the wrong side", 8, 2, 3),
        one("every sample on its right side", 7, 3, 0),
        one("four features", 11, 4, 4),
        one("one feature", 6, 1, 2),
    ]


geometric_margin = Exercise(
    stars=1,
    notes="D 5, erratum D30",
    ask="The geometric margin of the plane w·x + b = 0: the smallest of the signed distances of the samples to it, "
    "where the distance of a sample on the wrong side of the plane counts negative. w (d,) of any length but 0, b a "
    "number, X (N, d), y (N,) of -1 and +1. Return a number.",
    hints=(
        "Doubling w and b must not change a distance. What is its sign for a sample of the class -1 on the right side?",
        "y_n(w·x_n + b)/‖w‖ is the signed distance of sample n; the smallest of the N of them is asked for.",
    ),
    answer=svm.geometric_margin,
    variant=_geometric,
    mistakes={
        "|w·x_n + b|/‖w‖ hides the wrong side (erratum D30): the signed distance is y_n(w·x_n + b)/‖w‖": {
            "signed": lambda f, y: np.abs(f)
        },
        "y is missing: w·x_n + b is negative on the right side of the class -1": {"signed": lambda f, y: f},
        "that is the functional margin, which grows with the length of w: divide by ‖w‖": {"norm": lambda w, b: 1.0},
        "divide by ‖w‖ alone: b moves the plane, it is no part of its normal vector": {
            "norm": lambda w, b: np.sqrt(w @ w + b * b)
        },
        "you divided by ‖w‖²; a distance needs ‖w‖": {"norm": lambda w, b: w @ w},
        "you divided by √‖w‖; a distance needs ‖w‖": {"norm": lambda w, b: np.sqrt(np.linalg.norm(w))},
        "‖w‖ is √(w·w); you divided by the sum of the |w_i|": {"norm": lambda w, b: np.abs(w).sum()},
        "b is missing: the plane is w·x + b = 0": {"score": lambda w, b, X: X @ w},
        "b is subtracted: the plane is w·x + b = 0": {"score": lambda w, b, X: X @ w - b},
        "the margin is the smallest distance, not the mean": {"pick": np.mean},
        "the margin is the smallest distance, not the largest": {"pick": np.max},
        "the margin is the smallest distance, not their sum": {"pick": np.sum},
        "a margin below 0 is asked for as it is; you cut it off at 0": {"pick": lambda g: max(0.0, g.min())},
        "the samples on the wrong side count too, with a negative distance; you left them out": {
            "pick": lambda g: g[g > 0].min()
        },
        "that is the distance of the sample nearest to either side: the smallest signed distance is asked for": {
            "pick": lambda g: g[np.argmin(np.abs(g))]
        },
        "those are the signed distances of all N samples; the smallest is asked for": {"pick": lambda g: g},
        "that is the number of the sample; its signed distance is asked for": {"pick": np.argmin},
        "1/‖w‖ is the margin of the canonical (w, b) only; here it comes in any length": {
            "signed": lambda f, y: np.ones(len(y))
        },
    },
    cases=_geometric_cases,
    factors={
        "-": "the distance of a sample on its right side is positive",
        "2": "that is the width between the classes, of which the margin is half",
    },
    also_right=(
        lambda w, b, X, y: min(t * (x @ w + b) for x, t in zip(X, y, strict=True)) / (w @ w) ** 0.5,
        lambda w, b, X, y: np.min(y * (X @ (w / (n := np.linalg.norm(w))) + b / n)),
        lambda w, b, X, y: np.sort(svm.distances(w, b, X, y))[0],
    ),
)


def _rescaled(w, b, X, y, *, margin=lambda w, b, X, y: np.min(y * (X @ w + b)), change=lambda w, b, m: (w / m, b / m)):
    return change(w, b, margin(w, b, X, y))


def _middle(w, b, X, y):
    """The parallel plane in the middle between the classes, both at the functional margin 1."""
    p, q = np.min((X @ w)[y > 0]), np.max((X @ w)[y < 0])
    return 2 * w / (p - q), -(p + q) / (p - q)


def _rescaled_cases(rng):
    def one(label, N, d, nearest):
        (w, b), y = _plane(rng, d), _labels(rng, N)
        distances = rng.uniform(0.9, 2, N)
        distances[np.flatnonzero(y == nearest)[-1]] = rng.uniform(0.4, 0.8)
        return Case(label, (w, b, _at_distances(rng, w, b, y, distances), y), {"N": N})

    return [
        one("the nearest sample is of class -1", 7, 2, -1),
        one("the nearest sample is of class +1", 9, 3, 1),
        one("one feature", 6, 1, -1),
    ]


canonical_hyperplane = Exercise(
    stars=1,
    notes="D 5",
    ask="A plane that separates the classes comes as (w, b) of any length. Return (w, b) of the same plane in its "
    "canonical length, in which the smallest of the y_n(w·x_n + b) is exactly 1. w (d,), b a number, X (N, d), y (N,) "
    "of -1 and +1; make a new w, do not overwrite it.",
    hints=(
        "For c > 0 the plane of (cw, cb) is that of (w, b). What does c do to the smallest y_n(w·x_n + b)?",
        "m = min_n y_n(w·x_n + b) is > 0, since the plane separates: return w/m, b/m.",
    ),
    answer=svm.canonical,
    variant=_rescaled,
    mistakes={
        "b must be divided too: with w alone the plane moves": {"change": lambda w, b, m: (w / m, b)},
        "w must be divided too: with b alone the plane moves": {"change": lambda w, b, m: (w, b / m)},
        "you multiplied by the smallest y_n(w·x_n + b); divide by it": {"change": lambda w, b, m: (w * m, b * m)},
        "you divided by the square of the smallest y_n(w·x_n + b); divide by it once": {
            "change": lambda w, b, m: (w / m**2, b / m**2)
        },
        "b was shifted until the smallest is 1, which moves the plane: multiply w and b by one factor": {
            "change": lambda w, b, m: (w, b + 1 - m)
        },
        "you divided by ‖w‖: then the smallest y_n(w·x_n + b) is the geometric margin, not 1": {
            "margin": lambda w, b, X, y: np.linalg.norm(w)
        },
        "you divided by ‖(w, b)‖; the smallest y_n(w·x_n + b) must become 1, not that length": {
            "margin": lambda w, b, X, y: np.sqrt(w @ w + b * b)
        },
        "you divided by the geometric margin; y_n(w·x_n + b) itself must become 1, so do not divide it by ‖w‖": {
            "margin": lambda w, b, X, y: svm.geometric_margin(w, b, X, y)
        },
        "you multiplied by the geometric margin; divide by the smallest y_n(w·x_n + b)": {
            "margin": lambda w, b, X, y: 1 / svm.geometric_margin(w, b, X, y)
        },
        "the largest y_n(w·x_n + b) is now 1; the smallest must be": {
            "margin": lambda w, b, X, y: np.max(y * (X @ w + b))
        },
        "the mean of the y_n(w·x_n + b) is now 1; the smallest must be": {
            "margin": lambda w, b, X, y: np.mean(y * (X @ w + b))
        },
        "y is missing: the smallest w·x_n + b is negative, and dividing by it turns the plane round": {
            "margin": lambda w, b, X, y: np.min(X @ w + b)
        },
        "b is missing in the y_n(w·x_n + b)": {"margin": lambda w, b, X, y: np.min(y * (X @ w))},
        "only the class +1 was looked at: the nearest sample may be of the class -1": {
            "margin": lambda w, b, X, y: np.min((X @ w + b)[y > 0])
        },
        "only the class -1 was looked at: the nearest sample may be of the class +1": {
            "margin": lambda w, b, X, y: np.min(-(X @ w + b)[y < 0])
        },
        "that plane lies in the middle between the classes: it is another one; only the length may change": {
            "margin": lambda w, b, X, y: _middle(w, b, X, y),
            "change": lambda w, b, made: made,
        },
        "w has the length 1 and b is as it came: both must be divided by the smallest y_n(w·x_n + b)": {
            "change": lambda w, b, m: (w / np.linalg.norm(w), b)
        },
        "the order is (w, b); you returned (b, w)": {"change": lambda w, b, m: (b / m, w / m)},
    },
    cases=_rescaled_cases,
    factors={"-": "the same plane, but with the classes on the other sides: the factor must be > 0"},
    also_right=(
        lambda w, b, X, y: (w / (m := np.min(np.abs(X @ w + b))), b / m),
        lambda w, b, X, y: (w * (c := 1 / min(t * (w @ x + b) for x, t in zip(X, y, strict=True))), c * b),
        lambda w, b, X, y: (
            w / (m := min(np.min((X @ w + b)[y > 0]), -np.max((X @ w + b)[y < 0]))),
            np.array(b / m),
        ),
    ),
)


def _gradients(
    w,
    b,
    alpha,
    X,
    y,
    *,
    own=lambda w: w,
    weights=lambda alpha, f, y: alpha,
    w_label=True,
    b_label=True,
    w_sign=-1,
    b_sign=-1,
    b_own=0,
    total=np.sum,
    finish=lambda by_w, by_b: (by_w, by_b),
):
    a = weights(alpha, X @ w + b, y)
    by_w = own(w) + w_sign * (a * y if w_label else a) @ X
    return finish(by_w, b_own * b + b_sign * total(a * y if b_label else a))


def _gradient_cases(rng):
    def one(label, N, d):
        alpha = rng.permutation(np.append([0.0, 0.0], rng.uniform(0.2, 2, N - 2)))
        (w, b), y = _plane(rng, d), _labels(rng, N)
        k = np.argmax(alpha)
        y[k] = 1 if alpha @ y > alpha[k] * y[k] else -1  # as the others: Σ alpha_n y_n is not near 0
        margins = rng.uniform(-2, 3, N)
        margins[np.flatnonzero(alpha)[:3]] = -0.8, 0.6, 1.7  # on the wrong side, too near, and neither
        return Case(label, (w, b, alpha, _at_distances(rng, w, b, y, margins / np.linalg.norm(w)), y), {"N": N})

    return [one("ordinary data", 7, 2), one("fewer samples than features", 5, 7), one("one feature", 8, 1)]


lagrangian_gradient = Exercise(
    stars=1,
    notes="D 5, erratum D35",
    ask="The gradient of the Lagrangian Λ = ½‖w‖² + Σ_n alpha_n(1 - y_n(w·x_n + b)) by w and by b, at any w, b and "
    "alpha. Return (by w, by b), the first of shape (d,), the second a number. w (d,), b a number, alpha (N,), X "
    "(N, d), y (N,) of -1 and +1.",
    hints=(
        "Λ is a sum: what is the derivative of ½‖w‖², and of -alpha_n y_n(w·x_n + b), by w, and by b?",
        "(alpha * y) @ X is Σ_n alpha_n y_n x_n. Both sums come with the minus of 1 - y_n(w·x_n + b).",
    ),
    answer=svm.lagrangian_gradient,
    variant=_gradients,
    mistakes={
        "∂Λ/∂b is -Σ_n alpha_n y_n: the minus before y_n(w·x_n + b) is lost, as in note D (erratum D35)": {"b_sign": 1},
        "Σ_n alpha_n y_n x_n is added: the minus before y_n(w·x_n + b) belongs to it": {"w_sign": 1},
        "the minus before y_n(w·x_n + b) is lost in both derivatives": {"w_sign": 1, "b_sign": 1},
        "y_n is missing in Σ_n alpha_n y_n x_n": {"w_label": False},
        "y_n is missing in Σ_n alpha_n y_n": {"b_label": False},
        "w is missing: it is the gradient of ½‖w‖²": {"own": np.zeros_like},
        "those are Σ_n alpha_n y_n x_n and Σ_n alpha_n y_n, the two sums of note D, and not ∇Λ: w and a minus": {
            "own": np.zeros_like,
            "w_sign": 1,
            "b_sign": 1,
        },
        "that is the w at which ∂Λ/∂w is 0; at any other w the gradient is w - Σ_n alpha_n y_n x_n": {
            "own": np.zeros_like,
            "w_sign": 1,
        },
        "½‖w‖² has the gradient w: the 2 of the square and the ½ cancel; you have 2w": {"own": lambda w: 2 * w},
        "½‖w‖² has the gradient w: the 2 of the square is lost; you have w/2": {"own": lambda w: w / 2},
        "the norm is squared in Λ: ½‖w‖² has the gradient w, not w/‖w‖": {"own": lambda w: w / np.linalg.norm(w)},
        "½‖w‖² has the gradient w, a vector; you have the number ‖w‖": {"own": np.linalg.norm},
        "½‖w‖² is still there itself; its gradient is w": {"own": lambda w: w @ w / 2},
        "½‖w‖² does not hold b: ∂Λ/∂b is -Σ_n alpha_n y_n alone": {"b_own": 1},
        "alpha_n is missing in both sums": {"weights": lambda alpha, f, y: np.ones_like(alpha)},
        "every sample with alpha_n > 0 counts once; it must count alpha_n": {"weights": lambda alpha, f, y: alpha > 0},
        "only the samples with y_n(w·x_n + b) < 1 are in it, as in the hinge loss; Λ sums over all": {
            "weights": lambda alpha, f, y: np.where(y * f < 1, alpha, 0.0)
        },
        "the sums over n became means: Λ is a sum": {"weights": lambda alpha, f, y: alpha / len(y)},
        "∂Λ/∂b is a number: sum the alpha_n y_n": {"total": lambda terms: terms},
        "∂Λ/∂w is a vector (d,): do not sum over its entries": {"finish": lambda by_w, by_b: (by_w.sum(), by_b)},
        "the order is (by w, by b); you returned (by b, by w)": {"finish": lambda by_w, by_b: (by_b, by_w)},
    },
    stops={
        "matmul": "samples are the rows of X: (alpha * y) @ X is Σ_n alpha_n y_n x_n",
        "broadcast": "(alpha * y) @ X weighs the rows of X; alpha * y has an entry for each row, not for each column",
    },
    cases=_gradient_cases,
    factors={"-": "Λ is ½‖w‖² plus alpha_n(1 - y_n(w·x_n + b))"},
    also_right=(
        lambda w, b, alpha, X, y: [
            w - sum(a * t * x for a, t, x in zip(alpha, y, X, strict=True)),
            -sum(a * t for a, t in zip(alpha, y, strict=True)),
        ],
        lambda w, b, alpha, X, y: (w - X.T @ (alpha * y), np.array(-(alpha @ y))),
        lambda w, b, alpha, X, y: (w - np.sum((alpha * y)[:, None] * X, axis=0), -np.dot(y, alpha)),
    ),
)


def _dual(
    alpha,
    K,
    y,
    *,
    linear=np.sum,
    half=0.5,
    left=lambda alpha, y: alpha * y,
    right=lambda alpha, y: alpha * y,
    pairs=lambda K: K,
    power=1,
    finish=lambda value, alpha, K, y: value,
):
    squared = left(alpha, y) @ pairs(K) @ right(alpha, y)
    return finish(linear(alpha) - half * squared**power, alpha, K, y)


def _balanced(rng, y, zeros=0):
    """alpha (N,) >= 0 with Σ alpha_n y_n = 0, without rounding; so many of each class are 0."""
    alpha = np.zeros(len(y))
    for label in (-1, 1):
        own = rng.permutation(np.flatnonzero(y == label))[zeros:]
        shares = rng.permutation(np.append(rng.integers(1, 5, len(own) - 1), 0)) / 16
        alpha[own] = shares + (shares == 0) * (2 - shares.sum())
    return alpha


def _dual_cases(rng):
    def one(label, N, d, zeros):
        y = _labels(rng, N)
        X = rng.normal(size=(N, d)) + 0.6
        return Case(label, (_balanced(rng, y, zeros) / rng.choice([1, 2]), X @ X.T, y), {"N": N})

    return [
        one("ordinary data", 7, 2, 0),
        one("some alpha are 0", 9, 3, 1),
        one("fewer samples than features", 5, 7, 0),
    ]


dual_objective = Exercise(
    stars=2,
    notes="D 5, erratum D37",
    ask="The dual objective Γ(alpha), to be maximised: what the Lagrangian Λ = ½‖w‖² + Σ_n alpha_n(1 - y_n(w·x_n + b)) "
    "becomes at w = Σ_n alpha_n y_n x_n, where Σ_n alpha_n y_n = 0. Compute it from K (N, N) = [x_n·x_m], without w "
    "and b. alpha (N,) >= 0, y (N,) of -1 and +1. Return a number.",
    hints=(
        "Multiply the brackets out: Σ alpha_n y_n w·x_n is w·w at that w, and what is Σ alpha_n y_n b?",
        "½w·w - w·w + Σ alpha_n, and w·w = Σ_n Σ_m alpha_n alpha_m y_n y_m K_nm.",
    ),
    answer=svm.dual_objective,
    variant=_dual,
    mistakes={
        "the ½ before the double sum is missing: ½w·w - w·w is left": {"half": 1.0},
        "the double sum is halved twice: ½w·w - w·w is left": {"half": 0.25},
        "the double sum must be subtracted: ½w·w - w·w is -½w·w, you have +½w·w": {"half": -0.5},
        "w·w is subtracted once more: ½w·w - w·w is -½w·w; you have -3/2 w·w": {"half": 1.5},
        "Σ_n alpha_n is missing; Σ_n alpha_n y_n stands beside b and is 0": {"linear": lambda alpha: 0.0},
        "that is ½‖w‖², the primal objective: what is left of Σ_n alpha_n(1 - y_n f_n)?": {
            "linear": lambda alpha: 0.0,
            "half": -0.5,
        },
        "the labels are missing: the double sum has alpha_n alpha_m y_n y_m K_nm": {
            "left": lambda alpha, y: alpha,
            "right": lambda alpha, y: alpha,
        },
        "one label is missing: the double sum has alpha_n alpha_m y_n y_m K_nm": {"right": lambda alpha, y: alpha},
        "the alphas are missing in the double sum: it has alpha_n alpha_m y_n y_m K_nm": {
            "left": lambda alpha, y: y,
            "right": lambda alpha, y: y,
        },
        "one alpha is missing in the double sum: it has alpha_n alpha_m y_n y_m K_nm": {"right": lambda alpha, y: y},
        "alpha_m y_m is missing in the double sum: both sides have alpha and y": {
            "right": lambda alpha, y: np.ones_like(y)
        },
        "the sums over n and m run over all pairs; you took n = m only": {"pairs": lambda K: np.diag(np.diag(K))},
        "the terms n = m of the double sum are left out, ½ alpha_n² K_nn each": {
            "pairs": lambda K: K - np.diag(np.diag(K))
        },
        "each pair n < m occurs twice in the double sum, and n = m once; you took n < m once, with the ½": {
            "pairs": lambda K: np.triu(K, 1)
        },
        "each pair n < m occurs twice in the double sum; you took n <= m once, with the ½": {"pairs": np.triu},
        "w is squared already in w·w = Σ_n Σ_m alpha_n alpha_m y_n y_m K_nm; you squared the double sum": {"power": 2},
        "the root is too much: ½‖w‖² needs ‖w‖², the double sum itself": {"power": 0.5},
        "K holds the products x_n·x_m already; you squared it": {"pairs": lambda K: K @ K},
        "Σ_n alpha_n is a sum, not a mean": {"linear": np.mean},
        "Σ_n alpha_n enters as it is; you squared the alpha_n": {"linear": lambda alpha: alpha @ alpha},
        "Σ_n alpha_n became N: each 1 of 1 - y_n(w·x_n + b) has the factor alpha_n": {"linear": len},
        "those are the derivatives of Γ by the alpha_n; its value is asked for": {
            "finish": lambda value, alpha, K, y: 1 - y * (K @ (alpha * y))
        },
        "those are N terms, one for each alpha_n; sum them": {
            "finish": lambda value, alpha, K, y: alpha - 0.5 * alpha * y * (K @ (alpha * y))
        },
    },
    stops={"matmul": "alpha * y is (N,), K (N, N): (alpha * y) @ K @ (alpha * y) is the double sum"},
    cases=_dual_cases,
    factors={"-": "that is -Γ, which is minimised; Γ itself is asked for"},
    also_right=(
        lambda alpha, K, y: alpha.sum() - 0.5 * alpha @ (np.outer(y, y) * K) @ alpha,
        lambda alpha, K, y: sum(alpha) - np.sum(np.outer(alpha * y, alpha * y) * K) / 2,
        lambda alpha, K, y: sum(
            a - sum(a * c * t * u * K[n, m] for m, (c, u) in enumerate(zip(alpha, y, strict=True))) / 2
            for n, (a, t) in enumerate(zip(alpha, y, strict=True))
        ),
    ),
)


_SHARES = {1: [1.0], 2: [0.25, 0.75], 3: [0.5, 0.125, 0.375]}


def _optimum(rng, w, b, z, sizes, margins):
    """(alpha, y, X) whose plane of the largest margin is (w, b): w = Σ alpha_n y_n x_n and Σ alpha_n y_n = 0.

    First come sizes[0] support vectors of class -1 and sizes[1] of +1, then samples with alpha = 0 at the margins
    given. z(rng, shape) makes the part of each sample along the plane. Without rounding, for w, b and z of whole
    numbers, if ‖w‖² is a power of two.
    """
    s, N, squared = sum(sizes), sum(sizes) + len(margins), w @ w
    y = np.append(np.repeat([-1.0, 1.0], sizes), rng.choice([-1.0, 1.0], len(margins)))
    alpha = np.concatenate([*(rng.permutation(_SHARES[n]) for n in sizes), np.zeros(len(margins))]) * squared / 2
    Z = z(rng, (N, len(w)))
    Z[: sizes[0]] += (alpha * y) @ Z * 2 / squared
    f = y * np.append(np.ones(s), margins)
    return alpha, y, Z + np.outer(f - b - Z @ w, w) / squared


def _plane_of(alpha, y, X):
    return svm.primal(alpha, y, X), svm.bias(alpha, X @ X.T, y)


def _to_plane(
    alpha,
    y,
    X,
    *,
    weights=lambda alpha: alpha,
    label=True,
    among=lambda alpha, y: alpha > 0,
    each=lambda y, f: y - f,
    average=np.mean,
    bias=None,
    finish=lambda w, b: (w, b),
):
    w = (weights(alpha) * y if label else weights(alpha)) @ X
    s = among(alpha, y)
    return finish(w, average(each(y[s], X[s] @ w)) if bias is None else bias(X @ w, y, alpha))


def _first(alpha, y):
    """The first support vector alone."""
    return np.flatnonzero(alpha > 0)[:1]


def _plane_cases(rng):
    def one(label, d, sizes, margins, first):
        w, b = rng.choice([-2.0, -1.0, 1.0, 2.0], d), rng.choice([-1.0, 1.0]) * rng.uniform(0.5, 2)
        alpha, y, X = _optimum(rng, w, b, lambda rng, shape: rng.normal(size=shape), sizes, margins)
        order = np.append(first, rng.permutation(np.setdiff1d(np.arange(len(y)), first)))
        return Case(label, (alpha[order], y[order], X[order]), {"N": len(y)})

    return [  # first: a sample with alpha = 0, then a support vector of class -1, or of class +1
        one("three support vectors", 2, (2, 1), [1.5, 3.0, 2.0, 2.6], (4, 0)),
        one("four support vectors", 3, (1, 3), [2.5, 1.7], (5, 1)),
        one("a sample with alpha = 0 on the margin", 4, (3, 2), [2.0, 1.0, 4.0], (5, 2)),
        one("one feature", 1, (1, 2), [2.2, 1.4, 3.0], (4, 0)),
    ]


primal_from_dual = Exercise(
    stars=2,
    notes="D 5, errata D32, D39",
    ask="From the multipliers alpha (N,) of the hard margin at its optimum, alpha_n >= 0 and some of them exactly 0, "
    "the plane of the largest margin in its canonical length. Return (w, b), w (d,) and b a number. y (N,) of -1 and "
    "+1, X (N, d).",
    hints=(
        "w is where ∂Λ/∂w = 0. For b: alpha_s(1 - y_s(w·x_s + b)) = 0; what follows where alpha_s > 0?",
        "y_s(w·x_s + b) = 1 and y_s = ±1 give b = y_s - w·x_s for each support vector s; take their mean.",
    ),
    answer=_plane_of,
    variant=_to_plane,
    mistakes={
        "the labels are missing in w = Σ_n alpha_n y_n x_n": {"label": False},
        "every support vector counts once in w; it must count alpha_n": {"weights": lambda alpha: alpha > 0},
        "alpha is missing: w sums over all samples alike": {"weights": np.ones_like},
        "alpha is divided by its sum: it must stay as it is, or w has another length": {
            "weights": lambda alpha: alpha / alpha.sum()
        },
        "the sign of b is wrong: w·x_s + b = y_s gives b = y_s - w·x_s": {"each": lambda y, f: f - y},
        "b is taken over all samples: y_n(w·x_n + b) = 1 holds for the support vectors only, alpha_n > 0": {
            "among": lambda alpha, y: slice(None)
        },
        "b is taken from sample 0, whose alpha is not always > 0": {"among": lambda alpha, y: [0]},
        "b is taken from the samples with alpha_n = 0; on the margin are those with alpha_n > 0": {
            "among": lambda alpha, y: alpha == 0
        },
        "b is the mean over the support vectors; you took their sum": {"average": np.sum},
        "the sum over the support vectors is divided by N; divide it by their number": {
            "bias": lambda f, y, alpha: np.sum((y - f)[alpha > 0]) / len(y)
        },
        "b is 0: Σ_n alpha_n y_n is always 0 at the optimum; b follows from a support vector, y_s - w·x_s": {
            "bias": lambda f, y, alpha: 0.0
        },
        "b is 1 - w·x_s for the class +1 only: for each s it is y_s - w·x_s": {"each": lambda y, f: 1 - f},
        "b = 1 - w·x_s of the first support vector is right only for the class +1: it is y_s - w·x_s": {
            "each": lambda y, f: 1 - f,
            "among": _first,
        },
        "b is 1 - y_s w·x_s: multiply y_s(w·x_s + b) = 1 by y_s, then b = y_s - w·x_s": {
            "each": lambda y, f: 1 - y * f
        },
        "b = 1 - y_s w·x_s of the first support vector: multiply by y_s too, b = y_s - w·x_s": {
            "each": lambda y, f: 1 - y * f,
            "among": _first,
        },
        "y_s is missing in b = y_s - w·x_s: the support vectors are not on the plane itself": {"each": lambda y, f: -f},
        "y_s is missing in b = y_s - w·x_s of the first support vector: it is not on the plane itself": {
            "each": lambda y, f: -f,
            "among": _first,
        },
        "b = y_s + w·x_s has the sign of w·x_s wrong: w·x_s + b = y_s": {"each": lambda y, f: y + f},
        "the plane lies in the middle between the means of the classes; it must lie between the support vectors": {
            "bias": lambda f, y, alpha: -(f[y > 0].mean() + f[y < 0].mean()) / 2
        },
        "b takes the farthest samples: it is -(min of w·x over +1 plus max over -1)/2": {
            "bias": lambda f, y, alpha: -(f[y > 0].max() + f[y < 0].min()) / 2
        },
        "b is the mean of the y_s - w·x_s; you weighed them by alpha_s without dividing by Σ alpha": {
            "bias": lambda f, y, alpha: alpha @ (y - f)
        },
        "b is a number: all y_s - w·x_s are equal, take one, or their mean": {"average": lambda each: each},
        "(w, b) is scaled to ‖w‖ = 1: the canonical length is asked for, w = Σ_n alpha_n y_n x_n as it is": {
            "finish": lambda w, b: (w / np.linalg.norm(w), b / np.linalg.norm(w))
        },
        "w is scaled to ‖w‖ = 1, b is not: leave both as they are": {"finish": lambda w, b: (w / np.linalg.norm(w), b)},
        "the order is (w, b); you returned (b, w)": {"finish": lambda w, b: (b, w)},
    },
    stops={
        "arrays used as indices": "alpha > 0 picks the support vectors, X[alpha > 0]; alpha itself does not",
        "matmul": "samples are the rows of X: (alpha * y) @ X is Σ_n alpha_n y_n x_n",
        "broadcast": "(alpha * y) @ X weighs the rows of X; alpha * y has an entry for each row, not for each column",
        "truth value": "alpha > 0 is an array: use it as an index, X[alpha > 0], not after if",
    },
    cases=_plane_cases,
    factors={"-": "the same plane, but with the classes on the other sides"},
    also_right=(
        lambda alpha, y, X: (w := (alpha * y) @ X, y[s := np.argmax(alpha)] - w @ X[s]),
        lambda alpha, y, X: (
            w := sum(a * t * x for a, t, x in zip(alpha, y, X, strict=True)),
            -(min(X[y > 0] @ w) + max(X[y < 0] @ w)) / 2,
        ),
        lambda alpha, y, X: [
            X.T @ (alpha * y),
            float(np.median([y[s] - (X @ X[s]) @ (alpha * y) for s in np.flatnonzero(alpha > 1e-6)])),
        ],
        lambda alpha, y, X: (w := (alpha * y) @ X, alpha @ (y - X @ w) / alpha.sum()),
    ),
)


def _two(x_plus, x_minus):
    difference = x_plus - x_minus
    alpha = 2 / (difference @ difference)
    w = alpha * difference
    return alpha, w, 1 - w @ x_plus


def _midpoint(w, p, m):
    return -w @ (p + m) / 2


def _two_variant(
    x_plus,
    x_minus,
    *,
    multiplier=lambda d: 2 / (d @ d),
    difference=np.subtract,
    length=lambda alpha, d: alpha * d,
    bias=_midpoint,
    finish=lambda alpha, w, b: (alpha, w, b),
):
    d = difference(x_plus, x_minus)
    alpha = multiplier(d)
    w = length(alpha, d)
    return finish(alpha, w, bias(w, x_plus, x_minus))


def _two_cases(rng):
    def one(label, d, apart):
        u = rng.normal(size=d)
        middle = rng.normal(size=d) * 2 + u / np.linalg.norm(u)
        step = apart * rng.uniform(0.8, 1.2) * u / np.linalg.norm(u)
        return Case(label, (middle + step, middle - step))

    return [
        one("two features", 2, 0.4),
        one("far apart", 3, 3),
        one("one feature", 1, 0.6),
        one("five features", 5, 2),
    ]


def _first_label(w, p, m):
    return 1 - w @ p


two_point_svm = Exercise(
    stars=2,
    notes="D 5",
    ask="The plane of the largest margin between two different samples, x_plus (d,) with the label +1 and x_minus (d,) "
    "with -1. Return (alpha, w, b): alpha, the one multiplier that both share, a number; w (d,) and the number b in "
    "the canonical length, w·x_plus + b = 1 and w·x_minus + b = -1.",
    hints=(
        "Σ alpha_n y_n = 0 says that both alphas are equal. What is w = Σ alpha_n y_n x_n then?",
        "w = alpha(x_plus - x_minus); subtract the two conditions: w·(x_plus - x_minus) = 2.",
        "So alpha = 2/‖x_plus - x_minus‖², and b = 1 - w·x_plus.",
    ),
    answer=_two,
    variant=_two_variant,
    mistakes={
        "alpha and w are half of what they must be: w·(x_plus - x_minus) is 1 - (-1) = 2; b fits w·x_plus + b = 1": {
            "multiplier": lambda d: 1 / (d @ d),
            "bias": _first_label,
        },
        "alpha is 1/‖x_plus - x_minus‖², half of it; w and b are right": {
            "finish": lambda alpha, w, b: (alpha / 2, w, b)
        },
        "alpha is twice too large: that is the sum of both multipliers; w and b are right": {
            "finish": lambda alpha, w, b: (2 * alpha, w, b)
        },
        "‖x_plus - x_minus‖ must be squared: alpha = 2/‖x_plus - x_minus‖²": {
            "multiplier": lambda d: 2 / np.linalg.norm(d)
        },
        "‖x_plus - x_minus‖ must be squared: alpha = 2/‖x_plus - x_minus‖²; b fits w·x_plus + b = 1": {
            "multiplier": lambda d: 2 / np.linalg.norm(d),
            "bias": _first_label,
        },
        "alpha is 2/‖x_plus - x_minus‖, the length of w; it is half of its square; w and b are right": {
            "finish": lambda alpha, w, b: (np.sqrt(2 * alpha), w, b)
        },
        "alpha is upside down: it is 2/‖x_plus - x_minus‖²": {"multiplier": lambda d: d @ d / 2},
        "alpha is upside down: it is 2/‖x_plus - x_minus‖²; b fits w·x_plus + b = 1": {
            "multiplier": lambda d: d @ d / 2,
            "bias": _first_label,
        },
        "alpha is the margin ‖x_plus - x_minus‖/2; w and b are right": {
            "finish": lambda alpha, w, b: (1 / np.linalg.norm(w), w, b)
        },
        "alpha is missing in w = alpha(x_plus - x_minus)": {"length": lambda alpha, d: d},
        "alpha is missing in w = alpha(x_plus - x_minus); b fits w·x_plus + b = 1": {
            "length": lambda alpha, d: d,
            "bias": _first_label,
        },
        "w has the length 1; w = alpha(x_plus - x_minus) has 2/‖x_plus - x_minus‖": {
            "length": lambda alpha, d: d / np.linalg.norm(d)
        },
        "w has the length 1, with a b for w·x_plus + b = 1; w = alpha(x_plus - x_minus)": {
            "length": lambda alpha, d: d / np.linalg.norm(d),
            "bias": _first_label,
        },
        "the classes are swapped: w points from x_minus to x_plus": {"difference": lambda p, m: m - p},
        "w points the wrong way: it is alpha(x_plus - x_minus); b fits w·x_plus + b = 1": {
            "difference": lambda p, m: m - p,
            "bias": _first_label,
        },
        "the sign of w alone is wrong: it is alpha(x_plus - x_minus)": {"finish": lambda alpha, w, b: (alpha, -w, b)},
        "the label -1 is lost in w: it is alpha(x_plus - x_minus), not alpha(x_plus + x_minus)": {
            "length": lambda alpha, d: alpha,
            "bias": lambda alpha, p, m: (alpha * (p + m), 1 - alpha * (p + m) @ p),
            "finish": lambda alpha, _, made: (alpha, *made),
        },
        "b is 0: the plane passes through the midpoint of the two samples, not through the origin": {
            "bias": lambda w, p, m: 0.0
        },
        "the sign of b is wrong: w·x + b = 0 at the midpoint": {"bias": lambda w, p, m: w @ (p + m) / 2},
        "b is twice too large: the midpoint is (x_plus + x_minus)/2": {"bias": lambda w, p, m: -w @ (p + m)},
        "b = -w·x_plus puts the plane through x_plus: w·x_plus + b is 1, not 0": {"bias": lambda w, p, m: -w @ p},
        "b = -w·x_minus puts the plane through x_minus: w·x_minus + b is -1, not 0": {"bias": lambda w, p, m: -w @ m},
        "b = 1 - w·x_minus: the label of x_minus is -1": {"bias": lambda w, p, m: 1 - w @ m},
        "b = -1 - w·x_plus: the label of x_plus is +1": {"bias": lambda w, p, m: -1 - w @ p},
        "b = 1 + w·x_plus has the sign of w·x_plus wrong: w·x_plus + b = 1": {"bias": lambda w, p, m: 1 + w @ p},
        "alpha is one number: both samples share it": {"finish": lambda alpha, w, b: (np.full(2, alpha), w, b)},
        "the order is (alpha, w, b); you returned (w, b, alpha)": {"finish": lambda alpha, w, b: (w, b, alpha)},
    },
    cases=_two_cases,
    factors={
        "1/2": "w·x goes from -1 to 1, by 2, on the way from x_minus to x_plus: alpha is 2/‖x_plus - x_minus‖²",
        "2": "w·x goes from -1 to 1, by 2, on the way from x_minus to x_plus",
    },
    also_right=(
        lambda x_plus, x_minus: (
            a := 2 / np.sum((x_plus - x_minus) ** 2),
            w := a * x_plus - a * x_minus,
            -(w @ x_plus + w @ x_minus) / 2,
        ),
        lambda x_plus, x_minus: (
            2 / (D := x_plus @ x_plus - 2 * x_plus @ x_minus + x_minus @ x_minus),
            2 * (x_plus - x_minus) / D,
            (x_minus @ x_minus - x_plus @ x_plus) / D,
        ),
        lambda x_plus, x_minus: [
            (w := 2 * np.linalg.pinv((x_plus - x_minus)[None])[:, 0]) @ w / 2,
            w.tolist(),
            -1 - w @ x_minus,
        ],
    ),
)


def _largest(terms):
    return np.max(terms, initial=0.0)


def _residuals(
    w,
    b,
    alpha,
    X,
    y,
    *,
    score=_score,
    signed=_with_label,
    own=1,
    minus=-1,
    label=True,
    derivatives=np.append,
    size=np.abs,
    one=1,
    beyond=lambda missing: missing,
    primal=_largest,
    dual=lambda alpha, y: _largest(-alpha),
    products=lambda alpha, missing: alpha * missing,
    slack=lambda terms: _largest(np.abs(terms)),
    stationary=_largest,
    finish=lambda *four: four,
):
    missing = one - signed(score(w, b, X), y)
    by_w, by_b = own * w + minus * (alpha * y if label else alpha) @ X, -np.sum(alpha * y)
    return finish(
        stationary(size(derivatives(by_w, by_b))),
        primal(beyond(missing)),
        dual(alpha, y),
        slack(products(alpha, missing)),
    )


def _whole(rng, shape):
    return rng.integers(-3, 4, shape).astype(float)


def _kkt_cases(rng):
    def far_off(N, d):
        """Every condition is missed: alpha of both signs, a negative one where the largest |f| is on the wrong side."""
        (w, b), y, X = _plane(rng, d), _labels(rng, N), rng.normal(size=(N, d))
        alpha, f = rng.uniform(-0.5, 2, N), X @ w + b
        alpha[[k := np.argmax(np.abs(f)), k - 1]] = -3, -0.2
        y[k] = -np.sign(f[k])
        return w, b, alpha, X, y

    def unbalanced(N, d):
        """w is nearly Σ alpha_n y_n x_n, but Σ alpha_n y_n is far from 0; all alpha > 0."""
        y, X = _labels(rng, N), rng.normal(size=(N, d))
        alpha = rng.uniform(0.3, 1, N) + 4 * (y > 0)
        return (alpha * y) @ X + np.append(-0.4, rng.uniform(0.1, 0.3, d - 1)), rng.uniform(0.5, 2), alpha, X, y

    def separating(N, d):
        """No y_n(w·x_n + b) < 1, all alpha > 0 and Σ alpha_n y_n = 0: but the plane is not the one of these alpha."""
        (w, b), y = _plane(rng, d), _labels(rng, N)
        X = _at_distances(rng, w, b, y, rng.uniform(1.5, 4, N) / np.linalg.norm(w))
        return w, b, _balanced(rng, y), X, y

    def optimal():
        """Not a digit is lost here: 0 is 0."""
        w, b = rng.choice([-1.0, 1.0], 4), rng.choice([-1.0, 1.0])
        alpha, y, X = _optimum(rng, w, b, _whole, (2, 3), rng.choice([1.0, 2.0, 3.0], 3))
        return w, b, alpha, X, y

    def near():
        """The optimum with another b, and an alpha below 0, but Σ alpha_n y_n = 0 as before."""
        w, b, alpha, X, y = optimal()
        alpha[-2:] = y[-1] * y[-2] / 8, -1 / 8
        return w, b + 1 / 4, alpha, X, y

    return [
        Case("far from the optimum", far_off(7, 2), {"N": 7}),
        Case("Σ alpha_n y_n far from 0", unbalanced(8, 3), {"N": 8}),
        Case("a plane that separates", separating(9, 2), {"N": 9}),
        Case("the optimum", optimal(), {"N": 8}),
        Case("near the optimum", near(), {"N": 8}),
    ]


kkt_residuals = Exercise(
    stars=3,
    notes="D 5, errata D34, D37",
    ask="By how much (w, b, alpha) misses the KKT conditions of the hard margin. Return four numbers >= 0, "
    "(stationarity, primal, dual, slackness), the largest miss, in absolute value, of each kind: of ∇Λ = 0, all d + 1 "
    "derivatives; of y_n(w·x_n + b) >= 1; of alpha_n >= 0; of alpha_n(1 - y_n(w·x_n + b)) = 0. w (d,), b a number, "
    "alpha (N,), X (N, d), y (N,) of -1 and +1.",
    hints=(
        "a = 0 is missed by |a|; y f >= 1 by 1 - y f, but by 0 where it holds; alpha >= 0 by -alpha, or by 0.",
        "∇Λ has the entries of w - Σ alpha_n y_n x_n, and -Σ alpha_n y_n: the largest |·| of all d + 1.",
        "With m = 1 - y * (X @ w + b): max(0, m.max()), max(0, -alpha.min()) and np.abs(alpha * m).max().",
    ),
    answer=svm.kkt_residuals,
    variant=_residuals,
    mistakes={
        "stationarity leaves ∂Λ/∂b = -Σ alpha_n y_n out: ∇Λ has d + 1 entries": {
            "derivatives": lambda by_w, by_b: by_w
        },
        "stationarity leaves ∂Λ/∂w out: ∇Λ has d + 1 entries": {"derivatives": lambda by_w, by_b: by_b},
        "stationarity is the larger of the misses by w and by b; you added them": {
            "derivatives": lambda by_w, by_b: np.abs(by_w).max() + abs(by_b)
        },
        "stationarity takes the largest entry of ∇Λ; a negative one misses 0 as well: the largest |·|": {
            "size": lambda g: g
        },
        "stationarity is the length of ∇Λ; its largest |entry| is asked for": {"stationary": np.linalg.norm},
        "stationarity is the sum of the |entries| of ∇Λ; the largest is asked for": {"stationary": np.sum},
        "y is missing in w - Σ alpha_n y_n x_n": {"label": False},
        "w is missing in ∂Λ/∂w = w - Σ alpha_n y_n x_n": {"own": 0},
        "∂Λ/∂w is w - Σ alpha_n y_n x_n; you added the sum": {"minus": 1},
        "primal has the wrong sign: y f >= 1 is missed by 1 - y f, you took y f - 1": {"beyond": lambda m: -m},
        "primal counts a sample with y f > 1 as a miss; it is max(0, 1 - y f)": {"beyond": np.abs},
        "primal is below 0 where all y f > 1: nothing is missed there, so 0": {"primal": np.max},
        "primal is max(0, -y f): the condition is y f >= 1, not >= 0": {"beyond": lambda m: m - 1},
        "primal is the largest miss; you added all of them": {"primal": lambda m: np.sum(np.maximum(0, m))},
        "primal is the mean of the misses; the largest is asked for": {"primal": lambda m: np.mean(np.maximum(0, m))},
        "primal is the number of samples with y f < 1; the largest miss is asked for": {
            "primal": lambda m: np.sum(m > 0)
        },
        "dual is always 0: alpha_n < 0 is forgotten": {"dual": lambda alpha, y: 0.0},
        "dual has the wrong sign: alpha_n >= 0 is missed by -alpha_n, you took alpha_n": {
            "dual": lambda alpha, y: _largest(alpha)
        },
        "dual is below 0 where all alpha > 0: nothing is missed there, so 0": {"dual": lambda alpha, y: np.max(-alpha)},
        "dual is below 0 where an alpha is: the miss of alpha_n >= 0 is -alpha_n": {
            "dual": lambda alpha, y: min(0.0, alpha.min())
        },
        "dual takes |alpha_n|: an alpha_n > 0 misses nothing": {"dual": lambda alpha, y: np.abs(alpha).max()},
        "dual is the largest miss; you added all of them": {"dual": lambda alpha, y: np.sum(np.maximum(0, -alpha))},
        "dual is the number of alpha_n < 0; the largest miss is asked for": {
            "dual": lambda alpha, y: np.sum(alpha < 0)
        },
        "Σ alpha_n y_n = 0 is ∂Λ/∂b = 0 and belongs to stationarity; dual is the miss of alpha_n >= 0": {
            "dual": lambda alpha, y: abs(alpha @ y)
        },
        "dual adds the miss of Σ alpha_n y_n = 0, which is ∂Λ/∂b = 0 and belongs to stationarity": {
            "dual": lambda alpha, y: max(_largest(-alpha), abs(alpha @ y))
        },
        "slackness is alpha_n(1 - y f); the 1 is missing": {"products": lambda alpha, m: alpha * (m - 1)},
        "slackness takes max(0, 1 - y f): alpha_n > 0 where y f > 1 is a miss too": {
            "products": lambda alpha, m: alpha * np.maximum(0, m)
        },
        "slackness takes max(0, alpha_n): alpha_n < 0 where y f is not 1 is a miss too": {
            "products": lambda alpha, m: np.maximum(0, alpha) * m
        },
        "alpha_n is missing in slackness: y f > 1 is no miss where alpha_n = 0": {"products": lambda alpha, m: m},
        "slackness takes the largest alpha_n(1 - y f); a negative one misses 0 as well: the largest |·|": {
            "slack": np.max
        },
        "slackness takes the largest alpha_n(1 - y f), or 0; a negative one misses 0 as well: the largest |·|": {
            "slack": _largest
        },
        "slackness is |Σ alpha_n(1 - y f)|, where terms of both signs cancel: the largest |·| of them": {
            "slack": lambda terms: abs(np.sum(terms))
        },
        "slackness is the largest |alpha_n(1 - y f)|; you added them": {"slack": lambda terms: np.sum(np.abs(terms))},
        "slackness is the mean of the |alpha_n(1 - y f)|; the largest is asked for": {
            "slack": lambda terms: np.mean(np.abs(terms))
        },
        "the largest of each kind is asked for; you added them up, in all four": {
            "stationary": np.sum,
            "primal": lambda m: np.sum(np.maximum(0, m)),
            "dual": lambda alpha, y: np.sum(np.maximum(0, -alpha)),
            "slack": lambda terms: np.sum(np.abs(terms)),
        },
        "the largest of each kind is asked for; you took the 2-norm, in all four": {
            "stationary": np.linalg.norm,
            "primal": lambda m: np.linalg.norm(np.maximum(0, m)),
            "dual": lambda alpha, y: np.linalg.norm(np.minimum(0, alpha)),
            "slack": np.linalg.norm,
        },
        "y is missing in y_n(w·x_n + b), in primal and in slackness": {"signed": lambda f, y: f},
        "b is missing in y_n(w·x_n + b), in primal and in slackness": {"score": lambda w, b, X: X @ w},
        "the 1 is missing in 1 - y_n(w·x_n + b), in primal and in slackness": {"one": 0},
        "the order is (stationarity, primal, dual, slackness); you returned the dual before the primal": {
            "finish": lambda s, p, d, c: (s, d, p, c)
        },
        "the order is (stationarity, primal, dual, slackness); you returned stationarity last": {
            "finish": lambda s, p, d, c: (p, d, c, s)
        },
    },
    stops={
        "matmul": "samples are the rows of X: X @ w are the N scores, (alpha * y) @ X is Σ_n alpha_n y_n x_n",
        "broadcast": "(alpha * y) @ X weighs the rows of X; alpha * y has an entry for each row, not for each column",
        "truth value": "max(0, ...) takes numbers; of an array, np.maximum(0, ...), and then .max()",
        "not iterable": "max(...) of one number: np.max takes numbers and arrays",
    },
    cases=_kkt_cases,
    factors={"-": "a miss is >= 0"},
    also_right=(
        svm.kkt_residuals,
        lambda w, b, alpha, X, y: (
            max(abs(g) for g in np.append(w - X.T @ (alpha * y), -(alpha @ y))),
            max(max(1 - t * (w @ x + b), 0) for x, t in zip(X, y, strict=True)),
            -min(0.0, *alpha),
            max(abs(a * (1 - t * (w @ x + b))) for a, x, t in zip(alpha, X, y, strict=True)),
        ),
        lambda w, b, alpha, X, y: [
            np.linalg.norm(np.append(w - (alpha * y) @ X, alpha @ y), np.inf),
            np.clip(1 - y * (X @ w + b), 0, None).max(),
            np.maximum(-alpha, 0).max(),
            np.max(np.abs(alpha - alpha * y * (X @ w + b))),
        ],
    ),
)
