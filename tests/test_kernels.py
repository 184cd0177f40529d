"""Chapter 12, kernels: every equation of note E on them, and where it is wrong; their feature maps, for chapter 11 too.

What kernels have no feature map of is shown by one product z·Kz < 0.
"""

import math
import pathlib
import re
import tracemalloc
from fractions import Fraction
from itertools import islice, product

import numpy as np
import pytest
from cases import slow
from counted import Counted

from linmodels import datasets, kernels, perceptron, svm
from linmodels.book import notebooks
from linmodels.kernels import (
    center,
    cubic_features,
    cubic_sum,
    expansion,
    feature_dimension,
    gaussian,
    gaussian_features,
    gaussian_on_grid,
    gram,
    is_positive_semidefinite,
    linear,
    median_width,
    mercer_features,
    normalize,
    of_features,
    polynomial,
    polynomial_features,
    quadratic_features,
)
from linmodels.solvers import distances

X = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]])  # Li Hang, Statistical Learning Methods, example 2.2
Z = np.array([[2.0, -1.0], [0.0, 5.0]])
XOR = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])  # Haykin, Neural Networks, 6.6

RNG = np.random.default_rng(0)
CLOUD, OTHERS = RNG.normal(size=(9, 3)), RNG.normal(size=(4, 3))
EPS = np.finfo(float).eps

x, z = np.array([1.0, 2.0]), np.array([3.0, 1.0])  # x·z = 5: what the printed forms below are evaluated at
D = range(2)

KERNELS = {
    "linear": linear,
    "polynomial": polynomial,
    "cubic_sum": cubic_sum,
    "gaussian": gaussian,
    "wide gaussian": lambda X, Z: gaussian(X, Z, sigma=3.0),
    "degree 3": lambda X, Z: polynomial(X, Z, c=0.5, degree=3),
}
each_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


def is_witness(z, K):
    return z @ (np.asarray(K) @ z) < 0


# --- worked values ------------------------------------------------------------------------------------------


@pytest.mark.equation("A-5.3.4-4", "B-dualalg-3", "E-nec-1")
@pytest.mark.erratum("ERR-A54")
def test_gram_matrix_of_li_hang():
    """Printed [x_i·x_i] has no second index: one number per sample, its diagonal."""
    G = gram(linear, X)
    assert G.tolist() == [[18, 21, 6], [21, 25, 7], [6, 7, 2]]
    printed = np.array([x @ x for x in X])
    assert printed.shape == (3,) and printed.tolist() == np.diag(G).tolist()


ONE_PAIR = r"takes all samples at once, not one pair; see kernels.gaussian"
NO_KERNELS = [
    ("rbf", "kernel must be a function of samples, found 'rbf'; give one, as kernels.gaussian is"),
    (lambda x, z: 1.0, rf"kernel\(X, Z\) must return \(N, M\), N = 3, M = 3, found shape \(\); it {ONE_PAIR}"),
    (lambda X, Z: X @ Z[0], r"N = 3, M = 3, found shape \(3,\)"),
    (lambda X, Z: Z[:2] @ X.T, r"N = 3, M = 3, found shape \(2, 3\)"),
]


@pytest.mark.parametrize("kernel, message", NO_KERNELS)
@pytest.mark.parametrize("use", [gram, lambda k, X: expansion(k, X, X, [1, 2, 3])], ids=["gram", "expansion"])
def test_what_a_kernel_returns_is_one_value_for_each_pair(use, kernel, message):
    with pytest.raises((ValueError, TypeError), match=message):
        use(kernel, X)


def test_an_error_within_a_kernel_says_what_a_kernel_gets():
    with pytest.raises(ValueError, match="matmul") as error:
        gram(lambda x, z: x @ z, X)
    assert error.value.__notes__ == [
        "Raised inside kernel, which must return (N, M): it takes all samples at once, not one pair."
    ]


def test_what_a_feature_map_returns_is_a_row_for_each_sample():
    for phi, found in ((lambda x: x[0] ** 2, r"\(2,\)"), (lambda x: x[:1], r"\(1, 2\)")):
        message = rf"phi\(X\) must return \(N, p\), N = 3, found shape {found}; .*not one of them; see kernels.cubic_"
        with pytest.raises(ValueError, match=message):
            of_features(phi)(X, X)
    with pytest.raises(TypeError, match="phi must be a function of samples, found 3"):
        of_features(3)


@pytest.mark.equation("E-prop-2", "E-prop-6", "E-prop-9", "E-nec-1", "E-kernel-9", "E-kernel-11")
def test_kernels_by_hand():
    """(1, 2)·(3, -1) = 1, and (1 + 2)³ = 1 + 6 + 12 + 8; (1, 2)·(0, 5) = 10, (10 + 2)³ = 1728. s = 5:
    1 + 5 + 25 + 125; s = -2: 1 - 2 + 4 - 8. φ(1, 2)·φ(3, 1) = (1, 2, 2, 4)·(9, 3, 3, 1) = 25 = 5²; of φ(x) = 0 it is 0.

    Haykin's XOR: (1 + x·z)² is 9 on the diagonal and 1 elsewhere, 8I + 11ᵀ, of the eigenvalues 8, 8, 8 and 8 + 4.
    """
    assert polynomial([[1, 2]], [[3, -1], [0, 5]], c=2, degree=3).tolist() == [[27, 1728]]
    assert polynomial([[1, 2]], [[3, 1]], c=0).tolist() == [[25]]
    assert polynomial([[1, 2]], [[3, 1]]).tolist() == [[36]]
    assert polynomial([[1, 2]], [[3, 1]], 2.0, 1).tolist() == [[7]]
    assert cubic_sum([[1, 2]], [[3, 1], [0, -1]]).tolist() == [[156, -5]]
    assert of_features(quadratic_features)([[1, 2]], [[3, 1]]).tolist() == [[25]]
    assert of_features(lambda X: np.zeros((len(X), 1)))(X, Z).tolist() == np.zeros((3, 2)).tolist()
    K = gram(polynomial, XOR)
    np.testing.assert_array_equal(K, 8 * np.eye(4) + 1)
    np.testing.assert_allclose(np.linalg.eigvalsh(K), [8, 8, 8, 12], rtol=1e-14)


