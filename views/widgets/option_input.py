"""A control for one of a few options that is bound to a query parameter."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from views import link, parse
from views.navigation import ON_WALL


def option_input(
    label: str,
    name: str,
    options: Iterable[Any],
    format_func: Callable[[Any], str] = str,
    *,
    first: Any = None,
    where: DeltaGenerator | None = None,
    pills: bool = False,
    **more: Any,
) -> Any:
    """Draw a segmented control, or pills, and return the chosen option.

    name: the query parameter, and the key of the widget. format_func: from an option to its label.
    first: the default option instead of the first. where: the container. more: for the widget.
    """
    listed = list(options)
    link.bind_param(name, listed[0] if first is None else first, parse.one_of(listed))
    if name in ON_WALL[link.session().page]["control"]:
        link.offer(name, listed)
    make = (where or st).pills if pills else (where or st).segmented_control
    return make(label, listed, format_func=format_func, key=name, required=True, **more)
