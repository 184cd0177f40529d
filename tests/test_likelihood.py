"""likelihood: the solver behind glm.fit; what it finds is tested there, here what it is made of."""

import numpy as np
import pytest
from cases import slow

from linmodels import glm, optimize, softmax_regression, special
from linmodels.derivatives import jacobian
from linmodels.design import augment, one_hot
from linmodels.solvers import families, likelihood, moments
from linmodels.solvers.families import ALL_CLASSES, BERNOULLI, CATEGORICAL, POISSON
from linmodels.solvers.likelihood import Problem

X = np.array([[1.0, 2], [-1, 1], [0, 1], [2, -1], [1, 1], [-2, 1]])
FREE = np.zeros(2)
TARGETS = {
    "bernoulli": (BERNOULLI, np.array([1.0, 0, 1, 0, 1, 0])),
    "poisson": (POISSON, np.array([3.0, 0, 1, 2, 5, 0])),
    "categorical": (families.CATEGORICAL, glm.categorical_T([0, 1, 2, 0, 1, 2])),
}


@pytest.fixture(params=TARGETS, name="problem")
def problem_of_each_family(request):
    family, T = TARGETS[request.param]
    return Problem(X, T, family, np.array([0.0, 0.5]))


def loss_and_gradient(w, problem):
    """E(w), but for -ln b, and ∇E(w), as the solver has them."""
    X, T, family, lam = problem
    E = likelihood.negative_log_likelihood(likelihood.natural_parameters(w, X), T, family)
    return E + np.sum(lam * (w * w).T) / 2, likelihood.gradient(w, problem)


def start(problem):
    return np.linspace(-0.4, 0.7, X.shape[1] * problem.targets[0].size).reshape(X.shape[1], *problem.targets.shape[1:])


def test_loss_and_gradient_of_a_worked_case():
    """One sample x = 2 with t = 1 at w = 0: E = ln 2, ∇E = 2(1/2 - 1) = -1; with λ = 3 at w = 1: + 3/2, + 3."""
    problem = Problem(np.array([[2.0]]), np.array([1.0]), BERNOULLI, np.zeros(1))
    E, g = loss_and_gradient(np.zeros(1), problem)
    assert (E, g.tolist()) == (np.log(2), [-1.0])
    priced = loss_and_gradient(np.ones(1), problem._replace(lam=np.array([3.0])))
    free = loss_and_gradient(np.ones(1), problem)
    np.testing.assert_allclose([priced[0] - free[0], priced[1][0] - free[1][0]], [1.5, 3.0], rtol=1e-15)


def test_one_penalty_is_the_same_for_every_column(problem):
    one, each = (likelihood.maximize(problem._replace(lam=lam)) for lam in (0.5, np.array([0.5, 0.5])))
    np.testing.assert_array_equal(one.w, each.w)
    assert one.converged and likelihood.with_penalties(problem._replace(lam=2.0)).lam.tolist() == [2, 2]


@pytest.mark.parametrize("lam, rank", [(0.0, "3 columns of X without penalty have rank 2"), ([0, 1, 0], "2 .* rank 1")])
def test_dependent_columns_without_penalty_are_refused(lam, rank):
    twice = X[:, [0, 1, 0]]
    with pytest.raises(np.linalg.LinAlgError, match=f"the {rank}: many w are equally likely; leave dependent columns"):
        likelihood.require_independent(twice, lam)
    for enough in ([0.0, 0, 1], 1.0):
        likelihood.require_independent(twice, enough)
    likelihood.require_independent(X)


