"""Compare a reader's function with the right one, and with every wrong one that is known, on random instances.

A mistake is named only when it gives the reader's answer on every instance: alone, times a factor, in another shape,
or together with a second one. The nearest mistake is never guessed: outside the list every such name would be false.
"""

import ast
import copy
import dis
import inspect
import textwrap
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from itertools import combinations, product
from types import CodeType
from typing import Any, ClassVar, NamedTuple

import numpy as np

Answer = list[np.ndarray]  # the values of one answer, as float arrays
Function = Callable[..., Any]


class Case(NamedTuple):
    """One instance: what is special about it, the arguments of the play, sizes by which an answer may be off."""

    label: str
    args: tuple[Any, ...]
    sizes: Mapping[str, float] = {}


class Requirement(NamedTuple):
    """What a construction must satisfy: the text for those who miss it, the test, an example that fails here first."""

    text: str
    holds: Callable[..., Any]
    failing: tuple[Any, ...]


class Factor(NamedTuple):
    parts: tuple[str, ...]
    values: np.ndarray


class Explanation(NamedTuple):
    """A known way of being wrong: what to tell the reader, and the answer it gives on case k."""

    texts: tuple[str, ...]
    answer_on: Callable[[int], Answer]


class Refused(Exception):
    """The reader's function returned what cannot be compared; the message is for the reader."""


class Text(str):
    """A string that shows itself as it is, in a notebook and in a terminal."""

    __repr__ = str.__str__


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What a check found. Where the answer is wrong, f(*inputs) repeats the first failing call."""

    name: str
    status: str  # "ok", "--" wrong, "  " not written yet
    text: str
    inputs: tuple[Any, ...] = ()
    yours: Any = None
    expected: Any = None

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    def __repr__(self) -> str:
        return f"[{self.status}] {self.name}: {self.text}"


@dataclass
class Call:
    inputs: tuple[Any, ...]
    expected: Answer
    raw: Any = None
    answer: Answer | None = None


class Watched:
    """The reader's function as a play sees it: called on copies, next to the answer, every call remembered."""

    def __init__(self, f: Function, answer: Function) -> None:
        self.f, self.answer = f, answer
        self.calls: list[Call] = []
        self.overwrites = False

    def __call__(self, *inputs: Any) -> Answer:
        call = Call(inputs, library(self.answer, *inputs))
        self.calls.append(call)
        given = copy.deepcopy(inputs)
        call.raw = self.f(*given)
        call.answer = values(call.raw, len(call.expected))
        self.overwrites |= not all(unchanged(a, b) for a, b in zip(given, inputs, strict=True))
        return call.answer


@dataclass(kw_only=True, eq=False)
class Task:
    """What all exercises have. Name and chapter come from the variable and the file it stands in."""

    stars: int
    notes: str
    ask: str
    hints: tuple[str, ...]
    name: str = ""
    chapter: str = ""
    last: Result | None = None
    kind: ClassVar[str]

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def parameters(self) -> tuple[str, ...]:
        return ()

    def __repr__(self) -> str:
        return f"{'★' * self.stars} {self.signature}  [{self.notes}]\n{self.ask}"

    def hint(self, n: int = 1) -> Text:
        """The n-th hint."""
        if n not in range(1, len(self.hints) + 1):
            return Text(f"there are {len(self.hints)} hints: .hint(1) to .hint({len(self.hints)})")
        more = f"  (.hint({n + 1}) for the next)" if n < len(self.hints) else ""
        return Text(f"hint {n} of {len(self.hints)}: {self.hints[n - 1]}{more}")

    def __call__(self, f: Any, *, seed: int = 0) -> Result:
        """Check f, always on the same instances; another seed makes others."""
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.last = self._check(f, seed) if callable(f) else self._not_a_function()
        return self.last

    def _check(self, f: Function, seed: int) -> Result:
        raise NotImplementedError

    def _not_a_function(self) -> Result:
        return self._wrong(f"give it the function itself, not its value: check.{self.name}({self.name})")

    def _wrong(self, text: str, call: Call | None = None) -> Result:
        if call is None:
            return Result(self.name, "--", text)
        yours = call.raw if call.answer is None else plain(call.answer)
        return Result(self.name, "--", text, call.inputs, yours, plain(call.expected) if call.expected else None)

    def _unwritten(self) -> Result:
        return Result(self.name, "  ", "not written yet (it returns None; if you wrote it, a `return` is missing)")


