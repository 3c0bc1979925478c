"""A trace, one sample of it and one head or all, with the words that go with it: one blob.

The blob is a contract with whatever shows it: ``views.scene.blob`` says how its bytes stand, and
``schema.json`` beside this file, in JSON Schema, what its header holds. A reader needs nothing else
of the server, and refuses a header of another ``version``. VERSION goes up with every change that
a reader of the one before would not understand; a new field that may be passed over is no such
change, but stands in the schema too.
"""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from core import Stage, Trace, rules
from views import numbers
from views.figures.formula import formula, in_columns
from views.figures.palette import PALETTES
from views.figures.plane import filling, roles_in, sizes_of
from views.figures.scale import SHARES, scale_of
from views.figures.symbols import Convention, name_of, symbol_of
from views.naming import (
    fill_token_noun,
    frames_per_token,
    num_heads,
    num_prefix_tokens,
    single_head,
    stage_words,
    words_key,
)
from views.scene import arrays, blob
from views.scene.drawings import drawing
from views.scene.head_pattern import head_lines
from views.scene.measures import MEASURES
from views.scene.names import Names
from views.scene.readings import UNREAD, reading, templates
from views.scene.sheets import sheets
from views.spans import plain, spans
from views.text import Words

VERSION = 2
SPECTRUM = ("place", "frequency", "mel")


def scene(
    trace: Trace,
    key: str,
    sample: int,
    head: int,
    steps: tuple[str, ...],
    words: Words,
    convention: Convention = "rows",
    hidden: tuple[int, ...] = (),
    photo: int | None = None,
    origin: str = "",
) -> bytes:
    """What the browser needs to show and open every cell around this stage.

    Small traces go whole. Of a large one go the stages of the front door or those of attention,
    whichever ``key`` belongs to, with the numbers of one head; the others are sent when asked for.
    steps: the stages on the rail, there or not. hidden: the places of tokens whose rows and columns
    are taken out of the picture where queries meet keys; their numbers are sent all the same.
    photo: the checksum of the photo whose patches the tokens are, which is sent on its own.
    origin: where the weights come from, in words, for the stages that depend on them.

    What goes whole is the same at every stage and head, and is made once.
    """
    made = partial(_made, trace, key, sample, head, steps, words, convention, hidden, photo, origin)
    if not _goes_whole(trace):
        return made()
    absent = tuple(words.stages[step].absent for step in steps)  # names the controls of a page
    name = ("scene", sample, steps, words.code, absent, convention, hidden, photo, origin)
    return trace.derived(name, made)


def _made(
    trace: Trace,
    key: str,
    sample: int,
    head: int,
    steps: tuple[str, ...],
    words: Words,
    convention: Convention,
    hidden: tuple[int, ...],
    photo: int | None,
    origin: str,
) -> bytes:
    keys, only, sent = _chosen(trace, key, sample, head, hidden)
    names = Names()
    roles = {role for stage in trace.values() for role in stage.roles}
    at = dict.fromkeys(roles, 0) | {"batch": sample, "head": head}
    sizes = _sizes(trace)
    header: dict[str, Any] = {
        "version": VERSION,
        "sample": sample,
        "head": only,
        "heads": num_heads(trace),
        "hidden": hidden,
        "stages": {
            name: _stage(trace, name, sample, names, words, convention, sizes)
            | _scale(trace, trace[name], hidden)
            | (reading(trace, name) if name in keys else UNREAD)
            for name in trace
        },
        "drawings": {name: drawing(trace, name, at, names, convention) for name in keys},
        "steps": [_step(trace, name, words, convention) for name in steps],
        "before": _before(trace),
        "photo_checksum": photo,
        "hops": frames_per_token(trace),
        "one": single_head(trace),
        "filled": _filled(trace, sample),
        "head_patterns": head_lines(trace, sample, words),
        "palettes": {theme: asdict(palette) for theme, palette in PALETTES.items()},
        "words": _words(trace, words),
        "sheets": sheets(trace, words, convention, origin),
        "held": {
            name: {"begins": piece.begins, "form": piece.form} for name, piece in sent.items()
        },
        "names": names.lists(),
        "kinds": names.kinds.lists(),
    }
    found = {name: piece.array for name, piece in sent.items()}
    found |= {f"{n}.table": p.table for n, p in sent.items() if p.table is not None}
    if only is not None:
        several = [name for name in keys if trace[name].size("head") > 1]
        found |= {f"{n}.thumbnails": arrays.thumbnails(trace, n, sample, hidden) for n in several}
    return blob.packed(header, found)


def largest(trace: Trace, role: str) -> int:
    """The largest number of places that any stage has along axes of a role."""
    return max(stage.size(role) for stage in trace.values())


