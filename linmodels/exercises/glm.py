"""Exercises of chapter 03, generalized linear models (note A 2)."""

import numpy as np

from linmodels import glm, regularization, special

from .grading.checker import Case, Exercise

chapter = "03"


def _log_odds(phi, *, form=lambda phi: phi / (1 - phi), log=np.log):
    return log(form(phi))


def _phi_cases(rng):
    return [
        Case("ordinary data", (rng.uniform(0.05, 0.95, 7),)),
        Case("phi near 0 and near 1", (np.array([1e-9, 1e-4, 1 - 1e-4, 1 - 1e-9]),)),
        Case("phi = 1/2 among them", (np.append(rng.uniform(0.1, 0.9, 2), 0.5),)),
    ]


natural_parameter = Exercise(
    stars=1,
    notes="A 2.3.2",
    ask="The Bernoulli distribution p(y) = φ^y (1-φ)^(1-y), y being 0 or 1, is exp(η y - a(η)): give its natural "
    "parameter η from φ. phi (m,) holds values of φ strictly between 0 and 1; return η (m,), natural logarithms.",
    hints=(
        "Take the logarithm of p(y) and collect the factor of y.",
        "y ln φ + (1 - y) ln(1 - φ) = y [ln φ - ln(1 - φ)] + ln(1 - φ).",
    ),
    answer=lambda phi: special.logit(phi),
    variant=_log_odds,
    mistakes={
        "those are the odds φ/(1 - φ); η is their logarithm": {"log": lambda odds: odds},
        "the logarithm is the natural one; you took log10": {"log": np.log10},
        "the logarithm is the natural one; you took log2": {"log": np.log2},
        "that is ln(1 + φ/(1 - φ)) = -ln(1 - φ), the log-partition a": {"log": np.log1p},
        "that is ln(1 - φ), the term without y: it is -a": {"form": lambda phi: 1 - phi},
        "the denominator is 1 - φ, not 1 + φ": {"form": lambda phi: phi / (1 + phi)},
        "that is ln φ alone; (1 - φ)^(1-y) holds y too, with the factor -ln(1 - φ)": {"form": lambda phi: phi},
        "that is (ln φ)/(1 - φ); the logarithm is that of the quotient φ/(1 - φ)": {
            "form": np.log,
            "log": lambda a: a / (1 - np.exp(a)),
        },
        "that is ln φ/ln(1 - φ); the logarithm of a quotient is a difference of logarithms": {
            "form": lambda phi: np.log(phi) / np.log1p(-phi),
            "log": lambda a: a,
        },
        "that is ln φ(1 - φ): the sign of ln(1 - φ) is wrong": {"form": lambda phi: phi * (1 - phi)},
        "that is the inverse, φ from η: σ(a) = 1/(1 + exp(-a))": {"form": special.sigmoid, "log": lambda a: a},
    },
    stops={"Python scalars": "phi is an array: np.log takes it entry by entry, math.log takes one number"},
    cases=_phi_cases,
    factors={"-": "φ is the probability of y = 1: it stands in the numerator"},
    also_right=(
        lambda phi: np.log(phi) - np.log(1 - phi),
        lambda phi: -np.log(1 / phi - 1),
        lambda phi: 2 * np.arctanh(2 * phi - 1),
    ),
)


def _density(
    y,
    eta,
    b,
    T,
    a,
    *,
    base=lambda y, b, exponent: b(y) * np.exp(exponent),
    statistic=lambda y, T: T(y),
    product=np.multiply,
    partition=lambda y, eta, T, a: a(eta),
    sign=-1,
    finish=lambda p, eta, a: p,
):
    return finish(base(y, b, product(eta, statistic(y, T)) + sign * partition(y, eta, T, a)), eta, a)


def _density_of(y, eta, b, T, a):
    return b(y) * np.exp(eta * T(y) - a(eta))


def _families(rng):
    g, p = glm.gaussian_with(1.5), glm.poisson
    return [
        Case("a Gaussian", (rng.normal(size=5) * 2, float(rng.uniform(0.3, 0.8)), g.b, g.T, g.a)),
        Case("Poisson counts", (np.array([0.0, 1, 3, 5, 2, 7]), float(rng.uniform(0.5, 1.5)), p.b, p.T, p.a)),
        Case(
            "T(y) = -y²/2: a Gaussian around 0, eta = 1/sigma²",
            (
                rng.uniform(0.3, 2, 4),
                float(rng.uniform(1.5, 3)),
                lambda y: np.full(np.shape(y), (2 * np.pi) ** -0.5),
                lambda y: -np.square(y) / 2,
                lambda eta: -np.log(eta) / 2,
            ),
        ),
    ]


