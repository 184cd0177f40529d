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
from .answers import Answer, Call, Case, Function, Refused, bare, equal, fresh, library, like, plain, unchanged, values
from .mistakes import Block, Edit, Explanation, Factor, apart, edited, factors, scaled, source_of, written
from .reader import reader
from .usual import readings, usual
from .wording import advice, described, distance, facts, line_of, listed, other_shape, shapes, those_right


class Requirement(NamedTuple):
    """What a construction must satisfy: the text for those who miss it, the test, an example that fails here first."""

    text: str | Callable[..., str]  # or what makes the text of what was built
    holds: Callable[..., Any]
    failing: tuple[Any, ...] | Callable[..., tuple[Any, ...]]  # or what makes it of the reader's own data


class Text(str):
    """A string that shows itself as it is, in a notebook and in a terminal."""

    __repr__ = str.__str__


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What a check found. Where a call gave a wrong answer, f(*inputs) repeats the first of them."""

    name: str
    status: str  # "ok", "--" wrong, "  " not written yet
    text: str
    inputs: tuple[Any, ...] = ()
    yours: Any = None
    expected: Any = None
    score: float | None = None  # of a project
    whose: str = ""  # "numbers of ann": what was dealt, by which name or word

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    def __repr__(self) -> str:
        return f"[{self.status}] {self.name}: {self.text}" + (f" ({self.whose})" if self.whose else "")


class Watched:
    """The reader's function as a play sees it: called on copies, next to the answer, every call remembered."""

    def __init__(self, f: Function, answer: Function) -> None:
        self.f, self.answer = f, answer
        self.calls: list[Call] = []
        self.overwrites = False

    def __call__(self, *inputs: Any) -> Answer:
        call = Call(inputs, library(self.answer, *inputs))
        self.calls.append(call)
        given = tuple(map(fresh, inputs))
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

    @property
    def stub(self) -> str:
        """The cell in which a reader answers, as it is shipped."""
        body = "    # your code here, in place of the dots\n    ..."
        return f"def {self.signature}:\n{body}\n\n\ncheck.{self.name}({self.name})"

    @property
    def given(self) -> Text:
        """What the question gives to this reader alone."""
        return Text("")

    def solution(self) -> Text:
        """A right answer."""
        raise NotImplementedError

    def __repr__(self) -> str:
        told = f"{'★' * self.stars} {self.signature}  [{self.notes}]\n{self.ask}"
        return f"{told}\n{self.given}" if self.given else told

    def hint(self, n: int = 1) -> Text:
        """The n-th hint; before the first, what to do about the last verdict."""
        if n not in range(1, len(self.hints) + 1):
            return Text(f"there are {len(self.hints)} hints: .hint(1) to .hint({len(self.hints)})")
        more = f"  (.hint({n + 1}) for the next)" if n < len(self.hints) else ""
        first = f"{advice(self.last.text)}\n" if self.last and self.last.status == "--" and n == 1 else ""
        return Text(f"{first}hint {n} of {len(self.hints)}: {self.hints[n - 1]}{more}")

    def __call__(self, *given: Any, seed: int | None = None, **named: Any) -> Result:
        """Check an answer, always on the same instances; another seed makes others."""
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = self._misnamed(named) or self._verdict(
                (*given, *self._in_order(named)), self.seed if seed is None else seed
            )
        self.last = replace(found, whose=f"{self.personal} of {reader.word}" if self.personal else "")
        reader.note(self.name, found.status, found.text, found.score, reader.word if self.personal else "")
        return self.last

    def _misnamed(self, named: dict[str, Any]) -> "Result | None":
        """Of values that came by name, one that is not asked for."""
        names, strange = getattr(self, "returns", ()), [name for name in named if not callable(named[name])]
        strange = [name for name in strange if names and name not in names]
        return Result(self.name, "--", f"no value is called {strange[0]}: give {listed(names)}") if strange else None

    def _in_order(self, named: dict[str, Any]) -> list[Any]:
        """What came by name, in the order of the answer."""
        names = list(getattr(self, "returns", ()))
        return [named[name] for name in sorted(named, key=lambda name: names.index(name) if name in names else -1)]

    @property
    def seed(self) -> int:
        """What makes the instances: the same for all readers, unless an exercise has numbers of the reader's own."""
        return 0

    @property
    def personal(self) -> str:
        """What a name deals to its reader."""
        return "numbers" if self.seed else ""

    def _verdict(self, given: tuple[Any, ...], seed: int) -> Result:
        f = given[0] if len(given) == 1 else None
        return self._check(f, seed) if callable(f) else self._not_a_function()

    def _check(self, f: Function, seed: int) -> Result:
        raise NotImplementedError

    def _not_a_function(self) -> Result:
        return self._wrong(f"give it the function itself, not its value: check.{self.name}({self.name})")

    def _wrong(self, text: str, call: Call | None = None) -> Result:
        if call is None:
            return Result(self.name, "--", text)
        yours = call.raw if call.answer is None else plain(call.answer)
        inputs = tuple(map(fresh, call.inputs))  # the reader's own: what he does to them must not change what is known
        return Result(self.name, "--", text, inputs, yours, plain(call.expected) if call.expected else None)

    def _unwritten(self, error: NotImplementedError) -> Result:
        none = "it returns None; if you wrote it, a `return` is missing"
        return Result(self.name, "  ", f"not written yet ({'it returns ...' if '...' in error.args else none})")


