"""What if: heads, tokens and whole layers of a model that are changed on purpose, as a list.

Muting ("Are Sixteen Heads Really Better than One?", Michel et al., 2019), and patching with what
the model computes for another text ("Locating and Editing Factual Associations in GPT", Meng et
al., 2022, section 2). A list has a short text, as a link holds it: ``mute=3.7;off=*``.

==========================  ======================================================================
``mute=3.7``                head 7 of layer 3 adds nothing: its rows of W_O are as if 0
``scale=3.7:0.5``           what it adds is multiplied by 0.5
``even=3.7``                it averages evenly over all tokens that it may attend to
``self=3.7 first=3.7``      every token attends to itself alone; to the first token alone
``row=3.7@5:0.2,0.8``       the weights of token 5, divided by their sum; missing ones are 0
``patch=3.7@5``             the head's output at token 5 is that of the other text
``stream=3@5``              likewise the residual stream that enters layer 3
``hide=3@5  hide=*@5``      in layer 3, or in all, no other token may attend to token 5
``off=3  off=*``            layer 3, or every one, without attention
``from=The cat sat``        the other text; the last of the list
==========================  ======================================================================

Layers, heads and tokens are counted from 1. ``mute=cross.3.7`` is of a decoder's cross-attention,
``mute=decoder.3.7`` of its self-attention. A model that hears has another sound, by its name.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby

import numpy as np

from core.errors import InputError, out_of_range
from core.trace import Trace

# What each kind names beside its layer, and the kinds that may name all layers.
_NAMES = {
    "mute": ("head",), "scale": ("head", "numbers"), "even": ("head",), "self": ("head",),
    "first": ("head",), "row": ("head", "token", "numbers"), "patch": ("head", "token"),
    "stream": ("token",), "hide": ("token",), "off": (),
}  # fmt: skip
_EVERYWHERE = ("hide", "off")
PATCHES = ("patch", "stream")  # kinds that need the run of another text
_OF_WEIGHTS = ("even", "self", "first", "row")
_OTHER = "from="
_ONE = re.compile(
    r"([a-z]+)=(?:(decoder|cross)\.)?(\*|[1-9]\d{0,3})(?:\.([1-9]\d{0,3}))?"
    r"(?:@([1-9]\d{0,3}))?(?::([-\d.,e]+))?"
)
MOST = 400  # changes
LARGEST = 1e6  # number of a change


@dataclass(frozen=True)
class Change:
    """One change. kind: see the module. layer: from 1, or None for all. head, token: from 1, or 0.

    part: ``encoder`` for the only stack of a model too, ``decoder``, or ``cross``.
    Raises not_a_change if something is missing, superfluous, or out of range whatever the model.
    """

    kind: str
    layer: int | None
    head: int = 0
    token: int = 0
    numbers: tuple[float, ...] = ()
    part: str = "encoder"

    def __post_init__(self) -> None:
        """Check that exactly what the kind names is there."""
        named = tuple(name for name in ("head", "token", "numbers") if getattr(self, name))
        fits = _NAMES.get(self.kind) == named and (self.layer or self.kind in _EVERYWHERE)
        fits = fits and all(abs(number) <= LARGEST for number in self.numbers)
        if self.kind == "scale":
            fits = fits and len(self.numbers) == 1
        if self.kind == "row":
            fits = fits and min(self.numbers) >= 0 and sum(self.numbers) > 0
        if self.kind in ("self", "stream"):
            fits = fits and self.part != "cross"
        if not fits:
            raise InputError("not_a_change", text=str(self))

    @property
    def of_first(self) -> "Change":
        """The same of the first head and the first token, which every attention has."""
        numbers = (1.0,) if self.numbers else ()
        head, token = min(self.head, 1), min(self.token, 1)
        return replace(self, head=head, token=token, numbers=numbers)

    @property
    def path(self) -> str:
        """The part of a trace in which its layer's attention is."""
        kind = "cross" if self.part == "cross" else "self"
        return f"{'encoder' if self.part == 'encoder' else 'decoder'}/{self.layer}/{kind}"

    def __str__(self) -> str:
        """As in a link."""
        part = "" if self.part == "encoder" else f"{self.part}."
        head = f".{self.head}" if self.head else ""
        token = f"@{self.token}" if self.token else ""
        numbers = f":{','.join(f'{number:g}' for number in self.numbers)}" if self.numbers else ""
        return f"{self.kind}={part}{self.layer or '*'}{head}{token}{numbers}"


