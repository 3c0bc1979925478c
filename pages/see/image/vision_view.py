"""The trained model on the Image page: its overview, its map, and a part in the stage viewer."""

from dataclasses import replace
from functools import partial

from core import Trace
from core.models.vision import Vision
from core.nested import subtrace
from pages.see.image.controls import Pictures
from pages.see.image.vision_card import vision_card
from views import link, parse
from views.selection import Selection
from views.text import Words
from views.widgets.model_card import model_card
from views.widgets.model_map import chosen_part
from views.widgets.part_viewer import part_viewer
from views.widgets.photos import photos_of_part
from views.widgets.vision.attention_source import attention, attention_source, best_head
from views.widgets.vision.picture_attention import PictureAttention
from views.widgets.vision.summary import origin


def vision_view(model: Vision, trace: Trace, chosen: Pictures, words: Words) -> None:
    """Draw the overview for [CLS], then the map of the model and one part of it."""
    first = PictureAttention(trace, chosen, 0, 0, best_head(model), follows=True)
    start = {
        "head": first.look.head - 1,
        "query": first.query,
        "key": int(first.patches.argmax()) + len(first.specials),
    }
    opened = attention(first.look.layer)
    path = link.bind_param("part", opened, parse.one_of(model.parts))

    def lead(selection: Selection) -> None:
        at = selection.at
        seen = replace(
            first,
            sample=at["batch"],
            query=min(at["query"], chosen.side**2),
            look=attention_source(path, selection),
        )
        vision_card(model, seen, words)
        chosen_part(trace, opened, words)

    shown = part_viewer(
        trace, path, words, origin=partial(origin, model), follow=False, start=start, lead=lead,
        photos=chosen.pixels,
    )  # fmt: skip
    photos_of_part(subtrace(trace, path), chosen, shown, words, follows=True)
    model_card("vision", words)