def lettered(letters: Sequence[str], values: Sequence[Any]) -> Text:
    """X = [[1, 2], [3, 4]], for example; a letter on each line."""
    told = (f"{a:g}" if isinstance(a, float) else str(np.asarray(a).tolist()) for a in values)
    return Text("\n".join(f"{letter} = {text}" for letter, text in zip(letters, told, strict=True)))


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
            count = f"return {len(state)} values, " if len(state) > 1 else ""
            given = step.calls[-1].raw if isinstance(step, Watched) else None
            one = f"one array {given.shape}" if isinstance(given, np.ndarray) else shapes(found)
            text = f"{count}{shapes(wanted)} as they came in; found {one}"
            raise Refused(f"what it returns must keep its shape: {text}")
        state = tuple(map(bare, new))
        path.append(np.concatenate([a.ravel() for a in new]))
    return [np.array(path)]


@dataclass(kw_only=True, eq=False, repr=False)
class Exercise(Task):
    """Write this function."""

    answer: Function  # a short def beside the exercise, tested equal to the book's function
    mistakes: tuple[Edit, ...]  # the answer's source with another text in one place, and what to tell whoever wrote it
    cases: Callable[[np.random.Generator], list[Case]]
    play: Callable[..., Answer] = once
    returns: tuple[str, ...] = ()  # names of the values, where the function returns several
    judged: tuple[str, ...] = ()  # what the play gives, where that is not what the function returns
    singular: str = ""  # what it means where an inverse does not exist, if not the usual
    canon: Callable[[np.ndarray], np.ndarray] | None = None  # answers equal after it are equally right
    factors: Mapping[str, str] = field(default_factory=dict)  # why an answer may be off by "-", "2", "1/N" ...
    kind: ClassVar[str] = "write"

    @property
    def parameters(self) -> tuple[str, ...]:
        found = inspect.signature(self.answer).parameters.values()
        return tuple(p.name for p in found if p.default is p.empty)

    def solution(self) -> Text:
        """Code that can be pasted in place of the stub."""
        return Text(source(self.answer, self.name))

    def instances(self, rng: np.random.Generator) -> list[Case]:
        """On what an answer is tried."""
        return self.cases(rng)

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
        known = known_of(self, seed)
        trials = [Watched(f, self.answer) for _ in known.cases]
        found: list[Answer] = []
        for case, trial in zip(known.cases, trials, strict=True):
            try:
                found.append(self.play(trial, *case.args))
            except (Exception, SystemExit) as error:
                first_call = not found and len(trial.calls) == 1
                return self._stopped(error, case.label, trial.calls[-1], first_call, f)
        return self._compared(known, trials, found)

    def _compared(self, known: "Known", trials: list[Watched], found: list[Answer]) -> Result:
        cases, wanted = known.cases, known.wanted
        bad = [k for k, pair in enumerate(zip(found, wanted, strict=True)) if not self.same(*pair)]
        if not bad and any(trial.overwrites for trial in trials):
            return self._wrong("the values are right, but it overwrites its arguments: work on a copy")
        if not bad:
            return Result(self.name, "ok", self._praise(len(cases)))
        call, place = self._first_wrong(trials[bad[0]])
        labels = dict.fromkeys(cases[k].label for k in bad)
        where = " | ".join(labels) if len(bad) < len(cases) else "every instance"
        error = max(distance(found[k], wanted[k]) for k in bad)
        seen = replace(call, answer=found[bad[0]], expected=wanted[bad[0]]) if self.judged else call
        text = self._diagnose(known, found, trials) or self._facts(seen, error, where, place)
        if any(trial.overwrites for trial in trials):
            text = f"it overwrites its arguments: work on a copy. Then see whether this is left: {text}"
        return self._wrong(text, call)

    def _praise(self, instances: int) -> str:
        return f"right on {instances} instances"

    def _facts(self, call: Call, error: float, where: str, place: str) -> str:
        return facts(call, error, where, place, self.judged or self.returns)

    def _stopped(self, error: BaseException, label: str, call: Call, first_call: bool, f: Function) -> Result:
        if isinstance(error, NotImplementedError):
            missing = f"on '{label}' it returned None: one of its branches has no `return`"
            missing = missing if "..." not in error.args else f"on '{label}' it returned ..."
            return self._unwritten(error) if first_call else self._wrong(missing, call)
        if isinstance(error, Refused):
            return self._wrong(str(error), call)
        arrays = [(n, np.shape(a)) for n, a in zip(self.parameters, call.inputs, strict=True) if np.ndim(a)]
        given = "".join(f"{',' if k else ' with'} {name} {shape}" for k, (name, shape) in enumerate(arrays))
        return self._wrong(
            f"on '{label}'{given} it stopped{line_of(error, f)}: {described(error, f, self.singular)}", call
        )

    def _first_wrong(self, trial: Watched) -> tuple[Call, str]:
        """The first wrong call of a trial, and where in the run it is."""
        wrong = (k for k, c in enumerate(trial.calls) if c.answer is None or not self.same(c.answer, c.expected))
        k = next(wrong, len(trial.calls) - 1)
        return trial.calls[k], f"visit {k + 1}: " if self.play is run else ""

    def _diagnose(self, known: "Known", found: list[Answer], trials: list[Watched]) -> str | None:
        """The mistakes that give the reader's answer on every instance, if any do."""
        wanted = known.wanted
        reshaped = [[like(a, b) for a, b in zip(*pair, strict=True)] for pair in zip(found, wanted, strict=True)]
        as_it_is: list[View] = [((), found)]
        turned: list[View] = [
            (("it is transposed",), [[a.T for a in answer] for answer in found]),
            ((other_shape(found, wanted),), reshaped),
        ]
        return (
            self._explained(known.alone, as_it_is)
            or self._explained(known.multiples, as_it_is)
            or self._explained(known.alone, turned)
            or self._explained(known.multiples, turned)
            or self._usual(known, found, trials)
            or self._explained(known.readings, as_it_is)
            or self._value_by_value(known, found)
            or self._explained(known.pairs, as_it_is + turned)
        )

    def _value_by_value(self, known: "Known", found: list[Answer]) -> str | None:
        """Of several values, a mistake for each of them that is wrong."""
        told: dict[tuple[str, ...], list[str]] = {}
        for at, name in enumerate(self.returns if not self.judged else ()):
            texts = self._mistake_in(known, found, at)
            if texts is None:
                return None
            told.setdefault(texts, []).append(name)
        parts = [those_right(told.pop(()))] if () in told else []
        return "; ".join([*parts, *(f"{' and '.join(names)}: {'; and '.join(t)}" for t, names in told.items())]) or None

    def _mistake_in(self, known: "Known", found: list[Answer], at: int) -> tuple[str, ...] | None:
        """What explains this value, by a mistake that leaves each of the others right or as the reader has it."""
        one = [[answer[at]] for answer in found]
        chosen = _is_chosen(known.cases, known.wanted, at)
        blocks = (known.alone,) if chosen else (known.alone, known.multiples, known.readings)
        for texts, answer_on in (e for block in blocks for e in block.explanations):
            if len(texts) < 2 and self._explains(partial(_value_of, answer_on, at), one):
                made = [answer_on(k) for k in range(len(found))]
                told = (t for triple in zip(made, found, known.wanted, strict=True) for t in zip(*triple, strict=True))
                if all(equal(x, mine) or equal(x, right) for x, mine, right in told):
                    return texts
        alone = None if chosen else usual(one, [[answer[at]] for answer in known.wanted], ())
        return (alone,) if alone else None

    def _explained(self, block: Block, views: "list[View]") -> str | None:
        may_be = np.array([block.may_give(seen[0]) for _, seen in views])
        for k in np.flatnonzero(may_be.any(axis=0)):
            texts, answer_on = block.explanations[k]
            for (note, seen), possible in zip(views, may_be[:, k], strict=True):
                if possible and self._explains(answer_on, seen):
                    too = [text.replace("only its shape is wrong", "its shape is wrong, too") for text in note]
                    return "; and ".join((*texts, *too) if texts else note)
        return None

    def _explains(self, answer_on: Callable[[int], Answer], seen: list[Answer]) -> bool:
        try:
            return all(self.same(answer, answer_on(k)) for k, answer in enumerate(seen))
        except Exception:  # a mistake that stops on an instance is not the reader's, who got as far as an answer
            return False

    def _usual(self, known: "Known", found: list[Answer], trials: list[Watched]) -> str | None:
        """What is wrong in a way that every exercise knows; of a step, what is wrong with the way it goes."""
        if self.play is not run:
            return None if self.canon or self.judged else usual(found, known.wanted, self.returns)
        calls = [call for trial in trials for call in trial.calls if call.answer is not None]
        if not any(np.any(moved) for call in calls for moved in way(call, call.answer)):
            return "it never updates: it always returns what came in"
        told = usual([way(c, c.answer) for c in calls], [way(c, c.expected) for c in calls], ("the step",))
        return told and f"of the step, new value minus old: {told}"

    def alone(self, cases: list[Case], wanted: list[Answer]) -> Iterator[Explanation]:
        """The right answer, which may be seen in another shape, and each mistake."""
        yield Explanation((), wanted.__getitem__)
        yield from self.mistaken(cases, 1)

    def multiples(self, cases: list[Case], wanted: list[Answer], alone: list[Explanation]) -> Iterator[Explanation]:
        """Nothing but zeros, or one of those times a factor."""
        yield Explanation(("every answer is 0",), lambda k: [np.zeros_like(a) for a in wanted[k]])
        for (texts, answer_on), factor in product(alone, factors(cases)):
            yield Explanation((*texts, self._told(factor)), scaled(answer_on, factor.values))

    def mistaken(self, cases: list[Case], count: int) -> Iterator[Explanation]:
        """Each mistake, or each two that can be made together; played on a case only when they are asked for it."""
        text = source_of(self.answer) if self.mistakes else ""
        for edits in combinations(self.mistakes, count):
            if apart(text, edits):
                wrong = cache(lambda edits=edits: edited(self.answer, edits))
                yield Explanation(
                    tuple(text for _, _, text in edits),
                    cache(lambda k, wrong=wrong: self.answer_of(wrong(), cases[k])),
                )

    def readings(self, cases: list[Case], wanted: list[Answer]) -> Iterator[Explanation]:
        """The right function on other inputs; of several values all so, or one of them."""
        f = self.answer
        for text, change in readings(self.parameters):
            read = cache(lambda k, change=change: finite(self.answer_of(lambda *inputs: f(*change(inputs)), cases[k])))
            yield Explanation((text,), read)
            for at, name in enumerate(self.returns):
                if _is_chosen(cases, wanted, at):
                    continue
                right = those_right([other for other in self.returns if other != name])
                one = cache(lambda k, at=at, read=read: [*wanted[k][:at], read(k)[at], *wanted[k][at + 1 :]])
                yield Explanation((right, f"{name}: {text}"), one)

    def _told(self, factor: Factor) -> str:
        reasons = "; ".join(self.factors[part] for part in factor.parts if part in self.factors)
        times = f"it is {written(factor.parts)} times what it should be"
        what = "its sign is reversed" if factor.parts == ("-",) else times
        return f"{what} ({reasons})" if reasons else what