@pytest.mark.equation("E-sim-2")
def test_gaussian_by_hand():
    """(1, 2, 1) - (0, 4, -1) = (1, -2, 2) of square 9; 2σ² = 8, so exp(-9/8); σ = 1 unless given."""
    assert gaussian([[1, 2, 1]], [[0, 4, -1]], sigma=2).item() == math.exp(-9 / 8)
    assert gaussian([[1, 2, 1]], [[0, 4, -1]]).item() == math.exp(-9 / 2)
    far = gaussian([[1, 2, 1, 0, 0, 0]], [[0, 4, -1, 0, 0, 0]], sigma=2)  # the form for many features
    assert far.item() == pytest.approx(math.exp(-9 / 8), rel=4 * EPS)


@pytest.mark.equation("E-prop-4", "E-prop-7")
def test_quadratic_features_by_hand():
    """d = 3: the nine x_i x_j, then √(2c) x_i and c; 9 + 3 + 1 = 13. c = 2, so √(2c) = 2."""
    nine = [1, 2, 3, 2, 4, 6, 3, 6, 9]
    assert quadratic_features([[1, 2, 3]]).tolist() == [nine]
    assert quadratic_features([[1, 2, 3]], c=2).tolist() == [[*nine, 2, 4, 6, 2]]
    assert quadratic_features([[3, 2]], c=2) @ quadratic_features([[3, 2]], c=2)[0] == (13 + 2) ** 2


@pytest.mark.equation("E-prop-9")
def test_polynomial_features_by_hand():
    """(x·z + 1)² at (3, 2): Haykin's 1, √2 x_1, √2 x_2, x_1², √2 x_1x_2, x_2². Of degree 0 and 1: (1), (√c, x)."""
    r = math.sqrt(2)
    np.testing.assert_allclose(polynomial_features([[3, 2]]), [[1, 3 * r, 2 * r, 9, 6 * r, 4]], rtol=4 * EPS)
    assert polynomial_features([[3, 2]], degree=0).tolist() == [[1]]
    assert polynomial_features([[3, 2]], c=4, degree=1).tolist() == [[2, 3, 2]]
    cube = polynomial_features([[3, 2]], c=0, degree=3)[0]
    np.testing.assert_allclose(cube[np.flatnonzero(cube)], [27, 18 * 3**0.5, 12 * 3**0.5, 8], rtol=4 * EPS)


@pytest.mark.equation("E-featmap-2", "E-kernel-1")
def test_cubic_features_by_hand():
    """x = 2: (1, x, x², x³). (2, 3): 1; 2, 3; the four x_i x_j; the eight x_i x_j x_k; square 1 + 13 + 13² + 13³."""
    assert cubic_features([[2]]).tolist() == [[1, 2, 4, 8]]
    Phi = cubic_features([[2, 3]])
    assert Phi.tolist() == [[1, 2, 3, 4, 6, 6, 9, 8, 12, 12, 18, 12, 18, 18, 27]]
    assert Phi @ Phi[0] == 1 + 13 + 169 + 2197


@pytest.mark.equation("E-sim-4")
def test_gaussian_features_by_hand():
    """x = 2, σ = 2: e^(-1/2) (1, 1, 1/√2, 1/√6). x = -2, σ = 1: e^(-2) (1, -2, 4/√2, -8/√6)."""
    np.testing.assert_allclose(
        gaussian_features([2], sigma=2, n=4), math.exp(-0.5) * np.array([[1, 1, 2**-0.5, 6**-0.5]]), rtol=8 * EPS
    )
    np.testing.assert_allclose(
        gaussian_features([-2], n=4), math.exp(-2) * np.array([[1, -2, 8**0.5, -8 / 6**0.5]]), rtol=8 * EPS
    )
    assert gaussian_features([0, 0], n=3).tolist() == [[1, 0, 0]] * 2
    assert gaussian_features([0.0]).shape == (1, 20)
    assert gaussian_features([1.0, 2.0, 3.0], n=1).tolist() == [[math.exp(-k * k / 2)] for k in (1, 2, 3)]


def test_normalize_and_center_by_hand():
    """K = (4, 2; 2, 9): 2/√36 = 1/3. K of the numbers 1, 2, 6 by their product; from the mean 3 they are -2, -1, 3."""
    np.testing.assert_allclose(normalize([[4, 2], [2, 9]]), [[1, 1 / 3], [1 / 3, 1]], rtol=2 * EPS)
    assert center([[1, 2, 6], [2, 4, 12], [6, 12, 36]]).tolist() == [[4, 2, -6], [2, 1, -3], [-6, -3, 9]]


@pytest.mark.parametrize(
    "points, median",
    [
        ([0, 3], 3),
        ([0, 3, 4], 3),  # 3, 4, 1
        ([0, 1, 3, 7], 3.5),  # 1, 3, 7, 2, 6, 4: between 3 and 4
        ([5, 5, 5, 9, 1], 4),  # 0 three times, 4 six times, 8
    ],
)
def test_median_width_by_hand(points, median):
    """The middle distance, or the mean of the middle two."""
    P = np.array(points, float)[:, None]
    assert median_width(P) == pytest.approx(median, rel=2 * EPS)
    assert median_width(np.repeat(P, 4, axis=1)) == pytest.approx(2 * median, rel=2 * EPS)
    assert median_width(np.repeat(P, 9, axis=1)) == pytest.approx(3 * median, rel=4 * EPS)


def test_mostly_equal_samples_have_no_width():
    P = np.repeat(np.random.default_rng(12).normal(size=(1, 6)), 20, axis=0)
    for others in (0, 1):
        with pytest.raises(ValueError, match=r"X holds mostly equal samples: the median distance is 0; distinct"):
            median_width(np.concatenate([P, P[:others] + 1]))


# --- the proofs of the notes, line by line ------------------------------------------------------------------


