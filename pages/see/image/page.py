from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Trace
from core.errors import InputError
from core.models import relevance
from core.models.families.vit import CLS
from core.models.pretrained import DINOV2
from core.models.vision import Vision
from core.nested import subtrace
from core.sources.picture import values
from pages.see.image.backbone import backbone_view, first_photo, photo_layer
from pages.see.image.controls import (
    Pictures,
    about_choice,
    backbone_input,
    first_pictures,
    image_input,
    image_trace,
    implied_source,
    source_input,
)
from views import link, parse
from views.figures.model_map import GRADIENTS
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.scene.steps import ATTENTION
from views.selection import Selection
from views.text import VISION, Words
from views.widgets.checkpoint.head_overview import HeadLink
from views.widgets.errors import computed, show_error
from views.widgets.head_effects import BARS, Muting, head_effects
from views.widgets.interventions import (
    before_and_after,
    rows_of,
    what_if,
    what_if_card,
    with_changes,
)
from views.widgets.microscope import FirstView
from views.widgets.model_card import model_card
from views.widgets.model_map import chosen_part
from views.widgets.photos import photos, photos_of_part
from views.widgets.prose import visually_hidden_title
from views.widgets.relevance import Asked, relevance_asked, relevance_card
from views.widgets.viewer import part_viewer, step_viewer
from views.widgets.vision.attention import (
    HEAD,
    MEAN,
    ROLLOUT,
    AttentionSource,
    PictureAttention,
    attention_path,
    attention_source,
    best_head,
    choose_attention_source,
    heads_of_layer,
    open_head,
)
from views.widgets.vision.attention_pictures import (
    attention_overlay,
    attention_thumbnails,
    original,
    patch_grid,
)
from views.widgets.vision.summary import answer, bright_share, evidence, live_prose, origin

LAYERS_BESIDE = 3  # whose thumbnails are in one line


def vision_view(model: Vision, trace: Trace, chosen: Pictures, words: Words) -> None:
    """Draw the overview for [CLS], then the map of the model and one part of it."""
    first = PictureAttention(trace, chosen, 0, 0, best_head(model), follows=True)
    start = {
        "head": first.look.head - 1,
        "query": first.query,
        "key": int(first.patches.argmax()) + len(first.specials),
    }
    opened = attention_path(first.look.layer)
    asked = _asked(model, trace)
    path = link.bind_param("part", opened, parse.one_of((*model.parts, *asked.parts)))
    if path == GRADIENTS and not asked.found:
        path = st.session_state["part"] = opened

    gradients = asked.gradients(trace, attention_path(st.session_state["layer"]))
    drawn = list[tuple[DeltaGenerator | None, HeadLink]]()

    def picture_of(selection: Selection) -> PictureAttention:
        at = selection.at
        return replace(
            first,
            sample=at["batch"],
            query=min(at["query"], chosen.patches),
            look=attention_source(path, selection),
        )

    def changes(selection: Selection) -> None:
        picture = picture_of(selection)
        head = HeadLink(picture.look.layer, selection.at["head"] + 1)
        drawn.append((_what_if_card(chosen, trace, picture, head), head))

    is_changed = chosen.of is not None and chosen.of.is_changed  # then the first view says so

    def card(selection: Selection) -> None:
        vision_card(model, picture_of(selection), words)
        if is_changed:
            changes(selection)

    def lead(selection: Selection) -> None:
        if not is_changed:
            changes(selection)
        with st.container(border=True, key="mattered_card"):
            layer = picture_of(selection).look.layer
            head = selection.at["head"] + 1
            relevance_card(asked, attention_path(layer), head, "class", chosen)
        chosen_part(trace, opened, words, more=asked.parts)

    shown = part_viewer(
        trace, path, words, origin=_origin(model), follow=False, start=start, card=card,
        lead=lead, first_view=FirstView(), photos=chosen.pixels, gradients=gradients,
    )  # fmt: skip
    photos_of_part(gradients or subtrace(trace, path), chosen, shown, words, follows=True)
    model_card("vision", words)
    ((room, head),) = drawn
    if room:
        with room:
            _effects(model, chosen, trace, head, shown.selection.at["batch"])


def _asked(model: Vision, trace: Trace) -> Asked:
    """Which patches mattered for a class, if the link asks."""
    order = (-model.classification(trace, 0).probabilities).argsort()
    names = trace["encoder/1/self/X"].axis("token").names(0) or ()
    return relevance_asked(
        lambda: ([_class_name(model, number) for number in order], names, CLS),
        lambda i: relevance.of_trace(trace, 0, int(order[i])),
    )


