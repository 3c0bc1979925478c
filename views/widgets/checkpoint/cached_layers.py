"""Results of an opened model, cached per session: a layer, all heads, the next token."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.experiments.head_patterns import HeadPattern, StrongestLink, Thumbnails
from core.limits import LIMITS, Limits
from core.models.effects import Effect
from core.models.incremental import Passed
from core.models.opened_model import Checkpoint, Progress
from core.models.prediction import Listed, Prediction
from core.models.relevance import Relevance
from views import link
from views.export.file import Layers
from views.preferences import in_language
from views.text import CHECKPOINT, Words
from views.text.spans import plain
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.errors import show_error
from views.widgets.viewer import layers_of

SMALL = 32  # tokens along a side of a small picture
LONG = 10**10  # multiply-adds, about half a second, from which on progress is shown
BACKWARD = 4  # times the work of a layer alone: its trace, and all of its gradients
BOUND = replace(LIMITS, trace_bytes=LIMITS.cached_bytes)

Given = str | np.ndarray
Heads = tuple[tuple[HeadPattern | None, ...], ...]
Made = TypeVar("Made")


@dataclass(frozen=True)
class Cached(Generic[Made]):
    """A result, and the input that it was computed from."""

    chosen: Chosen
    value: Made


@dataclass
class Computed:
    """The last result of each kind.

    results: of each function of this module, by its name. passed, readings: of a text that a
    decoder continues, with changes and without.
    """

    layer: Cached[Trace] | None = None
    results: dict[str, Cached[Any]] = field(default_factory=dict)
    passed: list[Cached[Passed]] = field(default_factory=list)
    readings: list[Cached[tuple[Listed, ...]]] = field(default_factory=list)


def _result(name: str, chosen: Chosen, compute: Callable[[], Made]) -> Made:
    """The result of this name, computed anew unless the last one is of the same input."""
    results = link.remembered(Computed).results
    last = results.get(name)
    if last is None or not last.chosen.reads_the_same(chosen):
        last = results[name] = Cached(chosen, compute())
    value: Made = last.value
    return value


def computed_layer(
    model: Checkpoint,
    layer: int,
    read: Callable[[], Given],
    words: Words,
    example: Given | None = None,
) -> tuple[Chosen, Trace] | None:
    """A layer with all its stages; after an error, its sentence and the last valid layer.

    read: returns the model's input. If it raises InputError, the last valid input is used, or else
    the example; None if there is neither.
    """
    known = link.remembered(Computed).layer
    before = known if known is not None and known.chosen.model is model else None
    room = st.container(key="computing")  # always drawn: else what follows is created again
    wrong: InputError | None = None
    given: Given | None
    with st.container():  # for the same reason
        try:
            given = read()
        except InputError as error:
            wrong, given = error, before.chosen.given if before else None
    last = before
    if given is not None:
        try:
            with room:
                last = _computed(Chosen(model, given, layer), before)
        except InputError as error:
            wrong = wrong or error
    below = words.last_good if last else ""
    if last is None and example is not None:
        with suppress(InputError):  # the model is too large for any text; ``wrong`` reports it
            last, below = _computed(Chosen(model, example, layer), None), words.example
    if wrong:
        with room:
            show_error(wrong, below, words)
    if last is None:
        return None
    link.remembered(Computed).layer = last
    return last.chosen, last.value


def traced(chosen: Chosen) -> tuple[Chosen, Trace]:
    """The chosen layer with all its stages, and what it was computed from.

    Raises what ``core.models.opened_model.Checkpoint.run`` raises.
    """
    now = link.remembered(Computed)
    now.layer = _computed(chosen, now.layer)
    return now.layer.chosen, now.layer.value


def _computed(chosen: Chosen, before: Cached[Trace] | None) -> Cached[Trace]:
    same = before is not None and before.chosen.reads_the_same(chosen)
    if before is not None and same and before.chosen.layer == chosen.layer:
        return before
    trace = _with_progress(
        chosen,
        chosen.layer,
        lambda progress: chosen.model.run(
            chosen.given, chosen.layer, progress, limits=bound_of(chosen.model),
            streams=_layer_inputs(chosen),
        ),
    )  # fmt: skip
    return Cached(chosen, trace)


def all_layers(
    chosen: Chosen, trace: Trace, path: str, origin: Callable[[Chosen, Words], str]
) -> Layers | None:
    """All layers for what is chosen, each computed when a file asks for it.

    path: of the part that is shown. origin: where the weights of a layer come from.
    """
    model = chosen.model

    def run(layer: int) -> Trace:
        streams = _layer_inputs(chosen)
        return model.run(chosen.given, layer, limits=bound_of(model), streams=streams)

    return layers_of(
        trace, path, chosen.layer, model.layers, run,
        lambda layer: partial(origin, replace(chosen, layer=layer)),
    )  # fmt: skip


def bound_of(model: Checkpoint) -> Limits:
    """The limits of what is cached: a sound of thirty seconds takes more than a text or a photo."""
    return LIMITS if model.listens else BOUND


def _layer_inputs(chosen: Chosen) -> dict[int, np.ndarray]:
    """The known inputs of layers, from which ``Checkpoint.run`` begins and to which it adds.

    Those of a run that was cancelled are among them.
    """
    return _result("inputs", chosen, dict[int, np.ndarray])


def take_inputs(chosen: Chosen, inputs: dict[int, np.ndarray]) -> None:
    """Take the inputs of layers, by layer, as known for what is chosen."""
    link.remembered(Computed).results["inputs"] = Cached(chosen, inputs)


def surveyed(chosen: Chosen) -> Heads:
    """The pattern of every head on the chosen input, by layer and head.

    Raises what ``core.models.opened_model.Checkpoint.survey`` raises.
    """
    return _of_all_layers("survey", chosen, chosen.model.survey)


def strongest_links(chosen: Chosen, pairs: np.ndarray) -> StrongestLink:
    """The heads of all layers with the largest weight among pairs that follow from the input.

    Raises what ``core.models.opened_model.Checkpoint.survey`` raises.
    """

    def run(given: Given, progress: Progress | None, **options: Any) -> StrongestLink:
        strongest = StrongestLink(pairs, chosen.model.heads)
        heads = chosen.model.survey(given, progress, look=strongest.look, **options)
        link.remembered(Computed).results["survey"] = Cached(chosen, heads)
        return strongest

    return _of_all_layers("link", chosen, run)


def pass_text(model: Checkpoint, text: str, plain: Checkpoint | None = None) -> None:
    """Compute all layers of a decoder for a text, of which only new tokens pass.

    plain: the model without its changes; then all tokens pass, from the first layer that changes.
    What follows, such as ``computed_layer``, then begins with their streams.
    Raises what ``core.models.opened_model.Checkpoint.passed`` raises.
    """
    chosen = Chosen(model, text, model.layers)
    made = passed_text(chosen, plain)
    take_inputs(chosen, dict(enumerate(made.streams, start=1)))


def passed_text(chosen: Chosen, plain: Checkpoint | None = None) -> Passed:
    """What all layers of a decoder make of the chosen text. plain: see ``pass_text``."""
    cached, model, text = link.remembered(Computed).passed, chosen.model, str(chosen.given)
    found = _recent(cached, chosen)
    if found is not None:
        return found
    if plain is not None and plain is not model:
        begun = passed_text(replace(chosen, model=plain))
        known, passes = None, model.layers - model.interventions.first_layer + 1
    else:
        begun = None
        same = (one.value for one in reversed(cached) if one.chosen.model is model)
        known, passes = next(same, None), model.layers
    new = len(model.encode(text).ids) - (len(known.ids) if known else 0)
    is_long = (known is None and begun is None) or new * chosen.per_token * passes >= LONG
    made = _reporting(
        lambda progress: model.passed(text, known, progress, limits=BOUND, begun=begun), is_long
    )
    return _keep(cached, chosen, made)


def _recent(cached: list[Cached[Made]], chosen: Chosen) -> Made | None:
    """What was computed of the same, with the same changes; None if it was not."""
    return next((one.value for one in cached if one.chosen.reads_the_same(chosen)), None)


def _keep(cached: list[Cached[Made]], chosen: Chosen, made: Made) -> Made:
    """Keep what was computed, and what was before it: with changes and without."""
    cached[:] = [*cached[-1:], Cached(chosen, made)]
    return made


def read_behind_layers(chosen: Chosen, plain: Checkpoint | None = None) -> tuple[Listed, ...]:
    """The next token, read behind each layer: see ``Checkpoint.readings``. plain: as above."""
    cached = link.remembered(Computed).readings
    found = _recent(cached, chosen)
    if found is None:
        found = _keep(cached, chosen, chosen.model.readings(passed_text(chosen, plain)))
    return found


def next_probabilities(chosen: Chosen, model: Checkpoint, plain: Checkpoint) -> np.ndarray:
    """The probabilities of all next tokens, (vocabulary,), by the model with changes or without."""
    passed = passed_text(replace(chosen, model=model), plain)
    return model.next_probabilities(passed.streams[-1][-1])


def muted(chosen: Chosen, heads: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], Effect]:
    """What muting each of some heads does to the likeliest next token, by layer and head, from 0.

    Raises what ``core.models.opened_model.Checkpoint.passed`` raises.
    """
    known = _result("muted", chosen, dict[tuple[int, int], Effect])
    if new := sorted({*heads} - known.keys()):
        found = chosen.model.effects(passed_text(chosen), predicted(chosen).likeliest[0], of=new)
        known.update(zip(new, found, strict=True))
    return known


def mattered(chosen: Chosen, passed: Passed, reading: Listed, outcome: int) -> Relevance:
    """Which tokens mattered for a next one: see ``Checkpoint.relevance``.

    Raises what that raises.
    """
    model, known = chosen.model, _result("mattered", chosen, dict[int, Relevance])
    if outcome not in known:
        found = _with_progress(
            chosen, BACKWARD * model.layers,
            lambda progress: model.relevance(str(chosen.given), passed, reading, outcome, progress),
        )  # fmt: skip
        known.clear()  # one is large
        known[outcome] = found
    return known[outcome]


def pictured_heads(chosen: Chosen) -> tuple[Heads, np.ndarray]:
    """The pattern of every head, and a small picture of its weights: (layer, head, side, side).

    Raises what ``core.models.opened_model.Checkpoint.survey`` raises.
    """
    model = chosen.model

    def pictured() -> tuple[Heads, np.ndarray]:
        small = Thumbnails(len(model.encode(str(chosen.given)).ids), SMALL)
        heads = model.survey(
            chosen.given, limits=BOUND, streams=_layer_inputs(chosen), look=small.look
        )
        shape = (model.layers, model.heads, *small.pictures.shape[1:])
        return heads, small.pictures.reshape(shape)

    return _result("pictures", chosen, pictured)


def rolled(chosen: Chosen) -> np.ndarray:
    """Attention rollout through all layers for the chosen input: (query, key).

    Raises what ``core.models.opened_model.Checkpoint.rollout`` raises.
    """
    return _of_all_layers("rollout", chosen, chosen.model.rollout)


def predicted(chosen: Chosen) -> Prediction:
    """The prediction of the token that follows the chosen text.

    Raises what ``core.models.opened_model.Checkpoint.predict`` raises.
    """
    return _of_all_layers("predict", chosen, chosen.model.predict)


def _of_all_layers(name: str, chosen: Chosen, run: Callable[..., Made]) -> Made:
    """The result of a method of the model that runs all layers, cached for the last input.

    run: the method, which takes the input, progress, limits and streams.
    """

    def computed(progress: Progress | None) -> Made:
        streams, limits = _layer_inputs(chosen), bound_of(chosen.model)
        return run(chosen.given, progress, limits=limits, streams=streams)

    return _result(name, chosen, lambda: _with_progress(chosen, chosen.model.layers, computed))


def _with_progress(chosen: Chosen, layers: int, run: Callable[[Progress | None], Made]) -> Made:
    """Compute this many layers, with a progress bar if that takes long."""
    return _reporting(run, chosen.multiply_adds * layers >= LONG)


def _reporting(run: Callable[[Progress | None], Made], is_long: bool) -> Made:
    texts, bar = in_language(CHECKPOINT), st.empty()

    def progress(done: int, layer: int) -> None:
        bar.progress(done / layer, plain(texts.running.format(done=done, layer=layer)))

    try:
        return run(progress if is_long else None)
    finally:
        bar.empty()