@pytest.mark.equation("E-kernel-9")
@pytest.mark.erratum("ERR-E13", "ERR-E14")
def test_the_cubic_identity_line_by_line():
    """x·z = 5: 1 + 5 + 25 + 125 = 156 in all three lines.

    Printed Σ_{i,z} x_i x_j z_i z_j leaves j over: 2·5·x_j z_j is 30 or 20, not 25. Printed 1 + Σ_i + (Σ_i)² + (Σ_i)³
    has nothing to add: of ones it is 1 + 2 + 4 + 8.
    """
    singles = sum(x[i] * z[i] for i in D)
    pairs = sum(x[i] * x[j] * z[i] * z[j] for i in D for j in D)
    triples = sum(x[i] * x[j] * x[k] * z[i] * z[j] * z[k] for i in D for j in D for k in D)
    assert (singles, pairs, triples) == (5, 25, 125)
    of_features = cubic_features([x]) @ cubic_features([z])[0]
    assert of_features == 1 + singles + pairs + triples == 156
    assert of_features == 1 + singles + singles**2 + singles**3
    assert of_features == 1 + x @ z + (x @ z) ** 2 + (x @ z) ** 3 == cubic_sum([x], [z])
    assert [sum(x[i] * x[j] * z[i] * z[j] for i in D for _z in D) for j in D] == [30, 20]
    of_nothing = sum(1 for i in D)
    assert 1 + of_nothing + of_nothing**2 + of_nothing**3 == 15


@pytest.mark.equation("E-prop-2", "E-prop-3")
@pytest.mark.erratum("ERR-E20", "ERR-E21")
def test_the_squared_product_line_by_line():
    """x·z = 5: 25 in every line.

    Printed (xᵀ, z)²: a pair, 1 + 4 + 9 + 1 = 15 if squared. Printed (Σ_r x_i z_i)(Σ_j ): 2·x_i z_i·2 is 12 or 8, by
    which i. Printed Σ_{i=1}^n over n samples: for n = 1 half the sum, for n = 3 there is no x_3.
    """
    assert polynomial([x], [z], c=0) == (x @ z) ** 2 == 25
    assert sum(x[i] * z[i] for i in D) * sum(x[j] * z[j] for j in D) == 25
    assert sum(x[i] * x[j] * z[i] * z[j] for i in D for j in D) == 25
    assert sum((x[i] * x[j]) * (z[i] * z[j]) for i, j in product(D, D)) == 25
    assert quadratic_features([x]) @ quadratic_features([z])[0] == 25
    pair = np.stack([x, z])
    assert (pair**2).sum() == 15
    assert [sum(x[i] * z[i] for _r in D) * sum(1 for _j in D) for i in D] == [12, 8]

    def up_to(n):
        return sum(x[i] * x[j] * z[i] * z[j] for i in range(n) for j in D)

    assert (up_to(1), up_to(2)) == (15, 25)
    with pytest.raises(IndexError):
        up_to(3)


@pytest.mark.equation("E-prop-6", "E-prop-7")
@pytest.mark.erratum("ERR-E22")
def test_the_inhomogeneous_square_line_by_line():
    """c = 2: (5 + 2)² = 25 + Σ (2x_i)(2z_i) + 4 = 25 + 20 + 4.

    Printed (xᵀ + c)²: without z a row, (9, 16). Printed z_z: z has no entry z_3.
    """
    c = 2.0
    r = math.sqrt(2 * c)
    pairs, singles = sum((x[i] * x[j]) * (z[i] * z[j]) for i, j in product(D, D)), sum(r * x[i] * r * z[i] for i in D)
    assert pairs + singles + c**2 == 25 + 20 + 4 == polynomial([x], [z], c=c)
    assert quadratic_features([x], c) @ quadratic_features([z], c)[0] == 49
    assert ((x + c) ** 2).tolist() == [9, 16]
    with pytest.raises(IndexError):
        z[z.astype(int)]


@pytest.mark.equation("E-nec-3", "E-nec-4")
@pytest.mark.erratum("ERR-E27", "ERR-E28")
def test_the_proof_of_semidefiniteness_line_by_line():
    """Samples (1, 2), (3, 1), features x itself, z = (2, -1): 2·(1, 2) - (3, 1) = (-1, 3), of square 10.

    Printed in line 4, Σ_z leaves k over: 2·(-1)² or 2·3² for two entries z, not 1 + 9. Printed Σ_{i,j} a_i a_z:
    for a = (1, 2, 4) it is 3·7·a_z, which is 21, 42 or 84 and not 7².
    """
    phi, v, N = np.stack([x, z]), np.array([2.0, -1.0]), range(2)
    K = gram(linear, phi)
    assert sum(v[i] * K[i, j] * v[j] for i in N for j in N) == v @ K @ v == 10
    assert sum(v[i] * (phi[i] @ phi[j]) * v[j] for i in N for j in N) == 10
    assert sum(v[i] * sum(phi[i, k] * phi[j, k] for k in D) * v[j] for i in N for j in N) == 10
    assert sum(v[i] * phi[i, k] * phi[j, k] * v[j] for k in D for i in N for j in N) == 10
    assert sum(sum(v[i] * phi[i, k] for i in N) ** 2 for k in D) == 10
    assert [sum(v[i] * phi[i, k] * phi[j, k] * v[j] for _z in v for i in N for j in N) for k in D] == [2, 18]
    a = [1, 2, 4]
    assert sum(a[i] * a[j] for i in range(3) for j in range(3)) == sum(a) ** 2 == 49
    assert [sum(a[i] * a_z for i in range(3) for _j in range(3)) for a_z in a] == [21, 42, 84]


@pytest.mark.equation("E-featmap-3")
@pytest.mark.erratum("ERR-E05")
def test_a_cubic_has_four_weights():
    """5 - x + 2x² + 3x³ at x = 2 is 5 - 2 + 8 + 24. Printed θ_0, θ_1, θ_2, θ_0: 5 - 2 + 8 + 40, and no weight of x³."""
    theta = np.array([5.0, -1.0, 2.0, 3.0])
    assert cubic_features([[2.0]]) @ theta == 35
    assert cubic_features([[2.0]]) @ theta[[0, 1, 2, 0]] == 51
    t = np.random.default_rng(1).normal(size=7)
    np.testing.assert_allclose(cubic_features(t[:, None]) @ theta, np.polyval(theta[::-1], t), rtol=1e-13)


