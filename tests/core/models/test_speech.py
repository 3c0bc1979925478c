"""Whisper's decoder: what it writes, token by token, and where it looks meanwhile."""

from dataclasses import replace
from functools import cache
from math import erf

import numpy as np
import pytest
from claims import for_all
from refuses import refuses
from safetensors.numpy import load_file
from speech_folder import ALIGNING, SPECIAL, write_speech_folder

from core import Trace
from core.interventions import parse
from core.models import pretrained, transcript
from core.models.decoding import Decoding
from core.models.installed import VARIABLE
from core.models.speech import SpeechModel, Written
from core.sources.recording import decode
from views.export.bundle import ASSETS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_speech_folder(tmp_path_factory.mktemp("models") / "whisper-base")


@pytest.fixture(scope="module")
def model(folder) -> SpeechModel:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(folder.parent))
        return pretrained.open_speech()


@pytest.fixture(scope="module")
def encoded(model) -> Trace:
    sound = np.sin(np.arange(32_000) / 9).astype("f4") / 3
    return model.encoder.run(sound, model.encoder.layers)


@pytest.fixture(scope="module")
def memory(encoded):
    return [*encoded.values()][-1].tensor[0]


def normed(x, tensors, name):
    centred = x - x.mean()
    spread = np.sqrt((centred**2).mean() + 1e-5)
    return centred / spread * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]


def attended(x, others, tensors, name, heads=2):
    """One query over all others, head by head, with the weights of each."""

    def projected(vector, letter):
        bias = tensors.get(f"{name}.{letter}_proj.bias", 0)
        return (tensors[f"{name}.{letter}_proj.weight"] @ vector + bias).reshape(heads, -1)

    Q, K = projected(x, "q"), [projected(other, "k") for other in others]
    V, mixed, weights = [projected(other, "v") for other in others], [], []
    for head in range(heads):
        scores = np.array([Q[head] @ k[head] for k in K]) / np.sqrt(Q.shape[1])
        row = np.exp(scores - scores.max())
        weights.append(row / row.sum())
        mixed.append(sum(w * v[head] for w, v in zip(weights[-1], V, strict=True)))
    out = tensors[f"{name}.out_proj.weight"] @ np.concatenate(mixed)
    return out + tensors[f"{name}.out_proj.bias"], np.array(weights)


def gelu(x):
    return np.array([v * (1 + erf(v / 2**0.5)) / 2 for v in x])


def by_loops(tensors, memory, numbers):
    """Logits behind the last token and its cross weights by layer, one vector after the other."""
    table = tensors["model.decoder.embed_tokens.weight"].astype(float)
    positions = tensors["model.decoder.embed_positions.weight"].astype(float)
    xs = [table[number] + positions[i] for i, number in enumerate(numbers)]
    crossed = []
    for layer in range(2):
        name = f"model.decoder.layers.{layer}"
        inputs = [normed(x, tensors, f"{name}.self_attn_layer_norm") for x in xs]
        for i, x in enumerate(xs):
            own, _ = attended(inputs[i], inputs[: i + 1], tensors, f"{name}.self_attn")
            x = x + own
            query = normed(x, tensors, f"{name}.encoder_attn_layer_norm")
            added, weights = attended(query, memory, tensors, f"{name}.encoder_attn")
            x = x + added
            hidden = tensors[f"{name}.fc1.weight"] @ normed(x, tensors, f"{name}.final_layer_norm")
            hidden = gelu(hidden + tensors[f"{name}.fc1.bias"])
            xs[i] = x + tensors[f"{name}.fc2.weight"] @ hidden + tensors[f"{name}.fc2.bias"]
        crossed.append(weights)
    return table @ normed(xs[-1], tensors, "model.decoder.layer_norm"), np.array(crossed)


def test_a_step_with_a_cache_has_the_numbers_of_plain_loops(model, memory, folder):
    tensors = {k: v.astype(float) for k, v in load_file(folder / "model.safetensors").items()}
    decoding, numbers = Decoding(model.decoder, memory), model.prompt("zh")
    logits, cross = decoding.step(numbers)
    for added in (5, 0):
        expected, weights = by_loops(tensors, memory.astype(float), numbers)
        assert logits == pytest.approx(expected, abs=1e-4)
        assert cross == pytest.approx(weights, abs=1e-5)
        numbers = (*numbers, added)
        logits, cross = decoding.step((added,))


