"""The slips that make a line of a derivation wrong: a sign, a factor, a transposition, an inner derivative, a term."""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, product

from .language import TRUE, is_derivative, size

Part = tuple[ast.expr, Callable[[ast.expr], ast.expr]]  # a part of a line; the line with something else in its place
SUM = (ast.Add, ast.Sub)


def repairs(above: ast.expr, below: ast.expr, kinds: Mapping[str, str]) -> Iterator[tuple[str, ast.expr]]:
    """What the line may have been meant to be, each with the slip that it then has; kinds: of the letters."""
    letters = of_numbers(kinds)
    parts = list(_parts(below))
    terms = [(part, put) for part, put in parts if part is below or any(part in pair for pair in _sums(parts))]
    yield "the sign of the whole line is reversed", _minus(below)
    yield from _signs(parts)
    for part, put in parts:
        match part:
            case ast.BinOp(base, ast.Pow(), ast.Constant(int() as n)):
                for lower in (ast.BinOp(base, ast.Pow(), ast.Constant(k)) for k in range(n - 1, 0, -1)):
                    yield f"`{_text(part)}` must not have this power", put(lower)
    for part, put in terms:
        yield f"the factor 2 of `{_text(part)}` is missing", put(_times(ast.Constant(2), part))
        yield f"a factor 2 is too much in `{_text(part)}`", put(_times(ast.Constant(0.5), part))
        yield f"the sign of `{_text(part)}` is wrong", put(_minus(part))
    yield from _turned(parts)
    yield from _no_identity(parts, above, kinds)
    for inner, letter in _insides(above):
        slope = ast.Call(ast.Name("d"), [inner, letter], [])
        for part, put in terms:
            text = f"the inner derivative is missing at `{_text(part)}`: that of `{_text(inner)}`"
            yield text, put(_times(part, slope))
    vectors = [ast.Name(letter) for letter, kind in kinds.items() if kind in ("N", "d")]
    sums = [ast.Call(ast.Name("sum"), [side], []) for side in _multiplied(above, kinds)]
    squares = [ast.BinOp(u, ast.MatMult(), u) for u in vectors]
    for factor in [*_factors(above, letters), *sums, *squares, *vectors, *_brackets(above)]:
        for part, put in terms:
            told = f"the factor `{_text(factor)}` is missing at `{_text(part)}`: is each term multiplied by it?"
            yield told, put(_times(factor, part))
    for part, put in terms:
        yield f"`{_text(part)}` is too much", put(ast.Constant(0))
    yield from _exchanged(parts, kinds)
    yield from _wrong_rules(parts, terms, above, below)
    for lost in [*_terms(above), *_terms_of_d(above)]:
        yield f"the term `{_text(lost)}` of the line above is lost", ast.BinOp(below, ast.Add(), lost)
    yield from _lost_factors(_factors(above, letters), _terms(below))
    yield from _opened_wrongly(_opened(above), below)
    for node in ast.walk(above):
        if is_derivative(node):
            inner, letter = node.args  # type: ignore[attr-defined]
            whole = ast.Call(node.func, [below, letter], [])  # type: ignore[attr-defined]
            yield f"the d of `{_text(node)}` is lost", whole
            yield f"the d of `{_text(node)}` is lost, and the sign is wrong", _minus(whole)


def of_numbers(kinds: Mapping[str, str]) -> list[str]:
    """The letters that are numbers, and no arrays."""
    return [letter for letter, kind in kinds.items() if not set(kind.split()) & {"N", "d", "K", "p"}]


