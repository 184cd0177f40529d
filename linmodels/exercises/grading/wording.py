"""What a check says where no known mistake is the reader's: only what is certain."""

import linecache
import re
import traceback
from collections.abc import Sequence
from types import TracebackType

import numpy as np

from .answers import Answer, Call, Function, equal

CAUSES = {  # words of an exception -> what it most likely means; the first that fits is told
    "core dimension": "the shapes do not fit: A @ B needs as many columns of A as rows of B, and samples are rows of X",
    "boolean index": "a mask such as t == k has an entry per sample: it chooses rows, X[t == k]",
    "not aligned": "the shapes do not fit: samples are the rows of X",
    "Singular matrix": "this matrix has no inverse: are its columns dependent, is a penalty or a 1 missing?",
    "positive definite": "this matrix has an eigenvalue that is 0 or below",
    "truth value": "`if` takes one number, this is an array: is w @ x meant, or np.where, for each entry?",
    "only length-1 arrays": "float, int and the functions of `math` take one number; np.exp, np.log whole arrays",
    "only 0-dimensional arrays": "float, int and the functions of `math` take one number; np.exp, np.log whole arrays",
    "boolean subtract": "True and False are not subtracted: a != b finds where two masks differ",
    "bitwise_xor": "^ is no power in Python: a power is **",
    "for ^:": "^ is no power in Python: a power is **",
    "same_kind": "an array of integers holds no fractions, so /= cannot write them there: make a new array, a = a / b",
    "read-only": "this array cannot be changed: it may be an argument, or what np.diag gives; make a new one",
    "out of bounds": "the count begins with 0 and ends with n - 1",
    "same number of dimensions": "np.column_stack([X, v]) puts a vector beside a matrix, np.append(w, b) a number "
    "behind a vector",
    "too many indices": "this array has fewer axes than the index: look at its .shape",
    "iterate over a 0-d": "this is one number, not an array",
    "'float' object is not callable": "a number stands before a bracket: is a * missing?",
    "'int' object is not callable": "a number stands before a bracket: is a * missing?",
    "'numpy.ndarray' object is not callable": "an array stands before a bracket: is a * missing, or an index [...]?",
    "'tuple' object is not callable": "a tuple stands before a bracket: an index has square ones, .shape[0]",
    "'module' object is not callable": "a module stands before a bracket, and not one of its functions",
    "interpreted as an integer": "a count, an index or an axis is a whole number; arrays to be joined stand in a list",
    "'float' object": "this is one number, not an array",
    "len() of unsized": "this is one number, not an array",
    "only integer scalar": "a whole number is expected, not an array: an index is one, as in X[t.astype(int)], a "
    "count, as len(X), and the axis of np.max; np.maximum compares two arrays",
    "must be the same": "two arrays of different lengths are joined",
    "math domain": "the logarithm of 0 or of a negative number, or the root of one",
    "math range": "e^1000 is no float64: take the largest exponent out first",
    "division by zero": "a count or a length is 0 here: what should the answer be then?",
    "NoneType": "something is None here: does a function in it lack a `return`?",
    "unexpected keyword": "this function has no argument of that name",
    "positional argument": "too many or too few for this function; if it is yours, it gets those of the question",
    "is not defined": "this name is unknown here: is it spelled as above, was its cell run?",
    "referenced before": "this name has no value yet on this path: set it before the loop",
    "not associated": "this name has no value yet on this path: set it before the loop",
    "recursion": "the function calls itself without end",
    "not converge": "does the matrix hold nan or inf?",
    "infs or NaNs": "a value is nan or inf here: e^1000, 0/0 or the log of 0",
}


def facts(call: Call, error: float, where: str, place: str, names: Sequence[str]) -> str:
    """No known mistake: only what is certain. error: the largest of all instances; names: of several values."""
    if error < 1e-3:
        causes = "a tiny penalty added? float32? a numerical derivative? stopped early?"
        return f"nearly right on {where}: off by {error:.0e} of the largest entry ({causes})"
    assert call.answer is not None
    pairs = list(zip(call.answer, call.expected, strict=True))
    right = [equal(*pair) for pair in pairs]
    k = right.index(False) if False in right else 0
    (a, b), name = pairs[k], names[k] if names else "it"
    if a.shape != b.shape:
        return f"{_right_so_far(names, right)}{name} is {_kind(a.shape)}, but must be {_kind(b.shape)}"
    wrong = f"wrong on {where}; none of the usual mistakes gives this result"
    so_far = _right_so_far(names, right) or _shape(a, b)
    return f"{wrong}; {place}{so_far}{f'{name}: ' if names else ''}{_first_entry(a, b)}"


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def those_right(names: Sequence[str]) -> str:
    """w is right; a, b and c are right."""
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} right"


def _right_so_far(names: Sequence[str], right: Sequence[bool]) -> str:
    those = [name for name, is_right in zip(names, right, strict=False) if is_right]
    return f"{those_right(those)}; " if those else ""


def _shape(a: np.ndarray, b: np.ndarray) -> str:
    """What is right of an array whose shape is right."""
    close = np.abs(a - b) <= 1e-7 * np.abs(b) + 1e-9 * np.abs(b).max(initial=0.0)
    if a.ndim == 2 and len(a) == len(a.T) > 1 and np.diag(close).all():
        return "the shape and the diagonal are right; "
    if not a.ndim or not close.any():
        return "the shape is right; " if a.ndim else ""
    if close.sum() > close.size / 2:
        return f"the shape is right, and {close.sum()} of {close.size} entries are; "
    return f"the shape is right{', and so is the first entry' if close.flat[0] else ''}; "


