"""Exercises of chapter 11, feature maps and kernel LMS (note E; erratum E11: all at once is batch, in turn stochastic).

Runs start small and take steps that converge; kernel matrices come from several kernels, so that K_ii is not always 1.
"""

from functools import partial

import numpy as np

from linmodels import kernel_lms, kernels

from .grading.answers import equal
from .grading.before import Question
from .grading.by_hand import ByHand
from .grading.cases import regression
from .grading.checker import Case, Exercise, Refused, run
from .grading.derive import Derivation
from .grading.kinds import Loop
from .grading.prove import Decoy, Line, Proof

chapter = "11"


def _two_steps(phi_1, phi_2, y, eta):
    Phi, thetas = np.array([phi_1, phi_2], float), [np.zeros(2)]
    for _ in range(2):
        theta = thetas[-1]
        thetas.append(theta + eta * Phi.T @ (y - Phi @ theta))
    return tuple(thetas[1:])


def _your_two_samples(rng):
    while True:
        Phi, y = rng.integers(-2, 4, (2, 2)), rng.integers(-4, 6, 2)
        eta = float(rng.choice([0.1, 0.2]))
        told_apart = Phi[0, 1] != Phi[1, 0] and (Phi @ Phi.T)[0, 1]
        if abs(np.linalg.det(Phi)) > 0.5 and Phi.all() and y.all() and told_apart:
            return [Case("your samples", (*Phi, y, eta))]


_STEP = "theta + eta * Phi.T @ (y - Phi @ theta)"
two_steps_by_hand = ByHand(
    stars=1,
    notes="E, LMS with features",
    ask="With a pencil: two samples have the features phi_1 and phi_2 and the targets y. Make two batch steps on θ "
    "with your eta, from θ = (0, 0). Give θ after the first step and after the second, two numbers each, to three "
    "digits: (theta1, theta2), (theta1, theta2). The numbers are your own: check.me('your name') deals them.",
    hints=(
        "What is missing at each sample? At the start it is y itself, because θ·φ is 0.",
        "Before the second step compute both predictions θ·φ, with the θ of now. Then both samples add at once.",
    ),
    answer=_two_steps,
    returns=("theta after one step", "theta after two steps"),
    mistakes=(
        (_STEP, "theta + Phi.T @ (y - Phi @ theta)", "eta is missing"),
        (_STEP, f"{_STEP} if theta.any() else Phi.T @ y", "eta is missing in the first step"),
        (_STEP, "theta - eta * Phi.T @ (y - Phi @ theta)", "the steps go uphill: what is missing is y - θ·φ"),
        (
            _STEP,
            "theta + eta / 2 * Phi.T @ (y - Phi @ theta)",
            "you divided by the number of samples: the loss is a sum",
        ),
        (_STEP, "theta + 2 * eta * Phi.T @ (y - Phi @ theta)", "there is a 2 too much: the loss has a ½ in front"),
        (_STEP, "theta + eta * (y - Phi @ theta)", "each sample adds its features, times what is missing"),
        (_STEP, "theta + eta * (y - Phi @ Phi.T @ theta)", "that is β, a number for each sample, and θ = Φᵀβ is asked"),
        (
            _STEP,
            "theta + eta * Phi @ (y - Phi @ theta)",
            "you mixed the features up: sample i adds phi_i, times its miss",
        ),
        (_STEP, "eta * Phi.T @ (y - Phi @ theta)", "the second step is added to the first θ"),
        (_STEP, "theta + eta * Phi.T @ y", "in the second step less is missing: subtract the predictions of now"),
        (_STEP, "theta + eta * Phi.T @ (y + Phi @ theta)", "what is missing is y minus the prediction"),
        (
            _STEP,
            "(step := theta + eta * (y[0] - Phi[0] @ theta) * Phi[0]) + eta * (y[1] - Phi[1] @ step) * Phi[1]",
            "the second sample saw a θ that had moved already: batch means both at once",
        ),
    ),
    cases=_your_two_samples,
)


def _as_sums(letters):
    """θ = Φᵀβ, and K = ΦΦᵀ."""
    Phi = letters["Phi"]
    return {**letters, "theta": Phi.T @ letters["beta"], "K": Phi @ Phi.T}


beta_from_theta = Derivation(
    stars=2,
    notes="E, LMS with features, the kernel trick, eq. (11)",
    ask="Before a step, theta = Phi.T @ beta. Line 1 is theta after the step, down the gradient of the loss. Derive, "
    "one rule a line, that it is Phi.T @ (...) again, with no derivative d(...), no theta and no second Phi: in "
    "the bracket stands the new beta. Phi (N, p) holds the features as rows, and K = Phi @ Phi.T: you may use both "
    "facts in one line. The derivative of sum(u**2) is written 2*d(u, theta).T @ u.",
    hints=(
        "A square is a product. Put y - Phi @ theta for u in the form of the question, and keep d for the next line.",
        "What is d(y - Phi @ theta, theta)? Then put Phi.T @ beta in the place of theta, wherever it stands.",
        "Where do Phi and Phi.T stand side by side? Then: which factor do both terms begin with?",
    ),
    start="theta - eta*d(sum((y - Phi @ theta)**2)/2, theta)",
    letters={"Phi": "N p", "theta": "p", "beta": "N", "K": "N N", "y": "N", "eta": "positive"},
    free_of=("d", "theta"),
    once=("Phi",),
    bound=_as_sums,
    bound_as="theta = Phi.T @ beta and K = Phi @ Phi.T",
    lines=(
        "theta - eta*(d(y - Phi @ theta, theta).T @ (y - Phi @ theta))",
        "theta + eta*(Phi.T @ (y - Phi @ theta))",
        "Phi.T @ beta + eta*(Phi.T @ (y - K @ beta))",
        "Phi.T @ (beta + eta*(y - K @ beta))",
    ),
    slips=(
        (2, "theta - eta*(Phi.T @ (y - Phi @ theta))", "the sign"),
        (2, "theta + eta*(Phi @ (y - Phi @ theta))", "shape"),
        (3, "Phi.T @ beta + eta*(Phi.T @ (y + K @ beta))", "the sign"),
        (4, "Phi.T @ (beta + y - K @ beta)", "does not follow"),
    ),
)