def _exchanged(parts: list[Part], kinds: Mapping[str, str]) -> Iterator[tuple[str, ast.expr]]:
    """A letter in the place of another of its kind, a division in place of a product, a root or a sum too much."""
    shape = {letter: [word for word in kind.split() if word in "NdK"] for letter, kind in kinds.items()}
    for part, put in parts:
        match part:
            case ast.Name(name) if name in kinds:
                for other in kinds:
                    if other != name and shape[other] == shape[name]:
                        yield f"`{name}` stands where `{other}` belongs", put(ast.Name(other))
            case ast.BinOp(left, ast.Div(), right):
                yield f"`{_text(part)}` must be a product", put(_times(left, right))
                yield f"`{_text(part)}` is upside down", put(ast.BinOp(right, ast.Div(), left))
            case ast.BinOp(left, ast.Mult(), right):
                yield f"`{_text(part)}` must be a quotient", put(ast.BinOp(left, ast.Div(), right))
            case ast.Call(ast.Name("sqrt"), [inner]):
                yield f"`{_text(part)}`: the root is too much", put(inner)
            case ast.Call(ast.Name("sum"), [ast.Name(name)]):
                product = ast.BinOp(ast.Name(name), ast.MatMult(), ast.Name(name))
                yield f"`{_text(part)}` is a sum of entries; `{name} @ {name}` sums their squares", put(product)


def _factors(above: ast.expr, letters: Sequence[str]) -> list[ast.expr]:
    """What something is multiplied by in the line above, in few signs; and the letters of numbers."""
    found: dict[str, ast.expr] = {name: ast.Name(name) for name in letters}
    for node in ast.walk(above):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            found |= {
                _text(side): side for side in (node.left, node.right) if size(side) <= 4 and "d(" not in _text(side)
            }
    return list(found.values())


def _brackets(above: ast.expr) -> list[ast.expr]:
    """The sums, without a d, that are squared or multiplied in the line above: a derivative keeps them as factors."""
    products = [node for node in ast.walk(above) if isinstance(node, ast.BinOp)]
    sides = [node.left for node in products if isinstance(node.op, ast.Pow)]
    sides += [side for node in products if isinstance(node.op, ast.Mult) for side in (node.left, node.right)]
    sums = [side for side in sides if isinstance(side, ast.BinOp) and isinstance(side.op, SUM)]
    return [side for side in sums if "d(" not in _text(side)]


def _multiplied(above: ast.expr, kinds: Mapping[str, str]) -> list[ast.expr]:
    """The vectors that are multiplied with something by @ in the line above."""
    products = (node for node in ast.walk(above) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult))
    sides = {side.id for node in products for side in (node.left, node.right) if isinstance(side, ast.Name)}
    return [ast.Name(v) for v in sorted(sides) if sum(word in ("N", "d", "K") for word in kinds[v].split()) == 1]


def _wrong_rules(
    parts: list[Part], terms: list[Part], above: ast.expr, below: ast.expr
) -> Iterator[tuple[str, ast.expr]]:
    """Derivatives of s and ln that are none, and inner derivatives that are missing in each term."""
    kept = {ast.dump(node) for node in ast.walk(below) if is_derivative(node)}
    gone = [node for node in ast.walk(above) if is_derivative(node) and ast.dump(node) not in kept]
    used = {part.id for node in gone for part in ast.walk(node) if isinstance(part, ast.Name)}
    for part, put in parts if "s" in used else []:
        match part:
            case ast.Call(ast.Name("s")):
                yield "the derivative of s(a) is s(a)*(1 - s(a))", put(_times(part, _less(part)))
            case ast.BinOp(ast.Constant(1), ast.Sub(), ast.Call(ast.Name("s")) as s):
                yield "the derivative of s(a) is s(a)*(1 - s(a))", put(_times(s, part))
            case ast.BinOp(left, ast.MatMult(), right):
                told = f"the derivative of s(a) is s(a)*(1 - s(a)): it is missing between `{_text(left)}` and"
                for s in {
                    ast.dump(u): u
                    for node in gone
                    for u in ast.walk(node)
                    if isinstance(u, ast.Call) and _text(u.func) == "s"
                }.values():
                    slope = ast.Call(ast.Name("diag"), [_times(s, _less(s))], [])
                    yield f"{told} `{_text(right)}`", put(_at(left, _at(slope, right)))
    insides = [pair for node in gone for pair in _insides(node)]  # type: ignore[arg-type]
    for inner, _ in insides if "ln" in used else []:
        for part, put in terms:
            divided = ast.BinOp(part, ast.Div(), inner)
            yield f"the derivative of ln(u) is d(u, a)/u: at `{_text(part)}` the 1/u is missing", put(divided)
    flat = _terms(parts[0][0])
    if 1 < len(flat) <= 3 and len(insides) <= 6:
        for chosen in product(insides, repeat=len(flat)):
            signed = [
                _times(term, ast.Call(ast.Name("d"), [*pair], [])) for term, pair in zip(flat, chosen, strict=True)
            ]
            yield "the inner derivatives are missing in every term", _sum(signed)


