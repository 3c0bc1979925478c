"""What one more token of SmolLM2 costs at 64 tokens: with its cache, without, and in transformers.

With the cache, the keys and values of all layers are there and one token passes; without it, the
whole text passes again. Both end in the logits of the next token. ``transformers`` (PyTorch) does
both with the same numbers, decoded to float32, where it is installed. ``readings`` is what the page
*Writing* shows beside: the logits behind every layer, and what is listed of them. At the end stand
what it computes when asked: every head muted in turn, and which token mattered.

Run from the root of the project:  python -m tests.benchmarks.bench_writing --threads 2
"""

import statistics
import sys
import time
from importlib import util

from tests.benchmarks.side_by_side import Call, conditions, in_turn, options, ratio

OPTIONS = options(__doc__, seconds=20, each="row")
# On one thread the processor's own time, in which nobody else's work counts.
CLOCK = time.process_time if OPTIONS.threads == 1 else time.perf_counter

import numpy as np  # noqa: E402

from core.models import embeddings, forward, incremental, pretrained  # noqa: E402
from core.models.checkpoint import Checkpoint  # noqa: E402
from core.models.incremental import Passed  # noqa: E402

TOKENS, BURST = 64, 1.0
MARY = "When Mary and John went to the store, John gave a drink to"
MUTING, CLOCKS = 60, (time.perf_counter, time.process_time)
TEXT = "The cat sat on the mat because it was warm, and the dog lay beside it. " * 4
HAS_TRANSFORMERS = util.find_spec("transformers") is not None


def ours(model: Checkpoint) -> tuple[dict[str, Call], tuple[int, ...]]:
    """The calls, each of which returns logits, and the ids of the tokens."""
    inner, encoding = model._model, model.encode(TEXT)
    ids = encoding.ids[:TOKENS]
    X = embeddings.token_embeddings(inner, encoding)["X"].tensor[0, :TOKENS]
    before = incremental.passed(inner, Passed(), ids[:-1], X[:-1])
    whole = incremental.passed(inner, before, ids[-1:], X[-1:])

    def logits(passed: Passed) -> np.ndarray:
        return inner.logits(forward.normed(passed.streams[-1][-1:], inner.final_norm())[0])

    return {
        "cached": lambda: logits(incremental.passed(inner, before, ids[-1:], X[-1:])),
        "uncached": lambda: logits(incremental.passed(inner, Passed(), ids, X)),
        "readings": lambda: model.readings(whole),
    }, ids


def theirs(model: Checkpoint, ids: tuple[int, ...]) -> dict[str, Call]:
    """The same with the Llama of ``transformers``, which gets the same weights."""
    import torch
    from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

    torch.set_num_threads(OPTIONS.threads)
    config, tensors = model.config, model._model.tensors
    assert config.rotary
    made = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=config.vocabulary, hidden_size=config.d_model, rms_norm_eps=config.epsilon,
            intermediate_size=config.d_ff, num_hidden_layers=config.layers,
            num_attention_heads=config.heads, num_key_value_heads=config.shared_heads,
            rope_parameters={"rope_type": "default", "rope_theta": config.rotary.theta},
            tie_word_embeddings=config.tied,
        )
    ).eval()  # fmt: skip
    given = torch.tensor([ids])
    cache = DynamicCache(config=made.config)
    with torch.no_grad():
        for name, parameter in made.named_parameters():
            parameter.copy_(torch.from_numpy(tensors.array(name, tuple(parameter.shape)).copy()))
        made(given[:, :-1], cache=cache)

    def cached() -> np.ndarray:
        with torch.no_grad():
            found = made(given[:, -1:], cache=cache, logits_to_keep=1).logits
        cache.crop(-1)
        return np.asarray(found[0, -1])

    def uncached() -> np.ndarray:
        with torch.no_grad():
            return np.asarray(made(given, use_cache=False, logits_to_keep=1).logits[0, -1])

    return {"cached": cached, "uncached": uncached}


def main() -> None:
    print(conditions(OPTIONS.threads))
    if not pretrained.is_there(pretrained.SMOLLM2):
        sys.exit(f"SmolLM2 is not installed: {pretrained.SMOLLM2.command}")
    model = pretrained.open_checkpoint(pretrained.SMOLLM2)
    calls, ids = ours(model)
    others = theirs(model, ids) if HAS_TRANSFORMERS else {}
    kind = " of processor time" if OPTIONS.threads == 1 else ""
    print(f"milliseconds{kind} a token at {TOKENS} tokens (median), all run in turn\n")
    print(f"{'':12}{'ours':>9}{'transformers':>14}{'ratio':>8}")
    for name, call in calls.items():
        pair = [call, others[name]] if name in others else [call]
        if len(pair) > 1:
            np.testing.assert_allclose(call(), others[name](), atol=2e-3)  # type: ignore[arg-type]
        times = in_turn(pair, OPTIONS.seconds, BURST, CLOCK)
        beside = [f"{statistics.median(times[1]):14.1f}{ratio(*times):>8}"] if times[1:] else []
        print(f"{name:12}{statistics.median(times[0]):9.1f}", *beside, sep="", flush=True)
    passed = model.passed(MARY)
    reading = model.readings(passed)[-1]
    heads = model.layers * model.heads
    print(f"\nseconds at {len(passed.ids)} tokens, each once: by the clock, of the processor")
    for name, asked in {
        f"all {heads} heads muted in turn, ≤ {MUTING}": lambda: list(
            model.effects(passed, reading.numbers[0])
        ),
        "which token mattered": lambda: model.relevance(MARY, passed, reading, 0),
    }.items():
        begun = time.perf_counter(), time.process_time()
        asked()
        spent = [clock() - at for clock, at in zip(CLOCKS, begun, strict=True)]
        print(f"{name:40}{spent[0]:8.1f}{spent[1]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