exponential_density = Exercise(
    stars=1,
    notes="A 2.2",
    ask="The density p(y; η) = b(y) exp(η T(y) - a(η)) of an exponential family that is given by its functions: b, T "
    "and a are callables, b(y) and T(y) take the array y (N,), a(eta) takes the number eta. Return (N,).",
    hints=(
        "Call the three functions: b and T on y, a on eta.",
        "b(y) * np.exp(eta * T(y) - a(eta)); only what is in the brackets is in the exponent.",
    ),
    answer=_density_of,
    variant=_density,
    mistakes={
        "a(η) is subtracted in the exponent, not added": {"sign": 1},
        "a(η) is missing: without it the density does not integrate to 1": {"sign": 0},
        "you divide by a(η); it is subtracted in the exponent, that is, you divide by exp(a(η))": {
            "sign": 0,
            "finish": lambda p, eta, a: p / a(eta),
        },
        "a(η) is outside the exponential: check the brackets": {
            "sign": 0,
            "finish": lambda p, eta, a: p - a(eta),
        },
        "you divide by the sum over the given y; a(η) does that, for all y there could be": {
            "finish": lambda p, eta, a: p / p.sum()
        },
        "T is missing: the exponent holds η T(y), not η y": {"statistic": lambda y, T: y},
        "η is missing: the exponent holds η T(y), not T(y)": {"product": lambda eta, T: T},
        "T(y) is missing: the exponent holds η T(y), not η": {"product": lambda eta, T: eta},
        "η and T(y) are added; the exponent holds their product": {"product": np.add},
        "the sign of η T(y) is wrong: it is exp(η T(y) - a(η))": {"product": lambda eta, T: -eta * T},
        "b(y) stands before the exponential, not in it": {"base": lambda y, b, exponent: np.exp(b(y) + exponent)},
        "b(y) stands before the exponential, not in it as a factor": {
            "base": lambda y, b, exponent: np.exp(b(y) * exponent)
        },
        "b(y) is missing": {"base": lambda y, b, exponent: np.exp(exponent)},
        "b(y) is added to the exponential; it multiplies it": {"base": lambda y, b, exponent: b(y) + np.exp(exponent)},
        "you divide by b(y); it is a factor": {"base": lambda y, b, exponent: np.exp(exponent) / b(y)},
        "the exponential is missing: that is b(y)(η T(y) - a(η))": {"base": lambda y, b, exponent: b(y) * exponent},
        "that is the logarithm of the density": {"base": lambda y, b, exponent: np.log(b(y)) + exponent},
        "that is the product over all y; the density at each y is asked for": {
            "base": lambda y, b, exponent: np.prod(b(y) * np.exp(exponent))
        },
        "η multiplies T(y) alone, not the difference T(y) - a(η)": {"partition": lambda y, eta, T, a: eta * a(eta)},
        "a is a function of η, not of T(y)": {"partition": lambda y, eta, T, a: a(T(y))},
        "a is a function of η, not of y": {"partition": lambda y, eta, T, a: a(y)},
    },
    stops={
        "TypeError": "b, T and a are functions: call them, b(y), T(y), a(eta); the first two give arrays, so np.exp",
        "ValueError": "eta is a number: it multiplies the array T(y) by eta * T(y), not by @",
    },
    cases=_families,
    also_right=(
        lambda y, eta, b, T, a: b(y) * np.exp(eta * T(y) - a(eta)),
        lambda y, eta, b, T, a: [float(b(z) * np.exp(eta * T(z)) / np.exp(a(eta))) for z in y],
    ),
)


def _ones(X):
    return np.column_stack([X, np.ones(len(X))])


def _least_squares(X, y):
    return np.linalg.lstsq(_ones(X), y, rcond=None)[0]


def _log_linear(X, y, *, log=np.log, features=lambda X: X, fit=_least_squares, back=lambda w, X: w, lost=None):
    X = features(X)
    w = fit(X, log(y))
    if lost is not None:
        w = w + lost(len(y), len(w)) * np.sum((log(y) - _fitted(w, X)) ** 2) / 2 * (np.arange(len(w)) == len(w) - 1)
    return back(w, X)


def _fitted(w, X):
    return _ones(X)[:, : len(w)] @ w