def _terms(line: ast.expr) -> list[ast.expr]:
    """What is added at the top of a line, with its signs."""
    match line:
        case ast.BinOp(left, ast.Add(), right):
            return [*_terms(left), *_terms(right)]
        case ast.BinOp(left, ast.Sub(), right):
            return [*_terms(left), *(_minus(term) for term in _terms(right))]
    return [line]


def _lost_factors(factors: list[ast.expr], flat: list[ast.expr]) -> Iterator[tuple[str, ast.expr]]:
    """A factor that stands at some terms only."""
    for factor in factors if 2 < len(flat) <= 6 else []:
        for chosen in product((False, True), repeat=len(flat)):
            if 1 < sum(chosen) < len(flat):
                without = [term for term, at in zip(flat, chosen, strict=True) if at]
                told = " and ".join(f"`{_text(term)}`" for term in without)
                terms = (_times(factor, term) if at else term for term, at in zip(flat, chosen, strict=True))
                yield f"the factor `{_text(factor)}` is missing at {told}", _sum(terms)


def _opened_wrongly(opened: list[ast.expr], below: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """What is added once every bracket of the line above is open: lost, with the wrong sign, there twice."""
    if not 1 < len(opened) <= 12:
        return
    told = "with all brackets open the line above holds"
    for term in opened:
        yield f"{told} `{_text(term)}`, and that is lost", ast.BinOp(below, ast.Add(), term)
        doubled = _times(ast.Constant(2), term)
        yield f"{told} `{_text(term)}`, and its sign is wrong", ast.BinOp(below, ast.Add(), doubled)
        yield f"{told} `{_text(term)}`, and that is there twice", ast.BinOp(below, ast.Sub(), term)
    for a, b in combinations(opened, 2):
        yield f"{told} `{_text(a)}` and `{_text(b)}`, and both are lost", _sum((below, a, b))


def _sum(terms: Iterable[ast.expr]) -> ast.expr:
    return reduce(lambda a, b: ast.BinOp(a, ast.Add(), b), terms)


def _opened(line: ast.expr) -> list[ast.expr]:
    """What is added once every bracket of a product is open; what stands inside of a function stays."""
    match line:
        case ast.BinOp(left, ast.Add(), right):
            return [*_opened(left), *_opened(right)]
        case ast.BinOp(left, ast.Sub(), right):
            return [*_opened(left), *(_minus(term) for term in _opened(right))]
        case ast.UnaryOp(ast.USub(), inner):
            return [_minus(term) for term in _opened(inner)]
        case ast.BinOp(left, ast.Mult() | ast.MatMult() as times, right):
            return [ast.BinOp(a, times, b) for a in _opened(left) for b in _opened(right)]
        case ast.BinOp(left, ast.Div(), right):
            return [ast.BinOp(a, ast.Div(), right) for a in _opened(left)]
        case ast.Call(ast.Name("d") as d, [inner, letter]):
            return [ast.Call(d, [term, letter], []) for term in _opened(inner)]
    return [line]


def _terms_of_d(above: ast.expr) -> list[ast.expr]:
    """The terms of a sum whose derivative the line is, each with its d."""
    match above:
        case ast.Call(ast.Name("d") as d, [inner, letter]):
            return [ast.Call(d, [term, letter], []) for term in _terms(inner)]
    return []


def _less(part: ast.expr) -> ast.expr:
    return ast.BinOp(ast.Constant(1), ast.Sub(), part)


def _signs(parts: list[Part]) -> Iterator[tuple[str, ast.expr]]:
    for part, put in parts:
        if isinstance(part, ast.BinOp) and isinstance(part.op, SUM):
            other: ast.operator = ast.Sub() if isinstance(part.op, ast.Add) else ast.Add()
            yield f"the sign before `{_text(part.right)}` is wrong", put(ast.BinOp(part.left, other, part.right))
        elif isinstance(part, ast.UnaryOp):
            yield f"the sign before `{_text(part.operand)}` is wrong", put(part.operand)


def _no_identity(parts: list[Part], above: ast.expr, kinds: Mapping[str, str]) -> Iterator[tuple[str, ast.expr]]:
    """A number where the identity matrix belongs, or a multiple of it, in the letter that the question has for it."""
    by = [node.args[1].id for node in ast.walk(above) if is_derivative(node)]  # type: ignore[attr-defined]
    vectors = [letter for letter in by if kinds.get(letter) in ("N", "d", "p", "K")]
    numbers = of_numbers(kinds)
    for letter in (letter for letter, kind in kinds.items() if kind.startswith("identity")):
        for part, put in parts:
            if isinstance(part, ast.Constant) and part.value == 1 and vectors:
                yield f"d({vectors[0]}, {vectors[0]}) of a vector is {letter}, not 1", put(ast.Name(letter))
            if isinstance(part, ast.Name) and part.id in numbers:
                told = f"`{part.id}` is added to each entry of a matrix; {part.id}*{letter} stands on its diagonal only"
                yield told, put(_times(part, ast.Name(letter)))


def _turned(parts: list[Part]) -> Iterator[tuple[str, ast.expr]]:
    for part, put in parts:
        if isinstance(part, ast.Attribute):
            yield f"`{_text(part)}` must not be transposed", put(part.value)
        elif isinstance(part, ast.Name):
            yield f"`{part.id}` must be transposed", put(ast.Attribute(part, "T"))
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.MatMult):
            swapped = ast.BinOp(part.right, part.op, part.left)
            yield f"the factors of `{_text(part)}` stand in the wrong order", put(swapped)