@pytest.mark.equation("E-sim-2", "E-sim-3")
@pytest.mark.erratum("ERR-E25")
def test_without_its_minus_the_gaussian_is_none():
    """x = 0, z = 2, σ = 1: printed exp(+‖x - z‖²/2) = e² > 1 for the distant pair, (1, -1) gives 2 - 2e² < 0.

    Printed w - z: the x of K(x, z) is missing, so k(x, x) = 1 only where x = w.
    """
    points = np.array([[0.0], [2.0]])
    as_printed = np.exp((points - points.T) ** 2 / 2)
    assert as_printed[0, 1] > as_printed[0, 0] == 1
    assert is_witness([1, -1], as_printed)
    found, v = is_positive_semidefinite(as_printed)
    assert not found and is_witness(v, as_printed)
    K = gram(gaussian, points)
    assert K.tolist() == [[1, math.exp(-2)], [math.exp(-2), 1]]
    assert is_positive_semidefinite(K) == (True, None)
    w = 5.0
    assert np.exp(-((w - points) ** 2) / 2).max() < 0.02


# --- kernel = inner product of features ---------------------------------------------------------------------


@pytest.mark.equation("B-dualalg-2")
@pytest.mark.erratum("ERR-B11")
def test_an_inner_product_is_a_number():
    """Printed x_j^T·x_i: after the transpose the two differ in shape, and Σ of their products is (Σ x_j)(Σ x_i)."""
    column_j, column_i = np.array([[1.0], [2.0]]), np.array([[3.0], [4.0]])
    assert np.sum(column_j.T * column_i) == (1 + 2) * (3 + 4)
    assert (column_j.T @ column_i).item() == 1 * 3 + 2 * 4
    product = column_j[:, 0] @ column_i[:, 0]  # the book's vectors have one dimension: no transpose
    assert np.ndim(product) == 0
    assert linear(column_j.T, column_i.T) == product == 11


@pytest.mark.equation("A-5.3.4-4", "B-dualalg-3", "E-nec-1")
@each_kernel
def test_gram_is_every_pair_by_the_kernel(kernel):
    np.testing.assert_allclose(gram(kernel, X), [[kernel([a], [b]).item() for b in X] for a in X], rtol=4 * EPS)


def test_a_kernel_of_the_readers_own_gets_arrays_of_floats():
    """200² = 40000 leaves a byte, and a list has no transpose."""
    own, by_own_map = (lambda X, Z: X @ Z.T), kernels.of_features(lambda X: X**2)
    bytes_ = np.array([[200, 10], [100, 50]], np.uint8)
    assert gram(own, bytes_).tolist() == gram(own, bytes_.tolist()).tolist() == [[40100, 20500], [20500, 12500]]
    assert by_own_map(bytes_[:1], bytes_[:1].tolist()).tolist() == [[200**4 + 10**4]]
    with pytest.raises(ValueError, match=r"^X holds nan"):
        gram(own, [[np.nan, 1.0]])


@pytest.mark.equation("E-prop-9", "E-kernel-1", "E-kernel-2")
def test_dimensions_of_the_maps():
    """C(d + k, k): 10 for d = 3, k = 2; of one feature k + 1, of degree 0 one, of degree 1 d + 1. And by counting."""
    assert [feature_dimension(*d_k) for d_k in [(3, 2), (1, 7), (9, 0), (9, 1)]] == [10, 8, 1, 10]
    assert feature_dimension(1000, 100) == math.comb(1100, 100)
    for d, k in product((1, 2, 4), (0, 1, 3)):
        powers = [a for a in product(range(k + 1), repeat=d) if sum(a) <= k]
        assert feature_dimension(d, k) == len(powers) == polynomial_features(np.ones((1, d)), degree=k).shape[1]


@pytest.mark.equation("E-prop-9", "E-prop-7")
@pytest.mark.erratum("ERR-E23")
@pytest.mark.parametrize("d, k", [(1, 4), (2, 3), (3, 2), *slow([(4, 2)])])
def test_the_feature_space_has_as_many_dimensions_as_distinct_products(d, k):
    """Printed: C(d + k, k) dimensions, of maps that list x_i x_j and x_j x_i both. The rank of K counts each once.

    c = 0 leaves only the products of k features, C(d + k - 1, k).
    """
    points = np.random.default_rng(1).uniform(-1, 1, size=(60, d))
    K = gram(lambda X, Z: polynomial(X, Z, c=1, degree=k), points)
    assert np.linalg.matrix_rank(K) == math.comb(d + k, k) == feature_dimension(d, k)
    assert np.linalg.matrix_rank(polynomial_features(points, degree=k)) == feature_dimension(d, k)
    assert mercer_features(K).shape == (60, feature_dimension(d, k))
    K = gram(lambda X, Z: polynomial(X, Z, c=0, degree=k), points)
    assert np.linalg.matrix_rank(K) == math.comb(d + k - 1, k)
    Phi = polynomial_features(points, c=0, degree=k)
    assert np.any(Phi, axis=0).sum() == math.comb(d + k - 1, k)
    if k == 2:
        Phi = quadratic_features(points, c=1)
        assert Phi.shape[1] == d * d + d + 1
        assert np.linalg.matrix_rank(Phi) == feature_dimension(d, 2) == Phi.shape[1] - d * (d - 1) // 2


def test_mercer_keeps_an_eigenvalue_that_is_more_than_rounding():
    assert mercer_features([[1, 0], [0, 1e-9]]).shape == (2, 2)
    assert mercer_features([[1, 0], [0, 1e-16]]).shape == (2, 1)