@dataclass(frozen=True)
class Interventions:
    """Changes of one run of a model, in order; of two that set the same the later one counts.

    other: the text from which patches come.
    """

    changes: tuple[Change, ...] = ()
    other: str = ""

    def __str__(self) -> str:
        """As in a link; ``parse`` reads it."""
        other = [f"{_OTHER}{self.other}"] if self.other else []
        return ";".join([*map(str, self.changes), *other])

    def __bool__(self) -> bool:
        """Whether anything is changed."""
        return bool(self.changes)

    def toggled(self, change: Change) -> "Interventions":
        """With one more change, or without it if it is there."""
        kept = tuple(one for one in self.changes if one != change)
        return replace(self, changes=kept if change in self.changes else (*kept, change))

    @property
    def first_layer(self) -> int:
        """The first layer of the only stack that is changed, from 1."""
        return min((change.layer or 1 for change in self.changes), default=1)

    def check(self, layers: int, heads: int, *, parts: tuple[str, ...] = ("encoder",)) -> None:
        """Check the changes against a model. Raises out_of_range, not_a_change, no_other_text."""
        for change in self.changes:
            if (change.layer or 1) > layers:
                raise out_of_range("layer", change.layer or 1, f"1 … {layers}")
            if change.head > heads:
                raise out_of_range("head", change.head, f"1 … {heads}")
            if change.part not in parts:
                raise InputError("not_a_change", text=str(change))
            if change.kind in PATCHES and not self.other:
                raise InputError("no_other_text", text=str(change))

    def check_tokens(self, tokens: int, *, causal: bool) -> None:
        """Check the tokens of the only stack. Raises out_of_range."""
        for change in self.changes:
            if change.token > tokens:
                raise out_of_range("token", change.token, f"1 … {tokens}")
            most = change.token if causal else tokens
            if change.kind == "row" and len(change.numbers) > most:
                raise out_of_range("weights", len(change.numbers), f"1 … {most}")

    @property
    def patches(self) -> tuple[Change, ...]:
        """The changes that need the run of the other text."""
        return tuple(change for change in self.changes if change.kind in PATCHES)

    def patched_from(self, trace_of: Callable[[int], Trace]) -> dict[Change, np.ndarray]:
        """What patches put in place. trace_of: a layer, from 1, of the run of the other text.

        What enters a layer is the first stage of its attention. Raises out_of_range for a token
        that the other text has not, and what trace_of raises.
        """
        found: dict[Change, np.ndarray] = {}
        by_layer = sorted(self.patches, key=lambda one: one.layer or 1)
        for layer, changes in groupby(by_layer, key=lambda one: one.layer or 1):
            trace = trace_of(layer)
            for one in changes:
                enters = next(key for key in trace if key.startswith(f"{one.path}/"))
                key = f"{one.path}/head_output" if one.kind == "patch" else enters
                of = trace[key].tensor[0]
                rows = of[one.head - 1] if one.head else of  # (token, width)
                if one.token > len(rows):
                    raise out_of_range("token", one.token, f"1 … {len(rows)}")
                found[one] = rows[one.token - 1].copy()
        return found

    def of_parts(self, *parts: str) -> "Interventions":
        """The changes of these parts alone."""
        kept = tuple(change for change in self.changes if change.part in parts)
        return replace(self, changes=kept, other=self.other if kept else "")

    def of(
        self,
        layer: int | None,
        part: str = "encoder",
        values: Mapping[Change, np.ndarray] | None = None,
    ) -> "LayerChanges | None":
        """The changes of the attention of a layer; None if there are none. values: of patches.

        layer: None for those of all layers together.
        """
        found = tuple(
            one
            for one in self.changes
            if one.part == part and (layer is None or one.layer in (None, layer))
        )
        return LayerChanges(found, values or {}) if found else None


NONE = Interventions()


def parse(text: str) -> Interventions:
    """The changes of a link. Raises not_a_change for what cannot be read."""
    listed, separator, other = text.partition(_OTHER)
    if separator and listed and not listed.endswith(";"):
        raise InputError("not_a_change", text=text)
    changes = tuple(map(_read, filter(None, listed.split(";"))))
    if len(changes) > MOST:
        raise out_of_range("changes", len(changes), f"0 … {MOST}")
    return Interventions(changes, other)


def _read(text: str) -> Change:
    found = _ONE.fullmatch(text)
    try:
        assert found is not None
        kind, part, layer, head, token, numbers = found.groups()
        return Change(
            kind,
            None if layer == "*" else int(layer),
            int(head or 0),
            int(token or 0),
            tuple(map(float, numbers.split(","))) if numbers else (),
            part or "encoder",
        )
    except (AssertionError, ValueError) as error:
        raise InputError("not_a_change", text=text) from error