def once(f: Function, *args: Any) -> Answer:
    """How most functions are used."""
    return f(*args)


def run(step: Function, state: tuple[Any, ...], visits: Sequence[tuple[Any, ...]]) -> Answer:
    """How a step is used: again and again on its own result. The path, a row per visit, is what is judged:
    single calls hardly ever meet the thresholds and ties where wrong steps differ."""
    path = []
    for visit in visits:
        new = step(*state, *visit)
        wanted, found = [np.shape(s) for s in state], [a.shape for a in new]
        if found != wanted:
            raise Refused(f"what it returns must keep its shape: {_shapes(wanted)} came in, {_shapes(found)} came out")
        state = tuple(map(bare, new))
        path.append(np.concatenate([a.ravel() for a in new]))
    return [np.array(path)]


@dataclass(kw_only=True, eq=False, repr=False)
class Exercise(Task):
    """Write this function."""

    answer: Function  # the library's own function, a lambda that calls it, or a plain one here that is tested equal
    variant: Function  # the same formula once more, with switches as keywords
    mistakes: Mapping[str, Mapping[str, Any]]  # what to tell the reader -> the switches that make this mistake
    cases: Callable[[np.random.Generator], list[Case]]
    play: Callable[..., Answer] = once
    judged: tuple[str, ...] = ()  # what the play gives, where that is not what the function returns
    canon: Callable[[np.ndarray], np.ndarray] | None = None  # answers equal after it are equally right
    factors: Mapping[str, str] = field(default_factory=dict)  # why an answer may be off by "-", "2", "1/N" ...
    stops: Mapping[str, str] = field(default_factory=dict)  # words of an exception -> its likely cause; the first tells
    also_right: tuple[Function, ...] = ()  # other right ways, for the tests
    kind: ClassVar[str] = "write"

    @property
    def parameters(self) -> tuple[str, ...]:
        found = inspect.signature(self.variant).parameters.values()
        return tuple(p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD)

    def solution(self) -> Text:
        """Code that can be pasted in place of the stub."""
        return Text(source(self.answer, self.name))

    def answer_of(self, f: Function, case: Case) -> Answer:
        """What a function of our own gives on a case."""
        return self.play(partial(library, f), *case.args)

    def same(self, a: Answer, b: Answer) -> bool:
        return all(equal(x, y) or self._equally_right(x, y) for x, y in zip(a, b, strict=True))

    def _equally_right(self, x: np.ndarray, y: np.ndarray) -> bool:
        if self.canon is None or x.shape != y.shape or not (np.isfinite(x).all() and np.isfinite(y).all()):
            return False
        return equal(self.canon(x), self.canon(y))

    def _check(self, f: Function, seed: int) -> Result:
        known = _known(self, seed)
        cases = copy.deepcopy(known.cases)  # the reader's own: what he does to them must not change what is known
        trials = [Watched(f, self.answer) for _ in cases]
        found: list[Answer] = []
        for case, trial in zip(cases, trials, strict=True):
            try:
                found.append(self.play(trial, *case.args))
            except (Exception, SystemExit) as error:
                first_call = not found and len(trial.calls) == 1
                return self._stopped(error, case.label, trial.calls[-1], first_call)
        return self._compared(known, trials, found)

    def _compared(self, known: "Known", trials: list[Watched], found: list[Answer]) -> Result:
        cases, wanted = known.cases, known.wanted
        bad = [k for k, pair in enumerate(zip(found, wanted, strict=True)) if not self.same(*pair)]
        if not bad and any(trial.overwrites for trial in trials):
            return self._wrong("the values are right, but it overwrites its arguments: work on a copy")
        if not bad:
            return Result(self.name, "ok", f"right on {len(cases)} instances")
        call, place = self._first_wrong(trials[bad[0]])
        labels = dict.fromkeys(cases[k].label for k in bad)
        where = ", ".join(labels) if len(bad) < len(cases) else "every instance"
        a, b = found[bad[0]], wanted[bad[0]]
        seen = replace(call, answer=a, expected=b) if self.judged else call
        text = self._diagnose(known, found) or facts(a, b, seen, where, place, self.judged)
        if any(trial.overwrites for trial in trials):
            text = f"it overwrites its arguments, which may be all that is wrong: work on a copy; as it is: {text}"
        return self._wrong(text, call)

    def _stopped(self, error: BaseException, label: str, call: Call, first_call: bool) -> Result:
        if isinstance(error, NotImplementedError):
            missing = f"on '{label}' it returned None: one of its branches has no `return`"
            return self._unwritten() if first_call else self._wrong(missing, call)
        if isinstance(error, Refused):
            return self._wrong(str(error), call)
        arrays = [(n, np.shape(a)) for n, a in zip(self.parameters, call.inputs, strict=True) if np.ndim(a)]
        shapes = ", ".join(f"{name} {shape}" for name, shape in arrays)
        told = described(error)
        why = next((f" ({advice})" for words, advice in self.stops.items() if words in told), "")
        return self._wrong(f"on '{label}' with {shapes} it stopped: {told}{why}", call)

    def _first_wrong(self, trial: Watched) -> tuple[Call, str]:
        """The first wrong call of a trial, and where in the run it is."""
        wrong = (k for k, c in enumerate(trial.calls) if c.answer is None or not self.same(c.answer, c.expected))
        k = next(wrong, len(trial.calls) - 1)
        return trial.calls[k], f"visit {k + 1}, " if len(trial.calls) > 1 else ""

    def _diagnose(self, known: "Known", found: list[Answer]) -> str | None:
        """The mistakes that give the reader's answer on every instance, if any do."""
        wanted = known.wanted
        reshaped = [[_like(a, b) for a, b in zip(*pair, strict=True)] for pair in zip(found, wanted, strict=True)]
        views = [
            ((), found),
            (("it is transposed",), [[a.T for a in answer] for answer in found]),
            ((_other_shape(found, wanted),), reshaped),
        ]
        for block in (known.simple, known.pairs):
            may_be = np.array([block.may_give(seen[0]) for _, seen in views])
            for k in np.flatnonzero(may_be.any(axis=0)):
                texts, answer_on = block.explanations[k]
                for (note, seen), possible in zip(views, may_be[:, k], strict=True):
                    if possible and self._explains(answer_on, seen):
                        return "; and ".join((*texts, *note))
        return None

    def _explains(self, answer_on: Callable[[int], Answer], seen: list[Answer]) -> bool:
        try:
            return all(self.same(answer, answer_on(k)) for k, answer in enumerate(seen))
        except Exception:  # a mistake that stops on an instance is not the reader's, who got as far as an answer
            return False

    def simple(self, cases: list[Case], wanted: list[Answer]) -> Iterator[Explanation]:
        """Every known way of being wrong but two mistakes at once, the simplest first."""
        alone = [Explanation((), wanted.__getitem__), *self.mistaken(cases, 1)]
        yield from alone
        yield Explanation(("every answer is 0",), lambda k: [np.zeros_like(a) for a in wanted[k]])
        for (texts, answer_on), factor in product(alone, factors(cases)):
            yield Explanation((*texts, self._told(factor)), _scaled(answer_on, factor.values))

    def mistaken(self, cases: list[Case], count: int) -> Iterator[Explanation]:
        """Each mistake, or each two that can be made together; played on a case only when they are asked for it."""
        for chosen in combinations(self.mistakes.items(), count):
            switches = {name: value for _, made in chosen for name, value in made.items()}
            if len(switches) == sum(len(made) for _, made in chosen):
                wrong = partial(self.variant, **switches)
                yield Explanation(
                    tuple(text for text, _ in chosen), cache(lambda k, f=wrong: self.answer_of(f, cases[k]))
                )

    def _told(self, factor: Factor) -> str:
        reasons = "; ".join(self.factors[part] for part in factor.parts if part in self.factors)
        times = f"it is {written(factor.parts)} times what it should be"
        what = "its sign is reversed" if factor.parts == ("-",) else times
        return f"{what} ({reasons})" if reasons else what