@pytest.mark.parametrize("block", [1, 7, 2**16])
def test_the_hessian_is_the_derivative_of_the_gradient_by_either_way(problem, block, monkeypatch):
    """With family.gram, where there is one, and without it, from the matrices a''(η)."""
    monkeypatch.setattr(moments, "BLOCK", block)
    w = start(problem)
    slope = jacobian(lambda w: loss_and_gradient(w, problem)[1].ravel(), w).reshape(w.size, w.size)
    bare = problem._replace(family=problem.family._replace(gram=None))
    ways = [likelihood.hessian(X @ w, p) for p in (problem, bare)]
    for H in ways:
        np.testing.assert_allclose(H, slope, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(ways[0], ways[1], rtol=1e-12, atol=1e-14)
    assert (problem.family.gram is None) == (w.ndim == 1)


SOFTMAX = Problem(X, one_hot([0, 1, 2, 0, 1, 2]), ALL_CLASSES, FREE)


@pytest.mark.parametrize("lam", [FREE, np.array([0.0, 0.5]), np.array([1.0, 0.5])], ids=["free", "one", "both"])
def test_with_a_score_for_every_class_the_hessian_gets_what_no_step_feels(lam):
    """Per feature (Σ_n x² Σ_k p_k(1 - p_k))/K² 11ᵀ is added along what all classes share, the trace of what there is:
    there the gradient is 0, and so is the step.
    """
    problem = SOFTMAX._replace(lam=lam)
    w = softmax_regression.centered(np.array([[0.2, -0.4, 0.7], [-0.1, 0.5, 0.3]]))
    H = likelihood.hessian(X @ w, problem)
    bare = likelihood.hessian(X @ w, problem._replace(family=ALL_CLASSES._replace(gram=None)))
    np.testing.assert_allclose(bare, softmax_regression.hessian(w, X, lam), rtol=1e-12, atol=1e-14)
    P = special.softmax(X @ w)
    trace = (P * (1 - P)).sum(axis=1) @ X**2
    np.testing.assert_allclose(H - bare, np.kron(np.diag(trace) / 9, np.ones((3, 3))), rtol=1e-12, atol=1e-13)
    _, g = loss_and_gradient(w, problem)
    np.testing.assert_allclose(g.sum(axis=1), 0, atol=1e-14)
    step = likelihood._newton_step(X @ w, g, problem)
    np.testing.assert_allclose(step.ravel(), -np.linalg.pinv(bare, rcond=1e-10) @ g.ravel(), rtol=1e-11, atol=1e-14)


def test_the_step_by_qr_is_newtons():
    problem = Problem(X, np.ones(6), BERNOULLI, np.array([0.0, 0.5]))
    w, g = np.array([0.5, -0.25]), np.array([1.0, -2.0])
    step = likelihood._newton_step(X @ w, g, problem)
    np.testing.assert_allclose(step, -np.linalg.solve(likelihood.hessian(X @ w, problem), g), rtol=1e-13)


@pytest.mark.parametrize(
    "family, scale", [(BERNOULLI, 1.0), (BERNOULLI, 1e6), (CATEGORICAL, 1.0), (ALL_CLASSES, 1.0), (ALL_CLASSES, 1e3)]
)
@pytest.mark.parametrize("seed", [4, 9, *slow([0, 1, 2, 3, 5, 6, 7, 8, 10, 11])])
def test_a_small_penalty_on_separable_data_ends_at_the_minimum_that_there_is(family, seed, scale):
    """λw = Xᵀ(T - p), where E, of which 1e-16 is left, tells no more. The residual's own form keeps its digits."""
    rng = np.random.default_rng(seed)
    N, d = int(rng.integers(6, 20)), int(rng.integers(1, 4))
    Z, lam = rng.normal(size=(N, d)) * scale, 10.0 ** rng.uniform(-12, -6) * scale
    rank = np.argsort(np.argsort(Z[:, 0]))
    T = one_hot(rank * 3 // N)
    T = {BERNOULLI: (rank > N // 2).astype(float), CATEGORICAL: T[:, :2], ALL_CLASSES: T}[family]
    problem = likelihood.with_penalties(Problem(augment(Z), T, family, lam))
    found = likelihood.maximize(problem)
    assert found.converged, found.reason
    slope = np.abs((likelihood.residual(problem.X @ found.w, T, family).T @ problem.X).T)
    assert np.abs(likelihood.gradient(found.w, problem)).max() <= 1e-5 * slope.max()


def test_where_rounding_hides_the_minimum_the_reason_gives_an_advice_that_helps():
    """Features of 1e8, three classes far apart, and hardly a penalty."""
    rng = np.random.default_rng(0)
    Z = augment(rng.normal(size=(18, 2)) * 1e8)
    t = np.argsort(np.argsort(Z[:, 0])) // 6
    found = glm.fit(Z, t, glm.categorical, 1e-8)
    assert not found.converged and found.direction is None
    assert found.reason.endswith("; rounding hides the way on: give a larger lam")
    assert glm.fit(Z, t, glm.categorical, 1e10).converged


def test_a_hessian_in_which_no_digit_is_left_is_told_after_its_steps():
    """At w = 1000 all variances σ(1 - σ) are 0; λ = 1 makes H = 1 there, and leads back."""
    problem = Problem(np.array([[1.0], [-1.0], [1.0]]), np.array([1.0, 0, 0]), BERNOULLI, np.zeros(1))
    found = likelihood._last_steps(np.array([1000.0]), 2, problem, 30)
    assert found.reason == "after 2 steps the Hessian is singular to rounding: give a larger lam"
    assert not found.converged and found.n_iter == 2
    assert likelihood._last_steps(np.array([1000.0]), 2, problem._replace(lam=np.ones(1)), 30).converged


def mixed(Z, seed):
    """Z times whole numbers with a whole inverse: what is exactly 0 along a direction still is, along another one."""
    rng, d = np.random.default_rng(seed), Z.shape[1]
    A = np.eye(d)
    for i, j in rng.permutation(np.argwhere(~np.eye(d, dtype=bool)))[:d]:
        A[:, i] += A[:, j]
    return Z @ A


@pytest.mark.slow
@pytest.mark.parametrize("family", [BERNOULLI, POISSON, ALL_CLASSES], ids=["bits", "counts", "classes"])
@pytest.mark.parametrize("kind", ["normal", "whole", "sparse"])
@pytest.mark.parametrize("N, d", [(2500, 15), (20_000, 3)])
def test_a_direction_that_a_single_sample_shows_among_many(family, N, d, kind):
    """The others balance: the sums of N rows cancel but for that one, and their rounding must not hide it."""
    rng = np.random.default_rng(N + d)
    Z = {
        "normal": np.round(rng.standard_normal((N, d)) * 2**20) / 2**20,
        "whole": rng.integers(-5, 6, (N, d)),
        "sparse": rng.random((N, d)) < 0.05,
    }[kind]
    Z = mixed(augment(np.column_stack([Z, np.arange(N) == 7])), seed=d)
    t = rng.integers(0, 3, N)
    t[7] = 0
    T = one_hot(t) if family is ALL_CLASSES else t % 2.0 if family is BERNOULLI else t.astype(float)
    problem = Problem(Z, T, family, np.zeros(d + 2))
    direction = likelihood.recession_direction(problem)
    rows = family.recession(Z, T)
    gain, most = rows @ direction.ravel(), np.abs(rows).sum(axis=1) * np.abs(direction).sum()
    assert (gain >= -1e-12 * most).all() and gain.max() == pytest.approx(1)  # 1e-13 in units of X from its means
    found = likelihood.maximize(problem)
    assert not found.converged and "no finite minimum" in found.reason and found.direction is not None


@pytest.mark.parametrize("seed", range(12))
def test_along_the_direction_of_counts_the_loss_falls_for_ever(seed):
    """v·x = 0 where y > 0, of ones too, and <= 0 elsewhere: each term e^η - y η of the loss falls or stays."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(25):
        N, d = rng.integers(3, 9), rng.integers(1, 4)
        X, y = augment(rng.integers(-3, 4, (N, d)).astype(float)), rng.integers(0, 2, N).astype(float)
        direction = likelihood.recession_direction(Problem(X, y, POISSON, np.zeros(d + 1)))
        if direction is not None and y.any():
            along = X @ direction.ravel()
            np.testing.assert_allclose(along[y > 0], 0, atol=1e-12)
            assert along.max() <= 1e-12 and along.min() < -0.1
            found.append(seed)
    assert len(found) >= 3


@pytest.mark.parametrize("seed", range(8))
def test_converged_leaves_no_more_than_1e_minus_8_of_a_score(seed):
    """Neither the last step, which the reason tells, nor one more from there."""
    rng, last = np.random.default_rng(seed), []
    for N in rng.integers(15, 40, 40):
        X = augment(rng.normal(size=(N, 2)) * rng.choice([0.1, 1.0, 10.0], 2))
        t = rng.poisson(3.0, N).astype(float)
        found = glm.fit(X, t, glm.poisson)
        enough = 1e-8 * max(np.abs(X @ found.w).max(), 1)
        last.append(float(found.reason.rpartition(" ")[2]))
        assert found.converged and last[-1] <= enough
        step = np.linalg.solve(glm.hessian(found.w, X, t, glm.poisson), glm.gradient(found.w, X, t, glm.poisson))
        assert np.abs(X @ step).max() <= enough
    assert max(last) > 1e-10  # some come near it


@pytest.mark.parametrize("tiny", [1e-6, 1e-200])
def test_a_sample_near_0_counts_as_much_as_any(tiny):
    """x = 1 with t = 1, x = `tiny` with t = 0: every w > 0 is wrong for the second, however little that costs."""
    opposed = Problem(np.array([[1.0], [tiny]]), np.array([1.0, 0.0]), BERNOULLI, np.zeros(1))
    assert likelihood.recession_direction(opposed) is None
    assert likelihood.recession_direction(opposed._replace(targets=np.ones(2))) == pytest.approx([1.0])
    for side in (-1.0, 1.0):  # z = (2t - 1)x = x, x, -x: what gains for two samples loses for the third
        both = opposed._replace(X=np.full((3, 1), side), targets=np.array([1.0, 1.0, 0.0]))
        assert likelihood.recession_direction(both) is None


def test_the_weights_where_the_search_ended_are_tried_first(monkeypatch):
    """Where they give every sample its class they are the direction; where not, or with a penalty, no matter."""
    Z, t = np.array([[-2.0, 1e8, 1], [-1, 1e8 + 3, 1], [1, 1e8 - 2, 1], [2, 1e8, 1]]), np.array([0.0, 0, 1, 1])
    problem, w = Problem(Z, t, BERNOULLI, np.zeros(3)), np.array([4.0, 1.0, -1e8])
    for wrong in (-w, np.array([1.0, 1.0, -1e8]), np.zeros(3)):
        d = likelihood.recession_direction(problem, wrong)
        assert ((2 * t - 1) * (Z @ d) > 0).all()
    touching = problem._replace(X=augment([[-1.0], [1e-11], [0.0], [1.0]]), lam=np.zeros(2))  # two on the wrong side
    assert likelihood.recession_direction(touching, np.array([1.0, -5e-12])) is None
    priced = likelihood.recession_direction(problem._replace(lam=np.array([0.0, 1.0, 0.0])), w)
    assert priced[1] == 0 and ((2 * t - 1) * (Z @ priced) > 0).all()
    monkeypatch.setattr(optimize, "nonnegative_least_squares", lambda A, c: pytest.fail("looked further"))
    np.testing.assert_allclose(likelihood.recession_direction(problem, w), w / 8, rtol=1e-12)


@pytest.mark.parametrize("block", [1, 7])
def test_a_direction_is_found_block_by_block(block, monkeypatch):
    rows = likelihood.recession_direction(SOFTMAX)
    assert rows is None
    Z = Problem(
        augment(mixed(np.eye(6), 1)), one_hot([0, 1, 2, 0, 1, 2]), ALL_CLASSES, np.array([0, 0, 0, 0, 0, 1.0, 0])
    )
    monkeypatch.setattr(moments, "BLOCK", block)
    d = likelihood.recession_direction(Z)
    gain = ALL_CLASSES.recession(Z.X, Z.targets) @ d.ravel()
    assert gain.min() >= -1e-13 and gain.max() == pytest.approx(1) and (d[5] == 0).all()
    assert likelihood.recession_direction(SOFTMAX) is None


WAITING = glm.Family(
    name="waiting times", b=np.ones_like, log_b=np.zeros_like, T=lambda y: y, eta=lambda m: -1 / m,
    a=lambda eta: np.where(eta < 0, -np.log(np.abs(eta) + (eta >= 0)), np.inf), mean=lambda eta: -1 / eta,
    variance=lambda eta: 1 / eta**2, observed=lambda y: np.asarray(y, float),
)  # fmt: skip


def test_a_start_without_a_finite_loss_is_an_error():
    with pytest.raises(ValueError, match=r"the loss is inf at the start; .*irls_iterates a start w"):
        glm.fit(X, np.ones(6), WAITING)


def test_many_samples_take_few_passes(monkeypatch):
    """The part decides how far there is to go, the exact gradients where it ends; test_glm.py compares the long way."""
    rng = np.random.default_rng(3)
    Z = rng.standard_normal((30_000, 3))
    t = (rng.random(30_000) < special.sigmoid(Z @ [1.0, -0.5, 0.2])).astype(float)
    passes, counted = [], likelihood.gradient
    monkeypatch.setattr(likelihood, "gradient", lambda w, p: passes.append(1) or counted(w, p))
    assert likelihood.maximize(Problem(Z, t, BERNOULLI, np.zeros(3))).converged and 0 < len(passes) < 20


def test_outside_of_the_domain_there_is_no_minimum():
    """Where -1/η is finite but a(η) is not, gradients alone would not tell: the loss at the end does."""
    rng = np.random.default_rng(10)
    Z = augment(rng.uniform(1, 2, (40_000, 1)))
    y = rng.exponential(1 / (Z @ [1.0, 0.5]))
    found = glm.fit(Z, y, WAITING)
    assert found.converged and (Z @ found.w < 0).all()
    np.testing.assert_allclose(found.w, [-1, -0.5], atol=0.1)


@pytest.mark.slow
def test_a_part_that_lacks_a_class_leads_there_all_the_same():
    """20 samples of 20000 have the third class, none of them drawn: the part is separable, all samples are not."""
    rng = np.random.default_rng(7)
    Z = augment(rng.standard_normal((20_000, 3)))
    t = (rng.random(20_000) < 0.5).astype(int)
    drawn = np.random.default_rng(0).integers(0, 20_000, 4000)
    t[np.setdiff1d(np.arange(20_000), drawn)[:20]] = 2
    found = softmax_regression.fit(Z, one_hot(t))
    exact = optimize.run(softmax_regression.newton_iterates(Z, one_hot(t)), tol=1e-8)
    assert found.converged and exact.converged
    best = Z @ softmax_regression.centered(exact.w)
    assert np.abs(Z @ found.W - best).max() < 1e-6 * np.abs(best).max()


@pytest.mark.parametrize(
    "family, N", [(BERNOULLI, 20_000), (ALL_CLASSES, 200), *slow([(BERNOULLI, 200), (ALL_CLASSES, 20_000)])]
)
def test_scores_far_from_0_are_no_reason_to_look_for_a_direction_where_the_gradient_proves_a_minimum(
    family, N, monkeypatch
):
    """To look takes (K - 1) rows per sample and hundreds of systems; the gradient beside the Hessian tells at once."""
    rng = np.random.default_rng(9)
    Z = augment(rng.standard_normal((N, 3)))
    t = (rng.random(N) < special.sigmoid(Z @ [12.0, 5.0, 0.0, 1.0])).astype(int)
    problem = Problem(Z, t.astype(float) if family is BERNOULLI else one_hot(t), family, np.zeros(4))
    assert likelihood.recession_direction(problem) is None
    monkeypatch.setattr(likelihood, "recession_direction", lambda problem: pytest.fail("looked for a direction"))
    found = likelihood.maximize(problem)
    w = found.w if family is BERNOULLI else found.w[:, 1] - found.w[:, 0]
    assert found.converged and np.abs(Z @ w).max() > 20


@pytest.mark.parametrize("far", [1.0, 1000.0])
def test_where_there_is_no_minimum_none_is_proved(far):
    """Separable, and but for one column separable: at no w along the direction is the gradient small enough."""
    rng = np.random.default_rng(10)
    Z = augment(rng.standard_normal((300, 2)))
    bits = (Z @ [2.0, 1.0, 0.3] > 0).astype(float)
    assert not likelihood._has_minimum(far * np.array([2.0, 1.0, 0.3]), Problem(Z, bits, BERNOULLI, np.zeros(3)))
    one = np.column_stack([Z, np.arange(300) == 7])  # a column of one sample's own: its weight grows forever
    noisy = (rng.random(300) < special.sigmoid(Z @ [2.0, 1.0, 0.3])).astype(float)
    best = likelihood.maximize(Problem(np.delete(Z, 7, 0), np.delete(noisy, 7), BERNOULLI, np.zeros(3))).w
    w = np.append(best, far * (2 * noisy[7] - 1))
    assert not likelihood._has_minimum(w, Problem(one, noisy, BERNOULLI, np.zeros(4)))


def test_the_residual_of_bits_is_the_difference_and_keeps_what_that_would_lose():
    """σ(ln 3) - 1 = -1/4, σ(ln 3) = 3/4; at η = 40, t = 1 the difference of doubles is 0; at 800 nothing warns."""
    eta, t = np.log([3.0, 3.0, 1 / 3]), np.array([1.0, 0, 1])
    np.testing.assert_allclose(likelihood.residual(eta, t, BERNOULLI), [-1 / 4, 3 / 4, -3 / 4], rtol=1e-15)
    np.testing.assert_allclose(BERNOULLI.mean(eta) - t, [-1 / 4, 3 / 4, -3 / 4], rtol=1e-15)
    sure = likelihood.residual(np.array([40.0, -40.0]), np.array([1.0, 0]), BERNOULLI)
    np.testing.assert_allclose(sure, [-np.exp(-40), np.exp(-40)], rtol=1e-14)
    far = likelihood.residual(np.array([800.0, -800, 800, -800]), np.array([1.0, 0, 0, 1]), BERNOULLI)
    np.testing.assert_array_equal(far, [0, 0, 1, -1])


# --- families: what the solver takes instead of the printed forms ----------------------------------------------

ETAS = {
    "bits": (BERNOULLI, np.array([-2.0, 0.3, 1.0]), np.array([0.0, 1.0, 1.0])),
    "counts": (POISSON, np.array([-2.0, 0.3, 1.0]), np.array([0.0, 3.0, 1.0])),
    "reference": (families.CATEGORICAL, np.array([[0.3, -1.2], [0.0, 2.0], [1.0, 1.0]]), np.eye(3)[:, :2]),
    "all": (ALL_CLASSES, np.array([[0.3, -1.5, 1.2], [0.0, 2.0, -2.0], [1.0, 0.0, -1.0]]), np.eye(3)),
}
each_solver = pytest.mark.parametrize("solver, eta, T", ETAS.values(), ids=ETAS)


@each_solver
def test_mean_variance_link_and_residual_are_what_a_says(solver, eta, T):
    for e in eta:
        slope = jacobian(lambda e: np.atleast_1d(solver.a(e)), e)
        np.testing.assert_allclose(slope.ravel(), np.ravel(solver.mean(e)), atol=1e-8)
        slope = jacobian(lambda e: np.atleast_1d(solver.mean(e)), e)
        np.testing.assert_allclose(slope.ravel(), np.ravel(solver.variance(e)), atol=1e-8)
    np.testing.assert_allclose(solver.link(solver.mean(eta)), eta, rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(likelihood.residual(eta, T, solver), solver.mean(eta) - T, rtol=1e-12)


def test_rows_of_recession_by_hand():
    """Of bits ±x; of counts -x, and x where the count is not 0; of classes x ⊗ (e_t - e_k) for the others k."""
    Z = np.array([[2.0], [3.0]])
    assert BERNOULLI.recession(Z, np.array([1.0, 0])).tolist() == [[2], [-3]]
    assert POISSON.recession(Z, np.array([0.0, 4])).tolist() == [[-2], [-3], [3]]
    rows = [[2, -2, 0], [2, 0, -2], [-3, 0, 3], [0, -3, 3]]
    assert ALL_CLASSES.recession(Z, np.eye(3)[[0, 2]]).tolist() == rows
    of_reference = families.CATEGORICAL.recession(Z, np.eye(3)[[0, 2], :2])
    assert of_reference.tolist() == [row[:2] for row in rows]


def test_a_family_without_twins_has_no_direction():
    """Then nothing is known of who is separable: the fit says that it has not converged, or ends far out."""
    Z, t = np.array([[-2.0, 1], [-1, 1], [1, 1], [2, 1]]), np.array([0.0, 0, 1, 1])
    plain = families.Likelihood(BERNOULLI.a, BERNOULLI.mean, BERNOULLI.variance)
    assert likelihood.recession_direction(Problem(Z, t, plain, np.zeros(2))) is None