@pytest.mark.erratum("ERR-E23")
def test_a_negative_c_gives_no_kernel():
    """c = -1: k(0, 0) = -1 of degree 1 and 3; degree 2 on 0 and 1 gives (1, 1; 1, 0), of determinant -1."""
    points = np.array([[0.0], [1.0]])
    K = (points @ points.T - 1) ** 2
    assert K.tolist() == [[1, 1], [1, 0]]
    assert is_witness([1, -2], K)
    found, v = is_positive_semidefinite(K)
    assert not found and is_witness(v, K)
    for k in (1, 3):
        assert is_witness([1, 0], (points @ points.T - 1) ** k)
    with pytest.raises(ValueError, match="c must be >= 0, found -1"):
        polynomial(points, points, c=-1)


@pytest.mark.equation("E-kernel-1", "E-kernel-2")
@pytest.mark.erratum("ERR-E08", "ERR-E35")
def test_the_degree_is_at_most_three():
    """Printed "less than 3", and p ≈ d³. Below 3, d = 1000 has 1 + d + d² = 1 001 001 products, 501 501 distinct ones:
    not the 10⁹ of the next sentence, 1 + d + d² + d³, of which C(d + 3, 3) are distinct; and the kernel has s³.
    """
    d = 1000
    assert 1 + d + d**2 == 1_001_001 and feature_dimension(d, 2) == 501_501
    assert 1 + d + d**2 + d**3 == 1_001_001_001 and feature_dimension(d, 3) == 167_668_501
    Phi = cubic_features([x, z])
    assert Phi[0] @ Phi[1] == cubic_sum([x], [z]) == 156
    below = Phi[:, : 1 + 2 + 4]
    assert below[0] @ below[1] == 1 + 5 + 25


def counted(function, *arguments):
    """What it gives, and how many multiplications there are in its body."""
    Counted.multiplications = 0
    found = getattr(function, "__wrapped__", function)(*arguments)
    return found[0, 0], Counted.multiplications


@pytest.mark.equation("E-prop-5", "E-prop-10", "E-kernel-10", "E-kernel-17")
@pytest.mark.parametrize("d", [2, 40])
def test_multiplications_of_a_kernel_value(d):
    """x·z takes d, its square one more; the map takes d² for each of x and z, and d² for their inner product.

    The power k takes at most 2 log₂ k, the cubic sum 2, whatever d: O(d) + O(1), in a space of O(d^k).
    """
    a, b = (np.array([[Counted(i % 3 + j) for i in range(d)]], object) for j in (1, 2))
    s, done = counted(linear, a, b)
    assert done == d
    cubic, done = counted(cubic_sum, a, b)
    assert done == d + 2 and cubic == 1 + s + s**2 + s**3
    square, done = counted(distances.power, np.array([[s]], object), 2)
    assert done == 1
    assert counted(of_features(quadratic_features.__wrapped__), a, b) == (square, 3 * d**2)
    for k in range(1, 40):
        powered, done = counted(distances.power, np.array([[Counted(2)]], object), k)
        assert done <= 2 * math.log2(k) and powered == 2.0**k


@pytest.mark.equation("E-prop-10", "E-prop-9")
def test_a_power_of_one_product_in_a_space_larger_than_any_memory():
    """d = 2000, degree 20: more than 10⁴⁷ dimensions; the value is a power of one product, (2000/1024 + c)^20."""
    assert feature_dimension(2000, 20) > 10**47
    a = np.full((1, 2000), 2.0**-5)
    assert polynomial(a, a, c=4 - 2000 / 1024, degree=20).item() == 4**20
    assert polynomial([[2.0]], [[1.0]], c=0, degree=1023).item() == 2.0**1023
    assert polynomial([[-0.5]], [[1.0]], c=0, degree=2000).item() == 0


@pytest.mark.equation("E-kernel-8")
@pytest.mark.erratum("ERR-E12")
def test_the_kernel_matrix_is_made_once_and_without_features():
    """Printed: φ need not be very exact. It need not be computed: one call gives all inner products."""
    calls = []

    def watched(A, B):
        calls.append((len(A), len(B)))
        return cubic_sum(A, B)

    K = gram(watched, CLOUD)
    assert calls == [(9, 9)]
    Phi = cubic_features(CLOUD)
    np.testing.assert_allclose(K, Phi @ Phi.T, rtol=1e-12, atol=1e-13)


@pytest.mark.equation("E-kernel-11", "E-prop-1", "E-featmap-4")
@pytest.mark.erratum("ERR-E19")
def test_an_algorithm_in_kernel_terms_needs_no_feature_map():
    """The perceptron sees K alone. On the Gaussian kernel, whose map is endless, it makes the mistakes it makes on
    features of these nine samples, Φ with ΦΦᵀ = K. And -x·z, of which k(x, x) < 0, has no map at all: which functions
    have one is the question, not which map they have (as printed).
    """
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
    K = gram(lambda X, Z: gaussian(X, Z, sigma=2.0), CLOUD)
    Phi = mercer_features(K)
    dual = [u.i for u in islice(perceptron.dual_updates(K, y), 25)]
    primal = [u.i for u in islice(perceptron.updates(Phi, y), 25)]
    assert dual == primal and len(dual) > 9
    assert is_positive_semidefinite(-gram(linear, CLOUD))[0] is False


@pytest.mark.equation("E-prop-8")
@pytest.mark.parametrize("c", [0.0, 0.125, 16.0])
def test_c_weighs_products_of_one_against_those_of_two(c):
    """(s + c)² = s² + 2cs + c²: half of k(x, z) - k(x, -z) is 2cs.

    A fit shows it: the shortest f with f(1) = 1 is k(1, z)/k(1, 1) = (z + c)²/(1 + c)², its weights of z and z² are
    2c : 1. For c = 0 it is even; the larger c, the more linear.
    """
    odd = (polynomial(CLOUD, OTHERS, c) - polynomial(CLOUD, -OTHERS, c)) / 2
    np.testing.assert_allclose(odd, 2 * c * linear(CLOUD, OTHERS), rtol=1e-13, atol=1e-12 * c**2)
    f = polynomial([[1.0], [-1.0], [0.0]], np.ones((1, 1)), c)[:, 0] / (1 + c) ** 2
    assert f[0] == 1
    first, second = (f[0] - f[1]) / 2, (f[0] + f[1]) / 2 - f[2]
    assert first == pytest.approx(2 * c * second, rel=1e-12)