class Block:
    """Explanations, and what all of them give on the first instance, to be compared with an answer at once."""

    def __init__(self, explanations: Iterator[Explanation], all_may: bool) -> None:
        self.explanations, self.all_may = list(explanations), all_may

    def may_give(self, answer: Answer) -> np.ndarray:
        """Which explanations give about this answer on the first instance; `Exercise.same` has the last word."""
        may_be = np.full(len(self.explanations), self.all_may)
        at, rows, scale = self._first.get(_layout(answer), ([], np.empty((0, 0)), np.empty((0, 1))))
        if len(at) and not self.all_may:
            one = np.concatenate([a.ravel() for a in answer])
            close = np.abs(rows - one) <= 1e-6 * np.abs(rows) + 1e-8 * scale
            may_be[at] = (close | (rows == one) | (np.isnan(rows) & np.isnan(one))).all(axis=1)
        return may_be

    @cached_property
    def _first(self) -> dict[Any, tuple[list[int], np.ndarray, np.ndarray]]:
        """By the shapes of an answer: the explanations that give such ones, a row each, and the size of each row."""
        found: dict[Any, tuple[list[int], list[np.ndarray]]] = {}
        for k, explanation in enumerate(self.explanations):
            try:
                answer = explanation.answer_on(0)
            except Exception:  # a mistake that stops here is not the reader's, who got as far as an answer
                continue
            at, rows = found.setdefault(_layout(answer), ([], []))
            at.append(k)
            rows.append(np.concatenate([a.ravel() for a in answer]))
        stacked = {layout: (at, np.array(rows)) for layout, (at, rows) in found.items()}
        return {
            layout: (at, rows, np.abs(np.where(np.isfinite(rows), rows, 0.0)).max(axis=1, initial=0.0, keepdims=True))
            for layout, (at, rows) in stacked.items()
        }


