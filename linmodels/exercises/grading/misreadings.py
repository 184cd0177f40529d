"""Rules that are none: what a line becomes for someone who differentiates, splits or adds in a wrong way."""

import ast
from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import count
from typing import Any

from .language import is_derivative

Rule = Callable[[ast.expr], ast.expr]  # the derivative of a function by its argument u
RULES: dict[str, Rule] = {
    "ln": lambda u: _read("1/u", u),
    "exp": lambda u: _read("exp(u)", u),
    "s": lambda u: _read("s(u)*(1 - s(u))", u),
    "sqrt": lambda u: _read("1/(2*sqrt(u))", u),
}
WRONG = (  # the function, what is taken for its derivative, what is right
    *(("s", f, "the derivative of s(u) is s(u)*(1 - s(u))*d(u, a)") for f in ("s(u)", "1 - s(u)", "s(u)*(1 + s(u))")),
    *(("ln", f, "the derivative of ln(u) is d(u, a)/u") for f in ("1", "u", "ln(u)")),
    *(("exp", f, "the derivative of exp(u) is exp(u)*d(u, a)") for f in ("u*exp(u - 1)",)),
)
SPLITS = (  # what stands above, what somebody reads there, what is right
    ("ln(u + v)", "ln(u) + ln(v)", "the logarithm of a sum is not the sum of the logarithms"),
    ("ln(u - v)", "ln(u) - ln(v)", "the logarithm of a difference is not the difference of the logarithms"),
    ("ln(u * v)", "ln(u) * ln(v)", "the logarithm of a product is the sum of the logarithms"),
    ("ln(1 + u)", "ln(u)", "ln(1 + u) is not ln(u)"),
    ("exp(u + v)", "exp(u) + exp(v)", "exp(u + v) is exp(u)*exp(v)"),
    ("1 - s(u)", "s(1 - u)", "1 - s(u) is s(-u), not s(1 - u)"),
    ("s(-u)", "-s(u)", "s(-u) is 1 - s(u), not -s(u)"),
    ("(u + v)**2", "u**2 + v**2", "the square of a sum has a term in the middle"),
    ("(u - v)**2", "u**2 - v**2", "the square of a difference has a term in the middle, and a plus"),
    ("u/(v + w)", "u/v + u/w", "a fraction cannot be split below its line"),
    ("u/(v - w)", "u/v - u/w", "a fraction cannot be split below its line"),
    ("u/v + w/x", "(u + w)/(v + x)", "fractions are added over a common denominator"),
    ("u/v - w/x", "(u - w)/(v - x)", "fractions are subtracted over a common denominator"),
)
_FRACTION = "a fraction has the derivative (d(u, a)*v - u*d(v, a))/v**2"


def misread(above: ast.expr, letters: list[str]) -> Iterator[tuple[str, ast.expr]]:
    """What the next line would be under a wrong rule, each with what is right; letters: those of numbers."""
    for pattern, taken, right in SPLITS:
        yield from ((right, new) for new in _rewritten(above, _read(pattern), _read(taken)))
    yield "the wrong factor of the fraction is canceled", _rebuilt(above, _miscanceled)
    if any(map(is_derivative, ast.walk(above))):
        for f, taken, right in WRONG:
            for at in (None, 0, 1, 2):
                yield right, _derived(above, {**RULES, f: partial(_read, taken)}, f, at)
        yield "a product has two terms: d(u, a)*v + u*d(v, a)", _derived(above, RULES, "*", None)
        yield _FRACTION, _derived(above, RULES, "/", None)
        for letter in letters:
            yield f"{letter} is held fixed: its derivative is 0", _derived(above, RULES, letter, None)