# --- similarity ---------------------------------------------------------------------------------------------


@pytest.mark.equation("E-sim-1")
@pytest.mark.erratum("ERR-E24")
def test_an_inner_product_grows_with_the_lengths_too():
    """Printed: close φ(x), φ(z) have large K. (x·z + 1)² of (1, 1) is 9 with itself, but 11² with (5, 5), far away.

    Normalized, 11²/√(3²·3²·51²) → 121/153 < 1 = that of (1, 1) with itself; orthogonal features have 0. It is the
    cosine of the angle between the features.
    """
    P = np.array([[1.0, 1.0], [5.0, 5.0], [1.0, -2.0]])
    K, Phi = gram(polynomial, P), polynomial_features(P)
    assert (K[0, 0], K[0, 1], K[0, 2]) == (9, 121, 0)
    np.testing.assert_allclose(normalize(K)[0], [1, 121 / 153, 0], rtol=4 * EPS)
    Phi /= np.linalg.norm(Phi, axis=1, keepdims=True)
    np.testing.assert_allclose(normalize(K), Phi @ Phi.T, atol=4 * EPS)


# --- the Gaussian kernel ------------------------------------------------------------------------------------

COORDINATES = np.random.default_rng(2).normal(size=(12, 9))


def exact_squared_distances(A, B):
    return [[float(sum((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, z, strict=True))) for z in B.tolist()]
            for x in A.tolist()]  # fmt: skip


@pytest.mark.equation("E-sim-2")
@pytest.mark.parametrize("d", [4, 5, *slow([1, 20])])
@pytest.mark.parametrize("spread, offset", [(1.0, 0.0), (1e-3, 0.0), (1e-4, 1e8), *slow([(1e-9, 0.0), (1.0, 1e8)])])
def test_each_squared_distance_has_its_own_digits(d, spread, offset):
    """Two clusters, half of all pairs near: relative to the distance itself, not to the lengths of the samples."""
    rng = np.random.default_rng(d)
    P = np.repeat(rng.normal(size=(2, d)), 15, axis=0) + spread * rng.normal(size=(30, d)) + offset
    found = distances.squared_distances(P[:7], P)
    rounding = 8 * (d + 4) * EPS * 16  # a distance is at least a 16th of what is multiplied out, or is subtracted
    np.testing.assert_allclose(found, exact_squared_distances(P[:7], P), rtol=rounding)
    assert (np.diagonal(found) == 0).all()
    np.testing.assert_allclose(gaussian(P[:7], P), np.exp(-found / 2), rtol=4 * EPS)


@pytest.mark.parametrize("at", [0, 1], ids=["in X", "in Z"])
def test_beside_one_far_sample_the_others_keep_their_digits(at):
    """d = 6, a sample 10⁶ away among near ones."""
    pair = [COORDINATES[:5, :6].copy(), COORDINATES[5:, :6].copy()]
    pair[at][0] += 1e6
    np.testing.assert_allclose(distances.squared_distances(*pair), exact_squared_distances(*pair), rtol=1e-13)


@pytest.mark.equation("E-sim-4")
@pytest.mark.parametrize("sigma", [1.0, 3.0])
def test_the_series_of_the_gaussian(sigma):
    """exp(-(u² + v²)/2) Σ_k (uv)^k/k!: what n terms leave is at most |uv|^n/n!, as e^|uv| <= exp((u² + v²)/2)."""
    t, s = np.linspace(-2, 2, 9), np.linspace(-1.5, 2.5, 7)
    K = gaussian(t[:, None], s[:, None], sigma)
    for n in (1, 3, 20, 100):
        left = np.abs(gaussian_features(t, sigma, n) @ gaussian_features(s, sigma, n).T - K)
        bound = (np.abs(np.outer(t, s)) / sigma**2) ** n / float(math.factorial(n))
        assert (left <= bound + 1e-14).all()
    assert bound.max() < 1e-9


@pytest.mark.equation("E-sim-4")
@pytest.mark.parametrize("u", [30.0, -40.0, *slow([-37.0, 38.0, 60.0])])
def test_the_series_far_from_0(u):
    """Σ_k φ_k² = 1 for every x, where the largest φ_k is that of k = u²; e^(-u²/2) alone is below all numbers."""
    assert np.sum(gaussian_features([u], n=int(2 * u * u)) ** 2) == pytest.approx(1, rel=1e-10)


@pytest.mark.equation("E-sim-4")
@pytest.mark.parametrize("n", [2, 7])
def test_the_gaussian_has_no_finite_map(n):
    """n distinct points have a Gram matrix of rank n, for any n: no fewer than n features make it."""
    points = np.arange(n)[:, None] * 1.0
    K = gram(gaussian, points)
    assert np.linalg.matrix_rank(K) == n == mercer_features(K).shape[1]
    assert np.linalg.eigvalsh(K)[0] > 1e-3


# --- expansions and blocks ----------------------------------------------------------------------------------


@each_kernel
@pytest.mark.parametrize("block", [1, 27, *slow([9, 26, 28, 54, 2**17])])
def test_an_expansion_is_the_kernel_matrix_times_its_coefficients(kernel, block, monkeypatch):
    """Wherever the blocks cut the rows, of few features or of many."""
    c = np.arange(1.0, 10.0)
    for new, P in [(COORDINATES[:, :3], CLOUD), (COORDINATES, 2 * COORDINATES[:9])]:
        monkeypatch.undo()
        K = kernel(new, P)
        monkeypatch.setattr(distances, "BLOCK", block)
        monkeypatch.setattr(kernels, "PART", block)
        np.testing.assert_allclose(kernel(new, P), K, rtol=1e-13, atol=1e-13)
        np.testing.assert_allclose(expansion(kernel, new, P, c), K @ c, rtol=1e-12, atol=1e-12 * np.abs(K).max())