def _layout(answer: Answer) -> tuple[tuple[int, ...], ...]:
    return tuple(a.shape for a in answer)


class Known:
    """The instances of a seed, the right answers, and what every known mistake gives on them, played once."""

    def __init__(self, exercise: Exercise, seed: int) -> None:
        self.exercise, self.cases = exercise, exercise.cases(np.random.default_rng(seed))

    @cached_property
    def wanted(self) -> list[Answer]:
        return [self.exercise.answer_of(self.exercise.answer, case) for case in self.cases]

    @cached_property
    def simple(self) -> Block:
        return Block(self.exercise.simple(self.cases, self.wanted), self.exercise.canon is not None)

    @cached_property
    def pairs(self) -> Block:
        return Block(self.exercise.mistaken(self.cases, 2), self.exercise.canon is not None)


@lru_cache(maxsize=16)
def _known(exercise: Exercise, seed: int) -> Known:
    """Kept for the next answer to the same exercise: most of a diagnosis is to play its mistakes."""
    return Known(exercise, seed)


@dataclass(kw_only=True, eq=False, repr=False)
class Construction(Task):
    """Build such data: many answers are right, so ordered requirements judge, and the first one missed is told."""

    returns: tuple[str, ...]
    requirements: tuple[Requirement, ...]
    example: Callable[[], tuple[Any, ...]]
    kind: ClassVar[str] = "construct"

    def solution(self) -> Text:
        """Code of one right example, which can be pasted in place of the stub."""
        return Text(source(self.example, self.name))

    def _check(self, f: Function, seed: int) -> Result:
        call = Call((), [])
        try:
            call.raw = f()
            made = [bare(a) for a in values(call.raw, len(self.returns))]
            missed = self._first_missed(made)
        except NotImplementedError:
            return self._unwritten()
        except Refused as refused:
            return self._wrong(f"{refused}; wanted: ({', '.join(self.returns)})", call)
        except (Exception, SystemExit) as error:
            return self._wrong(f"it stopped: {described(error)}", call)
        return self._wrong(missed, call) if missed else Result(self.name, "ok", "yes, that is one")

    def _first_missed(self, made: list[Any]) -> str | None:
        if not all(np.isfinite(a).all() for a in made):
            return "all numbers must be finite"
        return next((need.text for need in self.requirements if not need.holds(*copy.deepcopy(made))), None)