def _pair():
    """Two samples, s, and all products of two of their entries."""
    x, z = np.array([1.0, 2.0]), np.array([3.0, 1.0])
    return x @ z, np.outer(x, x) * np.outer(z, z)


def _squares_alone():
    s, pairs = _pair()
    return f"for x = (1, 2) and z = (3, 1) the left side is {np.trace(pairs):g}, and s² is {s**2:g}"


def _each_pair_once():
    s, pairs = _pair()
    return f"for x = (1, 2) and z = (3, 1), with x_1x_2 once, the sum is {np.triu(pairs).sum():g}, and s² is {s**2:g}"


def _product_of_lengths():
    s, _ = _pair()
    return f"for x = (1, 2) and z = (3, 1) s is {s:g}, and ‖x‖‖z‖ is {np.sqrt(5 * 10):.4f}"


kernel_of_monomials = Proof(
    stars=2,
    notes="E, the kernel trick",
    ask="Prove that φ(x)·φ(z) = 1 + s + s² + s³ with s = x·z, for the features 1, all x_i, all x_ix_j and all "
    "x_ix_jx_l, in every order. The indices i, j, l run from 1 to d. Give the letters of the eight lines, each below "
    "what it uses; any such order is right. Three lines do not belong.",
    hints=(
        "An inner product pairs equal entries: 1 with 1, x_i with z_i, x_ix_j with z_iz_j, and so on.",
        "Move the factors: which belong to i, which to j? Then a double sum comes apart.",
    ),
    lines={
        "entries": Line(
            "φ(x)·φ(z) = 1 + Σ_i x_i z_i + Σ_i,j (x_ix_j)(z_iz_j) + Σ_i,j,l (x_ix_jx_l)(z_iz_jz_l)",
            "which products are summed",
        ),
        "single": Line("Σ_i x_i z_i = s", "what s is as a sum"),
        "pairs": Line("(x_ix_j)(z_iz_j) = (x_iz_i)(x_jz_j)", "how the factors of two are moved"),
        "apart": Line("Σ_i,j a_i b_j = (Σ_i a_i)(Σ_j b_j) for any numbers", "when a double sum comes apart"),
        "square": Line("Σ_i,j (x_ix_j)(z_iz_j) = s²", "what the pairs sum to", ("single", "pairs", "apart")),
        "triples": Line("(x_ix_jx_l)(z_iz_jz_l) = (x_ix_j)(z_iz_j) · (x_lz_l)", "how the factors of three are moved"),
        "cube": Line("Σ_i,j,l (x_ix_jx_l)(z_iz_jz_l) = s² · s = s³", "what the triples sum to", ("triples", "square")),
        "claim": Line("φ(x)·φ(z) = 1 + s + s² + s³", "the claim", ("entries", "square", "cube")),
    },
    decoys={
        "squares": Decoy("Σ_i x_i²z_i² = (Σ_i x_i z_i)² = s²", _squares_alone),
        "once": Decoy("x_1x_2 = x_2x_1, so the sum over i <= j alone is s² already", _each_pair_once),
        "lengths": Decoy("s = ‖x‖‖z‖, so s² = ‖x‖²‖z‖²", _product_of_lengths),
    },
)


def _learn_by_kernel(X, y, X_new, k, eta, steps):
    K, beta, betas = k(X, X), np.zeros(len(y)), np.zeros((0, len(y)))
    for _ in range(steps):
        beta = beta + eta * (y - K @ beta)
        betas = np.vstack([betas, beta])
    return betas, k(X_new, X) @ beta


def _learning_cases(rng):
    cases = []
    for kernel, N, M, d, steps in ((kernels.cubic_sum, 7, 3, 2, 12), (kernels.polynomial, 5, 4, 3, 6)):
        X, X_new = 0.6 * rng.normal(size=(N, d)) + 0.3, 0.6 * rng.normal(size=(M, d)) + 0.3
        eta = rng.uniform(0.5, 0.9) * kernel_lms.largest_step(kernel(X, X))
        cases.append(Case(f"N = {N}, {steps} steps", (X, rng.uniform(1, 3, N), X_new, kernel, eta, steps), {"N": N}))
    X, X_new = rng.normal(size=(6, 2)), rng.normal(size=(6, 2))
    near = partial(kernels.gaussian, sigma=rng.uniform(0.6, 1.2))
    cases.append(Case("a Gaussian kernel", (X, rng.normal(size=6), X_new, near, 0.3, 9), {"N": 6.0}))
    return [*cases, Case("one step", (X, rng.normal(size=6), X_new[:2], near, 0.4, 1), {"N": 6.0})]


