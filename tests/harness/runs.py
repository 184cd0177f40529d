"""The three ways to run, a door after the other: two packages compared, one proved, the rank."""

import importlib.util
import signal
import sys
import warnings
from collections import Counter

import numpy as np

from . import definitions as define

BOUND = 2e-9  # of what a proof may miss by rounding, and by the tolerances that the doors state
SOLVED, CERTIFIED = ("answered", "converged"), ("no minimum", "separable", "inseparable")
REFUSALS = (np.linalg.LinAlgError, ValueError, FloatingPointError, TimeoutError)  # all else is a fault


def load(root, name):
    """The package of a checkout under a name of its own: inside it imports are relative, so two live side by side."""
    found = importlib.util.spec_from_file_location(name, f"{root}/linmodels/__init__.py")
    package = sys.modules[name] = importlib.util.module_from_spec(found)
    found.loader.exec_module(package)
    return package


def call(package, words, p):
    """The answer of a door; of a sequence its start."""
    (chapter, function), *words = (word.split(".") for word in words.split())
    chapter = getattr(package, chapter)
    answer = getattr(chapter, function)(*(getattr(p if hasattr(p, word) else chapter, word) for [word] in words))
    return next(answer) if hasattr(answer, "__next__") else answer


def ask(door, package, p):
    """What a reader sees: a result, or the type of the exception, or no end. Gives the word for it, and what came."""
    signal.signal(signal.SIGALRM, _no_end)
    signal.setitimer(signal.ITIMER_REAL, 20)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            answer = call(package, door.call, p)
    except REFUSALS as error:
        known = next(refusal for refusal in REFUSALS if isinstance(error, refusal))
        return f"refused: {known.__name__}", error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return _verdict(answer) + " with a warning" * bool(warned), answer


def _no_end(*_):
    raise TimeoutError("no end after 20 s")


def _verdict(answer):
    if hasattr(answer, "separable"):
        return "separable" if answer.separable else "inseparable"
    if getattr(answer, "direction", getattr(answer, "certificate", None)) is not None:
        return "no minimum"
    return "answered" if not hasattr(answer, "converged") else "converged" if answer.converged else "not converged"


def compared(old, new, door, p):
    """Whether both packages say the same, the verdict or the kind of difference, and more about it."""
    (before, was), (verdict, now) = ask(door, old, p), ask(door, new, p)
    if before != verdict:
        return False, f"{before} -> {verdict}", f"{getattr(now, 'reason', now)}"[:150]
    for a, b in zip(_numbers(door, p, was), _numbers(door, p, now), strict=True) if verdict in SOLVED else ():
        apart = _apart(a, b)
        if not apart <= door.rtol:
            kind = "differs" if a.size != 1 else "lower" if b < a else "higher"
            return False, kind, f"by {apart:.1e} of {np.abs(a).max(initial=0):.6g}"
    return True, verdict, ""


def _numbers(door, p, answer):
    found = door.compared(p, answer)
    return define.far(*found) if isinstance(found, tuple) else define.far(found)


def _apart(a, b):
    """The largest difference as a part of the largest number, inf between different shapes."""
    if a.shape != b.shape:
        return np.inf
    return 0.0 if np.array_equal(a, b) else np.abs(b - a).max() / max(np.abs(a).max(), np.abs(b).max())


def proved(new, door, p):
    """Whether an answer that says it is a solution, or that there is none, proves it; None where that is not asked."""
    verdict, answer = ask(door, new, p)
    if verdict not in CERTIFIED and (verdict not in SOLVED or p.kind in ("offsets", "deficient")):  # few digits
        return None, verdict, ""
    missed = float(door.proof(p, answer))
    return missed <= BOUND, verdict, f"misses its proof by {missed:.1e}"


def ranked(new, door, p):
    """Whether X without full rank is refused, and X with it answered."""
    verdict, answer = ask(door, new, p)
    wanted = (*SOLVED, "no minimum") if p.kind == "full rank" else ("refused: LinAlgError",)
    return verdict in wanted, verdict, f"{answer}"[:150]


def run(chosen, problem, seeds, look):
    """A line per door that counts the draws, of those that are right, wrong and not judged; then the wrong ones."""
    for door in chosen:
        counts, lines = {"right": Counter(), "WRONG": Counter(), "not judged": Counter()}, []
        for p in map(problem, seeds):
            try:
                right, kind, more = look(door, p)
            except Exception as error:  # what came is no answer of this door
                right, kind, more = False, "broken", repr(error)[:150]
            counts["not judged" if right is None else "right" if right else "WRONG"][kind] += 1
            if right is False:
                lines.append(f"    {door.call} --only {p.seed} ({p.kind}): {kind}: {' '.join(more.split())}")
        told = (f"{kinds.total()} {word} {dict(kinds)}" for word, kinds in counts.items() if kinds)
        yield f"{door.call:46} {len(seeds)} draws: {', '.join(told)}"
        yield from lines