def values(out: Any, count: int) -> Answer:
    """What a reader's function returned, as `count` new float arrays."""
    if out is None or out is ...:
        raise NotImplementedError
    if count == 1:
        return [_numbers(out)]
    if not isinstance(out, tuple | list):
        raise Refused(f"it must return {count} values, not one {type(out).__name__}")
    if len(out) != count:
        raise Refused(f"it must return {count} values, not {len(out)}")
    return [_numbers(value) for value in out]


def _numbers(value: Any) -> np.ndarray:
    try:
        array = np.array(value)
    except Exception:  # whatever a foreign object's __array__ or a ragged list may raise
        raise Refused(_in_pieces(value)) from None
    if array.dtype.kind == "c":
        raise Refused("it must return real numbers, not complex ones")
    if array.dtype.kind not in "buif":
        raise Refused(f"it must return numbers, not {type(value).__name__} ({array.dtype})")
    return array.astype(float)


def _in_pieces(value: Any) -> str:
    """What is wrong with a value of which NumPy makes no array."""
    if isinstance(value, tuple) and [isinstance(piece, np.ndarray) for piece in value] == [True, True, False, True]:
        return "a tuple came: lstsq returns four things, the weights are [0]"
    joined = ", np.append joins them" if isinstance(value, tuple | list) and len(value) == 2 else ""
    return f"it must return one array of numbers; the pieces of this {type(value).__name__} do not make one{joined}"


def library(f: Function, *args: Any) -> Answer:
    """The values of one of our own functions, which need no questions."""
    out = f(*args)
    return [np.asarray(value, float) for value in (out if isinstance(out, tuple) else (out,))]


def bare(a: np.ndarray) -> Any:
    """A number instead of an array without dimensions, which a reader's `b += 1` would change in place."""
    return a if a.ndim else a.item()


def plain(answer: Answer) -> Any:
    """An answer as the reader's function returns it: one value, or a tuple of them."""
    return bare(answer[0]) if len(answer) == 1 else tuple(map(bare, answer))