_RESIDUAL = "eta * (y - K @ beta)"
_IN_TURN = "[beta := beta + eta * (y - K @ beta) * e for e in np.eye(len(y))][-1]"
learn_by_kernel = Loop(
    stars=2,
    notes="E, the kernel trick, eq. (11)",
    ask="Write kernel LMS, whole. k(A, B) is the matrix of the kernel for all rows of A and all rows of B. From beta = "
    "0 make `steps` batch steps with eta > 0 for the samples X (N, d) and their targets y (N,), then predict at "
    "the rows of X_new (M, d). Return (betas, f): betas has a row for beta after each step, f (M,) are the "
    "predictions. No features are known.",
    hints=(
        "K is the same in every step: where does it belong, inside of the loop or before it?",
        "The prediction puts θ = Σ_i beta_i φ(x_i) into θ·φ(z). Which shape has the matrix that you need?",
    ),
    answer=_learn_by_kernel,
    returns=("betas", "f"),
    path="betas",
    mistakes=(
        (_RESIDUAL, "eta * (K @ beta - y)", "the sign of the step is reversed"),
        (_RESIDUAL, "eta * K @ (y - K @ beta)", "there is one K too many: beta itself grows by what is missing"),
        (_RESIDUAL, "eta * (y - beta)", "K is missing: the prediction is K beta, not beta"),
        (_RESIDUAL, "eta / len(y) * (y - K @ beta)", "you divided the step by N: the loss is a sum"),
        (_RESIDUAL, "2 * eta * (y - K @ beta)", "there is a 2 too much: the loss has a ½ in front"),
        (_RESIDUAL, "eta * (y - K @ (beta * y))", "beta is multiplied by y, as in the perceptron; y is a target here"),
        (f"beta + {_RESIDUAL}", _RESIDUAL, "the old beta is lost: the step is added to it"),
        (f"beta + {_RESIDUAL}", _IN_TURN, "the entries moved one after the other: that is stochastic LMS"),
        ("k(X, X), np", "X @ X.T, np", "you took inner products of the samples; take the kernel"),
        ("np.zeros(len(y))", "np.ones(len(y))", "start from beta = 0"),
        ("range(steps)", "range(steps - 1)", "one step is missing"),
        ("range(steps)", "range(steps + 1)", "there is one step too many"),
        ("return betas", "return np.vstack([0 * beta, betas])", "betas begins after the first step, not at the start"),
        ("return betas", "return betas[-1:]", "betas has a row for each step, not for the last alone"),
        ("return betas", "return betas.T", "betas is transposed: a row for each step"),
        ("k(X_new, X) @ beta", "k(X, X) @ beta", "f: those are the predictions at X; X_new is asked for"),
        ("k(X_new, X) @ beta", "X_new @ X.T @ beta", "f: the kernel is missing in the prediction"),
        (
            "k(X_new, X) @ beta",
            "k(X_new, X) @ np.vstack([0 * beta, betas])[-2]",
            "f: predict with beta after the last step; you took the one before it",
        ),
        ("k(X_new, X) @ beta", f"k(X_new, X) @ (beta + {_RESIDUAL})", "f: that is after one more step"),
        ("k(X_new, X) @ beta", "np.sign(k(X_new, X) @ beta)", "f: those are the signs; the numbers are asked for"),
        ("k(X_new, X) @ beta", "k(X_new, beta @ X[None])[:, 0]", "f: combine features, not samples"),
    ),
    cases=_learning_cases,
)


def _spectrum_by_hand(a, b):
    fast, slow = a + b, a - b
    bound = 2 / fast
    factor = 1 - slow / fast
    steps = np.ceil(np.log(0.01) / np.log(2 * b / fast))
    return bound, factor, steps


def _your_matrix(rng):
    while True:
        a, b = (int(n) for n in rng.integers(2, 10, 2))
        if a > b and abs((n := np.log(0.01) / np.log(2 * b / (a + b))) - np.round(n)) > 0.05 and n < 100:
            return [Case("your K", (a, b))]


steps_by_hand = ByHand(
    stars=1,
    notes="E, the kernel trick, erratum E17",
    ask="Your K has a twice on its diagonal, and b twice beside it. Its eigenvectors are (1, 1) and (1, -1). Give (1) "
    "the number below which each eta > 0 makes the residual go to 0; (2) for eta = 1/λ_max, the factor by which a step "
    "multiplies the slower part; (3) for this eta, the first step after which that part is below a hundredth of what "
    "it was at the start. Three digits. check.me('your name') deals the numbers.",
    hints=(
        "Multiply K by each of the two vectors: which multiples come out?",
        "The factors are 1 - eta λ. The slower part belongs to the other eigenvalue. For (3) take logarithms.",
    ),
    answer=_spectrum_by_hand,
    returns=("bound", "factor", "steps"),
    one_by_one=True,
    mistakes=(
        ("2 / fast", "1 / fast", "bound: the factor may be negative, as long as its size is below 1"),
        ("2 / fast", "2 / slow", "bound: the larger eigenvalue decides"),
        ("2 / fast", "2 / a", "bound: a is no eigenvalue; multiply K by (1, 1)"),
        ("2 / fast", "fast / 2", "bound: that is its inverse"),
        ("2 / fast", "2 * fast", "bound: the product of eta and λ_max must stay small"),
        ("1 - slow / fast", "slow / fast", "factor: that is the part that is fitted; what is left?"),
        ("1 - slow / fast", "1 - 2 * slow / fast", "factor: that is for eta = 2/λ_max"),
        ("1 - slow / fast", "1 + slow / fast", "factor: a step subtracts eta λ"),
        ("1 - slow / fast", "slow / fast - 1", "factor: which of the two is subtracted from the other?"),
        ("1 - slow / fast", "b / a", "factor: a and b are entries of K, not its eigenvalues"),
        ("1 - slow / fast", "1 - b / a", "factor: a and b are entries of K, not its eigenvalues"),
        ("np.ceil(", "np.floor(", "steps: after this step it is still above a hundredth"),
        ("np.log(0.01)", "np.log(0.1)", "steps: that is for a tenth"),
        ("np.log(0.01)", "np.log(0.001)", "steps: that is for a thousandth"),
        ("np.log(2 * b / fast)", "(2 * b / fast - 1)", "steps: the factors multiply; take the logarithm of the factor"),
        ("np.ceil(", "1 + np.ceil(", "steps: a step earlier it is below a hundredth already"),
        ("np.ceil(", "float(", "steps: give the first whole number that is enough"),
    ),
    cases=_your_matrix,
)


def _not_zero():
    phi, u = np.array([1.0, 1.0]), np.array([1.0, -1.0])
    return f"with the one sample φ = (1, 1) and u = (1, -1), u·φ is {u @ phi:g}, and ‖u‖ is {np.linalg.norm(u):.4f}"


