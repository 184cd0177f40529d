"""Exercises of chapter 03, generalized linear models (note A 2)."""

import numpy as np

from linmodels import glm, special

from .grading.cases import table
from .grading.checker import Case, Exercise

chapter = "03"

_FAR = np.array([800, 700, 60, -60, -700, -800])
_SLOPE = "a factor mean'(Xw), as of a squared error, is too much: leave it out"
_ONE_FOR_ALL = "φ_K is right, but the others have denominators 1 + e^η_i: it is one for all"


def _positive(rng, N, d, size=1.0, spread=0.4):
    """X > 0 and y > 0 with noise that multiplies, so that ln y has residuals, and means that are not 0."""
    X = rng.uniform(0.2, 2, (N, d))
    return X, size * np.exp(X @ rng.uniform(-1, 1.5, d) + 0.7 + spread * rng.normal(size=N))


def _log_linear_fit(X, y):
    A = np.column_stack([X, np.ones(len(X))])
    w = np.linalg.lstsq(A, np.log(y), rcond=None)[0]
    return w


log_linear_fit = Exercise(
    stars=1,
    notes="A 2.1, erratum A13",
    ask="Find the (w, b) that minimize Σ_i (w·x_i + b - ln y_i)². Return them as one array (d + 1,), the bias last: "
    "plain least squares on ln y. X (N, d) comes without the column of ones, y (N,) > 0 may be tiny.",
    hints=(
        "With z = ln y this is linear regression. Which function of chapter 01 does it?",
        "Append the ones to X, then least squares on np.log(y): np.linalg.lstsq(A, z)[0].",
    ),
    answer=_log_linear_fit,
    mistakes=(
        ("np.log(y)", "y", "the logarithm is missing: that is least squares on y itself"),
        ("np.log(y)", "np.log1p(y)", "you took ln(1 + y): the targets are ln y"),
        ("np.log(y)", "np.log(y + 1e-8)", "you added 1e-8 to y: y is small here, but never 0"),
        ("[X,", "[np.log(X),", "you took the logarithm of X, too: w·x holds x as it is"),
        ("np.column_stack([X, np.ones(len(X))])", "X", "the bias is missing: append a column of ones to X first"),
        ("return w", "return np.append(w[:-1], np.log(y).mean())", "w·mean(x) is missing: b = mean(ln y) - w·mean(x)"),
        ("return w", "return np.append(w[:-1], np.exp(w[-1]))", "you took exp of b: it is asked for as it is"),
        ("return w", "return np.exp(A @ w)", "those are the predictions exp(w·x + b): the coefficients are asked for"),
        ("return w", "return A @ w", "those are the fitted values of ln y: the coefficients are asked for"),
        ("return w", "w[-1] += np.var(np.log(y) - A @ w) / 2; return w", "you added s²/2 to b, as for the mean of y"),
    ),
    cases=lambda rng: table(rng, _positive, "N d size", (9, 3), (6, 1), (6, 4), (12, 2, 1, 8), (8, 2, 1e-14)),
)


def _exponential_density(y, eta, b, T, a):
    return b(y) * np.exp(eta * T(y) - a(eta))


def _families(rng):
    g, p, (x, y), eta = glm.gaussian_with(1.5), glm.poisson, rng.uniform(0.3, 2, (2, 4)), rng.uniform(0.5, 0.8, 3)
    return [
        Case("a Gaussian", (3 * x - 3, float(eta[0]), g.b, g.T, g.a)),
        Case("Poisson counts", (np.array([3.0, 0, 1, 5, 2, 7]), float(2 * eta[1]), p.b, p.T, p.a)),
        Case("b = y, T = -y²/2", (y, float(3 * eta[2]), np.positive, lambda y: -(y**2) / 2, lambda z: -np.log(z))),
    ]


exponential_density = Exercise(
    stars=1,
    notes="A 2.2",
    ask="Return the density p(y; η) = b(y) exp(η T(y) - a(η)) of an exponential family that is given by its functions: "
    "b, T and a are callables, b(y) and T(y) take the array y (N,), a(eta) takes the number eta. The result is (N,).",
    hints=(
        "Call the three functions: b and T on y, a on eta.",
        "b(y) * np.exp(eta * T(y) - a(eta)); only what is in the brackets is in the exponent.",
    ),
    answer=_exponential_density,
    mistakes=(
        (" - a", " + a", "you added a(η) in the exponent: subtract it"),
        (" - a(eta)", "", "a(η) is missing: without it the density does not integrate to 1"),
        (" - a(eta))", ") / a(eta)", "you divided by a(η): subtract it in the exponent, which divides by exp(a(η))"),
        (" - a(eta))", ") - a(eta)", "a(η) is outside the exponential: check the brackets"),
        ("a(eta)", "eta * a(eta)", "η multiplies T(y) alone, not the difference T(y) - a(η): check the brackets"),
        ("T(y)", "y", "T is missing: the exponent holds η T(y), not η y"),
        ("eta * T", "T", "η is missing: the exponent holds η T(y), not T(y)"),
        ("b(y) * np.exp(", "np.exp(b(y) + ", "b(y) is in the exponent: it stands before the exponential"),
        ("b(y) * ", "", "b(y) is missing: it multiplies the exponential"),
        ("np.exp", "", "the exponential is missing: that is b(y)(η T(y) - a(η))"),
    ),
    cases=_families,
)