def unchanged(a: Any, b: Any) -> bool:
    """Is the argument a still what it was, b?"""
    return not isinstance(b, np.ndarray) or np.array_equal(a, b, equal_nan=True)


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal up to rounding, b being the expected one. The shape comes first: np.allclose alone would broadcast."""
    if a.shape != b.shape:
        return False
    finite = np.isfinite(b)
    scale = np.abs(b[finite]).max(initial=0.0)
    close = finite & (np.abs(a - b) <= 1e-7 * np.abs(b) + 1e-9 * scale)
    return bool(close.all() or (close | (a == b) | (np.isnan(a) & np.isnan(b))).all())  # inf and nan: the same ones


def factors(cases: list[Case]) -> list[Factor]:
    """By what an answer may be off: a sign, a 2, a size, the right way up or not, and their products."""
    ones = np.ones(len(cases))
    sizes = {name: np.array([case.sizes[name] for case in cases], float) for name in cases[0].sizes}
    upside_down = {f"1/{name}": 1 / size for name, size in sizes.items()}
    choices = [{"": ones, "-": -ones}, {"": ones, "2": 2 * ones, "1/2": ones / 2}, {"": ones, **sizes, **upside_down}]
    found = []
    for (sign, s), (two, z), (size, n) in product(*(choice.items() for choice in choices)):
        found.append(Factor(tuple(part for part in (sign, two, size) if part), s * z * n))
    return sorted(found, key=lambda factor: len(factor.parts))[1:]  # the first is no factor at all


def _scaled(answer_on: Callable[[int], Answer], by: np.ndarray) -> Callable[[int], Answer]:
    return lambda k: [np.asarray(by[k] * a) for a in answer_on(k)]


def written(parts: tuple[str, ...]) -> str:
    """("-", "1/2", "N") -> -N/2."""
    above = "".join(part for part in parts if part[0] != "-" and "/" not in part) or "1"
    below = "".join(part[2:] for part in parts if "/" in part)
    return "-" * ("-" in parts) + above + ("/" if below else "") + (f"({below})" if len(below) > 1 else below)


def facts(found: Answer, wanted: Answer, call: Call, where: str, place: str, names: Sequence[str] = ()) -> str:
    """No known mistake: only what is certain. names: of the values, where they are not "value 1", "value 2"."""
    error = max(_distance(a, b) for a, b in zip(found, wanted, strict=True))
    if error < 1e-3:
        causes = "a tiny penalty added? float32? a numerical derivative? stopped early?"
        return f"nearly right on {where}: off by {error:.0e} of the largest entry ({causes})"
    assert call.answer is not None
    pairs = list(enumerate(zip(call.answer, call.expected, strict=True), 1))
    number, (a, b) = next((pair for pair in pairs if not equal(*pair[1])), pairs[0])
    value = names[number - 1] if names else f"value {number}" if len(pairs) > 1 else "it"
    if a.shape != b.shape:
        return f"{value} is {_kind(a.shape)}, but must be {_kind(b.shape)}"
    place += f"{value}, " if names or len(pairs) > 1 else ""
    return f"wrong on {where}; no mistake known here gives this. First: {place}{_first_entry(a, b)}"


def _distance(a: np.ndarray, b: np.ndarray) -> float:
    """The largest difference, relative to the largest entry of b; inf where they cannot be compared."""
    if a.shape != b.shape or not np.isfinite(a).all():
        return np.inf
    return float(np.abs(a - b).max(initial=0.0) / (np.abs(b).max(initial=0.0) or 1.0))


def _first_entry(a: np.ndarray, b: np.ndarray) -> str:
    wrong = np.argwhere(~(np.abs(a - b) <= 1e-7 * np.abs(b) + 1e-9 * np.abs(b).max(initial=0.0)))
    at = tuple(int(k) for k in wrong[0]) if len(wrong) else (0,) * a.ndim
    entry = f"entry [{', '.join(map(str, at))}] is " if at else ""
    return f"{entry}{a[at]:.6g} instead of {b[at]:.6g}"


def _like(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a.reshape(b.shape) if a.size == b.size else a


def _other_shape(found: list[Answer], wanted: list[Answer]) -> str:
    shapes = [tuple(_shapes([a.shape for a in answer]) for answer in pair) for pair in zip(found, wanted, strict=True)]
    is_, must_be = next((pair for pair in shapes if pair[0] != pair[1]), shapes[0])
    return f"only its shape is wrong: {is_}, but it must be {must_be}"


def _kind(shape: tuple[int, ...]) -> str:
    return f"of shape {shape}" if shape else "a number"


def _shapes(shapes: list[tuple[int, ...]]) -> str:
    return " and ".join(str(shape) if shape else "a number" for shape in shapes)


def described(error: BaseException) -> str:
    """Kind and message of an exception, on one line."""
    return " ".join("".join(traceback.format_exception_only(error)).split())


def source(f: Function, name: str) -> str:
    """Code that defines f under this name and runs as it stands: imports, what it uses of the library, f.

    A function that calls the library comes after what it calls, so that its name is free for both.
    """
    ours = (f.__module__ or "").startswith(f"{__package__}.")
    first = _called(f) if f.__name__ == "<lambda>" else [] if ours else [f]
    used = _with_helpers([f, *first])[1:] if ours else _with_helpers(first)
    code = [inspect.getsource(g) for g in used]
    if f.__name__ == "<lambda>":
        code.append(_as_def(f, name))
    elif ours:
        code.append(inspect.getsource(f).replace(f"def {f.__name__}(", f"def {name}(", 1))
    elif f.__name__ != name:
        code.append(f"{name} = {f.__name__}\n")
    return "\n\n".join([_imports([f, *used]), *code]).lstrip()


def _as_def(f: Function, name: str) -> str:
    """A lambda as a function of this name."""
    text, node = _lambda(f)
    body = inspect.cleandoc(str(ast.get_source_segment(text, node.body)))
    if "\n" in body:
        body = f"(\n{textwrap.indent(body, ' ' * 8)}\n    )"
    return f"def {name}({ast.unparse(node.args)}):\n    return {body}\n"


def _lambda(f: Function) -> tuple[str, ast.Lambda]:
    """The file of a lambda, and the lambda in it."""
    text = inspect.getsource(inspect.getmodule(f))  # type: ignore[arg-type]
    lambdas = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda))
    return text, next(node for node in lambdas if node.lineno == f.__code__.co_firstlineno)


def _called(f: Function) -> list[Function]:
    """The library's functions that a lambda calls as module.function."""
    named = [n for n in ast.walk(_lambda(f)[1]) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)]
    found = [getattr(f.__globals__.get(n.value.id), n.attr, None) for n in named]  # type: ignore[attr-defined]
    return [g for g in dict.fromkeys(found) if inspect.isfunction(g) and g.__module__.startswith("linmodels.")]


