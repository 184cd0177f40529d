"""Kinds of exercises beside a function, numbers and a construction: a whole loop, faulty programs, a project."""

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from .answers import Answer, Call, Function, Refused, fresh, library, unchanged, values
from .checker import Construction, Exercise, Result, Task, Text
from .mistakes import Edit, edited
from .reader import reader
from .wording import described, line_of

SLOWEST = 30  # seconds of a split


@dataclass(kw_only=True, eq=False, repr=False)
class Loop(Exercise):
    """Write a whole loop; one of the values it returns is its path, a row for each step, and that is replayed."""

    path: str  # which of `returns` it is
    step: str = "step"  # what a row is called: an update, a visit
    kind: ClassVar[str] = "loop"

    def _facts(self, call: Call, error: float, where: str, place: str) -> str:
        assert call.answer is not None
        at = self.returns.index(self.path)
        yours, right = (np.atleast_1d(answer[at]) for answer in (call.answer, call.expected))
        both = min(len(yours), len(right))
        where += "; on the first of these" if " | " in where else ""
        if yours.shape[1:] == right.shape[1:]:
            if yours.ndim > 1 < both and np.all(yours == yours[-1]) and not np.all(right == right[-1]):
                return f"wrong on {where}; all rows of {self.path} are the same array: append a copy, or make a new one"
            wrong = [k for k in range(both) if not np.allclose(yours[k], right[k], rtol=1e-7, atol=1e-9)]
            if wrong:
                k = wrong[0]
                told = f"{_row(yours[k])} where {_row(right[k])} is right"
                so_far = f"the first {k} are right, then" if k > 1 else "the first is right, then" if k else "already"
                cause = "" if np.isfinite(yours[k]).all() else "; is something divided by 0 there?"
                return f"wrong on {where}; {self.path}: {so_far} {self.step} {k + 1} is {told}{cause}"
            if len(yours) != len(right) and both:
                end = "it ends too early" if len(yours) < len(right) else "it goes on too long"
                counts = f"{end}: there must be {len(right)}, not {len(yours)}"
                return f"wrong on {where}; {self.path}: the first {both} are right, but {counts}"
        return super()._facts(call, error, where, place)


def _row(a: np.ndarray) -> str:
    return f"{a:g}" if np.ndim(a) == 0 else np.array2string(a, precision=4, suppress_small=True, threshold=8)


@dataclass(kw_only=True, eq=False, repr=False)
class Mutants(Construction):
    """Find one data set on which every faulty program does something else than the right one."""

    program: Function
    faults: tuple[Edit, ...]  # edits of the program, each with what it does wrong
    spared: tuple[Edit, ...] = ()  # those that the data must not find out
    settings: tuple[Any, ...] = ()  # what the program gets after the data
    kind: ClassVar[str] = "kill the mutants"

    def _first_missed(self, made: list[Any]) -> str | None:
        missed = super()._first_missed(made)
        if missed:
            return missed
        right = library(self.program, *map(fresh, made), *self.settings)
        alive = [text for old, new, text in self.faults if self._survives((old, new, text), made, right)]
        found = len(self.faults) - len(alive)
        dead = [text for old, new, text in self.spared if not self._survives((old, new, text), made, right)]
        if dead and not alive:
            return f"those are found out, and one that must not be: on your data it shows that {dead[0]}"
        told = f"{found} of {len(self.faults)} {'is' if found == 1 else 'are'} found out; on your data nobody notices"
        return f"{told} that {', nor that '.join(alive)}" if alive else None

    def _survives(self, fault: Edit, made: list[Any], right: Answer) -> bool:
        try:
            wrong = library(edited(self.program, (fault,)), *map(fresh, made), *self.settings)
        except Exception:  # a program that stops is found out
            return False
        return all(
            a.shape == b.shape and np.allclose(a, b, rtol=1e-9, atol=1e-9) for a, b in zip(wrong, right, strict=True)
        )