def distance(found: Answer, wanted: Answer) -> float:
    """The largest difference, relative to the largest entry of its array; inf where they cannot be compared."""
    pairs = list(zip(found, wanted, strict=True))
    if not all(a.shape == b.shape and np.isfinite(a).all() for a, b in pairs):
        return np.inf
    return max(float(np.abs(a - b).max(initial=0.0) / (np.abs(b).max(initial=0.0) or 1.0)) for a, b in pairs)


def _first_entry(a: np.ndarray, b: np.ndarray) -> str:
    wrong = np.argwhere(~(np.abs(a - b) <= 1e-7 * np.abs(b) + 1e-9 * np.abs(b).max(initial=0.0)))
    at = tuple(int(k) for k in wrong[0]) if len(wrong) else (0,) * a.ndim
    entry = f"entry [{', '.join(map(str, at))}] is " if at else ""
    return f"{entry}{a[at] + 0.0:.6g} instead of {b[at] + 0.0:.6g}"  # + 0.0: no "-0"


def other_shape(found: list[Answer], wanted: list[Answer]) -> str:
    """The first case in which shapes differ, in a sentence."""
    pairs = [tuple(shapes([a.shape for a in answer]) for answer in pair) for pair in zip(found, wanted, strict=True)]
    is_, must_be = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
    return f"only its shape is wrong: {is_}, but it must be {must_be}"


def _kind(shape: tuple[int, ...]) -> str:
    return f"of shape {shape}" if shape else "a number"


def shapes(found: list[tuple[int, ...]]) -> str:
    """(3,) and a number, for example."""
    return " and ".join(str(shape) if shape else "a number" for shape in found)


def described(error: BaseException, f: Function | None = None, singular: str = "") -> str:
    """Kind and message of an exception of f, on one line, and its likely cause; singular: that of a missing inverse."""
    told = " ".join("".join(traceback.format_exception_only(error)).split())
    if ... in getattr(getattr(f, "__code__", None), "co_consts", ()):
        return f"{told} (a ... stands in your code: is it still to be written?)"
    shapes = re.search(r"operands could not be broadcast together with shapes \(([\d,]*)\) ?\(([\d,]*)\) ?$", told)
    if shapes:
        a, b = (tuple(map(int, re.findall(r"\d+", shape))) for shape in shapes.groups())
        return f"{told} ({_unlike(a, b)})"
    if singular and isinstance(error, np.linalg.LinAlgError) and "Singular" in told:
        return f"{told} ({singular})"
    return told + next((f" ({cause})" for words, cause in CAUSES.items() if words in told), "")


def _unlike(a: tuple[int, ...], b: tuple[int, ...]) -> str:
    """Why two arrays of these shapes do not fit, as far as the shapes tell."""
    if a == b[::-1]:
        return "one of the two is transposed, or * stands where the matrix product @ is meant"
    if len(a) == len(b) == 2 and a[1] == b[1]:
        return "rows of two kinds: all pairs of them are X[:, None] - Z"
    if {len(a), len(b)} == {1, 2} and a[0] == b[0]:
        return "a number for each row must stand in a column: v[:, None]"
    return "from the last axis on, two lengths must be equal, or one of them 1"


def line_of(error: BaseException, f: Function) -> str:
    """The line of the reader's own code that stopped."""
    file = getattr(getattr(f, "__code__", None), "co_filename", None)
    step: TracebackType | None = error.__traceback__
    at = ""
    while step is not None:
        if step.tb_frame.f_code.co_filename == file:
            text = linecache.getline(file, step.tb_lineno).strip().rstrip(":")
            at = f" in line {step.tb_lineno}" + (f", {text}" if text else "")
        step = step.tb_next
    return at


SHAPES = "Write its shape beside each letter, and count what should come out."
REPEAT = "Repeat the failing call, f(*check.NAME.last.inputs), and compare with check.NAME.last.expected."
ADVICE = {  # words of a verdict -> what helps a reader to find the place; the first that fits is told
    "does not follow": "Put the numbers of the verdict into both lines, part by part: which part differs?",
    "take one at a time": "Write a line that uses only the first of these rules, and leaves the rest as it is.",
    "still holds": "Look for a d(...) or a name that must go: which rule takes it away?",
    "much simpler": "Multiply the brackets out: which terms cancel?",
    "nothing above says so": "Say in words why the line is true; what you need for it must stand above.",
    **dict.fromkeys(("core dimension", "not aligned", "broadcast"), SHAPES),
    "it stopped": "Call your function on the inputs of the verdict: f(*check.NAME.last.inputs).",
    " sign": "Take one sample with easy numbers, and follow the sign of each term with a pencil.",
    "times what it should be": "Compute it by hand for one sample, then for two: where does the factor come in?",
    "transposed": "Write its shape beside each letter: what is multiplied must meet in the middle.",
    "shape is right": REPEAT,
    "shape": SHAPES,
    "overwrites": "Every `+=` and every `w[i] = ...` changes what you were given: begin with a copy.",
    "are found out": "Compare the right program and the one that is alive by hand: at which sample do they part?",
    "the mark": "Where is it wrong, or far off? Look at ten such samples before you change the model.",
    "wrong on": REPEAT,
    "give three digits": "Keep more digits on the way, and round at the end.",
    "none of the usual mistakes": "Begin anew, and write down each number on the way: where do you get another?",
}


def advice(verdict: str) -> str:
    """What to do about a verdict."""
    found = (told for words, told in ADVICE.items() if words in verdict)
    return next(found, "Read the last verdict again: which word of the question does it speak of?")