def _sums(parts: "Iterator[Part] | list[Part]") -> list[tuple[ast.expr, ast.expr]]:
    """The two terms of each sum or difference."""
    return [(part.left, part.right) for part, _ in parts if isinstance(part, ast.BinOp) and isinstance(part.op, SUM)]


def _insides(line: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What stands inside of a function or a power inside of a d, and the letter by which it is differentiated."""
    for outer in ast.walk(line):
        if is_derivative(outer):
            inner, letter = outer.args  # type: ignore[attr-defined]
            for part in ast.walk(inner):
                if isinstance(part, ast.Call) and _text(part.func) in TRUE:
                    yield part.args[0], letter
                elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Pow):
                    yield part.left, letter


def _parts(node: ast.expr) -> Iterator[Part]:
    """Each part of a line, the letter of a derivative excepted."""
    yield node, lambda new: new
    for name, field in ast.iter_fields(node):
        if name in ("func", "op", "ctx", "attr", "keywords"):
            continue
        children = field if isinstance(field, list) else [field]
        for k, child in enumerate(children[:1] if is_derivative(node) else children):
            if isinstance(child, ast.expr):
                for part, put in _parts(child):
                    yield part, _inside(node, name, k, put)


def _inside(node: ast.expr, name: str, k: int, put: Callable[[ast.expr], ast.expr]) -> Callable[[ast.expr], ast.expr]:
    """The node with something else in the k-th place of one of its fields."""

    def changed(new: ast.expr) -> ast.expr:
        fields = dict(ast.iter_fields(node))
        old = fields[name]
        fields[name] = [*old[:k], put(new), *old[k + 1 :]] if isinstance(old, list) else put(new)
        return type(node)(**fields)

    return changed


def _minus(e: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.USub(), e)


def _at(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.MatMult(), b)


def _times(a: ast.expr, b: ast.expr) -> ast.expr:
    return ast.BinOp(a, ast.Mult(), b)


_text = ast.unparse