@pytest.mark.parametrize("N", [10, 300])
def test_an_expansion_never_holds_the_whole_matrix(N, monkeypatch):
    """No part has more values than fit and one row, and each row of Z is seen once, in order."""
    monkeypatch.setattr(kernels, "PART", 1000)
    seen = []

    def watched(A, B):
        assert len(A) == 1 or len(A) * len(B) <= 1000 + len(B)
        seen.append(A)
        return linear(A, B)

    new = np.arange(1500.0).reshape(500, 3)
    found = expansion(watched, new, np.ones((N, 3)), np.full(N, 0.5))
    np.testing.assert_allclose(found, N / 2 * new.sum(axis=1), rtol=1e-13)
    np.testing.assert_array_equal(np.concatenate(seen), new)
    assert len(seen) > 1 and max(map(len, seen)) >= 1000 // (N + 3)


@pytest.mark.equation("E-sim-2", "E-kernel-15")
def test_a_grid_by_hand():
    """One sample at (1, 0), σ = 1: e^{-1/2} one step away along either axis, e^{-1} one along both; f = 2k."""
    f = gaussian_on_grid([1, 2], [0, 1, -1], [[1, 0]], [2])
    e = np.exp(-0.5)
    np.testing.assert_allclose(f, 2 * np.array([[1, e], [e, e * e], [e, e * e]]), rtol=1e-15)


@pytest.mark.parametrize("kernel, d", [(gaussian, 2), (gaussian, 6), (polynomial, 2)])
def test_a_kernel_makes_nothing_else_of_its_size(kernel, d):
    A = np.random.default_rng(6).normal(size=(1200, d))
    tracemalloc.start()
    K = kernel(A, A)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * K.nbytes


@pytest.mark.parametrize("degree", [0, 1, 2, 6, 13])
def test_powers_by_multiplication(degree):
    """As Python's integers have it, of negative numbers and 0 too (0⁰ = 1)."""
    values = np.arange(-6.0, 7.0)[:, None]
    expected = [[int(v) ** degree] for v in values[:, 0]]
    assert distances.power(values, degree).tolist() == expected
    assert polynomial(values, [[1.0]], c=0, degree=degree).tolist() == expected
    assert distances.power(values, degree, out=values) is values and values.tolist() == expected


# --- what makes a kernel ------------------------------------------------------------------------------------


def feature_products(A, B):
    """φ_i(x) ψ_j(x) for all i, j."""
    return (A[:, :, None] * B[:, None, :]).reshape(len(A), -1)


@pytest.mark.equation("E-nec-3", "E-suff-1")
def test_sums_products_and_scalings_of_kernels_are_kernels():
    """Their features: φ and ψ side by side, all φ_i ψ_j, √a φ, f(x) φ."""
    K1, K2 = gram(lambda X, Z: polynomial(X, Z, c=0.5), CLOUD), gram(cubic_sum, CLOUD)
    phi, psi = quadratic_features(CLOUD, 0.5), cubic_features(CLOUD)
    f = np.sin(CLOUD[:, 0])
    for K, Phi in [
        (K1 + K2, np.column_stack([phi, psi])),
        (K1 * K2, feature_products(phi, psi)),
        (3 * K1, math.sqrt(3) * phi),
        (f[:, None] * K1 * f, f[:, None] * phi),
        (2 * K1 + K1 * K1, np.column_stack([math.sqrt(2) * phi, feature_products(phi, phi)])),
    ]:
        np.testing.assert_allclose(K, Phi @ Phi.T, rtol=1e-11, atol=1e-12 * np.abs(K).max())
        assert is_positive_semidefinite(K) == (True, None)


@pytest.mark.equation("E-suff-1", "E-sim-2")
def test_the_exponential_of_a_kernel_is_a_kernel():
    """A sum of products, Σ_k K^k/k!. And f(x) e^(x·z) f(z), f = e^(-‖x‖²/2), is the Gaussian one."""
    for kernel in (linear, gaussian, lambda X, Z: polynomial(X, Z) / 8):
        K = gram(kernel, CLOUD)
        assert is_positive_semidefinite(np.exp(K)) == (True, None)
        np.testing.assert_allclose(np.exp(K), sum(K**k / math.factorial(k) for k in range(80)), rtol=1e-9)
    f = np.exp(-np.sum(CLOUD**2, axis=1) / 2)
    np.testing.assert_allclose(f[:, None] * np.exp(linear(CLOUD, CLOUD)) * f, gram(gaussian, CLOUD), rtol=1e-12)


ONE, TWO = np.array([[1.0]]), np.array([[1.0], [2.0]])
NO_KERNELS = {
    "difference": (polynomial(ONE, ONE, 1, 1) - polynomial(ONE, ONE, 1, 2), [1], [[-2]]),
    "tanh(x·z)": (np.tanh(gram(linear, TWO)), [1.1, -0.9], None),
    "tanh(x·z - 1)": (np.tanh(gram(linear, 0 * ONE) - 1), [1], [[math.tanh(-1)]]),
    "exp(+‖x - z‖²)": (np.exp((TWO - TWO.T) ** 2), [1, -1], [[1, math.e], [math.e, 1]]),
    "‖x - z‖²": ((TWO - TWO.T) ** 2, [1, -1], [[0, 1], [1, 0]]),
    "-‖x - z‖²": (-((TWO - TWO.T) ** 2), [1, 1], [[0, -1], [-1, 0]]),
}


@pytest.mark.equation("E-suff-1", "E-nec-3")
@pytest.mark.parametrize("K, v, on_paper", NO_KERNELS.values(), ids=NO_KERNELS)
def test_what_is_no_kernel_has_a_witness(K, v, on_paper):
    """One product z·Kz < 0 suffices; the one that is returned does too, and there are no features."""
    if on_paper is not None:
        np.testing.assert_allclose(K, on_paper, rtol=4 * EPS)
    assert is_witness(v, K)
    found, z = is_positive_semidefinite(K)
    assert found is False and z.shape == (len(K),) and is_witness(z, K)
    assert np.linalg.norm(z) == pytest.approx(1, rel=1e-14)
    with pytest.raises(ValueError, match=r"K must be positive semidefinite, found the eigenvalue -.*: no kernel has"):
        mercer_features(K)


