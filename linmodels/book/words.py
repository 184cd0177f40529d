"""Words as `linmodels find` compares them: one spelling, no endings, and what readers say for what the book says."""

from __future__ import annotations

import re
from functools import cache

HAN = "[\u3400-\u9fff]"
GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon "
    "phi chi psi omega"
)
# signs and words that the notes and we write in several ways; case is folded before
SIGNS = {ord(sign): one for sign, one in {"內": "内", "ï": "i", "'": "", "’": "", "ᵀ": "^t"}.items()}
SIGNS |= {code: f" {name} " for code, name in enumerate(GREEK.split(), start=ord("α"))}
SPELLINGS = {
    "感知器": "感知机",
    "对数几率回归": "逻辑回归",
    "logistic回归": "逻辑回归",
    "判决函数": "判别函数",
    "分割超平面": "分离超平面",
    "特征地图": "特征映射",
    "内核": "核",
    "isation": "ization",
    "ised": "ized",
    "ising": "izing",
}
STOP = set(
    "a about all am an and any are as at be between by can compute could define definition derivation derive "
    "derived did difference do does ever example explain find for formula from get give given have how i if in into "
    "is it its me meaning means my need never of on or our problem should show so tell than that the their them "
    "then there these they this to use used using versus vs was we were what whats when where which who whose why "
    "will with work works would you your".split()
)
STOP_ZH = re.compile(
    "什么是|是什么|为什么|什么|为何|怎么样|怎么|怎样|如何|请问|多少|哪些|哪个|哪里|区别|不同|意思|含义|定义|公式|解释|"
    "应该|可以|需要|一个|之间|推导|证明|例子|[的了吗呢是和与在有我要用能会不]"
)
ALSO: dict[str, tuple[str, ...]] = {  # what readers say: what the book also says
    "收敛": ("converge", "convergence"),
    "发散": ("diverge", "too long"),
    "diverge": ("too long", "overshoot"),
    "too large": ("too long",),
    "stop": ("converge", "ends"),
    "end": ("converge",),
    **dict.fromkeys(("not stop", "never stop", "not terminate"), ("never ends", "not separable")),
    **dict.fromkeys(("singular", "奇异"), ("many solutions",)),
    "maximum": ("largest",),
    "minimum": ("smallest", "lowest"),
    "导数": ("derivative", "gradient"),
    "惩罚": ("penalty",),
    **dict.fromkeys(("penalised", "penalized", "shrinkage"), ("penalty",)),
    "独立": ("independence", "independent"),
    "squared error": ("squared loss", "least squares"),
    **dict.fromkeys(("决策边界", "decision boundary"), ("boundary",)),
    **dict.fromkeys(("rbf", "radial basis function"), ("gaussian kernel",)),
    "multi class": ("more than two classes",),
    **dict.fromkeys(("feature scaling", "特征缩放", "normalization", "归一化"), ("good units", "standardize")),
    **dict.fromkeys(("accuracy", "准确率", "confusion matrix", "混淆矩阵", "precision"), ("recall",)),
    **dict.fromkeys(("广义逆", "pseudo inverse", "moore penrose"), ("pseudoinverse",)),
    **dict.fromkeys(("sparse", "稀疏"), ("zeros",)),
    "outlier": ("far samples",),
    **dict.fromkeys(
        ("one vs all", "one vs rest", "one versus all", "one versus rest", "ovr"), ("one against the rest",)
    ),
    "mistakes": ("updates",),
    **dict.fromkeys(("perfect separation", "完全可分"), ("separable",)),
    "multinomial": ("softmax",),
    **dict.fromkeys(("pick", "select"), ("choose",)),
    "invertible": ("inverse",),
    "classifier": ("classification", "classes"),
    "coefficient": ("weights",),
    "variable": ("feature",),
    "unequal": ("imbalanced",),
    "hint": ("how the exercises work",),
}


@cache
def fold(text: str) -> str:
    """Words in small letters, each Chinese sign one of them, between single spaces; the several spellings made one."""
    text = SUM_SIGNS.sub(" ", text).casefold().translate(SIGNS)
    if not text.isascii():
        text = BESIDE_HAN.sub("", text)
    text = SPELLING.sub(lambda match: SPELLINGS[match[0]], text)
    if not text.isascii():
        text = ONE_HAN.sub(r" \g<0> ", text)
    return f" {NON_WORD.sub(' ', TEX.sub('', text)).strip()} "


SUM_SIGNS = re.compile("[ΣΠ]")  # as letters they are small
BESIDE_HAN = re.compile(rf"(?<={HAN})\s+|\s+(?={HAN})")
SPELLING = re.compile("|".join(SPELLINGS))
ONE_HAN = re.compile(HAN)
TEX = re.compile(r"_(?=\d)|\\(?:mathbf|boldsymbol|lVert|rVert)")
NON_WORD = re.compile(r"[\W_]+")
ENDING = re.compile(r"(?<=\w{4})(?:ing|ed|es|(?<!s)s|e|) $")


def form(text: str) -> str:
    """The folded text without the ending of its last word: " support vector", " converg"; a short word stays whole."""
    folded = fold(text)
    return folded.rstrip() if ends_in_han(folded.rstrip()) else ENDING.sub("", folded)


def ends_in_han(text: str) -> bool:
    """Is its last sign a Chinese one?"""
    return "\u3400" <= text[-1:] <= "\u9fff"


def without_stop_words(text: str) -> str:
    """The folded words that a question is about: "zeros" of "Why zeros"."""
    return " ".join(word for word in fold(text).split() if word not in STOP)
