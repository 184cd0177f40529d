r"""Formulas for a terminal: ``\lVert X\mathbf w-y\rVert^2`` as ‖Xw-y‖²."""

from __future__ import annotations

import re
import unicodedata

NAMED = {
    "cdot": "·", "times": "×", "mid": "|", "vert": "|", "lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖",
    "le": "≤", "ge": "≥", "ne": "≠", "lt": "<", "gt": ">", "ll": "≪", "in": "∈", "sum": " Σ", "prod": " Π", "int": "∫",
    "dots": "…", "cdots": "…", "vdots": "…", "notin": "∉", "varnothing": "∅", "nexists": "∄",
    "partial": "∂", "nabla": "∇", "infty": "∞", "pm": "±", "mp": "∓", "circ": "∘",
    "Rightarrow": "⇒", "iff": "⇔", "leftarrow": "←", "to": "→", "rightarrow": "→", "longrightarrow": "→",
    "mapsto": "↦", "leftrightarrow": "↔", "forall": "∀", "exists": "∃", "approx": "≈", "simeq": "≈", "sim": "~",
    "langle": "⟨", "rangle": "⟩", "succ": "≻", "subseteq": "⊆", "cap": "∩", "ell": "ℓ", "triangleq": ":=",
    "prime": "′", "varphi": "φ", "varepsilon": "ε",
}  # fmt: skip
ABOVE = {"hat": "\u0302", "tilde": "\u0303", "bar": "\u0304", "ddot": "\u0308", "vec": ""}
BLACKBOARD = {"R": "ℝ", "N": "ℕ", "M": "𝕄", "I": "𝕀"}
RAISED = dict(zip("0123456789+-=()niT*′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵀ*′", strict=True))
LOWERED = dict(zip("0123456789+-=()aeijkmnopst", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₘₙₒₚₛₜ", strict=True))
GROUP = r"\s*(?:\{([^{}]*)\}|([\w*+-]))"  # {many signs}, or one
LAYOUT = re.compile(
    r"\\(?:begin|end)\{\w+\*?\}(?:\{\w+\})?|\\(?:display|text)style\b|\\(?:q?quad|left|right|[bB]ig)(?![a-zA-Z])"
)
FONT = re.compile(rf"\\(?:mathbf|boldsymbol|mathcal|mathrm|text|underbrace){GROUP}")
OPERATOR = re.compile(rf"\\operatorname{GROUP}(?=(\w?))")
ACCENT = re.compile(rf"\\({'|'.join(ABOVE)}){GROUP}")
FRACTION = re.compile(rf"\\[td]?frac{GROUP}{GROUP}")
BRACES = {r"\{": "\ue002", r"\}": "\ue003"}  # of a set, which are no group
KEPT = {0xE000: "^", 0xE001: "_", 0xE002: "{", 0xE003: "}"}
SCRIPT = re.compile(rf"([\^_]){GROUP}")


def plain(tex: str) -> str:
    """The formula in one line of signs that a terminal shows; words beside formulas stay as they are."""
    text = re.sub(r"\\[{}]", lambda found: BRACES[found[0]], LAYOUT.sub(" ", tex))
    text = re.sub(r"\\([a-zA-Z]+) ?", _sign, text)
    before = ""
    while text != before:  # from the innermost braces outward
        before = text
        text = OPERATOR.sub(lambda found: _group(found) + (found[3] and " "), FONT.sub(_group, text))
        text = re.sub(rf"\\mathbb{GROUP}", lambda found: BLACKBOARD.get(_group(found), _group(found)), text)
        text = ACCENT.sub(lambda found: _group(found, 2) + ABOVE[found[1]], text)
        text = re.sub(rf"\\sqrt{GROUP}", lambda found: f"√{_whole(_group(found))}", text)
        text = re.sub(rf"\\binom{GROUP}{GROUP}", lambda found: f"C({_group(found)}, {_group(found, 3)})", text)
        text = FRACTION.sub(lambda found: f"{_whole(_group(found))}/{_whole(_group(found, 3))}", text)
        text = SCRIPT.sub(_script, text)
    text = re.sub(r"\\[\\,;! ]|[&$]", " ", text).translate(KEPT)
    return " ".join(text.replace("\\", "").split())


def plain_formulas(text: str) -> str:
    """The text with its formulas between dollar signs made plain."""
    return re.sub(r"\$\$(.+?)\$\$|\$(.+?)\$", lambda found: plain(_group(found)), text, flags=re.DOTALL)


def _sign(found: re.Match[str]) -> str:
    """The sign of a command without arguments; a word such as ln stays a word; a command with arguments as it is."""
    name = found[1]
    if sign := NAMED.get(name):
        return sign
    if name in ("ln", "log", "exp", "min", "max", "arg", "det", "cos"):
        return f" {name} "
    case = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {case} LETTER {name.replace('lambda', 'lamda').replace('Lambda', 'lamda')}")
    except KeyError:
        return found[0]


def _group(found: re.Match[str], first: int = 1) -> str:
    """What stands in the braces, or the one sign."""
    return str(found[first] if found[first] is not None else found[first + 1])


def _whole(text: str) -> str:
    """In brackets, unless it is one name or number."""
    return text if re.fullmatch(r"[\w.∂]+|\(.*\)", text.strip()) else f"({text.strip()})"


def _script(found: re.Match[str]) -> str:
    """An exponent or an index in small signs, where all of them are there."""
    text, small = _group(found, 2).strip(), RAISED if found[1] == "^" else LOWERED
    if all(sign in small for sign in text):
        return "".join(small[sign] for sign in text)
    return {"^": "\ue000", "_": "\ue001"}[found[1]] + _whole(text)  # not looked at again