def _not_added():
    theta, u = np.array([1.0, 1.0]), np.array([1.0, -1.0])
    lengths = [np.linalg.norm(v) for v in (theta + u, theta, u)]
    return "for θ = (1, 1) and u = (1, -1) the three lengths are " + ", ".join(f"{n:.4f}" for n in lengths)


def _other_start():
    phi, theta = np.array([1.0, 1.0]), np.array([1.0, -1.0])
    for _ in range(100):
        theta = theta + 0.25 * (2 - theta @ phi) * phi
    first, second = np.round(theta, 3) + 0.0
    return f"with the one sample φ = (1, 1), y = 2, θ from (1, -1) goes to ({first:g}, {second:g}), no multiple of φ"


shortest_of_all = Proof(
    stars=2,
    notes="E, the kernel trick",
    ask="From 0 and with a step below the bound, θ goes to a least-squares solution θ*. There may be many. Prove that "
    "all others are longer. Φ has the φ(x_i) as rows; all least-squares solutions have the same predictions "
    "(chapter 01). Give the letters of the eight lines, each below what it uses; any such order is right. The line "
    "that says what u is stands above all lines with u. Three lines do not belong.",
    hints=(
        "Where does θ* lie, and where the difference of two solutions? Both are said by the φ(x_i).",
        "What is the inner product of the two? Then open the square of a sum.",
    ),
    lines={
        "steps": Line("θ starts at 0, and each step adds multiples of the φ(x_i)", "how θ moves"),
        "span": Line("θ* = Σ_i β_i φ(x_i) for some numbers β_i", "where θ* lies", ("steps",)),
        "other": Line("another solution is θ* + u with u ≠ 0 and Φ(θ* + u) = Φθ*", "what another solution is"),
        "flat": Line("Φu = 0: u·φ(x_i) = 0 for every i", "that u is orthogonal to each φ(x_i)", ("other",)),
        "right": Line("θ*·u = Σ_i β_i φ(x_i)·u = 0", "that θ* and u are orthogonal", ("span", "flat")),
        "square": Line("‖θ* + u‖² = ‖θ*‖² + 2θ*·u + ‖u‖²", "the square of the length, opened", ("other",)),
        "sum": Line("‖θ* + u‖² = ‖θ*‖² + ‖u‖²", "the square of the length as a sum", ("right", "square")),
        "claim": Line("‖θ* + u‖ > ‖θ*‖, because u ≠ 0", "the claim", ("sum",)),
    },
    decoys={
        "zero": Decoy("u·φ(x_i) = 0 for every i, so u = 0", _not_zero),
        "lengths": Decoy("‖θ* + u‖ = ‖θ*‖ + ‖u‖", _not_added),
        "start": Decoy("from any start, the end of the steps is Σ_i β_i φ(x_i)", _other_start),
    },
)


def _after_many_steps(K, y, eta, steps):
    lam, V = np.linalg.eigh(K)
    zero = lam < 1e-9 * lam[-1]
    lam = np.where(zero, 1, lam)
    g = np.where(zero, eta * steps, (1 - (1 - eta * lam) ** steps) / lam)
    return V @ (g * (V.T @ y))


def _rounding_shows(K, eta, steps):
    """Are the eigenvalues that should be 0 such that to divide by them gives something, but not the right thing?"""
    lam = np.linalg.eigvalsh(K)
    lam = lam[lam < 1e-9 * lam[-1]]
    if not lam.all():
        return False
    part = (1 - (1 - eta * lam) ** steps) / (lam * eta * steps)  # 1 would be right
    return np.abs(part).max() > 0.2 and np.abs(part - 1).max() > 0.2


def _many_cases(rng):
    cases = []
    for label, N, d, steps in (
        ("as many samples as features", 4, 4, 7),
        ("a million steps", 3, 3, 10**6),
        ("more samples than features", 7, 3, 40),
        ("more samples than features, a million steps", 6, 2, 10**6),
        ("one step", 5, 2, 1),
    ):
        while True:
            Phi = np.linalg.qr(rng.normal(size=(N, d)))[0] * rng.uniform(1, 3, d)
            Phi = Phi @ np.linalg.qr(rng.normal(size=(d, d)))[0]
            K = Phi @ Phi.T
            eta = rng.uniform(0.2, 0.45) / np.linalg.eigvalsh(K)[-1]
            if N == d or steps == 1 or _rounding_shows(K, eta, steps):
                break
        cases.append(Case(label, (K, rng.normal(size=N) + 1, eta, steps), {"N": float(N)}))
    return cases