def test_what_is_written_has_the_cross_weights_of_its_trace(model, memory, encoded):
    written = list(model.write(memory, "en", most=5))
    assert len(written) == 5
    prompt = model.prompt("en")
    numbers = (*prompt, *(one.number for one in written))
    for layer in (1, 2):
        trace = model.trace(encoded, numbers, layer)
        weights = trace[f"decoder/{layer}/cross/weights"]
        assert weights.axis("key").label(3) == "0.06 s"
        for i, one in enumerate(written):
            row = weights.tensor[0, :, len(prompt) + i - 1]
            assert one.cross[layer - 1] == pytest.approx(row, abs=1e-5)


SOUND, OTHER = (np.sin(np.arange(32_000) / one).astype("f4") / 3 for one in (9, 4))
CHANGES = (
    "mute=2.1", "off=1", "even=1.2;hide=2@3", "mute=decoder.1.2;mute=cross.2.1",
    "patch=1.2@5;stream=2@7;from=other", "patch=decoder.2.1@3;stream=decoder.2@2;from=other",
    "mute=1.1;patch=cross.2.2@4;from=other",
)  # fmt: skip


def sound_of(name):
    return {"other": OTHER, "own": SOUND}[name]


def test_what_is_changed_is_changed_alike_in_the_encoder_the_decoder_and_their_traces(model):
    plain = model.listen(SOUND)
    for text in CHANGES:
        changed = model.changed(parse(text), sound_of)
        memory, encoded = changed.listen(SOUND), changed.encoder.run(SOUND, 2)
        np.testing.assert_allclose(memory, [*encoded.values()][-1].tensor[0], atol=1e-5)
        of_encoder = any(one.part == "encoder" for one in parse(text).changes)
        assert (np.abs(memory - plain).max() > 1e-3) == of_encoder, text
        assert (changed.encoder is model.encoder) != of_encoder, "what is cached of it stays"
        written = list(changed.write(memory, "en", most=4))
        numbers = (*changed.prompt("en"), *(one.number for one in written))
        trace = changed.trace(encoded, numbers, 2)
        rows = trace["decoder/2/cross/weights"].tensor[0, :, 3 : 3 + len(written)]
        found = np.array([one.cross[1] for one in written]).swapaxes(0, 1)
        np.testing.assert_allclose(found, rows, atol=1e-5, err_msg=text)
    for text in ("mute=3.1", "mute=cross.1.9", "patch=1.1@999;from=other"):
        with refuses("out_of_range"):
            model.changed(parse(text), sound_of)
    for text in ("patch=1.1@1;from=other", "stream=decoder.1@1;from=other"):
        with refuses("not_a_change"):  # without sounds
            model.changed(parse(text))


def test_the_effect_of_a_head_is_that_of_the_last_token_without_it(model):
    begun = "even=1.2;patch=decoder.1.1@2;from=other"
    changed = model.changed(parse(begun), sound_of)
    memory = changed.listen(SOUND)

    @cache
    def without(muted):
        """The model without a head, and what it hears: a head of the decoder hears nothing."""
        one = model.changed(parse(f"{muted};{begun}"), sound_of)
        return one, one.listen(SOUND) if muted.count(".") == 1 else memory

    for count in (1, 3):
        written = list(changed.write(memory, "en", most=count))
        numbers = (*changed.prompt("en"), *(one.number for one in written))
        for part, dot in (("encoder", ""), ("decoder", "decoder."), ("cross", "cross.")):
            found = list(changed.effects(SOUND, memory, numbers, part))
            assert [(one.layer, one.head) for one in found] == [(1, 1), (1, 2), (2, 1), (2, 2)]
            for one in found:
                muted, heard = without(f"mute={dot}{one.layer}.{one.head}")
                again = list(muted.write(heard, "en", most=count))
                if [w.number for w in again] == [w.number for w in written]:
                    change = again[-1].log_probability - written[-1].log_probability
                    assert one.change == pytest.approx(change, abs=1e-4), (part, one)
                    assert one.likeliest == written[-1].number
                elif count == 1:
                    assert one.likeliest == again[-1].number != written[-1].number


