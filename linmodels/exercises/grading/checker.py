"""Compare a reader's function with the right one, and with every wrong one that is known, on random instances.

A mistake is named only when it gives the reader's answer on every instance: alone, times a factor, in another shape,
or together with a second one. The nearest mistake is never guessed: outside the list every such name would be false.
"""

import copy
import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from itertools import combinations, product
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...page import source
from .answers import Answer, Call, Case, Function, Refused, bare, equal, library, like, plain, unchanged, values
from .mistakes import Block, Explanation, Factor, factors, scaled, written
from .wording import described, facts, other_shape, shapes


class Requirement(NamedTuple):
    """What a construction must satisfy: the text for those who miss it, the test, an example that fails here first."""

    text: str
    holds: Callable[..., Any]
    failing: tuple[Any, ...]


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
            raise Refused(f"what it returns must keep its shape: {shapes(wanted)} came in, {shapes(found)} came out")
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
        given = ", ".join(f"{name} {shape}" for name, shape in arrays)
        told = described(error)
        why = next((f" ({advice})" for words, advice in self.stops.items() if words in told), "")
        return self._wrong(f"on '{label}' with {given} it stopped: {told}{why}", call)

    def _first_wrong(self, trial: Watched) -> tuple[Call, str]:
        """The first wrong call of a trial, and where in the run it is."""
        wrong = (k for k, c in enumerate(trial.calls) if c.answer is None or not self.same(c.answer, c.expected))
        k = next(wrong, len(trial.calls) - 1)
        return trial.calls[k], f"visit {k + 1}, " if len(trial.calls) > 1 else ""

    def _diagnose(self, known: "Known", found: list[Answer]) -> str | None:
        """The mistakes that give the reader's answer on every instance, if any do."""
        wanted = known.wanted
        reshaped = [[like(a, b) for a, b in zip(*pair, strict=True)] for pair in zip(found, wanted, strict=True)]
        views = [
            ((), found),
            (("it is transposed",), [[a.T for a in answer] for answer in found]),
            ((other_shape(found, wanted),), reshaped),
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
            yield Explanation((*texts, self._told(factor)), scaled(answer_on, factor.values))

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