def quotients(above: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The line with a fraction differentiated above and below its line, by letters of any kind."""
    taken = _read("d(u, w)/d(v, w)")
    yield from ((_FRACTION, new) for new in _rewritten(above, _read("d(u/v, w)"), taken))


def _rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of the tree in which each node, from the leaves up, is what the change makes of it."""
    if isinstance(node, list):
        return [_rebuilt(one, change) for one in node]
    if not isinstance(node, ast.AST):
        return node
    return change(type(node)(**{name: _rebuilt(field, change) for name, field in ast.iter_fields(node)}))


def _factors(e: ast.expr) -> list[ast.expr]:
    match e:
        case ast.BinOp(u, ast.Mult(), v):
            return [*_factors(u), *_factors(v)]
    return [e]


def _miscanceled(node: Any) -> Any:
    """A fraction in which another factor is canceled than the one below its line."""
    match node:
        case ast.BinOp(above, ast.Div(), below):
            found, text = _factors(above), ast.unparse(below)
            others = [f for f in found if ast.unparse(f) != text and _names(f) == _names(below)]
            if len(others) < len(found) and others:
                rest = [f for f in found if f is not others[0]]
                return reduce(lambda u, v: ast.BinOp(u, ast.Mult(), v), rest)
    return node


def _read(text: str, u: ast.expr | None = None) -> ast.expr:
    tree = ast.parse(text, mode="eval").body
    return tree if u is None else put(tree, {"u": u})


def put(tree: ast.expr, parts: dict[str, ast.expr]) -> ast.expr:
    """The tree with parts in place of its letters."""
    return _rebuilt(tree, lambda node: parts.get(node.id, node) if isinstance(node, ast.Name) else node)


def _rewritten(line: ast.expr, pattern: ast.expr, taken: ast.expr) -> Iterator[ast.expr]:
    """The line with what fits the pattern rewritten: everywhere, and in one place only."""
    for wanted in (None, 0, 1, 2):
        place = count()

        def change(node: Any, wanted: int | None = wanted, place: Iterator[int] = place) -> Any:
            parts: dict[str, ast.expr] = {}
            if _fits(node, pattern, parts) and next(place) in (wanted, *range(9 if wanted is None else 0)):
                return put(taken, parts)
            return node

        new = _rebuilt(line, change)
        if next(place) > (wanted or 0):
            yield new


def _fits(node: Any, pattern: Any, parts: dict[str, ast.expr]) -> bool:
    """Is the node what the pattern says, with something for each of its letters u, v, w, x?"""
    if isinstance(pattern, ast.Name) and pattern.id in ("u", "v", "w", "x"):
        parts[pattern.id] = node
        return True
    if isinstance(pattern, list):
        return len(node) == len(pattern) and all(_fits(a, b, parts) for a, b in zip(node, pattern, strict=True))
    if not isinstance(pattern, ast.AST):
        return bool(node == pattern)
    fields = [(getattr(node, name, None), part) for name, part in ast.iter_fields(pattern) if name != "ctx"]
    return type(node) is type(pattern) and all(_fits(a, b, parts) for a, b in fields)


def _derived(line: ast.expr, rules: dict[str, Rule], wrong: str, at: int | None) -> ast.expr:
    """The line with every d carried out, by rules of which the wrong one is used everywhere, or in one place only."""
    places = 0

    def rule(f: str, u: ast.expr) -> ast.expr:
        nonlocal places
        if f == wrong:
            places += 1
        return (rules if f != wrong or at in (None, places - 1) else RULES)[f](u)

    def d(e: ast.expr, a: str) -> ast.expr:
        match e:
            case ast.Name(name):
                return ast.Constant(int(name in (a, wrong)))
            case ast.UnaryOp(op, u):
                return ast.UnaryOp(op, d(u, a))
            case ast.BinOp(u, ast.Add() | ast.Sub() as op, v):
                return ast.BinOp(d(u, a), op, d(v, a))
            case ast.BinOp(u, ast.Mult(), v):
                text = "du * dv" if wrong == "*" and a in _names(u) & _names(v) else "du * v + u * dv"
                return put(_read(text), {"u": u, "v": v, "du": d(u, a), "dv": d(v, a)})
            case ast.BinOp(u, ast.Div(), v):
                text = "du / dv" if wrong == "/" and a in _names(u) & _names(v) else "(du * v - u * dv) / v**2"
                return put(_read(text), {"u": u, "v": v, "du": d(u, a), "dv": d(v, a)})
            case ast.BinOp(u, ast.Pow(), n):
                return put(_read("n * u**(n - 1) * du"), {"u": u, "n": n, "du": d(u, a)})
            case ast.Call(ast.Name(f), [u]) if f in RULES:
                return ast.BinOp(rule(f, u), ast.Mult(), d(u, a))
        return ast.Constant(0)

    return _rebuilt(line, lambda node: d(node.args[0], node.args[1].id) if is_derivative(node) else node)


def _names(e: ast.expr) -> set[str]:
    return {node.id for node in ast.walk(e) if isinstance(node, ast.Name)}