def _exponential_data(rng, N, d):
    """X (N, d) > 0 and y > 0 with noise that multiplies, so that ln y has residuals, and means that are not 0."""
    X = rng.uniform(0.2, 2, (N, d))
    return X, np.exp(X @ rng.uniform(-1, 1.5, d) + 0.7 + 0.4 * rng.normal(size=N))


def _log_cases(rng):
    def one(label, N, d):
        return Case(label, _exponential_data(rng, N, d), {"N": N})

    first, *others = one("ordinary data", 9, 3), one("one feature", 6, 1), one("just enough samples", 6, 4)
    X, y = first.args
    return [first, *others, Case("the first data with 1/y", (X, 1 / y), first.sizes)]


log_linear_fit = Exercise(
    stars=1,
    notes="A 2.1, erratum A13",
    ask="Log-linear regression: the (w, b) that minimise Σ_i (w·x_i + b - ln y_i)², as one array (d + 1,), the bias "
    "last. Return the coefficients as they are. X (N, d) comes without the column of ones, y (N,) > 0.",
    hints=(
        "With z = ln y this is linear regression. Which function of chapter 01 does it?",
        "Append the ones to X, then least squares on np.log(y): np.linalg.lstsq(A, z)[0].",
    ),
    answer=lambda X, y: glm.log_linear_regression(np.column_stack([X, np.ones(len(X))]), y),
    variant=_log_linear,
    mistakes={
        "the logarithm is missing: that is least squares on y itself": {"log": lambda y: y},
        "you took ln(1 + y); the targets are ln y": {"log": np.log1p},
        "you took log10; ln is the natural logarithm": {"log": np.log10},
        "you took log2; ln is the natural logarithm": {"log": np.log2},
        "the features went through the logarithm too: that is a power law; w·x holds x as it is": {"features": np.log},
        "the coefficients went through exp; they are asked for as they are": {"back": lambda w, X: np.exp(w)},
        "b went through exp; it is asked for as it is": {"back": lambda w, X: np.append(w[:-1], np.exp(w[-1]))},
        "those are the predictions exp(w·x + b); the coefficients are asked for": {
            "back": lambda w, X: np.exp(_fitted(w, X))
        },
        "those are the fitted values w·x + b of ln y; the coefficients are asked for": {"back": _fitted},
        "those are logarithms of the coefficients; the targets, not the result, go through ln": {
            "back": lambda w, X: np.log(w)
        },
        "the bias is missing: append a column of ones to X first, the answer has d + 1 entries": {
            "fit": lambda X, z: np.linalg.lstsq(X, z, rcond=None)[0]
        },
        "the bias comes last, (w, b); you put it first": {"back": lambda w, X: np.roll(w, 1)},
        "b is missing: w is right, but b must follow as the last entry": {"back": lambda w, X: w[:-1]},
        "w is right, but b is 0: for centred data b = mean(ln y) - w·mean(x)": {
            "back": lambda w, X: np.append(w[:-1], 0.0)
        },
        "w is right, but b = mean(ln y) forgets the means of X: b = mean(ln y) - w·mean(x)": {
            "back": lambda w, X: np.append(w[:-1], _fitted(w, X).mean())
        },
        "s²/2 is added to b: that estimates the mean; asked are the coefficients of the least squares on ln y": {
            "lost": lambda N, n: 1 / N
        },
        "s²/2, s² by N - d - 1, is added to b, as for the mean; asked are the coefficients of least squares on ln y": {
            "lost": lambda N, n: 1 / (N - n)
        },
        "there is a penalty in it, ‖(w, b)‖²; the plain sum of squares is asked for": {
            "fit": lambda X, z: regularization.ridge(_ones(X), z, 1.0)
        },
    },
    stops={"Python scalars": "y is an array: np.log takes it entry by entry, math.log takes one number"},
    cases=_log_cases,
    also_right=(
        lambda X, y: np.linalg.solve(_ones(X).T @ _ones(X), _ones(X).T @ np.log(y)),
        lambda X, y: np.linalg.pinv(_ones(X)) @ np.log(y),
    ),
)


def _log_partition(eta, *, of=lambda eta: eta, form=lambda eta: np.logaddexp(0, eta), sign=1):
    return sign * form(of(eta))


def _overflowing(eta):
    return np.log(1 + np.exp(eta))


def _rounded(eta):
    return -np.log(1 - special.sigmoid(eta))