def _natural_parameter(phi):
    return np.log(phi) - np.log1p(-phi)


natural_parameter = Exercise(
    stars=1,
    notes="A 2.3.2",
    ask="The Bernoulli distribution p(y) = φ^y (1-φ)^(1-y), y being 0 or 1, is exp(η y - a(η)): give its natural "
    "parameter η from φ. phi (m,) holds values of φ strictly between 0 and 1, some of them as small as 1e-300: η must "
    "be right there, too. Return η (m,), natural logarithms.",
    hints=(
        "Take the logarithm of p(y) and collect the factor of y.",
        "y ln φ + (1 - y) ln(1 - φ) = y [ln φ - ln(1 - φ)] + ln(1 - φ).",
    ),
    answer=_natural_parameter,
    mistakes=(
        ("np.log(phi) - np.log1p(-phi)", "phi / (1 - phi)", "those are the odds φ/(1 - φ): η is their logarithm"),
        ("np.log(phi) - np.log1p(-phi)", "np.log(phi / 1 - phi)", "phi / 1 - phi is 0: write phi / (1 - phi)"),
        ("np.log(phi) - np.log1p(-phi)", "1 / (1 + np.exp(-phi))", "σ is the inverse: it gives φ from η"),
        ("np.log(phi) - np.log1p(-phi)", "1 / (phi * (1 - phi))", "1/(φ(1 - φ)) is the derivative of η by φ"),
        ("np.log(phi) -", "-", "that is -ln(1 - φ), the log-partition a: η is the factor of y"),
        (" - np.log1p(-phi)", "", "that is ln φ alone: (1 - y) ln(1 - φ) holds y, too, and adds -ln(1 - φ)"),
        (" - np.log1p(-phi)", " / (1 - phi)", "that is (ln φ)/(1 - φ): take the logarithm of the whole φ/(1 - φ)"),
        (" - ", " / ", "that is ln φ/ln(1 - φ): the logarithm of a quotient is a difference"),
        (" - ", " + ", "that is ln φ(1 - φ): ln(1 - φ) is subtracted"),
        ("return", "phi = np.clip(phi, 1e-12, 1 - 1e-12); return", "you cut φ off at 1e-12: it is never 0 or 1 here"),
    ),
    cases=lambda rng: [
        Case("ordinary data", (np.append(rng.uniform(0.05, 0.95, 7), 0.5),)),
        Case("phi near 0 and near 1", (np.array([1 - 1e-10, 1e-9, 1e-20, 1 - 1e-4, 1e-300, 1 - 1e-9]),)),
        Case("small phi", (10.0 ** rng.uniform(-4, -1.5, 5),)),
    ],
    factors={"-": "φ is the probability of y = 1: it stands in the numerator"},
)


def _log_partition(eta):
    e = np.exp(-np.abs(eta))
    return np.maximum(eta, 0) + np.log1p(e)


