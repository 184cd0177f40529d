"""The language of derivations: a line is a Python expression in the letters of the exercise.

    + - * / **   entry by entry, for numbers, vectors (d,) and matrices (N, d)      @   products      .T   transposed
    sum(v)   all entries of v       outer(u, v)   diag(v)   trace(A)   inv(A)
    exp(a)   ln(a)   sqrt(a)   s(a) = σ(a)   entry by entry
    d(e, w)   the derivative of e by the letter w: a gradient where e is a number and w a vector

σ, λ, η, Σ, ·, ², ^ and ᵀ may be written as in the notes. What follows # in a line is a remark.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .answers import Refused

Value = np.ndarray
WRITTEN = {  # as in the notes -> as in Python
    **{"（": "(", "）": ")", "，": ",", "×": "*", "–": "-", "＋": "+", "＊": "*", "lambda": "lam"},
    **{"ᵀ": ".T", "·": "@", "−": "-", "½": "(1/2)", "²": "**2", "³": "**3", "^T": ".T", "^": "**"},
    **{"σ": "s", "Σ": "sum", "λ": "lam", "η": "eta", "α": "alpha", "β": "beta", "μ": "mu"},
}
SHAPED: Mapping[
    str, tuple[int, Callable[..., Any]]
] = {  # name -> how many arguments, what it is: the same in every meaning
    "sum": (1, np.sum),
    "outer": (2, lambda u, v: np.outer(u, v)),
    "diag": (1, lambda v: np.diag(np.ravel(v))),
    "trace": (1, np.trace),
    "inv": (1, np.linalg.inv),
}
TRUE: Mapping[str, Callable[..., Any]] = {
    "exp": np.exp,
    "ln": np.log,
    "sqrt": np.sqrt,
    "s": lambda a: 1 / (1 + np.exp(-a)),
}
ARITHMETIC: Mapping[type, Callable[..., Any]] = {
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
    ast.MatMult: np.matmul,
}
FOREIGN = {  # what is no Python here, though it looks like mathematics
    "'": "a derivative is d(s(a), a), and a transposed matrix X.T, without a prime",
    "\\": "no LaTeX: a line is Python, as 2*X.T @ (X@w - y)",
    "{": "no LaTeX: a line is Python, as 2*X.T @ (X@w - y)",
    "=": "one expression a line, and no = in it: leave the left side out",
    "‖": "a length is sqrt(u @ u), and its square u @ u",
    "√": "a root is sqrt(...)",
    "∂": "a derivative is d(e, a)",
    "|": "a length is sqrt(u @ u), and its square u @ u",
}
INSTEAD = {  # a function that others have, and how it is written here
    "norm": FOREIGN["‖"],
    **dict.fromkeys(("dot", "inner", "matmul"), "a product is u @ v"),
    "transpose": "a transposed matrix is X.T",
    "square": "a square is u**2",
    **dict.fromkeys(("grad", "diff"), FOREIGN["∂"]),
}
LONGEST, DEEPEST = 600, 40  # characters of a line; brackets within brackets


@dataclass(frozen=True)
class Meaning:
    """What letters, functions, d and + are."""

    letters: Mapping[str, Value]
    functions: Mapping[str, Callable[..., Any]]
    derivative: Callable[[Callable[[Value], Value], str, Value], Value]
    plus: Callable[[Value, Value], Value] = np.add
    bound: Callable[[dict[str, Value]], dict[str, Value]] = dict  # what follows where d moves a letter


def read(line: str, letters: Mapping[str, Any]) -> ast.expr:
    """The tree of a line, which holds nothing but what the language has; else Refused, with what is the matter."""
    for notes, python in WRITTEN.items():
        line = line.replace(notes, python)
    line = line.strip().removeprefix("=").strip()
    if re.search(r"=\s*0$", line):
        raise Refused("leave = 0 out: a line is the expression itself")
    if named := re.search(r"[(,]\s*(\w+)\s*=(?!=)", line):
        raise Refused(f"arguments have no names here: leave `{named[1]}=` out")
    for sign, told in FOREIGN.items():
        if sign in line:
            raise Refused(told)
    if len(line) > LONGEST:
        raise Refused(f"it is longer than {LONGEST} characters")
    try:
        tree = ast.parse(line, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        product = re.search(r"(?<![\w.])\d+[A-Za-z]\w*", line)  # 2X
        told = f"a * is missing in `{product[0]}`" if product else "is a bracket or a * missing, or one too many?"
        raise Refused(f"Python cannot read it: {told}") from None
    _check(tree, letters)
    return tree


def _check(node: ast.expr, letters: Mapping[str, Any], depth: int = 0, derivatives: int = 0) -> None:
    if depth > DEEPEST or derivatives > 2:
        raise Refused(f"`{ast.unparse(node)}` stands too deep inside of other brackets")
    match node:
        case ast.BinOp(ast.Name("e"), ast.Pow(), exponent) if "e" not in letters:
            raise Refused(f"write exp({ast.unparse(exponent)}): `{ast.unparse(node)}`")
        case ast.BinOp(left, op, right) if isinstance(op, (ast.Add, *ARITHMETIC)):
            inside = [left, right]
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            inside = [operand]
        case ast.Attribute(value, "T"):
            inside = [value]
        case ast.Call(ast.Name(name), args, []) if name in SHAPED or name in TRUE or name == "d":
            wanted = 2 if name == "d" else SHAPED.get(name, (1, None))[0]
            if len(args) != wanted:
                raise Refused(
                    f"{name} takes {'one argument' if wanted == 1 else 'two arguments'}: `{ast.unparse(node)}`"
                )
            if name == "d" and not (isinstance(args[1], ast.Name) and args[1].id in letters):
                told = f"the second argument of d is the letter by which you differentiate, {' or '.join(letters)}"
                raise Refused(f"{told}: `{ast.unparse(node)}`")
            inside = args if name != "d" else args[:1]
        case ast.Name(name) if name in letters:
            inside = []
        case ast.Constant(int() | float() as number) if not isinstance(number, bool) and abs(number) < 1e9:
            inside = []
        case ast.Name(name):
            raise Refused(f"`{name}` is no letter of this exercise; there are {', '.join(letters)}")
        case ast.Call(ast.Name(name), args) if name not in letters:
            if name in ("log", "sigmoid"):
                raise Refused(f"`{name}` is called {'ln' if name == 'log' else 's'} here")
            raise Refused(_no_function(name))
        case ast.Call(ast.Attribute(_, attribute)) if attribute in INSTEAD:
            raise Refused(f"{INSTEAD[attribute]}: `{ast.unparse(node)}`")
        case ast.Call(ast.Attribute(value, attribute)) if attribute != "T":
            module = ast.unparse(value)
            if module.split(".")[0] in ("np", "numpy", "math"):
                here = {"log": "ln", "sigmoid": "s"}.get(attribute, attribute)
                told = f"write {here}, without {module}." if here in (*SHAPED, *TRUE) else _no_function(attribute)
                raise Refused(f"{told}: `{ast.unparse(node)}`")
            raise Refused(f"`.{attribute}`: the only thing after a point is .T")
        case ast.Call(before):
            raise Refused(f"{_between(before, letters)} is missing before the bracket: `{ast.unparse(node)}`")
        case ast.Attribute(_, attribute):
            told = "a * or a @ is missing after .T" if attribute[0] == "T" else "the only thing after a point is .T"
            raise Refused(f"`.{attribute}`: {told}")
        case _:
            raise Refused(f"`{ast.unparse(node)}` does not belong to this language")
    for child in inside:
        _check(child, letters, depth + 1, derivatives + is_derivative(node))


def _no_function(name: str) -> str:
    known = INSTEAD.get(name, f"there are {', '.join([*SHAPED, *TRUE, 'd'])}")
    return f"`{name}(...)` is no function of this language; {known}"


def _between(before: ast.expr, letters: Mapping[str, Any]) -> str:
    """What may stand between this and a bracket."""
    match before:
        case ast.Attribute(_, "T"):
            return "a @"
        case ast.Constant():
            return "a *"
        case ast.Name(name) if name in letters:
            sizes = sum(word in ("N", "d", "p", "K") for word in str(letters[name]).split())
            return ("a *", "a * or a @", "a @")[sizes]
    return "a * or a @"


def value(node: ast.expr, meaning: Meaning) -> Value:
    """What a line is in a meaning; Refused where shapes do not fit."""
    match node:
        case ast.Constant(number):
            return np.asarray(float(number))  # type: ignore[arg-type]
        case ast.Name(name):
            return meaning.letters[name]
        case ast.Attribute(inner):
            return value(inner, meaning).T
        case ast.UnaryOp(op, operand):
            inner_value = value(operand, meaning)
            return -inner_value if isinstance(op, ast.USub) else inner_value
        case ast.Call(ast.Name("d"), [inner, ast.Name(letter)]):
            at = meaning.letters[letter]

            def f(x: Value) -> Value:
                return value(inner, replace(meaning, letters=meaning.bound({**meaning.letters, letter: x})))

            return meaning.derivative(f, letter, at)
        case ast.Call(ast.Name(name), args):
            f_of = SHAPED[name][1] if name in SHAPED else meaning.functions[name]
            return _fitting(node, f_of, *(value(arg, meaning) for arg in args))
        case ast.BinOp(left, op, right):
            a, b = value(left, meaning), value(right, meaning)
            if isinstance(op, ast.MatMult) and not (a.ndim and b.ndim):
                return _fitting(node, np.multiply, a, b)
            if isinstance(op, ast.Add):
                return _fitting(node, meaning.plus, a, b)
            if isinstance(op, ast.Sub):
                return _fitting(node, meaning.plus, a, -b)
            return _fitting(node, ARITHMETIC[type(op)], a, b)
    raise AssertionError(ast.dump(node))


def _fitting(node: ast.expr, f: Callable[..., Any], *arrays: Value) -> Value:
    try:
        return np.asarray(f(*arrays))
    except np.linalg.LinAlgError:
        raise Refused(f"`{ast.unparse(node)}` asks for the inverse of a matrix that has none") from None
    except ValueError:
        sizes = " and ".join(str(a.shape) if a.ndim else "a number" for a in arrays)
        raise Refused(f"the shapes do not fit in `{ast.unparse(node)}`: {sizes}") from None


def names(node: ast.expr) -> set[str]:
    """All names of a line: letters and functions."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def holds(node: ast.expr, text: str) -> bool:
    """Does this stand in a line, a name or an expression as X@U?"""
    part = ast.dump(ast.parse(text, mode="eval").body)
    return any(ast.dump(inner) == part for inner in ast.walk(node))