@pytest.mark.equation("E-suff-1")
@pytest.mark.erratum("ERR-E31", "ERR-E30")
def test_one_positive_semidefinite_matrix_proves_nothing():
    """k(x, z) = 1 - (x - z)²/8: on {0, 1/2} (1, 31/32; 31/32, 1) is positive definite; {0, 2, 4, 6} has
    (1, 0, 0, 1): 2 + 2(1 - 36/8) = -5. Printed: if K is a Mercer kernel, then its matrix decides whether it is one.
    It is for every finite set that a kernel's matrix must be positive semidefinite; the proof shows that it must.
    """

    def k(A, B):
        return 1 - (A - B.T) ** 2 / 8

    near, wide = np.array([[0.0], [0.5]]), np.array([[0.0], [2.0], [4.0], [6.0]])
    assert gram(k, near).tolist() == [[1, 31 / 32], [31 / 32, 1]]
    assert is_positive_semidefinite(gram(k, near)) == (True, None)
    K, v = gram(k, wide), np.array([1, 0, 0, 1])
    assert v @ K @ v == -5
    found, z = is_positive_semidefinite(K)
    assert not found and is_witness(z, K) and z @ K @ z <= -5 / 2  # the smallest eigenvalue: none is lower
    np.testing.assert_allclose(z @ K @ z, np.linalg.eigvalsh(K)[0], rtol=1e-13)


@pytest.mark.equation("E-nec-2", "E-suff-1")
def test_what_counts_as_positive_semidefinite():
    """Zero, singular, or off by rounding: yes. Not symmetric: no, without a witness."""
    rng = np.random.default_rng(8)
    B = rng.normal(size=(20, 2))
    yes = [np.zeros((3, 3)), [[0.0]], [[1e-140]], np.ones((4, 4)), np.diag([1.0, 0.0]), [[1, 0], [0, -1e-17]]]
    for K in [*yes, B @ B.T, np.outer(B[:, 0], B[:, 0]), [[1, 1 + 1e-15], [1, 1]], [[True, False], [False, True]]]:
        assert is_positive_semidefinite(K) == (True, None)
    no = [[[-1e-140]], [[-1e-17]], [[1, 0], [0, -1e-6]], [[1, 1.001], [1.001, 1]], [[0, 1], [1, 0]], -np.eye(3)]
    far = [[[1, 1e6], [1e6, 1e11]], [[1e12, 0], [0, -1]], [[0, 1], [1, 1e5]]]  # beside a large feature a small one
    for K in no + far:
        found, z = is_positive_semidefinite(K)
        assert found is False and is_witness(z, K)
    for K in ([[1, 0.5], [0, 1]], [[1, 1], [1 + 1e-6, 1]], [[0, 1], [-1, 0]]):
        assert is_positive_semidefinite(K) == (False, None)


@pytest.mark.equation("E-suff-1")
def test_mercer_features_have_as_many_columns_as_the_rank():
    """Orthogonal columns, their squares the eigenvalues; samples that have the same values have the same features."""
    B = np.random.default_rng(10).normal(size=(12, 4))
    B[7] = B[2]
    Phi = mercer_features(B @ B.T)
    np.testing.assert_allclose(Phi[7], Phi[2], atol=1e-13)
    np.testing.assert_allclose(Phi.T @ Phi, np.diag(np.linalg.eigvalsh(B @ B.T)[-4:]), atol=1e-12)
    assert mercer_features(np.zeros((3, 3))).shape == (3, 0)
    np.testing.assert_allclose(np.abs(mercer_features(np.full((2, 2), 4.0))), [[2], [2]], rtol=1e-14)
    assert mercer_features([[1.0, 0.0], [0.0, -1e-17]]).shape == (2, 1)


# --- overflow -----------------------------------------------------------------------------------------------

HUGE = [[1e70, 1e70], [1.0, -1e70]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: polynomial(HUGE, HUGE, degree=3),
        lambda: cubic_sum(HUGE, HUGE),
        lambda: polynomial_features([[1e62]], degree=5),
    ],
    ids=["polynomial", "cubic_sum", "polynomial_features"],
)
def test_products_beyond_all_numbers_are_named_without_a_warning(call):
    with pytest.raises(ValueError, match="the result overflows: rescale X"):
        call()


@pytest.mark.slow
@pytest.mark.parametrize(("C", "sigma"), [(1.0, 1.0), (10.0, 0.5), (0.3, 2.0)])
def test_the_block_of_the_chapter_finds_the_same_in_scikit_learn(C, sigma):
    """The fenced block of the chapter, as it stands there, on its rings: a matrix, and the same kernel by gamma."""
    pytest.importorskip("sklearn", exc_type=ImportError)
    path = pathlib.Path(__file__).parents[1] / "notebooks" / "12_kernels.ipynb"
    (text,) = (notebooks.text(c["source"]) for c in notebooks.read(path)["cells"] if c["id"] == "ch12-sklearn")
    X, t = datasets.rings([1.0, 2.2], 40, spread=0.25, rng=np.random.default_rng(0))
    Z, y = np.random.default_rng(1).uniform(-3, 3, (50, 2)), np.where(t == 1, 1.0, -1.0)
    K, K_new = gaussian(X, X, sigma), gaussian(Z, X, sigma)
    names = {"C": C, "sigma": sigma, "K": K, "K_new": K_new, "X": X, "y": y}
    exec(re.search(r"```python\n(.*?)```", text, re.DOTALL)[1], names)
    found = svm.fit_dual(K, y, C=C)
    np.testing.assert_allclose(names["f"], K_new @ (found.alpha * y) + found.b, atol=1e-4)
    np.testing.assert_allclose(names["same"].decision_function(Z), names["f"], atol=1e-4)