@dataclass(kw_only=True, eq=False, repr=False)
class Project(Task):
    """Write a model for real data: f(X, t, X_new), or f(X, y, X_new), predicts; splits from the reader's name judge."""

    data: Callable[[], tuple[np.ndarray, np.ndarray]]
    score: Callable[[np.ndarray, np.ndarray], float]  # of predictions and what was true: the smaller the better
    said: Callable[[float], str]  # the score in words, as "6.1 % wrong"
    mark: float  # to be reached in the mean
    worst: float = float("inf")  # not to be passed on any split
    splits: int = 8
    share: float = 0.5  # of the samples, for training
    doubt: float = 0.0  # a score below this is better than the data allow
    outputs: Callable[[np.ndarray], str] = lambda predictions: ""  # what is wrong with predictions as such
    turned: Callable[[np.ndarray], np.ndarray] = lambda predictions: -predictions  # those of the other label
    answer: Function
    mistaken: tuple[tuple[Function, str], ...] = ()  # models that miss the mark, each with what to tell its author
    kind: ClassVar[str] = "project"

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.answer).parameters)

    @property
    def seed(self) -> int:
        return reader.seed

    def solution(self) -> Text:
        """A model that reaches the mark."""
        from ...page import source

        return Text(source(self.answer, self.name))

    def _check(self, f: Function, seed: int) -> Result:
        call = Call((), [])
        try:
            scores, fault, cause = self._scores(f, seed, call)
        except NotImplementedError as error:
            return self._unwritten(error)
        except Refused as refused:
            return self._wrong(str(refused), call)
        except (Exception, SystemExit) as error:
            return self._wrong(f"it stopped{line_of(error, f)}: {described(error, f)}", call)
        if fault:
            return self._wrong(fault, call)
        mean = float(np.mean(scores))
        best = reader.verdicts.get(self.name, {}).get("best", mean)
        between = f"from {self.said(min(scores))} to {self.said(max(scores))}"
        told = f"{self.said(mean)} in the mean of {self.splits} splits, {between}"
        record = f"; your best is {self.said(best)}" if best < mean else ""
        if mean <= self.mark and max(scores) > self.worst:
            swings = f"{self.said(max(scores))} on one split, and none may have more than {self.said(self.worst)}"
            return Result(self.name, "--", f"{told}; {swings}{record}", score=mean)
        if mean <= self.mark:
            return Result(self.name, "ok", f"{told}: the mark of {self.said(self.mark)} is reached{record}", score=mean)
        some = sum(score <= self.mark for score in scores)
        far = f"{some} of the splits {'reaches' if some == 1 else 'reach'} it" if some else "no split reaches it"
        return Result(self.name, "--", f"{told}; the mark is {self.said(self.mark)}: {far}{cause}{record}", score=mean)

    def _scores(self, f: Function, seed: int, call: Call) -> tuple[list[float], str, str]:
        """The score on each split, or what is wrong with the way to it; and a known cause, if the mark is missed."""
        X, t = self.data()
        rng = np.random.default_rng(seed)
        splits = [np.split(rng.permutation(len(X)), [int(self.share * len(X))]) for _ in range(self.splits)]
        train, new = splits[0]
        predict = partial(self._predicted, f, X[train], t[train], call=call)
        start = time.monotonic()
        first = predict(X[new])
        seconds = time.monotonic() - start
        if seconds > SLOWEST:
            return [], f"one split took {seconds:.0f} s: use fewer rounds, or arrays in place of loops", ""
        fault = self._leak(predict, X[new], first)
        if fault:
            return [], fault, ""
        predictions = [first, *(self._predicted(f, X[a], t[a], X[b], call=call) for a, b in splits[1:])]
        scores = [float(self.score(p, t[b])) for p, (_, b) in zip(predictions, splits, strict=True)]
        if not np.allclose(predict(X[new]), first):
            return [], "the same split gives other predictions after the others: keep nothing between two calls", ""
        mean = float(np.mean(scores))
        if mean < self.doubt or (len(scores) > 3 and np.ptp(scores) < 1e-9 < np.ptp(first)):
            return [], f"{self.said(mean)} is better than these data allow: does your function look the answers up?", ""
        if mean > self.mark and all(np.ptp(p) == 0 for p in predictions):
            divided = _divides_by_0(f, X[train], t[train], X[new])
            same = f"{self.said(mean)} in the mean; it says the same of every sample"
            return [], same + (_spread_of_0(X[train]) if divided else ""), ""
        other = float(
            np.mean([self.score(self.turned(p), t[b]) for p, (_, b) in zip(predictions, splits, strict=True)])
        )
        if other <= self.mark < mean:
            return [], f"{self.said(mean)} in the mean; with the two labels the other way round {self.said(other)}", ""
        return scores, "", self._cause(X, t, splits, predictions) if mean > self.mark else ""

    def _cause(
        self, X: np.ndarray, t: np.ndarray, splits: list[list[np.ndarray]], predictions: list[np.ndarray]
    ) -> str:
        """What to tell of the model that predicts the same: all but one in a hundred of the samples."""
        alike = [
            np.mean([np.mean(f(X[a], t[a], X[b]) == p) for p, (a, b) in zip(predictions, splits, strict=True)])
            for f, _ in self.mistaken
        ]
        return f"; {self.mistaken[int(np.argmax(alike))][1]}" if alike and max(alike) > 0.99 else ""

    def _predicted(self, f: Function, X: np.ndarray, t: np.ndarray, X_new: np.ndarray, *, call: Call) -> np.ndarray:
        call.inputs = (X, t, X_new)
        given = tuple(map(fresh, call.inputs))
        call.raw = f(*given)
        (predictions,) = values(call.raw, 1)
        if predictions.shape == (len(X_new), 1):
            predictions = predictions[:, 0]
        if predictions.shape != (len(X_new),):
            raise Refused(f"it must return one number for each row of X_new, ({len(X_new)},), not {predictions.shape}")
        if not np.isfinite(predictions).all():
            raise Refused(f"it must return finite numbers: one is nan or inf{_spread_of_0(X)}")
        if not all(unchanged(a, b) for a, b in zip(given, call.inputs, strict=True)):
            raise Refused("it overwrites its arguments: work on a copy")
        fault = self.outputs(predictions)
        if fault:
            raise Refused(fault)
        return predictions

    def _leak(self, predict: Callable[[np.ndarray], np.ndarray], X_new: np.ndarray, first: np.ndarray) -> str:
        """Does a prediction use what nobody has when it is made?"""
        if not np.allclose(predict(X_new), first):
            return (
                "two runs on the same data differ: make the generator in the function, and keep nothing between calls"
            )
        half = len(X_new) // 2
        among_others = np.concatenate([X_new[:half], np.repeat(X_new[-1:], len(X_new) - half, axis=0)])
        if not (np.allclose(predict(among_others)[:half], first[:half]) and np.allclose(predict(X_new[:1]), first[:1])):
            return "the prediction for a sample changes with the other rows of X_new, which nobody has when it is made"
        return ""


def _divides_by_0(f: Function, *data: np.ndarray) -> bool:
    try:
        with np.errstate(divide="raise", invalid="raise"):
            f(*map(fresh, data))
    except FloatingPointError:
        return True
    return False


def _spread_of_0(X: np.ndarray) -> str:
    same = np.flatnonzero(X.std(axis=0) == 0)
    return f"; column {same[0]} of X never changes: its spread is 0, do not divide by it" if len(same) else ""


def share_wrong(predictions: np.ndarray, t: np.ndarray) -> float:
    """The share of the predictions that are wrong."""
    return float(np.mean(predictions != t))


def mean_surprise(predictions: np.ndarray, t: np.ndarray) -> float:
    """The mean of -ln p of what happened; p is the probability of t = 1."""
    p = np.where(t == 1, predictions, 1 - predictions)
    return float(-np.mean(np.log(np.maximum(p, 1e-300))))


def per_cent_wrong(score: float) -> str:
    """0.0612 -> 6.1 % wrong."""
    return f"{100 * score:.1f} % wrong"