_GROWN = "(1 - (1 - eta * lam) ** steps) / lam"
after_many_steps = Exercise(
    stars=3,
    notes="E, the kernel trick, erratum E17",
    ask="Return beta (N,) after `steps` batch steps beta ← beta + eta (y - K beta) from 0, without a loop over the "
    "steps: there may be a million. K (N, N) is symmetric, its eigenvalues are positive or 0 up to rounding (some "
    "may be 0), y (N,), eta > 0 is below the bound. np.linalg.eigh(K) gives the eigenvalues, and the eigenvectors "
    "as columns.",
    hints=(
        "Along an eigenvector a step is one equation of numbers: b ← b + eta (c - λ b). Make three by hand.",
        "A geometric sum. What is it for λ = 0, where its formula divides by 0? Up to rounding: λ < 1e-9 λ_max.",
    ),
    answer=_after_many_steps,
    mistakes=(
        (
            "np.where(zero, eta * steps, ",
            "np.where(zero, 0, ",
            "along the eigenvectors with λ = 0 beta moves, too: what does each step add there?",
        ),
        (
            "np.where(zero, eta * steps, ",
            "np.where(zero, eta, ",
            "along the eigenvectors with λ = 0 each step adds the same again; you added it once",
        ),
        (
            "np.where(zero, eta * steps, ",
            "np.where(zero, steps, ",
            "along the eigenvectors with λ = 0 eta is missing: a step adds eta times what is missing",
        ),
        (
            "lam < 1e-9 * lam[-1]",
            "lam == 0",
            "you divided by eigenvalues like 1e-15; below 1e-9 λ_max they are 0 up to rounding: use the other formula",
        ),
        (_GROWN, "(1 - (1 - eta * lam) ** steps)", "those are coefficients of K beta: divide by the eigenvalue"),
        (_GROWN, f"eta * {_GROWN}", "there is an eta too much: it is in the sum already"),
        (_GROWN, "(1 - eta * lam) ** steps / lam", "that is what is still missing, divided by λ: beta is the rest"),
        (_GROWN, "1 / lam", "that is the end of all steps; after a few it is not reached"),
        (_GROWN, "(1 - (1 - eta * lam) ** (steps + 1)) / lam", "there is one step too many"),
        (_GROWN, "(1 - (1 - eta * lam) ** (steps - 1)) / lam", "one step is missing"),
        (_GROWN, "(1 - (1 + eta * lam) ** -steps) / lam", "the factor of a step is 1 - eta λ"),
        (_GROWN, "eta * steps / (1 + eta * steps * lam)", "that is ridge regression, which is only alike"),
        ("V @ (g * (V.T @ y))", "V.T @ (g * (V @ y))", "the eigenvectors are the columns of V, not its rows"),
        ("V @ (g * (V.T @ y))", "g * (V.T @ y)", "those are coefficients along the eigenvectors: go back with V"),
        ("V @ (g * (V.T @ y))", "V @ (g * y)", "y must be split along the eigenvectors first: V.T @ y"),
    ),
    cases=_many_cases,
)


def _gram_of(f, X):
    """ΦΦᵀ, as no order of the columns is told from another, their number, and 1 if a row depends on other rows of X."""
    (Phi,) = f(X)
    if Phi.ndim != 2 or len(Phi) != len(X):
        turned = ": it is transposed" if Phi.ndim == 2 and Phi.shape[1] == len(X) else ""
        raise Refused(f"Phi must have a row for each of the {len(X)} samples; it is of shape {Phi.shape}{turned}")
    (fewer,) = f(X[::-2])
    return [Phi @ Phi.T, np.array(float(Phi.shape[1])), np.array(float(not equal(fewer, Phi[::-2])))]


def _cubic_features(X):
    pairs = X[:, :, None] * X[:, None, :]
    triples = pairs[:, :, :, None] * X[:, None, None, :]
    return np.column_stack([np.ones(len(X)), X, pairs.reshape(len(X), -1), triples.reshape(len(X), -1)])


PAIRS, TRIPLES = "pairs.reshape(len(X), -1)", "triples.reshape(len(X), -1)"
ONCE = "return kernels.polynomial_features(X, 1.0, 3) / kernels.polynomial_features(X[:1] ** 0, 1.0, 3)"
CUBE = "X = np.column_stack([np.ones(len(X)), X])\n    return np.einsum('ni,nj,nk->nijk', X, X, X).reshape(len(X), -1)"
all_monomials = Exercise(
    stars=0,
    notes="E, the kernel trick, erratum E08",
    ask="Return Phi (N, 1 + d + d² + d³), all products of up to three attributes in every order: 1, all x_i, all x_i "
    "x_j, all x_i x_j x_l with i, j, l from 1 to d, so that x_1 x_2 and x_2 x_1 are both there. X (N, d), a sample "
    "per row. The order of the columns is free: the inner products of the rows are judged.",
    hints=(
        "Four blocks side by side with 1, d, d² and d³ columns. How does the block of degree 2 follow from that of 1?",
        "X[:, :, None] * X[:, None, :] is (N, d, d) and holds all x_i x_j; a reshape to (N, -1) makes rows of them.",
        "For the pairs loop over i and j in range(d) and collect X[:, i] * X[:, j]; a third loop gives the triples.",
    ),
    answer=_cubic_features,
    mistakes=(
        ("return", f"{ONCE} #", "each product is there once; x_1 x_2 and x_2 x_1 are both wanted, for s²"),
        ("return", f"{CUBE} #", "you took all products of three out of (1, x_1, ..., x_d): that gives (1 + s)³"),
        ("np.ones(len(X)), ", "", "the constant 1 is missing: its column is the 1 of 1 + s + s² + s³"),
        (f"{PAIRS}, ", "", "the products of two are missing: ΦΦᵀ is only 1 + s + s³"),
        (f", {TRIPLES}", "", "degree 3 is missing: note E says less than 3 and means at most 3 (erratum E08)"),
        (f"{PAIRS}, {TRIPLES}", "X**2, X**3", "you took the powers x_i, x_i², x_i³ alone; x_i x_j is wanted too"),
        ("return", "return kernels.gram(kernels.cubic_sum, X) #", "that is the kernel matrix; its features are wanted"),
    ),
    cases=lambda rng: [
        Case(f"N = {N}, d = {d}", (rng.normal(size=(N, d)) + 0.3,), {"N": N, "d": d})
        for N, d in ((6, 2), (5, 3), (7, 1), (1, 4))
    ],
    play=_gram_of,
    judged=("ΦΦᵀ", "the number of columns", "the dependence on other rows"),
)


def _cubic(x):
    return np.column_stack([np.ones(len(x)), x, x**2, x**3])