def _eta_cases(rng):
    return [
        Case("ordinary eta", (rng.normal(size=6) * 2,)),
        Case("eta from -40 to 40", (np.append(rng.uniform(-1, 1, 17) + np.arange(-20, 21, 2.5), [-40.0, 0, 40]),)),
        Case("eta = -800 and 800 among them", (np.append(rng.normal(size=3), [-800.0, 800]),)),
    ]


bernoulli_log_partition = Exercise(
    stars=2,
    notes="A 2.3.2, erratum A16",
    ask="The log-partition of the Bernoulli distribution as a function of its natural parameter, a(η) = ln(1 + e^η), "
    "entry by entry. eta (m,) reaches from -800 to 800: the result must be finite there and right. Return (m,).",
    hints=(
        "e^800 is no float64. For a large η take e^η out of the logarithm: ln(1 + e^η) = η + ...?",
        "ln(1 + e^η) = max(η, 0) + ln(1 + e^-|η|): this exponential never exceeds 1.",
    ),
    answer=lambda eta: special.softplus(eta),
    variant=_log_partition,
    mistakes={
        "right in the middle, but e^η overflows for large η: ln(1 + e^η) = η + ln(1 + e^-η)": {"form": _overflowing},
        "φ is rounded to 1 from η = 37 on, and -ln(1 - φ) is inf: write a with η, ln(1 + e^η)": {"form": _rounded},
        "e^η/(1 + e^η) is inf/inf for large η: write a with η alone, and let no exponential exceed 1": {
            "form": lambda eta: -np.log(1 - np.exp(eta) / (1 + np.exp(eta)))
        },
        "right for large η, but e^-η overflows for η = -800: take η + ln(1 + e^-η) for η > 0 only": {
            "form": lambda eta: eta + np.log(1 + np.exp(-eta))
        },
        "the sign of η is wrong: that is ln(1 + e^-η)": {"of": lambda eta: -eta},
        "the sign of η is wrong: that is ln(1 + e^-η), and e^-η overflows for η = -800": {
            "of": np.negative,
            "form": _overflowing,
        },
        "that is -ln(1 + e^-η) = ln φ, and e^-η overflows for η = -800; a(η) = -ln(1 - φ) = ln(1 + e^η)": {
            "of": np.negative,
            "form": _overflowing,
            "sign": -1,
        },
        "you put η where φ stands in -ln(1 - φ): a is a function of η, ln(1 + e^η)": {
            "form": lambda phi: -np.log(1 - phi)
        },
        "max(η, 0) is a(η) far from 0 only: ln(1 + e^-|η|) is missing": {"form": lambda eta: np.maximum(eta, 0)},
        "that is ln(1 + e^-|η|): max(η, 0) is missing": {"form": lambda eta: np.log1p(np.exp(-np.abs(eta)))},
        "that is max(η, 0) + ln(1 + e^-η); the exponential holds |η|": {
            "form": lambda eta: np.maximum(eta, 0) + np.log1p(np.exp(-eta))
        },
        "the 1 is missing: ln e^η is η itself": {"form": lambda eta: eta},
        "the logarithm is missing: that is 1 + e^η": {"form": lambda eta: 1 + np.exp(eta)},
        "that is a'(η) = σ(η), the mean": {"form": special.sigmoid},
        "that is a'(η) = e^η/(1 + e^η), the mean, and inf/inf for large η; a itself is asked for": {
            "form": lambda eta: np.exp(eta) / (1 + np.exp(eta))
        },
        "that is -ln(1 + e^-η) = ln φ; a(η) = -ln(1 - φ) = ln(1 + e^η)": {"of": np.negative, "sign": -1},
    },
    stops={
        "OverflowError": "math.exp stops where np.exp gives inf; let no exponential exceed 1",
        "ValueError": "eta is an array: use np.where and np.maximum, not if and max",
        "Python scalars": "eta is an array: np.log and np.exp take it entry by entry, math.log takes one number",
    },
    cases=_eta_cases,
    also_right=(
        lambda eta: np.logaddexp(0, eta),
        lambda eta: np.maximum(eta, 0) + np.log(1 + np.exp(-np.abs(eta))),
        lambda eta: np.where(eta > 0, eta + np.log1p(np.exp(-eta)), np.log1p(np.exp(eta))),
    ),
)