@dataclass(frozen=True, eq=False)
class LayerChanges:
    """The changes of the attention of one layer.

    values: what patches put in place: of a head (d_v,), of the stream (d_model,).
    first_head: of the heads that are given to its methods, from 0, if these are not all.
    In all methods first is the position of the first query, and arrays are changed in place.
    """

    changes: tuple[Change, ...]
    values: Mapping[Change, np.ndarray] = field(default_factory=dict)
    first_head: int = 0

    def of_heads(self, first: int) -> "LayerChanges":
        """The same for heads from this one on, from 0."""
        return replace(self, first_head=first)

    def hidden(self, query: int, key: int, first: int = 0) -> np.ndarray | None:
        """(query, key) bool, True where a token may be attended to; None if none is hidden."""
        hides = [change for change in self.changes if change.kind == "hide"]
        if not hides:
            return None
        allowed = np.ones((query, key), bool)
        for change in hides:
            token, own = change.token - 1, change.token - 1 - first
            if token < key:
                allowed[:, token] = False
                if change.part != "cross" and 0 <= own < query:
                    allowed[own, token] = True
        return allowed

    @property
    def sets_weights(self) -> bool:
        """Whether rows of weights are replaced."""
        return any(change.kind in _OF_WEIGHTS for change in self.changes)

    def set_weights(self, weights: np.ndarray, visible: np.ndarray, first: int = 0) -> None:
        """Replace rows of weights, (…, head, query, key).

        visible: (…, head or 1, query, key) bool, where a query may attend.
        """
        queries, keys = weights.shape[-2:]
        for change, head in self._at(weights.shape[-3], _OF_WEIGHTS):
            row = np.zeros((queries, keys))
            if change.kind == "even":
                seen = visible[..., min(head, visible.shape[-3] - 1), :, :]
                row = seen / np.maximum(seen.sum(axis=-1, keepdims=True), 1)
            elif change.kind == "first":
                row[:, 0] = 1
            elif change.kind == "self":
                row = np.eye(queries, keys, first)
            else:
                at = change.token - 1 - first
                if 0 <= at < queries:
                    given = np.array(change.numbers[:keys])  # a target may still be shorter
                    weights[..., head, at, :] = 0
                    weights[..., head, at, : len(given)] = given / (given.sum() or 1)
                continue
            weights[..., head, :, :] = row

    @property
    def factors(self) -> Mapping[int, float]:
        """What the outputs of heads are multiplied by, by head from 0; −1 for all heads."""
        found: dict[int, float] = {}
        for change in self.changes:
            if change.kind in ("mute", "scale", "off"):
                head = change.head - 1
                found[head] = found.get(head, 1.0) * (change.numbers or (0.0,))[0]
        return found

    def scale(self, outputs: np.ndarray) -> None:
        """Multiply the outputs of heads, (…, head, query, d_v)."""
        for head, factor in self.factors.items():
            if head < 0:
                outputs *= factor
            elif 0 <= head - self.first_head < outputs.shape[-3]:
                outputs[..., head - self.first_head, :, :] *= factor

    @property
    def patches_heads(self) -> bool:
        """Whether the output of a head is replaced at a token."""
        return any(change.kind == "patch" for change in self.changes)

    def patch(self, outputs: np.ndarray, first: int = 0) -> None:
        """Replace outputs of heads at single tokens. outputs: (…, head, query, d_v)."""
        for change, head in self._at(outputs.shape[-3], ("patch",)):
            if 0 <= change.token - 1 - first < outputs.shape[-2]:
                outputs[..., head, change.token - 1 - first, :] = self.values[change]

    @property
    def patches_stream(self) -> bool:
        """Whether the residual stream that enters the layer is replaced at a token."""
        return any(change.kind == "stream" for change in self.changes)

    def patch_stream(self, x: np.ndarray, first: int = 0) -> None:
        """Replace vectors of the residual stream, (…, token, d_model)."""
        for change in self.changes:
            if change.kind == "stream" and 0 <= change.token - 1 - first < x.shape[-2]:
                x[..., change.token - 1 - first, :] = self.values[change]

    def _at(self, heads: int, kinds: tuple[str, ...]) -> Iterator[tuple[Change, int]]:
        """The changes of these kinds whose head is among the given ones, with its index there."""
        for change in self.changes:
            at = change.head - 1 - self.first_head
            if change.kind in kinds and 0 <= at < heads:
                yield change, at