cubic_features = Exercise(
    stars=0,
    notes="E, feature maps",
    ask="Return Phi (N, 4), the feature map φ(x) = (1, x, x², x³) of each of the numbers x (N,): a row per number, "
    "the columns in this order, the 1 first.",
    hints=(
        "Column k holds the k-th powers of all the numbers; the column of ones has an entry per number.",
        "np.column_stack([np.ones(len(x)), x, ...]) puts vectors of N entries side by side as columns.",
    ),
    answer=_cubic,
    mistakes=(
        ("np.ones(len(x)), ", "", "the column of ones is missing: without it there is no θ_0"),
        (", x**3", "", "x³ is missing: the map goes up to degree 3, four columns"),
        ("x**3", "x**3, x**4", "there is a column too many: x³ is the last"),
        ("np.ones", "np.zeros", "your first column holds zeros: it must hold ones, or θ_0 is multiplied by 0"),
        ("x, x**2", "3**0.5 * x, 3**0.5 * x**2", "those are the features of (1 + xz)³; no power has a factor"),
        ("x, x**2, x**3", "x**2, x**3", "the column x itself is missing, degree 1"),
    ),
    cases=lambda rng: [
        Case(f"{len(x)} numbers", (x,), {"N": len(x)})
        for x in (2 * rng.normal(size=6), rng.uniform(2, 3, 1), rng.permutation(np.arange(-3, 5)))
    ],
)


def _lms_step(theta, Phi, y, eta):
    r = y - Phi @ theta
    return theta + eta * Phi.T @ r


def _runs(rng):
    """A label, K, targets of both signs and a step that converges; the last has small numbers and a long step."""
    for label, kernel, N, d, start, size, targets in (
        ("1 + s + s² + s³, from 0", kernels.cubic_sum, 6, 2, 0, 1.0, 1.0),
        ("a Gaussian kernel", lambda A, B: kernels.gaussian(A, B, 0.7), 8, 2, 1, 1.0, 1.0),
        ("(s + 1)²", kernels.polynomial, 5, 3, 1, 1.0, 1.0),
        ("small numbers and long steps, from 0", kernels.linear, 7, 4, 0, 1e-3, 1e-9),
    ):
        X, y = regression(rng, N, d)
        K = size * kernels.gram(kernel, 0.5 * X)
        yield label, start * rng.normal(size=N), K, targets * (y - y.mean()), rng.uniform(0.3, 0.6)


IN_TURN = "for f, t in zip(Phi, y):\n        theta = theta + eta * (t - f @ theta) * f\n    return theta"
ENTRIES = (
    "for e in np.eye(len(theta)):\n        theta = theta + eta * (Phi @ e) @ (y - Phi @ theta) * e\n    return theta"
)
lms_step = Exercise(
    stars=0,
    notes="E, LMS with features",
    ask="Return the new theta (p,) after one step of batch LMS, all samples at once: gradient descent with step eta > "
    "0, the notes' α, on E(θ) = ½ Σ_i (y_i - θ·φ(x_i))², a sum with 1/2. Phi (N, p) holds φ(x_i) as row i, add no "
    "column; y (N,); leave theta as it is. Runs of many steps are judged.",
    hints=(
        "Every sample pulls theta along its φ(x_i), by eta times its residual y_i - θ·φ(x_i).",
        "θ·φ(x_i) for all i is Phi @ theta; which product of Phi and the residuals is Σ_i (y_i - θ·φ(x_i)) φ(x_i)?",
    ),
    answer=_lms_step,
    mistakes=(
        ("eta *", "eta / len(y) *", "you divided the step by N: E is a sum over the samples, not a mean"),
        ("theta + ", "", "theta itself is missing: the step is added to the old theta"),
        (" - Phi @ theta", "", "the predictions θ·φ(x_i) are missing in the residual"),
        ("@ r", "@ r**2", "your residuals are still squared: the derivative of ½r² has r"),
        ("Phi.T @ r", "r.sum()", "φ(x_i) is missing: you summed the residuals; each multiplies its φ(x_i) first"),
        ("@ r", "@ (r / np.sum(Phi * Phi, axis=1))", "that is normalized LMS: do not divide by φ(x_i)·φ(x_i)"),
        ("r = y - Phi @ theta", IN_TURN, "theta moves after each sample: that is stochastic LMS, not batch LMS"),
        ("r = y - Phi @ theta", ENTRIES, "you moved the entries of theta one after another; move all at once"),
    ),
    cases=lambda rng: [
        Case(label, ((beta @ Phi,), [(Phi, y, part * kernel_lms.largest_step(Phi @ Phi.T))] * 20))
        for label, beta, K, y, part in _runs(rng)
        for Phi in [np.cumsum(kernels.mercer_features(K)[:, 1:], axis=1)]
    ],
    play=run,
)


def _of_the_residual(i=""):
    """What goes wrong in eta (y - K beta) of all samples, or of sample i."""
    return (
        (f"K{i} @ beta", f"K{i} @ (beta * y)", "you multiplied by y_j, as the perceptron does; it is Σ_j beta_j K_ij"),
        (f"K{i} @ beta", f"beta{i}", "K is missing: the prediction for x_i is Σ_j beta_j K_ij, not beta_i"),
        (f"K{i} @ beta", f"(np.diag(K) * beta){i}", "the sum over j is missing: you took beta_i K_ii alone"),
        (f"K{i} @ beta", f"(K - np.diag(np.diag(K))){i} @ beta", "you left j = i out of the sum Σ_j beta_j K_ij"),
        (f"(y{i} - K", f"y{i} * (y{i} - K", "you multiplied the residual by y_i, as by a label; y_i is no label"),
        (f"(y{i} - K", f"(y{i} * (K{i} @ beta) <= 0) * (y{i} - K", "beta_i moves only where the signs differ"),
        ("eta *", "eta / len(y) *", "you divided the step by N: no mean is taken"),
    )


def _beta_step(beta, K, y, eta):
    return beta + eta * (y - K @ beta)