def _goes_whole(trace: Trace) -> bool:
    return arrays.weigh(trace, arrays.needed(trace, trace)) <= arrays.ALL_AT_ONCE


def _chosen(
    trace: Trace, key: str, sample: int, head: int, hidden: tuple[int, ...]
) -> tuple[tuple[str, ...], int | None, dict[str, arrays.Sent]]:
    if _goes_whole(trace):
        return tuple(trace), None, arrays.sent(trace, trace, sample, None, hidden)
    keys = arrays.group_of(trace, key)
    return keys, head, arrays.sent(trace, keys, sample, head, hidden)


def _stage(
    trace: Trace,
    key: str,
    sample: int,
    names: Names,
    words: Words,
    convention: Convention,
    sizes: Mapping[str, str],
) -> dict[str, Any]:
    stage = trace[key]
    told = stage_words(trace, key, words)
    written = in_columns if convention == "columns" else str
    return {
        "kind": stage.kind,
        "roles": stage.roles,
        "shape": stage.tensor.shape,
        "names": [names.number(axis.names(sample)) for axis in stage.axes],
        "kinds": [names.kinds.number(axis.kinds_of(sample)) for axis in stage.axes],
        "type": f"{stage.tensor.dtype.kind}{stage.tensor.dtype.itemsize}",
        "rule": rules.as_data(stage.rule),
        "name": name_of(key),
        "order": [stage.roles.index(role) for role in roles_in(stage, convention)],
        "symbol": symbol_of(key, words_key(trace, key), convention),
        "formula": formula(written(stage.formula)),
        "struck_by": "masked" if key in SHARES and "masked" in trace else None,
        "called": told.name,
        "title": _title(written(fill_token_noun(told.title, trace, words))),
        "does": spans(
            fill_token_noun(told.does, trace, words),
            row=("row", "{}"),
            column=("column", "{}"),
            **sizes,
        ),
    }


def _sizes(trace: Trace) -> dict[str, str]:
    """The sizes and measures that the words of a step may name."""
    sound = trace.token == "frame"
    roles = ("d_k", "d_ff", "vocabulary", "class", "pair", *(SPECTRUM if sound else ()))
    sizes = {role: str(largest(trace, role)) for role in roles}
    heads = num_heads(trace)
    shared = {"heads": str(heads), "group": str(heads // largest(trace, "kv_head"))}
    return sizes | shared | (MEASURES if sound else {})


def _title(text: str) -> list[Any]:
    """A headline: text, and between dollar signs mathematics."""
    parts = enumerate(text.split("$"))
    return [formula(part) if i % 2 else part for i, part in parts if part]


def _scale(trace: Trace, stage: Stage, hidden: tuple[int, ...]) -> dict[str, Any]:
    scale = scale_of(trace, stage.key, hidden)
    exact = scale.kind == "share"
    ticks = [numbers.bare(t) if exact or not t else numbers.short(t) for t in scale.ticks]
    return {"scale": {**asdict(scale), "ticks": scale.ticks}, "ticks": ticks}


def _step(trace: Trace, key: str, words: Words, convention: Convention) -> dict[str, Any]:
    absent = "" if key in trace else fill_token_noun(words.stages[key].absent, trace, words)
    sizes = sizes_of(trace[key], convention) if key in trace else ()
    return {
        "key": key,
        "symbol": symbol_of(key, words_key(trace, key), convention),
        "called": stage_words(trace, key, words).name,
        "absent": absent,
        "sizes": [(role, size) for role, size in sizes if role != "batch"],
    }


def _before(trace: Trace) -> int | None:
    """How many tokens stand before the first patch; None where there are no patches."""
    if trace.token != "patch":
        return None
    return num_prefix_tokens(trace)


def _filled(trace: Trace, sample: int) -> list[bool] | None:
    """Which tokens are mere filling."""
    found = filling(trace, "token", sample)
    return None if found is None else found.tolist()


def _words(trace: Trace, words: Words) -> Mapping[str, Any]:
    return {
        "opened": asdict(words.opened),
        "microscope": asdict(words.microscope),
        "reading": templates(trace, words),
        "contributions": words.reading.contributions,
        "contribution": words.reading.contribution,
        "list_mark": words.list_mark,
        "head": words.viewer.head,
        "kv_head": words.viewer.kv_head,
        "does": words.viewer.does,
        "heads": words.viewer.heads,
        "reads": words.viewer.reads,
        "channel": plain(words.roles["channel"]),
        "rail": words.viewer.rail,
        "patch": words.image.patch_label if trace.token == "patch" else "{number}",
        "code": words.code,
    }