def _with_helpers(functions: Sequence[Function]) -> list[Function]:
    """Functions, and those of their own modules that they use, and so on."""
    found = dict.fromkeys(functions)
    todo = list(found)
    while todo:
        f = todo.pop(0)
        new = [g for g in _globals(f).values() if _is_helper(g, f) and g not in found]
        found |= dict.fromkeys(new)
        todo += new
    return list(found)


def _is_helper(g: Any, f: Function) -> bool:
    """Is it a function that stands in the file of f?"""
    return inspect.isfunction(g) and g.__module__ == f.__module__ and g.__name__ != "<lambda>"


def _globals(f: Function) -> dict[str, Any]:
    """The global names that a function reads, and what they are."""

    def read(code: CodeType) -> Iterator[str]:
        yield from (i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL")
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                yield from read(inner)

    f = inspect.unwrap(f)  # as it was written, under any decorator
    return {name: f.__globals__[name] for name in read(f.__code__) if name in f.__globals__}


def _imports(functions: Sequence[Function]) -> str:
    """The import lines of code that consists of these functions."""
    plain, rooms, single = set(), set(), set()
    for f in functions:
        for name, value in _globals(f).items():
            if inspect.ismodule(value) and value.__name__.startswith("linmodels."):
                rooms.add(name)
            elif inspect.ismodule(value):
                plain.add(f"import {value.__name__}" + (f" as {name}" if name != value.__name__ else ""))
            elif not _is_helper(value, f):
                named = inspect.isfunction(value) or inspect.isclass(value)
                origin, original = (value.__module__, value.__name__) if named else (f.__module__, name)
                single.add(f"from {origin} import {original}" + (f" as {name}" if name != original else ""))
    ours = [f"from linmodels import {', '.join(sorted(rooms))}"] if rooms else []
    return "\n".join("".join(f"{line}\n" for line in part) for part in (sorted(plain), ours + sorted(single)) if part)
