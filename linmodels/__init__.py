"""linmodels: linear models from scratch in NumPy, the companion to five sets of notes (A to E).

The notation of the whole book, one name per thing:

X        samples (样本), one per row, shape (N, d); ``design.augment`` appends the column of ones, so w~ = (w, b)
y        target of a regression (N,), or label of a margin model, -1 or +1
t        label of a probabilistic model: 0 or 1, or the class number 0..K-1; T is t one-hot, shape (N, K)
N, d, K  how many samples, columns of X, classes (K alone is also the kernel matrix, below)
w, b     weights (权重向量, 权值) (d,) and bias (偏置); W has one column per class, shape (d, K)
p        posterior (后验概率) (N,) or (N, K)
eta      step (学习率), in chapter 03 the natural parameter (自然参数);  lam, rho  penalties (正则化系数)
alpha    dual coefficients of the perceptron and the SVM (对偶系数); beta those of kernel LMS
G, K     Gram matrix (Gram矩阵) of inner products, kernel matrix (核矩阵), shape (N, N)
Phi      features φ(x) of the samples as rows (特征映射), (N, p), theta their weights (p,); k(X, Z) a kernel (核)
C        what a sample costs that misses its margin (SVM), the largest alpha; inf is the hard margin
rng      a numpy.random.Generator, a keyword

Losses, gradients and Hessians are sums over the samples. What we differentiate by comes first, then the data,
then keywords: ``loss(w, X, y)``. The package itself holds no function: each chapter is a module of its own,
``from linmodels import linear_regression``. In a signature, what follows an argument is its shape: ``X: N d`` is an
array of N rows and d columns, ``X: N? d`` may also be one sample (d,); a word says what the entries are
(``linmodels.guards.shapes`` lists the words).
"""

from importlib import import_module
from types import ModuleType

__version__ = "0.3.0"


def __getattr__(name: str) -> ModuleType:
    """A chapter or a tool by its name after a plain `import linmodels`, loaded when it is first asked for."""
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as missing:
        if missing.name != f"{__name__}.{name}":  # there is such a module, and something that it needs is not installed
            raise
        raise AttributeError(f"linmodels has no {name!r}: `linmodels find {name}` says where the book has it") from None