bernoulli_log_partition = Exercise(
    stars=2,
    notes="A 2.3.2, erratum A19",
    ask="Return the log-partition of the Bernoulli distribution as a function of its natural parameter, a(η) = ln(1 + "
    "e^η), entry by entry. eta (m,) reaches from -800 to 800: the result must be finite there and right.",
    hints=(
        "e^800 is no float64. For a large η take e^η out of the logarithm: ln(1 + e^η) = η + ...?",
        "ln(1 + e^η) = max(η, 0) + ln(1 + e^-|η|): this exponential never exceeds 1.",
    ),
    answer=_log_partition,
    mistakes=(
        ("e = ", "return np.log(1 + np.exp(eta)); e = ", "e^η overflows for large η: ln(1 + e^η) = η + ln(1 + e^-η)"),
        ("e = ", "return -np.log(1 - 1 / (1 + np.exp(-eta))); e = ", "φ is rounded to 1 for η > 37: write a with η"),
        ("e = ", "return eta + np.log(1 + np.exp(-eta)); e = ", "e^-η overflows for η = -800: use this for η > 0 only"),
        ("e = ", "return np.log1p(np.exp(np.minimum(eta, 700))); e = ", "you cut η off at 700: a(800) is 800"),
        ("e = ", "return -np.log(1 - eta); e = ", "you put η where φ stands in -ln(1 - φ): a(η) = ln(1 + e^η)"),
        ("e = ", "return 1 / (1 + np.exp(-eta)); e = ", "that is a'(η) = σ(η), the mean: a itself is asked for"),
        ("np.maximum(eta, 0)", "np.maximum(-eta, 0)", "the sign of η is wrong: that is ln(1 + e^-η)"),
        ("np.maximum(eta, 0) + ", "", "that is ln(1 + e^-|η|): max(η, 0) is missing"),
        (" + np.log1p(e)", "", "max(η, 0) is a(η) far from 0 only: ln(1 + e^-|η|) is missing"),
        ("-np.abs(eta)", "-eta", "that is max(η, 0) + ln(1 + e^-η): the exponential holds |η|"),
    ),
    cases=lambda rng: [
        Case("ordinary eta", (rng.normal(size=6) * 2,)),
        Case("eta from -40 to 40", (rng.uniform(-1, 1, 33) + np.arange(-40, 41, 2.5),)),
        Case("eta far out, to -800 and 800", (np.append(rng.normal(size=3), rng.uniform(0.95, 1, 6) * _FAR),)),
        Case("eta from -22 to -3", (np.array([-8, -21, -4, -17, -12]) + rng.uniform(-1, 1, 5),)),
    ],
)


def _gaussian(y, mu, sigma):
    b = np.exp(-(y**2) / (2 * sigma**2)) / (np.sqrt(2 * np.pi) * sigma)
    eta = mu / sigma**2
    a = mu**2 / (2 * sigma**2)
    return b, y, eta, a


gaussian_as_exponential = Exercise(
    stars=2,
    notes="A 2.3.1, erratum A15",
    ask="Write the density of the Gaussian with mean mu and known sigma > 0 as b(y) exp(η T(y) - a(η)), where T(y) = y "
    "and b holds every factor without mu. Return the values (b, T, eta, a): b(y) and T(y), both (N,), the numbers η "
    "and a(η). y (N,), mu and sigma numbers.",
    hints=(
        "Multiply (y - mu)² out: which of the three terms hold only y, only mu, both?",
        "-y²/2σ² goes to b with 1/(√(2π) σ), yμ/σ² is η T(y), and a = μ²/2σ² = σ²η²/2.",
    ),
    answer=_gaussian,
    returns=("b", "T", "eta", "a"),
    mistakes=(
        (" y, eta", " 2 * y, eta / 2", "T(y) is y and eta mu/sigma², not 2y and mu/(2 sigma²)"),
        (" y, eta", " y / sigma**2, mu", "sigma² belongs to eta: T(y) = y and eta = mu/sigma²"),
        ("eta, a", "eta, a + np.log(sigma)", "ln sigma is in a: it holds no mu, so it stands in b, as 1/sigma"),
        ("eta, a", "eta, a + np.log(np.sqrt(2 * np.pi) * sigma)", "1/(√(2π) sigma) is in b, not in a: it has no mu"),
        ("-(y**2)", "-((y - mu) ** 2)", "mu is in b, that is the whole density: b holds the factors without mu"),
        (" / (np.sqrt(2 * np.pi) * sigma)", "", "1/(√(2π) sigma) is missing in b: it holds no mu"),
        (" * sigma)", ")", "1/sigma is missing in b: the constant is 1/(√(2π) sigma)"),
        ("np.exp(-", "np.exp(", "the minus in the exponent of b is missing: -y²/(2 sigma²)"),
        ("-(y**2) / (2 *", "-(y**2) / (", "the factor 1/2 in the exponent of b is missing: -y²/(2 sigma²)"),
    ),
    cases=lambda rng: [
        Case("sigma = 2", (rng.normal(size=5) * 2 + 1, 1.5, 2.0)),
        Case("sigma = 1/2", (rng.normal(size=4) - 1, -0.75, 0.5)),
    ],
)


def _observed(rng, N, d, family, values, far=0.6):
    X, w = rng.normal(size=(N, d)) + 0.3, rng.normal(size=d) * far
    return X, rng.permutation(np.resize(values, N)), w, family.mean


def _score(X, y, w, mean):
    return X.T @ (y - mean(X @ w))


