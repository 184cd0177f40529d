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
CHINESE = {  # words of no statement of the notes
    "惩罚": "penalty",
    "宽度": "width",
    "带宽": "width",
    "异常值": "outliers",
    "阈值": "threshold",
    "噪声": "noise",
    "预测": "predict",
    "直觉": "idea",
    "维度": "dimension",
    "垃圾邮件": "mails",
    "鸢尾花": "irises",
    "异或": "xor",
    "平滑": "smoothing",
    "上界": "bound",
    "中位数": "median",
    "初始值": "start",
    "矩阵求导": "derivatives",
    "缺失": "missing",
    "不平衡": "unequal",
}
SCALES = ("good units", "standard deviations")
ALSO: dict[str, tuple[str, ...]] = {  # what readers say: what the book also says
    "收敛": ("converge", "convergence"),
    "发散": ("diverge", "too long", "overshoot"),
    **dict.fromkeys(("diverge", "diverges"), ("too long", "overshoot", "how long may a step be")),
    **dict.fromkeys(("overflow", "溢出"), ("too large for the computer",)),
    "too large": ("too long",),
    "stop": ("converge", "ends"),
    "end": ("converge",),
    **dict.fromkeys(("not stop", "never stop", "not terminate"), ("never ends", "not separable")),
    "maximum": ("largest",),
    "minimum": ("smallest", "lowest"),
    "导数": ("derivative", "gradient"),
    **{zh: (en,) for zh, en in CHINESE.items()},
    "penalised": ("penalty",),
    "penalized": ("penalty",),
    "shrinkage": ("penalty",),
    "独立": ("independence", "independent"),
    "singular": ("many solutions", "more than one best"),
    "奇异": ("many solutions", "more than one best"),
    "squared error": ("squared loss", "least squares"),
    "决策边界": ("boundary",),
    "decision boundary": ("boundary",),
    "rbf": ("gaussian kernel",),
    "radial basis function": ("gaussian kernel",),
    "multi class": ("more than two classes",),
    "multiclass": ("more than two classes",),
    "多分类": ("more than two classes",),
    **dict.fromkeys(("feature scaling", "特征缩放", "standardization", "normalization", "标准化", "归一化"), SCALES),
    **dict.fromkeys(("accuracy", "准确率", "confusion matrix", "混淆矩阵", "precision"), ("recall", "召回率")),
    **dict.fromkeys(("广义逆", "pseudo inverse", "moore penrose"), ("pseudoinverse",)),
    "representer theorem": ("sum of samples", "the weights are a sum of samples"),
    "sparse": ("zeros", "sparsity"),
    "稀疏": ("zeros",),
    "outlier": ("far samples", "outliers"),
    "mistakes": ("updates",),
    "smo": ("two multipliers at a time",),
    "slack": ("soft margin",),
    "valid kernel": ("mercer", "is a kernel"),
    "one vs rest": ("one against the rest", "three questions or one"),
    "one hot": ("1 of k", "one hot"),
    "one hot encoding": ("1 of k coding", "one hot"),
    "multinomial": ("softmax",),
    "perfect separation": ("separable",),
    "完全可分": ("separable",),
    "spam": ("mails",),
    "pca": ("beside pca",),
    "probability output": ("logistic regression or support vector machine",),
    "notation": ("记号",),
    "symbols": ("记号",),
    "符号表": ("记号",),
    "how many mistakes": ("how many updates",),
    "hint": ("how the exercises work",),
}
MODEL_TABLE = ("which one when",)  # the heading of the table that answers it
ERRATA = ("errata of the notes",)
START = ("map of the book",)
OVERFLOW = ("too large for the computer",)
INSTEAD: dict[str, tuple[str, ...]] = {  # what readers say: what the book says instead
    "regression": ("a number from a line",),
    **dict.fromkeys(("nan", "numerical stability", "numerically stable", "数值稳定"), OVERFLOW),
    **dict.fromkeys(("how do i start", "getting started", "where do i begin", "怎么开始", "code", "代码"), START),
    **dict.fromkeys(("which model", "which method", "which classifier", "which algorithm", "best model"), MODEL_TABLE),
    **dict.fromkeys(("choose a model", "model selection", "model choice", "best classifier"), MODEL_TABLE),
    **dict.fromkeys(("哪个模型", "哪种模型", "哪个方法", "哪种方法", "什么模型", "选择模型", "模型选择"), MODEL_TABLE),
    **dict.fromkeys(("wrong in the notes", "errors in the notes", "mistakes in the notes", "勘误"), ERRATA),
    **dict.fromkeys(("error in note", "errors in note", "wrong in note", "mistake in note"), ERRATA),
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
