"""The attention that a PyTorch module computes in one forward pass, as traces.

``capture`` watches the calls of ``F.multi_head_attention_forward`` (``nn.MultiheadAttention``),
``F.scaled_dot_product_attention``, and of the ``AttentionInterface`` of Hugging Face. Each is
recomputed here with every step, and compared with what the module returned. PyTorch is not
imported: it is that of the module.
"""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from core import nested, ops
from core.arrays import as_numpy
from core.attention import multi_head_attention, scaled_dot_product_attention
from core.given_tensors import from_elsewhere, with_mask, with_output
from core.options import DEFAULT, AttentionOptions
from core.trace import Trace
from core.weights import Weights, projections

INTERFACE = "attention_microscope"  # its name among the attention functions of Hugging Face
TOLERANCE = {"torch.float64": 1e-9, "torch.float32": 1e-4}  # of numbers up to 1, else relative
HALF = 2.0**-5  # of float16 and bfloat16, which the module rounds to at each step
UNREAD = ("bias_k", "bias_v", "static_k", "static_v")


class Captured(Trace):
    """The attention calls of a forward pass, each a part named by its module.

    deviations: by part, the largest difference from what the module returned.
    output: what the whole module returned.
    """

    def __init__(self, parts: Mapping[str, Trace], deviations: Mapping[str, float], output: Any):
        super().__init__(nested.compose(parts, {}, "checkpoint").values())
        self.deviations, self.output = dict(deviations), output

    def __repr__(self) -> str:
        """The parts, and how far they are from what the module returned."""
        return f"{super().__repr__()[:-1]}; max |Δ| {max(self.deviations.values()):.1e}>"


def capture(
    module: Any,
    *inputs: Any,
    tokenizer: Any = None,
    only: str = "*",
    **options: Any,
) -> Captured:
    """Run a module once, and return the traces of its attention.

    module: an ``nn.Module``. inputs, options: what it is called with. only: the names of the
        modules that are of interest, such as ``"*layers.3.*"``; a long text has many numbers.
    tokenizer: of Hugging Face. It makes tokens of a text that is the only input, and its names of
        the tokens stand along queries and keys where their number fits.

    A module that is called twice is ``name`` and ``name:2``. Raises ValueError if no attention was
    called, if it drops out (call ``eval()`` first), or if what is computed here is not what the
    module returned.
    """
    if tokenizer is not None and len(inputs) == 1 and isinstance(inputs[0], str | list):
        options, inputs = {**tokenizer(inputs[0], return_tensors="pt"), **options}, ()
    watch = _Watch(_names(tokenizer, inputs, options) if tokenizer is not None else {}, only)
    with ExitStack() as stack:
        for name, part in module.named_modules():
            for handle in watch.hooks(name or type(module).__name__, part):
                stack.callback(handle.remove)
        stack.enter_context(_hugging_face(module, watch))
        stack.enter_context(_functions(watch))
        stack.enter_context(sys.modules["torch"].no_grad())
        output = module(*inputs, **options)
    if not watch.parts:
        raise ValueError(
            "no attention was called: of nn.MultiheadAttention, F.scaled_dot_product_attention or "
            f"the AttentionInterface of Hugging Face, in a module named {only}"
        )
    return Captured(watch.parts, watch.deviations, output)


@dataclass
class _Watch:
    """What was called so far.

    names: of the tokens, by their number. only: the modules of interest. inside: the names of the
    modules that are being computed, the innermost last.
    """

    names: Mapping[int, tuple[tuple[str, ...], ...]]
    only: str
    parts: dict[str, Trace] = field(default_factory=dict)
    deviations: dict[str, float] = field(default_factory=dict)
    inside: list[str] = field(default_factory=list)

    def hooks(self, name: str, module: Any) -> Iterator[Any]:
        yield module.register_forward_pre_hook(lambda *_: self.inside.append(name))
        yield module.register_forward_hook(lambda *_: self.leave(), always_call=True)

    def leave(self) -> None:
        self.inside.pop()

    @property
    def is_of_interest(self) -> bool:
        return fnmatchcase(self.inside[-1], self.only)

    def labels(self, query: int, key: int) -> dict[str, Any]:
        sides = {"query": self.names.get(query), "key": self.names.get(key)}
        return {role: names for role, names in sides.items() if names is not None}

    def add(self, trace: Trace, dropout: float, returned: Mapping[str, Any]) -> None:
        """Add a part, compared with the tensors that were returned. Raises ValueError."""
        name, number = self.inside[-1], 2
        if dropout:
            raise ValueError(f"{name} drops out: call eval() of the module first")
        while name in self.parts:
            name, number = f"{self.inside[-1]}:{number}", number + 1
        deviation = 0.0
        for key, tensor in returned.items():
            found = trace[key].tensor
            theirs = as_numpy(tensor).reshape(found.shape)
            apart = np.abs(found - theirs).max(initial=0, where=np.isfinite(theirs))
            most = max(1.0, float(np.abs(found).max()))
            if not apart <= TOLERANCE.get(str(tensor.dtype), HALF) * most:
                raise ValueError(
                    f"{name}: {key} computed here are {apart:.3g} off what it returned"
                )
            deviation = max(deviation, float(apart))
        self.parts[name], self.deviations[name] = from_elsewhere(trace), deviation


