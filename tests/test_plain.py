"""Formulas as a terminal shows them: by hand, and no command of TeX is left in any formula of the notes."""

import re

import pytest

from linmodels.book import ledger, walk
from linmodels.book.plain import plain, plain_formulas


@pytest.mark.parametrize(
    "tex, signs",
    [
        (r"\mathbf w\leftarrow\mathbf w+\eta y_i\mathbf x_i", "w←w+ηyᵢxᵢ"),
        (r"\lVert X\mathbf w-\mathbf y\rVert^2", "‖Xw-y‖²"),
        (r"\frac1{1+e^{-a}}", "1/(1+e^(-a))"),
        (r"\frac{\partial E}{\partial w_j}", "∂E/∂wⱼ"),
        (r"(X^TX+\lambda I)^{-1}X^T\mathbf y", "(XᵀX+λI)⁻¹Xᵀy"),
        (r"\operatorname{rank}X\le\min(N,n+1)", "rank X≤ min (N,n+1)"),
        (r"x\in\{1,\dots,K\}", "x∈{1,…,K}"),
        (r"\begin{aligned}a&=b\\&=c\end{aligned}", "a =b =c"),
        ("w_opt and x_", "wₒpt and x_"),
        (r"\frac{\sum I\{a=b\}}{2},\quad0\notin\{1,\cdots\}", "(ΣI{a=b})/2, 0∉{1,…}"),
    ],
)
def test_a_formula_in_signs(tex, signs):
    assert plain(tex) == signs


def test_only_formulas_change_in_a_text():
    text = "`largest_step` bounds $\\eta$: $$\\eta<\\frac2{\\lambda}$$ and_so_on"
    assert plain_formulas(text) == "`largest_step` bounds η: η<2/λ and_so_on"


def formulas():
    """Those of the statements, of both sides of the errata, and of the Chinese sentences."""
    found = [item.formula for item in ledger.load().items.values() if item.formula]
    texts = [told.title + told["zh"] for note in "ABCDE" for told in walk.written(note).values()]
    for erratum in ledger.load().errata.values():
        texts += walk.sides_in_english(erratum)
        texts += [f"${side}$" for side in walk.sides(erratum) if "$" not in side]
    return [*found, *re.findall(r"\$([^$]+)\$", " ".join(texts))]


def test_no_command_is_left_in_any_formula_of_the_notes():
    """An unknown one would stand there as a word, such as frac."""
    assert len(formulas()) > 3000
    for tex in formulas():
        signs = plain(tex)
        names = {*re.findall(r"\\([A-Za-z]{3,})", tex)} - {"log", "exp", "min", "max", "arg", "det", "cos"}
        assert not re.search(r"\\|[_^]\{", signs), (tex, signs)
        assert [name for name in names if re.search(rf"(?<![A-Za-z]){name}", signs)] == [], (tex, signs)
