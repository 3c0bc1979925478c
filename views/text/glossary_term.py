"""What a term is, and what is said of it."""

from dataclasses import dataclass

Names = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Term:
    """One term.

    name: in the link and in code. symbol: in LaTeX, ``""`` where the name is its own symbol.
    stage: the step where it is seen; role: for a size, the axis of that step that has it.
    also: what others call it, by where that is. needs: what the page must be asked for, so that
    this step is there. page: the experiment about it, ``""`` for none.
    model, part: which trained model has that step, and in which of its parts; ``""`` where the
    step is one of the reader's own sentence. is_step: whether it is the step itself, so that it has
    its shape, rather than a way to go about it.
    """

    name: str
    symbol: str
    stage: str
    also: Names
    role: str = ""
    needs: tuple[tuple[str, str], ...] = ()
    page: str = ""
    model: str = ""
    part: str = ""
    is_step: bool = True


@dataclass(frozen=True)
class TermWords:
    """called: what the term is called in this language. meaning: in one sentence."""

    called: str
    meaning: str