@contextmanager
def _functions(watch: _Watch) -> Iterator[None]:
    """Watch the functions of PyTorch, which a mode sees wherever they are called."""
    torch = sys.modules["torch"]
    functional = torch.nn.functional
    recorded = {
        functional.scaled_dot_product_attention: _dot_product,
        functional.multi_head_attention_forward: _multi_head,
    }

    def called(mode: Any, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        returned = function(*args, **kwargs)  # the mode is off here, and within
        if function in recorded and watch.inside and watch.is_of_interest:
            recorded[function](watch, returned, args, kwargs)
        return returned

    made = type("Watch", (torch.overrides.TorchFunctionMode,), {"__torch_function__": called})
    with made():
        yield


def _dot_product(watch: _Watch, returned: Any, args: Any, kwargs: Any) -> None:
    """A call of F.scaled_dot_product_attention."""

    def given(
        query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
        is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
    ) -> None:  # fmt: skip
        Q, K, V = (_four_axes(tensor) for tensor in (query, key, value))
        options = AttentionOptions(causal=is_causal, scale="root" if scale is None else scale)
        if attn_mask is not None:
            options = with_mask(options, _four_axes(attn_mask))
        labels = watch.labels(Q.shape[2], K.shape[2])
        trace = scaled_dot_product_attention(Q, K, V, options, labels=labels)
        watch.add(trace, dropout_p, {"head_output": returned})

    given(*args, **kwargs)


def _four_axes(tensor: Any) -> np.ndarray:
    """With the axes batch and head; those in front of them are samples too."""
    array = as_numpy(tensor)
    if array.ndim > 4:
        return array.reshape(-1, *array.shape[-3:])
    return array[:, None] if array.ndim == 3 else array[(None,) * (4 - array.ndim)]


def _multi_head(watch: _Watch, returned: Any, args: Any, kwargs: Any) -> None:
    """A call of F.multi_head_attention_forward: tokens come first, then the samples."""
    function = sys.modules["torch"].nn.functional.multi_head_attention_forward
    bound = inspect.signature(function).bind(*args, **kwargs)
    bound.apply_defaults()
    of = bound.arguments
    unread = [name for name in UNREAD if of[name] is not None]
    if unread or of["add_zero_attn"]:
        raise ValueError(f"{watch.inside[-1]} has {', '.join(unread) or 'add_zero_attn'}")
    arrays, heads = projections(of), of["num_heads"]
    query, key, value = of["query"], of["key"], of["value"]
    X, memory = _samples_first(query), None if key is query else _samples_first(key)
    size = (len(X), heads, X.shape[1], len(key))
    options = _masked(of["attn_mask"], of["key_padding_mask"], size)
    labels = watch.labels(size[2], -1 if memory is None else size[3])
    if value is key:
        weights = Weights(heads=heads, **arrays)
        trace = multi_head_attention(X, weights, options, memory=memory, labels=labels)
    else:  # the paper's keys and values are of one sequence
        Q, K, V = (
            ops.project(_samples_first(x), arrays[f"W_{name}"], arrays[f"b_{name}"], heads)
            for name, x in zip("QKV", (query, key, value), strict=True)
        )
        alone = scaled_dot_product_attention(Q, K, V, options, labels=labels)
        trace = with_output(alone, arrays["W_O"], arrays["b_O"])
    output, shares = returned
    compared = {"output": output.swapaxes(0, 1) if output.ndim == 3 else output}
    if shares is not None and not of["average_attn_weights"]:
        compared["weights"] = shares
    watch.add(trace, of["dropout_p"] if of["training"] else 0.0, compared)


def _samples_first(tensor: Any) -> np.ndarray:
    """(token, batch, d_model) or (token, d_model) as (batch, token, d_model)."""
    array = as_numpy(tensor)
    return array.swapaxes(0, 1) if array.ndim == 3 else array[None]


def _masked(mask: Any, padding: Any, size: tuple[int, ...]) -> AttentionOptions:
    """The masks of ``nn.MultiheadAttention``, where True hides. size: of the weights."""
    options = DEFAULT
    if mask is not None:
        array = as_numpy(mask)
        array = ~array if array.dtype == bool else array
        shape = size if array.ndim == 3 and len(array) > 1 else (1, 1, *size[2:])
        options = with_mask(options, array.reshape(shape))
    if padding is not None:
        array = as_numpy(padding).reshape(size[0], size[3])
        real = ~array if array.dtype == bool else array == 0
        options = replace(options, key_mask=real)
    return options


@contextmanager
def _hugging_face(module: Any, watch: _Watch) -> Iterator[None]:
    """Watch the attention of models of Hugging Face, which is that of their own *eager* one."""
    transformers = sys.modules.get("transformers")
    name = "_attn_implementation_internal"
    stated = (getattr(part, "config", None) for part in module.modules())
    configs = {id(config): config for config in stated if hasattr(config, name)}
    if transformers is None or not configs:
        yield
        return
    masks = transformers.masking_utils
    transformers.AttentionInterface.register(INTERFACE, _interface(watch))
    transformers.AttentionMaskInterface.register(INTERFACE, masks.eager_mask)
    before = {key: getattr(config, name) for key, config in configs.items()}
    try:
        for config in configs.values():
            setattr(config, name, INTERFACE)
        yield
    finally:
        for key, config in configs.items():
            setattr(config, name, before[key])


def _interface(watch: _Watch) -> Callable[..., Any]:
    """An attention function of the ``AttentionInterface``."""

    def attention(
        module: Any, query: Any, key: Any, value: Any, attention_mask: Any = None, **of: Any
    ) -> Any:
        eager = _eager_of(module)
        returned = eager(module, query, key, value, attention_mask, **of)
        if not watch.is_of_interest:
            return returned
        output, shares = returned
        scale, sinks = of.get("scaling"), of.get("s_aux", getattr(module, "sinks", None))
        options = AttentionOptions(
            scale="root" if scale is None else scale, soft_cap=of.get("softcap"),
            sinks=None if sinks is None else as_numpy(sinks).reshape(-1),
        )  # fmt: skip
        added = [m for m in (attention_mask, of.get("position_bias")) if m is not None]
        if added:
            mask = as_numpy(sum(added[1:], added[0]))[..., : key.shape[2]]
            options = with_mask(options, mask)
        labels = watch.labels(query.shape[2], key.shape[2])
        trace = scaled_dot_product_attention(query, key, value, options, labels=labels)
        compared = {"weights": shares, "head_output": output.swapaxes(1, 2)}
        watch.add(trace, of.get("dropout", 0.0) if module.training else 0.0, compared)
        return returned

    return attention


def _eager_of(module: Any) -> Callable[..., Any]:
    """The plain attention that stands beside a module's class. Raises ValueError if none does."""
    for kind in type(module).__mro__:
        beside = vars(sys.modules[kind.__module__])
        if "eager_attention_forward" in beside:
            found: Callable[..., Any] = beside["eager_attention_forward"]
            return found
    raise ValueError(f"{type(module).__name__} has no eager_attention_forward")


def _names(
    tokenizer: Any, inputs: tuple[Any, ...], options: Mapping[str, Any]
) -> dict[int, tuple[tuple[str, ...], ...]]:
    """Names of the tokens by their number, for each sample; none where two texts are as long."""
    given = [*inputs[:1], *(options.get(name) for name in ("input_ids", "decoder_input_ids"))]
    texts = [
        tuple(
            tuple(_name(tokenizer, number) for number in row)
            for row in array.reshape(-1, array.shape[-1])
        )
        for array in map(as_numpy, (one for one in given if one is not None))
        if array.dtype.kind in "iu" and array.ndim in (1, 2)
    ]
    lengths = [len(text[0]) for text in texts]
    return {n: text for n, text in zip(lengths, texts, strict=True) if lengths.count(n) == 1}


def _name(tokenizer: Any, number: Any) -> str:
    """The text of a token, or its name if it is none by itself, such as a part of a character."""
    text: str = tokenizer.decode([int(number)]).strip()
    is_whole = text and "\ufffd" not in text
    return text if is_whole else str(tokenizer.convert_ids_to_tokens(int(number)))