def count(node: ast.expr, name: str) -> int:
    """How often a name stands in a line."""
    return sum(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def size(node: ast.expr) -> int:
    """How many letters, numbers and operations a line has."""
    return sum(isinstance(inner, ast.Name | ast.Constant | ast.BinOp | ast.UnaryOp) for inner in ast.walk(node))


def is_derivative(node: ast.AST) -> bool:
    """Is it d(e, w)?"""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "d"


def under_d(line: ast.expr) -> dict[str, str]:
    """The names that stand within a d of a line, each with the letter by which it differentiates."""
    found = dict[str, str]()
    for node in ast.walk(line):
        match node:
            case ast.Call(ast.Name("d"), [inner, ast.Name(letter)]):
                found |= dict.fromkeys(names(inner), letter)
    return found


def derivative(f: Callable[[Value], Value], letter: str, x: Value) -> Value:
    """The derivative of f by each entry of x."""
    return along_entries(f, x, [step.reshape(x.shape) for step in np.eye(x.size)])


def along_entries(f: Callable[[Value], Value], x: Value, steps: Sequence[Value]) -> Value:
    """The derivatives of f along these steps, one for each entry of x: steps into the complex plane lose no digit.

    Within another derivative f(x) is complex already; there they are differences of four values.
    """

    def along(step: Value) -> Value:
        if np.iscomplexobj(f(x)):
            h = 1e-3
            return (8 * (f(x + h * step) - f(x - h * step)) - (f(x + 2 * h * step) - f(x - 2 * h * step))) / (12 * h)
        moved = f(x + 1e-30j * step)
        return np.where(np.abs(moved.imag) < 1e-9, moved.imag, np.nan) / 1e-30  # the ln of a negative number is none

    return together(np.stack([along(step) for step in steps], axis=-1), x)


def together(parts: Value, x: Value) -> Value:
    """Derivatives by the entries of x, that stand along the last axis: a gradient has the shape of x, of a vector each
    entry has a row, and d by a number has the shape of what is differentiated."""
    shape = parts.shape[:-1]
    if parts.size == x.size:
        return parts.reshape(x.shape)
    if x.size == 1:
        return parts.reshape(shape)
    bare = lambda sizes: tuple(n for n in sizes if n > 1) if x.shape[-1:] == (1,) else sizes  # noqa: E731  # columns
    return parts.reshape(*bare(shape), *bare(x.shape))