def _is_chosen(cases: list[Case], wanted: list[Answer], at: int) -> bool:
    """Is this value one of a few that the arguments hold? Then any other cause gives it, too, by accident."""
    return all(
        not answer[at].ndim and any(isinstance(a, np.ndarray) and np.isin(answer[at], a).all() for a in case.args)
        for case, answer in zip(cases, wanted, strict=True)
    )


def _value_of(answer_on: Callable[[int], Answer], at: int, k: int) -> Answer:
    return [answer_on(k)[at]]


def finite(answer: Answer) -> Answer:
    """An answer without nan and inf, which would fit any other that has them."""
    if all(np.isfinite(a).all() for a in answer):
        return answer
    raise ValueError("nan or inf")


View = tuple[tuple[str, ...], list[Answer]]  # what to tell of a way to look at the reader's answers, and they so seen


def way(call: Call, answer: Answer | None) -> Answer:
    """Where a step goes: its new state minus the old one, in one piece."""
    assert answer is not None
    return [np.concatenate([np.ravel(new - old) for new, old in zip(answer, call.inputs, strict=False)])]


class Known:
    """The instances of a seed, the right answers, and what every known mistake gives on them, played once."""

    def __init__(self, exercise: Exercise, seed: int) -> None:
        self.exercise, self.cases = exercise, exercise.instances(np.random.default_rng(seed))

    @cached_property
    def wanted(self) -> list[Answer]:
        return [self.exercise.answer_of(self.exercise.answer, case) for case in self.cases]

    @cached_property
    def alone(self) -> Block:
        return Block(self.exercise.alone(self.cases, self.wanted), self.exercise.canon is not None)

    @cached_property
    def multiples(self) -> Block:
        multiples = self.exercise.multiples(self.cases, self.wanted, self.alone.explanations)
        return Block(multiples, self.exercise.canon is not None)

    @cached_property
    def readings(self) -> Block:
        return Block(self.exercise.readings(self.cases, self.wanted), self.exercise.canon is not None)

    @cached_property
    def pairs(self) -> Block:
        return Block(self.exercise.mistaken(self.cases, 2), self.exercise.canon is not None)


