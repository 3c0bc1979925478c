"""One sample of a trace, with one head or all, and its words, serialised for the browser.

The format is a contract: ``views.scene.blob`` defines the bytes, and ``schema.json`` beside this
file (JSON Schema) the header. A client needs nothing else from the server, and rejects a header
with another ``version``. VERSION is incremented with each incompatible change; a new optional field
is compatible, but is added to the schema.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from core import Stage, Trace, rules
from core.gradients import check_one_sample
from core.kinds import GRADIENT
from views.figures.formula import formula, in_columns
from views.figures.palette import AS_DATA
from views.figures.plane import padding_positions, roles_in, sizes_of
from views.figures.scale import SHARES, scale_of
from views.figures.symbols import Convention, name_of, symbol_of
from views.scene import arrays, blob
from views.scene.audio_constants import AUDIO_CONSTANTS
from views.scene.drawings import drawing
from views.scene.naming import (
    Names,
    fill_token_noun,
    frames_per_token,
    num_heads,
    num_prefix_tokens,
    stage_words,
    term_name,
    words_key,
)
from views.scene.readings import UNREAD, head_lines, reading, templates
from views.scene.sheets import sheets
from views.scene.steps import groups_of
from views.text import GLOSSARY, Words, numbers
from views.text.spans import spans

VERSION = 3
VIEWER_WORDS = ("head", "kv_head", "does", "heads", "reads", "stepper", "channel", "partner")
Serve = Callable[[str, bytes], str]  # the URL under which an array, of this name, is served
SPECTRUM = ("offset", "frequency", "mel")


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
    most: float = arrays.ALL_AT_ONCE,
    serve: Serve | None = None,
) -> bytes:
    """What the browser needs to show and explain every cell of this stage and its neighbours.

    A small trace is sent completely, and cached, since it is the same at every stage and head. Of a
    large one, the stages up to X or those after X are sent, whichever ``key`` belongs to, with one
    head if all are too many; the browser requests the others.
    key, sample, head: the selected stage, sample and head, the last two from 0. steps: the stages
    on the stepper, computed or not. hidden: positions of tokens that are left out of query-by-key
    figures; their numbers are sent. photo: the checksum of the photo whose patches are the tokens.
    origin: where the weights come from, in words. most: bytes of numbers that are sent together.
    serve: where arrays of ``arrays.LATER`` bytes or more of a large trace are served; the scene has
    their URLs and, of those that a large picture is made of, float16. Without it they are in it.
    Raises UnknownStage for an unknown ``key``, and one_sample for the gradients of a batch.
    """
    build = partial(
        _build, trace, key, sample, head, steps, words, convention, hidden, photo, origin, most
    )
    if any(name.startswith(GRADIENT) for name in trace):
        check_one_sample(trace)
    if not is_sent_whole(trace, most):
        return build(serve)
    absent = tuple(stage_words(trace, step, words).get("absent", "") for step in steps)
    name = ("scene", sample, steps, words.code, absent, convention, hidden, photo, origin)
    return trace.derived(name, lambda: build(None))


def _build(
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
    most: float,
    serve: Serve | None,
) -> bytes:
    keys, only, sent = _arrays_to_send(trace, key, sample, head, hidden, most)
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
        "steps": [
            _step(trace, name, words, convention) | {"group": group}
            for name, group in zip(steps, groups_of(steps), strict=True)
        ],
        "before": _before(trace),
        "photo_checksum": photo,
        "hops": frames_per_token(trace),
        "filled": _filled(trace, sample),
        "head_patterns": head_lines(trace, sample, words),
        "palettes": AS_DATA,
        "words": _words(trace, words),
        "sheets": sheets(trace, words, convention, origin),
        "stored": {
            name: {"begins": piece.begins, "form": piece.form} for name, piece in sent.items()
        },
        "names": names.lists(),
        "kinds": names.kinds.lists(),
    }
    sent_arrays = {name: piece.array for name, piece in sent.items()}
    if serve is not None:
        drawn = arrays.drawn_from(trace, keys)
        for name, array in [*sent_arrays.items()]:
            if array.nbytes < arrays.LATER:
                continue
            rough = arrays.halved(array) if name in drawn else None
            if rough is not None:
                sent_arrays[name] = rough
            elif name in drawn:
                continue
            else:
                del sent_arrays[name]
            url = serve(name, blob.bytes_of(array))
            header["stored"][name]["later"] = {"url": url, **blob.described(array)}
    sent_arrays |= {f"{n}.table": p.table for n, p in sent.items() if p.table is not None}
    sent_arrays |= arrays.logsumexps(trace, keys, sample, only)
    if only is not None:
        several = [name for name in keys if trace[name].size("head") > 1]
        sent_arrays |= {
            f"{n}.thumbnails": arrays.thumbnails(trace, n, sample, hidden) for n in several
        }
    return blob.pack(header, sent_arrays)


def largest(trace: Trace, role: str) -> int:
    """The largest size of the axes of a role among all stages."""
    return max(stage.size(role) for stage in trace.values())


def is_sent_whole(trace: Trace, most: float = arrays.ALL_AT_ONCE) -> bool:
    """Whether all stages and heads of a trace are in each scene of it. most: as for ``scene``."""

    def num_bytes() -> float:
        return arrays.num_bytes(trace, arrays.required_stages(trace, trace))

    return trace.derived("num_bytes", num_bytes) <= most


def _arrays_to_send(
    trace: Trace, key: str, sample: int, head: int, hidden: tuple[int, ...], most: float
) -> tuple[tuple[str, ...], int | None, dict[str, arrays.SentArray]]:
    if is_sent_whole(trace, most):
        return tuple(trace), None, arrays.sent(trace, trace, sample, None, hidden)
    keys = arrays.group_of(trace, key)
    only = head if not has_all_heads(trace, keys, most) else None
    return keys, only, arrays.sent(trace, keys, sample, only, hidden)


def has_all_heads(trace: Trace, keys: tuple[str, ...], most: float) -> bool:
    """Whether a scene of these stages has all heads."""
    if all(trace[key].size("head") == 1 for key in keys):
        return True
    return arrays.num_bytes(trace, arrays.required_stages(trace, keys)) <= most


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
    stage_text = stage_words(trace, key, words)
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
        "latex": written(stage.formula),
        "masked_by": "masked" if key in SHARES and "masked" in trace else None,
        "called": stage_text.name,
        "title": _title(written(fill_token_noun(stage_text.title, trace, words.nouns))),
        "does": spans(
            fill_token_noun(stage_text.does, trace, words.nouns),
            row=("row", "{}"),
            column=("column", "{}"),
            grouped_query=(term_name("grouped_query", GLOSSARY[words.code]), "term"),
            **sizes,
        ),
    }


def _sizes(trace: Trace) -> dict[str, str]:
    """The sizes that the words of a step may name, by field."""
    sound = trace.token == "frame"
    roles = ("d_k", "d_ff", "vocabulary", "class", *(SPECTRUM if sound else ()))
    sizes = {role: str(largest(trace, role)) for role in roles}
    heads = num_heads(trace)
    kv_heads = largest(trace, "kv_head")
    shared = {"heads": str(heads), "kv_heads": str(kv_heads), "group": str(heads // kv_heads)}
    return sizes | shared | (AUDIO_CONSTANTS if sound else {})


def _title(text: str) -> list[Any]:
    """A headline: text, with formulas between dollar signs."""
    parts = enumerate(text.split("$"))
    return [formula(part) if i % 2 else part for i, part in parts if part]


def _scale(trace: Trace, stage: Stage, hidden: tuple[int, ...]) -> dict[str, Any]:
    scale = scale_of(trace, stage.key, hidden)
    exact = scale.kind == "share" or scale.clipped
    ticks = [numbers.bare(t) if exact or not t else numbers.short(t) for t in scale.ticks]
    if scale.clipped:
        ticks = [f"≤ {ticks[0]}", *ticks[1:-1], f"≥ {ticks[-1]}"]
    return {"scale": {**vars(scale), "ticks": scale.ticks}, "ticks": ticks}


def _step(trace: Trace, key: str, words: Words, convention: Convention) -> dict[str, Any]:
    absent = "" if key in trace else _why_absent(trace, key, words)
    sizes = sizes_of(trace[key], convention) if key in trace else ()
    return {
        "key": key,
        "symbol": symbol_of(key, words_key(trace, key), convention),
        "called": stage_words(trace, key, words).name,
        "absent": fill_token_noun(absent, trace, words.nouns),
        "sizes": [(role, size) for role, size in sizes if role != "batch"],
    }


def _why_absent(trace: Trace, key: str, words: Words) -> str:
    """Why a step is missing; where tensors were handed in, all that is not among them."""
    own: str = words.stages[key].get("absent", "")
    is_known = "X" in trace or ("scores" in trace and own)
    return own if is_known or "weights" not in trace else words.viewer.not_given


def _before(trace: Trace) -> int | None:
    """The number of tokens before the first patch; None if the tokens are not patches."""
    if trace.token != "patch":
        return None
    return num_prefix_tokens(trace)


def _filled(trace: Trace, sample: int) -> list[bool] | None:
    """Which tokens are padding."""
    padding = padding_positions(trace, "token", sample)
    return None if padding is None else padding.tolist()


def _words(trace: Trace, words: Words) -> Mapping[str, Any]:
    return {
        "opened": words.opened.as_dict(),
        "microscope": words.microscope.as_dict(),
        "reading": templates(trace, words),
        "contributions": words.reading.contributions,
        "contribution": words.reading.contribution,
        "list_mark": words.list_mark,
        **{name: words.viewer[name] for name in VIEWER_WORDS},
        "groups": words.viewer.groups.as_dict(),
        "patch": words.image.patch_label if trace.token == "patch" else "{number}",
        "axes": words.axes.as_dict(),
        "code": words.code,
    }