IN_ROWS = "for e in np.eye(len(y)):\n        beta = beta + eta * e * (y - K @ beta)\n    return beta #"
kernel_lms_step = Exercise(
    stars=0,
    notes="E, the kernel trick, eq. (11)",
    ask="Return the new beta (N,) after one step of batch LMS, eta > 0, on E(θ) = ½ Σ_i (y_i - θ·φ(x_i))², made on "
    "the coefficients beta of θ = Σ_j beta_j φ(x_j), all entries at once from the old ones. There is no Phi, only K "
    "(N, N) with K_ij = φ(x_i)·φ(x_j); y (N,) are any numbers, not labels; leave beta as it is. Runs of many steps "
    "are judged.",
    hints=(
        "θ grows by Σ_i eta (y_i - θ·φ(x_i)) φ(x_i). By what does the coefficient of φ(x_i) grow?",
        "θ·φ(x_i) = Σ_j beta_j K_ij: for all i at once K @ beta. Each beta_i grows by eta times its residual.",
    ),
    answer=_beta_step,
    mistakes=(
        *_of_the_residual(),
        ("eta * (y - K @ beta)", "eta * y - K @ beta", "eta multiplies the whole residual y - K beta"),
        ("(y - K", "K @ (y - K", "you have one K too many: beta itself grows by eta (y - K beta)"),
        ("return", IN_ROWS, "beta_i moves one after the other: that is stochastic LMS (erratum E11)"),
        ("beta + ", "", "beta itself is missing: the step is added to the old beta"),
        ("(y - K @ beta)", "np.sum(y - K @ beta)", "you added the sum of all residuals; each beta_i has its own"),
    ),
    cases=lambda rng: [
        Case(label, ((beta,), [(K, y, part * kernel_lms.largest_step(K))] * 20))
        for label, beta, K, y, part in _runs(rng)
    ],
    play=run,
)


def _predict(beta, X, X_new, k):
    return k(X_new, X) @ beta


def _predict_cases(rng):
    """Coefficients of both signs; predictions of both too, or a sign in place of them could be right by chance."""
    cases = []
    for N, M, d, sign in ((6, 4, 2, 1), (5, 9, 3, -1), (7, 3, 1, 1), (4, 1, 2, -1), (1, 3, 2, 1)):
        k = kernels.cubic_sum if sign > 0 else partial(kernels.gaussian, sigma=rng.uniform(0.6, 1.2))
        X, X_new = 0.6 * rng.normal(size=(N, d)) + 0.3, 0.6 * rng.normal(size=(M, d)) + 0.3
        beta = rng.permutation(np.resize([1.0, -1.0], N)) * rng.uniform(0.5, 2, N)
        beta *= sign * np.sign(kernel_lms.predict(beta, k(X_new, X))[0])
        cases.append(Case(f"{N} samples in the fit, {M} new, d = {d}", (beta, X, X_new, k), {"N": N, "M": M}))
    return cases


kernel_predict = Exercise(
    stars=0,
    notes="E, the kernel trick",
    ask="Return the predictions (M,), θ·φ(z) with θ = Σ_i beta_i φ(x_i), one for each row z of X_new (M, d). X (N, d) "
    "holds the x_i as rows, beta (N,) their coefficients. k is a function of two matrices of samples: k(A, B) is the "
    "matrix of all φ(a)·φ(b), a row for each row a of A, a column for each row b of B.",
    hints=(
        "θ·φ(z) = Σ_i beta_i φ(x_i)·φ(z): a new sample meets every sample of the fit.",
        "k(X_new, X) is (M, N), the samples of the fit along its rows. Which product with beta sums over them?",
    ),
    answer=_predict,
    mistakes=(
        ("X_new, X)", "X, X)", "those are the N predictions for X; the samples of X_new must meet those of X"),
        ("k(X_new, X)", "X_new @ X.T", "k is missing: you took inner products of samples, not of features"),
        ("X) @ beta", "(beta @ X)[None])[:, 0]", "you combined the samples; combine features, Σ_i beta_i k(x_i, z)"),
        ("@ beta", "@ beta / k(X_new, X).sum(axis=1)", "you divided by Σ_i k(x_i, z); no average is wanted"),
        (" @ beta", "", "that is the matrix k(X_new, X); its product with beta is missing"),
        ("@ beta", "@ beta + beta.mean()", "there is no bias: the prediction is Σ β_n k(x_new, x_n) alone"),
    ),
    factors={"1/N": "θ is the sum of the beta_i φ(x_i), not their mean", "-": "the beta_i come with their signs"},
    cases=_predict_cases,
)


def _visit(beta, i, K, y, eta):
    beta = beta.copy()
    beta[i] += eta * (y[i] - K[i] @ beta)
    return beta


kernel_lms_visit = Exercise(
    stars=0,
    notes="E, the kernel trick, erratum E11",
    ask="Return the coefficients (N,) of the new θ after a visit of sample i (counted from 0) in stochastic LMS: θ = "
    "Σ_j beta_j φ(x_j) moves by eta (y_i - θ·φ(x_i)) φ(x_i). Use K (N, N) with K_ij = φ(x_i)·φ(x_j) alone; y (N,) are "
    "any numbers, eta > 0. Return a new array, leave beta as it is. Runs of many steps are judged.",
    hints=(
        "θ moves along φ(x_i) alone: which of the coefficients beta_1, ..., beta_N change?",
        "new = beta.copy(); then new[i] grows by eta times the residual, and θ·φ(x_i) is K[i] @ beta.",
    ),
    answer=_visit,
    mistakes=(
        *_of_the_residual("[i]"),
        ("beta[i] +=", "beta +=", "all of beta moves by the residual of sample i; only beta_i may"),
        ("beta[i] += eta * (y[i] - K[i]", "beta += eta * (y - K", "you moved all of beta: that is the batch step"),
        ("beta[i] +=", "beta += K[i] *", "you moved beta along row i of K; only beta_i may change"),
        ("+=", "=", "you set beta_i to the step; it must grow by it"),
        ("return beta", "return beta * (np.arange(len(y)) == i)", "the other entries of beta must stay, not become 0"),
        ("eta *", "eta / K[i, i] *", "you divided the step by K_ii: that is normalized LMS, another rule"),
        ("beta = beta.copy()", "beta = beta.copy(); i -= 1", "you count the samples from 1: here i begins with 0"),
    ),
    cases=lambda rng: [
        Case(label, ((beta,), [(i, K, y, part / K.max()) for i in (rng.permutation(30) % len(y)).tolist()]))
        for label, beta, K, y, part in _runs(rng)
    ],
    play=run,
)