@lru_cache(maxsize=16)
def known_of(exercise: Exercise, seed: int) -> Known:
    """Kept for the next answer to the same exercise: most of a diagnosis is to play its mistakes."""
    return Known(exercise, seed)


@dataclass(kw_only=True, eq=False, repr=False)
class Construction(Task):
    """Build such data: many answers are right, so ordered requirements judge, and the first one missed is told."""

    returns: tuple[str, ...]
    requirements: tuple[Requirement, ...]
    example: Callable[..., tuple[Any, ...]]
    printed: Callable[..., bool] = lambda *made: False  # is it one that the chapter prints, and none of the reader's?
    own: Callable[[np.random.Generator], tuple[Any, ...]] = lambda rng: ()  # data that f gets, each reader others
    shows: Callable[..., str] | None = None  # what the question shows of them, if not all, by letters
    kind: ClassVar[str] = "construct"

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.example).parameters)

    @property
    def seed(self) -> int:
        return reader.seed if self.parameters else 0

    @property
    def given(self) -> Text:
        own = own_of(self, self.seed)
        return Text(self.shows(*own)) if self.shows else lettered(self.parameters, own)

    def solution(self) -> Text:
        """Code of one right example, which can be pasted in place of the stub."""
        return Text(source(self.example, self.name))

    def _check(self, f: Function, seed: int) -> Result:
        own = own_of(self, seed)
        call = Call(own, [])
        try:
            call.raw = f(*map(fresh, own))
            made = [bare(a) for a in values(call.raw, len(self.returns))]
            missed = self._first_missed([*made, *own])
        except NotImplementedError as error:
            return self._unwritten(error)
        except Refused as refused:
            return self._wrong(f"{refused}; wanted: ({', '.join(self.returns)})", call)
        except (Exception, SystemExit) as error:
            return self._wrong(f"it stopped{line_of(error, f)}: {described(error, f)}", call)
        return self._wrong(missed, call) if missed else Result(self.name, "ok", "yes, that is one")

    def _first_missed(self, made: list[Any]) -> str | None:
        """The text of the first requirement that is missed; made: what the reader built, then the data f got."""
        if not all(np.isfinite(a).all() for a in made):
            return "all numbers must be finite"
        missed = next((need.text for need in self.requirements if not need.holds(*copy.deepcopy(made))), None)
        if missed is None and self.printed(*copy.deepcopy(made)):
            return "that is the book's: find another"
        return missed(*made) if callable(missed) else missed


@lru_cache(maxsize=16)
def own_of(construction: Construction, seed: int) -> tuple[Any, ...]:
    """The data of a reader's own, drawn once."""
    return construction.own(np.random.default_rng(seed))


def same_samples(*pairs: tuple[Any, Any]) -> bool:
    """Are the arrays of the first of each pair those of the second, up to rounding, order of samples, and ones?"""
    made, book = (np.column_stack([_without_ones(np.asarray(pair[k], float)) for pair in pairs]) for k in (0, 1))
    if made.shape != book.shape:
        return False
    made, book = (a[np.lexsort(np.round(a, 6).T)] for a in (made, book))
    return bool(np.allclose(made, book, rtol=1e-6, atol=1e-6))


def _without_ones(A: np.ndarray) -> np.ndarray:
    """Samples without an appended 1."""
    return A[:, :-1] if A.ndim == 2 and A.shape[1] > 1 and np.all(A[:, -1] == 1) else A