glm_score = Exercise(
    stars=3,
    notes="A 2.2",
    ask="Give the gradient with respect to w of the log-likelihood Σ_i ln p(y_i; w·x_i), not of its negative, and not "
    "a mean, for a family with T(y) = y. mean is the callable a', which gives E[y] from an array of η = w·x. X (N, d) "
    "is the design matrix as given, y (N,), w (d,). Return (d,).",
    hints=(
        "ln p(y_i; η_i) = ln b(y_i) + η_i y_i - a(η_i): differentiate by η_i first, then η_i = w·x_i by w.",
        "Σ_i (y_i - a'(w·x_i)) x_i, as a product of Xᵀ and a vector of residuals.",
    ),
    answer=_score,
    mistakes=(
        ("mean(X @ w)", "X @ w", "mean is missing: the residual is y - mean(Xw), on the scale of y"),
        ("mean(X @ w)", "1 / (1 + np.exp(-X @ w))", "you took σ for every family: use the mean that is given"),
        ("mean(X @ w)", "mean(X) @ w", "mean acts on w·x, a number per sample: mean(X @ w), not mean(X) @ w"),
        ("y - mean(X @ w)", "y", "the predictions are missing: the residual is y - mean(Xw)"),
        ("X.T @", "(X.T * mean(X @ w) * (1 - mean(X @ w))) @", "m(1 - m) belongs to a squared error: leave it out"),
        ("X.T @ ", "", "Xᵀ is missing: those are the residuals; each multiplies its own sample x_i"),
        ("X.T @ (", "sum(", "Xᵀ is missing: you only summed the residuals; each multiplies its own x_i first"),
        ("X.T @ (", "np.linalg.pinv(X) @ (", "that is (XᵀX)⁻¹ times the gradient, a least-squares step: leave it out"),
        ("X.T @ (", "(X.T * (mean(X @ w + 1e-6) - mean(X @ w - 1e-6)) / 2e-6) @ (", _SLOPE),
    ),
    cases=lambda rng: [
        Case("a Gaussian, sigma = 2", _observed(rng, 7, 3, glm.gaussian_with(2.0), [2.5, -1, 0.3]), {"N": 7}),
        Case("Bernoulli", _observed(rng, 10, 2, glm.bernoulli, [0.0, 1, 0], 4), {"N": 10}),
        *table(rng, _observed, "N d", (8, 4, glm.poisson, [0.0, 3, 1, 6]), (5, 1, glm.poisson, [2.0, 0, 4])),
    ],
    factors={"-": "that is the gradient of the loss -Σ ln p", "1/N": "the log-likelihood is a sum, not a mean"},
)


def _categorical_phi(eta):
    return special.softmax(np.append(eta, 0))


categorical_phi = Exercise(
    stars=2,
    notes="A 2.3.3",
    ask="K classes have K - 1 natural parameters η_i = ln(φ_i/φ_K), the last class being the reference. From eta "
    "(K - 1,), whose entries are at most 10 in size, all K probabilities: return φ (K,), the reference last, sum 1.",
    hints=(
        "φ_i = φ_K e^η_i, and the φ sum to 1: what follows for φ_K?",
        "φ_K = 1/(1 + Σ_{j<K} e^η_j): the reference class has e^0 = 1 in every sum.",
    ),
    answer=_categorical_phi,
    mistakes=(
        ("np.append(eta, 0)", "eta", "that is the softmax of K - 1 numbers: append η = 0 for the reference class"),
        ("np.append(eta, 0)", "np.append(eta, 1)", "the reference class has η = 0, e^0 = 1; you gave it η = 1"),
        ("special.softmax(", "np.exp(", "you did not normalize: divide by 1 + Σ_{j<K} e^η_j"),
        ("softmax(", "sigmoid(", "that is σ for each class: they must share the denominator 1 + Σ_{j<K} e^η_j"),
        ("softmax(np.append(eta, 0))", "sigmoid(eta)", "that is σ(η_i) for each class, and φ_K is missing"),
        ("return", "E = np.exp(eta); return np.append(E, 1 - sum(E));", "e^η_i is φ_i/φ_K, not φ_i: multiply by φ_K"),
        ("special.softmax(", "1 / sum(np.exp(eta)) * np.exp(", "the denominator lacks the 1 of the reference class"),
        ("return", "E = np.exp(eta); return np.append(E / (1 + E), 1 / (1 + sum(E)));", _ONE_FOR_ALL),
    ),
    cases=lambda rng: [
        *table(rng, lambda rng, K, a, b: (rng.uniform(a, b, K - 1),), "K", (4, -2, 2.5), (2, 0.3, 2), (5, -3, -1)),
        Case("large eta", (rng.permutation([9.5, -9.5, *rng.uniform(-10, 10, 3)]),), {"K": 6}),
    ],
)
