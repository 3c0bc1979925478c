"""A glossary term: its names in code."""

from dataclasses import dataclass

Names = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Term:
    """One term.

    name: in code and in the link. symbol: LaTeX, ``""`` if it is the name. stage: the step that
    shows it; ``""`` if only a user's own model has it. role: for a size, the axis of that step.
    also: its names elsewhere, by place. needs: query parameters with which the page has this step,
    or tells of such a model. page: the experiment about it, or ``""``. model, part: the trained
    model and its part with that step; ``""`` if the user's own sentence has it. is_step: whether
    the term is the step itself, so that its shape is shown.
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