def _origin(model: Vision) -> Callable[[Words], str]:
    """Where the weights come from, and what is changed."""
    return lambda language: with_changes(
        origin(model, language), model.stored.interventions, language
    )


def _what_if_card(
    chosen: Pictures, trace: Trace, picture: PictureAttention, head: HeadLink
) -> DeltaGenerator | None:
    """The changes of the model, and what they do to the class.

    Returns the room for all heads; None while it is closed.
    """
    of, model = chosen.of, chosen.model
    assert of is not None and isinstance(model, Vision)
    card = what_if_card()
    if not card.open:
        return None
    with card:
        left, right = st.columns([6, 5])
        with left:
            names = trace["encoder/1/self/X"].axis("token").names() or ()
            rows = rows_of(trace, attention_path(head.layer), head.head - 1, picture.sample)
            what_if(of.error, head.layer, head.head, names, rows=rows)
            if of.is_changed:
                plainly = image_trace(replace(chosen, model=of.plain))
                before, after = (
                    model.classification(one, picture.sample).probabilities
                    for one in (plainly, trace)
                )
                before_and_after(before, after, partial(_class_name, model), "class")
        return right.container(key="effects_card")


def _class_name(model: Vision, number: int) -> str:
    name: str = in_language(VISION).classes[model.classes[number]]
    return name


def _effects(model: Vision, chosen: Pictures, trace: Trace, head: HeadLink, sample: int) -> None:
    """What each head does for the class of a picture."""
    target = int(model.classification(trace, sample).probabilities.argmax())
    images = values(chosen.pixels[sample : sample + 1])

    def go() -> None:
        layer, number = map(int, st.session_state[BARS].choose.split("/"))
        open_head(AttentionSource(HEAD, layer, number))

    head_effects(
        Muting(
            (model, images.tobytes(), target), model.layers, model.heads, head, target,
            partial(_class_name, model), partial(model.effects, images, target), go,
        )
    )  # fmt: skip


def vision_card(model: Vision, picture: PictureAttention, words: Words) -> None:
    """Draw the picture, its overlay, the class, and thumbnails of all heads to choose from."""
    texts = in_language(VISION)
    with st.container(border=True, key="vision_card"):
        photo, sees, looks = st.columns(3, gap="medium")
        with photo:
            original(picture, words)
        with sees:
            patch_grid(picture, words)
        with looks:
            attention_overlay(picture, words)
        says, caption = st.columns(2, gap="medium")
        with says:
            answer(model, model.classification(picture.trace, picture.sample), texts, words.code)
        with caption:
            live_prose(picture, [bright_share(picture)], words, key="gives")
            live_prose(picture, evidence(model, picture), words, key="proves", style="quiet")
        groups = {
            texts.looks.layer.format(layer=n): [
                *heads_of_layer(model.heads, n),
                AttentionSource(MEAN, n),
            ]
            for n in range(1, model.layers + 1)
        }
        groups |= {texts.looks.through: [AttentionSource(ROLLOUT)]}
        across = LAYERS_BESIDE * (model.heads + 1)
        attention_thumbnails(
            picture, texts.looks.all, groups, choose_attention_source, words, most=across
        )


INPUT_STEPS = ("patches", "flattened", "embedding", "sequence", "position")

visually_hidden_title(in_language(PAGE_INFO)["image"].title)
with st.sidebar:
    weights = source_input()


def by_dinov2() -> None:
    try:
        read = partial(backbone_input, words())
        photo, (chosen, trace) = computed(read, photo_layer, first_photo(), words(), weights)
    except InputError as error:  # of the installed files
        show_error(error, "", words())
        return
    link.leave_out("model", implied_source)
    backbone_view(photo, chosen, trace, words())


def by_own_model() -> None:
    read = partial(image_input, weights, words())
    pictures, trace = computed(read, image_trace, first_pictures(weights), words(), weights)
    link.leave_out("model", implied_source)
    if isinstance(pictures.model, Vision):
        vision_view(pictures.model, trace, pictures, words())
        return
    origin = pictures.model.origin
    shown = step_viewer(
        trace, words(), steps=(*INPUT_STEPS, *ATTENTION), origin=origin, first="weights",
        photos=pictures.pixels,
    )  # fmt: skip
    photos(trace, pictures, shown, words())


if weights == DINOV2.name:
    by_dinov2()
else:
    by_own_model()
with st.sidebar:
    about_choice()