def _gaussian(
    y,
    mu,
    sigma,
    *,
    b=lambda y, sigma: np.exp(-(y**2) / (2 * sigma**2)) / np.sqrt(2 * np.pi * sigma**2),
    T=lambda y, sigma: y,
    eta=lambda mu, sigma: mu / sigma**2,
    a=lambda mu, sigma: mu**2 / (2 * sigma**2),
    centre=lambda mu: 0.0,
    order=lambda *parts: parts,
):
    return order(b(y - centre(mu), sigma), T(y, sigma), eta(mu, sigma), a(mu, sigma))


def _gaussian_parts(y, mu, sigma):
    family = glm.gaussian_with(sigma)
    eta = family.eta(mu)
    return family.b(y), family.T(y), eta, family.a(eta)


def _gaussian_cases(rng):
    return [
        Case("sigma = 2", (rng.normal(size=5) * 2 + 1, 1.5, 2.0)),
        Case("sigma = 1/2", (rng.normal(size=4) - 1, -0.75, 0.5)),
        Case("any sigma", (rng.normal(size=7) * 2, float(rng.uniform(2, 3)), float(rng.uniform(1.2, 1.8)))),
    ]


gaussian_as_exponential = Exercise(
    stars=2,
    notes="A 2.3.1, erratum A15",
    ask="Write the density of the Gaussian with mean mu and known sigma > 0 as b(y) exp(η T(y) - a(η)): b holds every "
    "factor without mu, T holds no sigma. Return the values (b, T, eta, a): b(y) and T(y), both (N,), the numbers η "
    "and a(η). y (N,), mu and sigma numbers.",
    hints=(
        "Multiply (y - mu)² out: which of the three terms hold only y, only mu, both?",
        "-y²/2σ² goes to b with 1/(√(2π) σ), yμ/σ² is η T(y), and a = μ²/2σ² = σ²η²/2.",
    ),
    answer=_gaussian_parts,
    variant=_gaussian,
    mistakes={
        "eta is mu/sigma², not mu: that is right for sigma = 1": {"eta": lambda mu, sigma: mu},
        "eta is mu/sigma², not mu/sigma": {"eta": lambda mu, sigma: mu / sigma},
        "eta is mu/sigma², not mu/(2 sigma²): the 2 of 2 y mu cancels that of 2 sigma²": {
            "eta": lambda mu, sigma: mu / (2 * sigma**2)
        },
        "the sign of eta is wrong: -(y - mu)² holds +2 y mu": {"eta": lambda mu, sigma: -mu / sigma**2},
        "T(y) is y, not y²: y² stands in b already": {"T": lambda y, sigma: y**2},
        "sigma² belongs to eta: T(y) = y and eta = mu/sigma², not y/sigma² and mu": {
            "T": lambda y, sigma: y / sigma**2,
            "eta": lambda mu, sigma: mu,
        },
        "sigma belongs to eta: T(y) = y and eta = mu/sigma², not y/sigma and mu/sigma": {
            "T": lambda y, sigma: y / sigma,
            "eta": lambda mu, sigma: mu / sigma,
        },
        "a is mu²/(2 sigma²), not mu²/2: that is right for sigma = 1": {"a": lambda mu, sigma: mu**2 / 2},
        "a is sigma² eta²/2, not eta²/2: that is right for sigma = 1": {
            "a": lambda mu, sigma: (mu / sigma**2) ** 2 / 2
        },
        "a is sigma² eta²/2, not eta²/(2 sigma²): eta = mu/sigma² is divided by sigma² already": {
            "a": lambda mu, sigma: (mu / sigma**2) ** 2 / (2 * sigma**2)
        },
        "a holds ln sigma: it has no mu, so it belongs to b, where it stands as 1/sigma": {
            "a": lambda mu, sigma: mu**2 / (2 * sigma**2) + np.log(sigma)
        },
        "ln sigma went from b to a: a right density, but ln sigma holds no mu and is asked for in b, as 1/sigma": {
            "a": lambda mu, sigma: mu**2 / (2 * sigma**2) + np.log(sigma),
            "b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma**2)) / np.sqrt(2 * np.pi),
        },
        "ln √(2π sigma²) went from b to a: a right density, but it holds no mu and is asked for in b": {
            "a": lambda mu, sigma: mu**2 / (2 * sigma**2) + np.log(2 * np.pi * sigma**2) / 2,
            "b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma**2)),
        },
        "ln √(2π sigma²) stands in b already, as 1/(√(2π) sigma): a is mu²/(2 sigma²) alone": {
            "a": lambda mu, sigma: mu**2 / (2 * sigma**2) + np.log(2 * np.pi * sigma**2) / 2
        },
        "sigma is missing in b, eta and a: that is right for sigma = 1 only": {
            "b": lambda y, sigma: np.exp(-(y**2) / 2) / np.sqrt(2 * np.pi),
            "eta": lambda mu, sigma: mu,
            "a": lambda mu, sigma: mu**2 / 2,
        },
        "sigma is squared everywhere: you took it for the variance": {
            "b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma)) / np.sqrt(2 * np.pi * sigma),
            "eta": lambda mu, sigma: mu / sigma,
            "a": lambda mu, sigma: mu**2 / (2 * sigma),
        },
        "mu stands in b: that is the whole density; b holds the factors without mu": {"centre": lambda mu: mu},
        "the order is (b, T, eta, a); you returned (T, b, eta, a)": {"order": lambda b, T, eta, a: (T, b, eta, a)},
        "the order is (b, T, eta, a); you returned (b, T, a, eta)": {"order": lambda b, T, eta, a: (b, T, a, eta)},
        "a is mu²/(2 sigma²): the 1/2 is lost": {"a": lambda mu, sigma: mu**2 / sigma**2},
        "the sign of a is wrong: the exponent is eta T(y) - a, and holds -mu²/(2 sigma²)": {
            "a": lambda mu, sigma: -(mu**2) / (2 * sigma**2)
        },
        "a is mu²/(2 sigma²), not mu²/(2 sigma): sigma is squared": {"a": lambda mu, sigma: mu**2 / (2 * sigma)},
        "b holds sigma twice: exp(-y²/(2 sigma²))/(√(2π) sigma); yours is that of sigma = 1": {
            "b": lambda y, sigma: np.exp(-(y**2) / 2) / np.sqrt(2 * np.pi)
        },
        "1/sigma is missing in b": {"b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma**2)) / np.sqrt(2 * np.pi)},
        "1/(√(2π) sigma) is missing in b: it does not hold mu": {
            "b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma**2))
        },
        "the constant in b is 1/(√(2π) sigma), not 1/(√(2π) sigma²)": {
            "b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma**2)) / (np.sqrt(2 * np.pi) * sigma**2)
        },
        "the constant in b is 1/(√(2π) sigma), not 1/√(2π sigma)": {
            "b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma**2)) / np.sqrt(2 * np.pi * sigma)
        },
        "the exponent in b is -y²/(2 sigma²), not -y²/(2 sigma): sigma is squared": {
            "b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma)) / (np.sqrt(2 * np.pi) * sigma)
        },
        "the constant in b is 1/(√(2π) sigma), not 1/(2π sigma)": {
            "b": lambda y, sigma: np.exp(-(y**2) / (2 * sigma**2)) / (2 * np.pi * sigma)
        },
        "exp(-y²/(2 sigma²)) is missing in b: it does not hold mu": {
            "b": lambda y, sigma: np.full(len(y), 1 / np.sqrt(2 * np.pi * sigma**2))
        },
        "the exponent in b is -y²/(2 sigma²): the minus is lost": {
            "b": lambda y, sigma: np.exp(y**2 / (2 * sigma**2)) / np.sqrt(2 * np.pi * sigma**2)
        },
        "the exponent in b is -y²/(2 sigma²): the 1/2 is lost": {
            "b": lambda y, sigma: np.exp(-(y**2) / sigma**2) / np.sqrt(2 * np.pi * sigma**2)
        },
        "your b is its logarithm: b stands before the exponential": {
            "b": lambda y, sigma: -(y**2) / (2 * sigma**2) - np.log(2 * np.pi * sigma**2) / 2
        },
    },
    stops={"Python scalars": "y is an array: np.exp takes it entry by entry, math.exp takes one number"},
    cases=_gaussian_cases,
    also_right=(
        lambda y, mu, sigma: (
            np.exp(-0.5 * (y / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi)),
            y.copy(),
            mu / sigma**2,
            sigma**2 * (mu / sigma**2) ** 2 / 2,
        ),
    ),
)


def _probabilities(eta):
    return np.append(np.exp(eta), 1) / (1 + np.exp(eta).sum())


def _phi(eta, *, of=lambda eta: eta, form=_probabilities):
    return form(of(eta))


def _softmax(eta):
    return np.exp(eta) / np.exp(eta).sum()


def _rest_last(phi):
    return np.append(phi, 1 - phi.sum())


categorical_phi = Exercise(
    stars=2,
    notes="A 2.3.3",
    ask="K classes have K - 1 natural parameters η_i = ln(φ_i/φ_K), the last class being the reference. From eta "
    "(K - 1,), whose entries are at most 10 in size, all K probabilities: return φ (K,), the reference last, sum 1.",
    hints=(
        "φ_i = φ_K e^η_i, and the φ sum to 1: what follows for φ_K?",
        "φ_K = 1/(1 + Σ_{j<K} e^η_j): the reference class has e^0 = 1 in every sum.",
    ),
    answer=glm.categorical_phi,
    variant=_phi,
    mistakes={
        "that is the softmax of K - 1 numbers: the reference class, with e^0 = 1, is missing in sum and result": {
            "form": _softmax
        },
        "the probability of the last class is missing; the others are right": {
            "form": lambda eta: _probabilities(eta)[:-1]
        },
        "the last class is the reference; you put it first": {"form": lambda eta: np.roll(_probabilities(eta), 1)},
        "not normalised: divide by 1 + Σ_{j<K} e^η_j": {"form": lambda eta: np.append(np.exp(eta), 1)},
        "e^η_i is φ_i/φ_K, not φ_i: it is still to be multiplied by φ_K = 1/(1 + Σ_{j<K} e^η_j)": {
            "form": lambda eta: _rest_last(np.exp(eta))
        },
        "the 1 of the reference class is missing in the denominator 1 + Σ_{j<K} e^η_j": {
            "form": lambda eta: np.append(np.exp(eta), 1) / np.exp(eta).sum()
        },
        "the 1 of the reference class is missing in the denominator: that leaves nothing for φ_K": {
            "form": lambda eta: _rest_last(_softmax(eta))
        },
        "the denominator is 1 + Σ_{j<K} e^η_j, a sum of exponentials, not 1 + e^(Σ_j η_j)": {
            "form": lambda eta: np.append(np.exp(eta), 1) / (1 + np.exp(eta.sum()))
        },
        "the reference is right, but the others have denominators 1 + e^η_i; it is 1 + Σ_{j<K} e^η_j for all": {
            "form": lambda eta: np.append(special.sigmoid(eta), _probabilities(eta)[-1])
        },
        "σ(η_i) for each class, and no reference: the denominator is 1 + Σ_{j<K} e^η_j, and φ_K is asked for too": {
            "form": special.sigmoid
        },
        "the reference class has η = 0, e^0 = 1; you gave it η = 1": {"form": lambda eta: _softmax(np.append(eta, 1))},
        "that is σ(η_i) for each class alone; their denominators must be one, 1 + Σ_{j<K} e^η_j": {
            "form": lambda eta: _rest_last(special.sigmoid(eta))
        },
        "σ(η_i) for each class and the reference: they do not sum to 1; divide by 1 + Σ_{j<K} e^η_j": {
            "form": lambda eta: special.sigmoid(np.append(eta, 0))
        },
        "that is log(φ)": {"form": lambda eta: np.log(_probabilities(eta))},
        "e^η is missing: you divided η by its sum": {"form": lambda eta: np.append(eta, 1) / (1 + eta.sum())},
        "the sign of η is wrong: φ_i grows with η_i": {"of": np.negative},
        "that is 1 for the likeliest class and 0 for the others; all K probabilities are asked for": {
            "form": lambda eta: np.eye(len(eta) + 1)[_probabilities(eta).argmax()]
        },
    },
    stops={"Python scalars": "eta is an array: np.exp takes it entry by entry, math.exp takes one number"},
    cases=lambda rng: [Case(f"K = {K}", (rng.uniform(-2, 2.5, K - 1),), {"K": K}) for K in (4, 2, 3, 5)],
    also_right=(
        lambda eta: special.softmax(np.append(eta, 0)),
        lambda eta: _rest_last(np.exp(eta) / (1 + np.exp(eta).sum())),
        lambda eta: [np.exp(e) / (1 + sum(np.exp(eta))) for e in [*eta, 0]],
    ),
)


def _score(
    X,
    y,
    w,
    mean,
    *,
    predicted=lambda X, w, mean: mean(X @ w),
    residual=lambda y, m: y - m,
    weight=lambda eta, mean: 1.0,
    product=lambda X, r: X.T @ r,
):
    m = predicted(X, w, mean)
    return product(X, residual(y, m) * weight(X @ w, mean))


def _score_of(X, y, w, mean):
    return X.T @ (y - mean(X @ w))


def _slope(eta, mean):
    return (mean(eta + 1e-5) - mean(eta - 1e-5)) / 2e-5


def _score_cases(rng):
    def one(label, N, d, family, observed):
        X, w = rng.normal(size=(N, d)) + 0.3, rng.normal(size=d) * 0.6
        return Case(label, (X, observed(family.mean(X @ w)).astype(float), w, family.mean), {"N": N})

    return [
        one("a Gaussian, sigma = 2", 7, 3, glm.gaussian_with(2.0), lambda m: m + 2 * rng.normal(size=len(m))),
        one("Bernoulli", 10, 2, glm.bernoulli, lambda m: np.arange(len(m)) % 3 == 0),
        one("Poisson", 8, 4, glm.poisson, rng.poisson),
    ]


glm_score = Exercise(
    stars=3,
    notes="A 2.2",
    ask="The gradient by w of the log-likelihood Σ_i ln p(y_i; w·x_i), not of its negative, and not a mean, for a "
    "family with T(y) = y. mean is the callable a', which gives E[y] from an array of η = w·x. X (N, d) is the design "
    "matrix as given, y (N,), w (d,). Return (d,).",
    hints=(
        "ln p(y_i; η_i) = ln b(y_i) + η_i y_i - a(η_i): differentiate by η_i first, then η_i = w·x_i by w.",
        "Σ_i (y_i - a'(w·x_i)) x_i, as a product of Xᵀ and a vector of residuals.",
    ),
    answer=_score_of,
    variant=_score,
    mistakes={
        "mean is missing: the residual is y - a'(Xw), on the scale of y, not y - Xw": {
            "predicted": lambda X, w, mean: X @ w
        },
        "you took σ for every family; use the mean that is given": {
            "predicted": lambda X, w, mean: special.sigmoid(X @ w)
        },
        "you took exp for every family; use the mean that is given": {"predicted": lambda X, w, mean: np.exp(X @ w)},
        "y is missing: the residual is y - mean(Xw)": {"residual": lambda y, m: -m},
        "the predictions are missing: the residual is y - mean(Xw)": {"residual": lambda y, m: y},
        "the residuals are squared; a'(η) enters once, by η y - a(η)": {"residual": lambda y, m: (y - m) ** 2},
        "mean acts on w·x, a number per sample: mean(X @ w), not mean(X) @ w": {
            "predicted": lambda X, w, mean: mean(X) @ w
        },
        "mean acts on w·x: mean(X @ w), not X @ mean(w)": {"predicted": lambda X, w, mean: X @ mean(w)},
        "the residuals are weighted by the variance a''(η): that is the slope of a squared error": {"weight": _slope},
        "the residuals are divided by the variance a''(η): that belongs to the working response": {
            "weight": lambda eta, mean: 1 / _slope(eta, mean)
        },
        "the residuals are weighted by m(1 - m): that is the slope of a squared error through σ": {
            "weight": lambda eta, mean: mean(eta) * (1 - mean(eta))
        },
        "each residual multiplies its own sample x_i, not the mean of all samples": {
            "product": lambda X, r: r.sum() * X.mean(axis=0)
        },
        "Xᵀ is missing: those are the residuals; each multiplies its own sample x_i": {"product": lambda X, r: r},
        "Xᵀ is missing: you only summed the residuals; each multiplies its sample x_i first": {
            "product": lambda X, r: r.sum()
        },
        "the sum over the samples is missing: that is one gradient per sample": {
            "product": lambda X, r: X * r[:, None]
        },
        "that is (XᵀX)⁻¹ times the gradient, a least-squares step; the gradient itself is asked for": {
            "product": lambda X, r: np.linalg.solve(X.T @ X, X.T @ r)
        },
    },
    stops={
        "TypeError": "mean is a function: call it on the array X @ w",
        "ValueError": "samples are the rows of X: X @ w has one entry per sample, X.T @ r one per weight",
    },
    cases=_score_cases,
    factors={
        "-": "that is the gradient of the loss -Σ ln p; the log-likelihood's is Xᵀ(y - mean(Xw))",
        "1/N": "the log-likelihood is a sum, not a mean",
        "2": "there is no square here whose 2 could come down",
    },
    also_right=(
        lambda X, y, w, mean: sum((t - mean(x @ w)) * x for x, t in zip(X, y, strict=True)),
        lambda X, y, w, mean: (y - mean(X @ w)) @ X,
    ),
)