def test_the_language_is_the_likeliest_among_languages(model, memory):
    detected = model.detect(memory)
    logits, _ = Decoding(model.decoder, memory).step((model.number_of("<|startoftranscript|>"),))
    logits = logits.astype(float)
    odds = {code: np.exp(logits[model.number_of(f"<|{code}|>")]) for code in ("en", "zh")}
    assert detected.language == max(odds, key=odds.get)
    assert detected.probability == pytest.approx(max(odds.values()) / sum(odds.values()))
    silent = np.exp(logits[model.number_of("<|nocaptions|>")]) / np.exp(logits).sum()
    assert detected.no_speech == pytest.approx(silent)
    assert SPECIAL[6] == "<|nocaptions|>"


def test_a_moment_is_where_the_aligning_heads_look_most_within_the_sound(model):
    cross = np.zeros((2, 2, 200), "f4")
    for layer, head in ALIGNING:
        cross[layer, head, 30], cross[layer, head, 150] = 0.3, 0.6
    cross[0, 0, 70] = 1  # of a head that does not align
    assert model.moment(cross, 100) == pytest.approx(0.6)
    assert model.moment(cross, 200) == pytest.approx(3.0)


def written_of(*numbers):
    return [Written(number, -0.5, np.full((1, 1, 4), float(i))) for i, number in enumerate(numbers)]


@for_all(
    ("numbers", "texts", "pieces"),
    [
        ((0, 1, 2, 3), ["the", "cats,"], [1, 3]),
        ((0, 3, 1, 4), ["the,", "cat."], [2, 2]),
        ((5, 6, 4), ["我", "你", "好."], [1, 1, 2]),
        ((5, 9, 10), ["我", "几"], [1, 2]),
        ((1, 5, 2), ["cat", "我s"], [1, 2]),
        ((4,), ["."], [1]),
        ((0, 9), ["the", "E5 87"], [1, 1]),  # cut in the middle of a character
        ((), [], []),
    ],
)
def test_tokens_become_words_and_characters(model, numbers, texts, pieces):
    found = transcript.words(written_of(*numbers), model.tokenizer)
    assert [word.text for word in found] == texts
    assert [len(word.pieces) for word in found] == pieces


def test_a_word_has_the_mean_weights_of_its_spoken_tokens(model):
    word, cats = transcript.words(written_of(0, 1, 2, 4), model.tokenizer)
    assert (word.first, cats.first) == (0, 1)
    assert cats.pieces == ("␣cat", "s", ".")
    assert cats.cross == pytest.approx(np.full((1, 1, 4), 1.5))  # of 1 and 2, not of the full stop
    assert cats.probability == pytest.approx(np.exp(-1.5))
    (character,) = transcript.words(written_of(9, 10), model.tokenizer)
    assert character.cross == pytest.approx(np.full((1, 1, 4), 0.5))


def test_a_text_grows_by_whole_characters(model):
    tokens = written_of(0, 5, 9, 10)
    texts = [transcript.text_of(tokens[:n], model.tokenizer) for n in range(5)]
    assert texts == ["", "the", "the我", "the我", "the我几"]


@for_all(
    ("no_speech", "log_probability", "expected"),
    [(0.9, -0.9, False), (0.9, -0.3, True), (0.1, -2.0, True), (0.61, -0.61, False)],
)
def test_noise_is_no_speech(no_speech, log_probability, expected):
    written = [replace(one, log_probability=log_probability) for one in written_of(0, 1)]
    assert transcript.has_speech(no_speech, written) is expected
    assert not transcript.has_speech(no_speech, [])


def test_a_text_that_repeats_itself_is_recognised():
    assert transcript.repeats_itself("Who" + 60 * "oooo")
    assert not transcript.repeats_itself("The cat sat on the mat, and the dog slept by the door.")
    assert not transcript.repeats_itself("")


@pytest.mark.skipif(not pretrained.packaged(pretrained.WHISPER), reason="its package is missing")
def test_whisper_understands_the_sample_to_the_word():
    model = pretrained.open_speech()
    sound, _ = decode((ASSETS / "samples" / "sounds" / "sentence.flac").read_bytes())
    memory = model.listen(sound)
    detected = model.detect(memory)
    assert (detected.language, detected.no_speech < 0.1) == ("en", True)
    found = transcript.words(list(model.write(memory, "en")), model.tokenizer)
    text = " ".join(word.text for word in found)
    assert text == "The cat sat on the mat and the dog slept by the door."
    moments = [model.moment(word.cross, len(sound) // 320) for word in found]
    assert moments == sorted(moments)
    assert moments[1] == pytest.approx(0.4, abs=0.1)