def _bound_cases(rng):
    drawn = ((kernels.cubic_sum, 5, 2), (kernels.linear, 4, 6), (kernels.polynomial, 2, 2))
    K = [kernels.gram(kernel, rng.normal(size=size)) for kernel, *size in drawn]
    near = np.diag([0.3, 1.999, 2.0, 0.7, 1.0]) * rng.uniform(1, 2)  # two eigenvalues nearly equal
    return [Case(f"K {K.shape}", (K,), {"N": len(K)}) for K in (*K[:2], 1e-3 * K[2], near)]


def _largest_step(K):
    return 2 / np.linalg.eigvalsh(K)[-1]


LARGEST = "np.linalg.eigvalsh(K)[-1]"
largest_step_of_kernel = Exercise(
    stars=0,
    notes="E, the kernel trick, erratum E17",
    ask="Return the number below which every eta > 0 makes beta ← beta + eta (y - K beta) converge from any start, "
    "and above which it diverges from almost all. K (N, N) is symmetric and positive definite.",
    hints=(
        "The residual r = y - K beta becomes (I - eta K) r. By what is it multiplied along an eigenvector of K?",
        "|1 - eta λ| < 1 for every eigenvalue λ of K; the largest decides. np.linalg.eigvalsh gives them in order.",
    ),
    answer=_largest_step,
    mistakes=(
        ("[-1]", "[0]", "you took the smallest eigenvalue: along the largest the residual would already grow"),
        (LARGEST, "np.linalg.eig(K)[0][0]", "np.linalg.eig does not sort the eigenvalues: take the largest"),
        (LARGEST, "np.trace(K)", "2/trace(K) is safe, but not the largest step: the trace sums all eigenvalues"),
        (LARGEST, f"np.sqrt({LARGEST})", "you took the root: K itself stands in the step, so its eigenvalue does"),
        (LARGEST, f"({LARGEST} + np.linalg.eigvalsh(K)[0])", "2/(λ_max + λ_min) is the fastest step, not the largest"),
        (LARGEST, "K.max()", "the largest entry, a K_ii, bounds single visits; the largest eigenvalue may be larger"),
        (LARGEST, "np.abs(K).sum(axis=1).max()", "the sums of |K_ij| over a row only bound the eigenvalue from above"),
        (LARGEST, "np.linalg.norm(K)", "np.linalg.norm(K) is no eigenvalue; the largest one is norm(K, 2)"),
        ("2 / ", "", "that is the largest eigenvalue; the step is 2 divided by it"),
    ),
    factors={
        "1/2": "1/λ_max is the bound for a loss without 1/2; here |1 - eta λ| < 1 allows 2/λ_max",
        "2": "the condition is |1 - eta λ_max| < 1, so eta λ_max < 2",
        "N": "the loss is a sum, not a mean",
        "1/N": "λ_max is that of K as it is, not of N K",
    },
    cases=_bound_cases,
)


before = {
    "ch11-phi": Question(
        lambda: 2**3 - 2**2 + 1,
        {
            "the features of 2 are its powers, from 0 to 3": lambda: 1 - 2 + 2,
            "mind the order: the first entry of θ belongs to the feature 1": lambda: -1 + 2 + 8 - 4 + 4,
            "there is a minus before x²": lambda: 13,
            "the constant is there, too": lambda: 4,
        },
    ),
    "ch11-count": Question(
        lambda: [15, 1001001000 + 1],
        {
            "the feature 1 is one of them": lambda: [14, 1001001000],
            "both orders count: x_1x_2 and x_2x_1": lambda: [10, 167668501],
            "those of degree 3 alone": lambda: [8, 10**9],
            "in this order: d = 2 first": lambda: [1001001001, 15],
        },
    ),
    "ch11-beta": Question(
        lambda: [0, 1.25],
        {
            "that is after the first step": lambda: [0.5, 1.5],
            "subtract the predictions K beta before the second step": lambda: [1.0, 3.0],
            "in the second step the predictions are K beta, not beta": lambda: [0.75, 2.25],
            "all from the old beta: do not let the second sample see the new one": lambda: [0, 1.5],
            "that is theta; give beta": lambda: [1.25, 1.25],
        },
    ),
    "ch11-pairs": Question(
        lambda: 25,
        {
            "those are the squares alone; x_1x_2 and x_2x_1 are features, too": lambda: 13,
            "x_1x_2 and x_2x_1 are two features": lambda: 19,
            "that is s; the products of two are asked for": lambda: 5,
            "that is the product of the squared lengths": lambda: 50,
        },
    ),
    "ch11-turn": Question(
        lambda: 1.25,
        {
            "that is all at once: the new first entry is in the prediction now": lambda: 1.5,
            "what is missing is 3 minus the prediction; then eta": lambda: 2.5,
            "that is the first entry": lambda: 0.5,
            "mind the sign: the prediction is subtracted": lambda: 1.75,
        },
    ),
    "ch11-factor": Question(
        lambda: -1.4,
        {
            "mind its sign": lambda: 1.4,
            "that is eta times the eigenvalue; a step leaves the rest": lambda: 2.4,
            "a step subtracts": lambda: 3.4,
            "multiply eta by the eigenvalue": lambda: 0.4,
        },
    ),
    "ch11-cheaper": Question(
        lambda: 500,
        {
            "a step on theta goes through the features twice": lambda: 1000,
            "the number of features, not of multiplications": lambda: 1000**2,
            "set both counts equal, and solve for p": lambda: 2000,
        },
    ),
    "ch11-degree": Question(
        lambda: 2,
        {
            "this draws a straight line": lambda: 1,
            "a lower one is enough: which curve is a circle?": lambda: 3,
            "lower ones are enough: which curve is a circle?": lambda: 4,
        },
    ),
}
