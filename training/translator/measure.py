"""BLEU of the translator on held-out sentences, with greedy decoding and with beam search."""

import math
from collections.abc import Sequence
from itertools import pairwise

import sacrebleu
import torch
from tokenizers import Tokenizer
from torch import Tensor

from core.sources.unigram import Unigram
from training.tatoeba import Case
from training.translator.batches import LONGEST, collate
from training.translator.model import Model

END_ID = 1
BATCH_SIZE = 100
CLOSE = 50  # chrF
PENALTY = 0.6  # the score of a finished sentence is log p / length^PENALTY


def bleu(hypotheses: Sequence[str], cases: Sequence[Case]) -> float:
    """Sacrebleu with its defaults (13a, case-sensitive) and all references of a sentence."""
    references_per_case = max(len(case.references) for case in cases)
    references = [
        [case.references[i] if i < len(case.references) else None for case in cases]
        for i in range(references_per_case)
    ]
    return float(sacrebleu.corpus_bleu(hypotheses, references).score)


def translate(
    model: Model, words: Unigram, pieces: Tokenizer, sources: Sequence[str], beam: int = 1
) -> list[str]:
    """The translation of every source sentence, in their order."""
    return [pieces.decode(row) for row in search(model, words, sources, beam)]


def search(model: Model, words: Unigram, sources: Sequence[str], beam: int = 1) -> list[list[int]]:
    """The target ids of every source sentence's translation, in their order."""
    ids = [words.ids(words.tokenize(source)[:LONGEST]) for source in sources]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    found: list[list[int]] = [[] for _ in ids]
    for start in range(0, len(order), BATCH_SIZE):
        indices = order[start : start + BATCH_SIZE]
        batch = collate([ids[i] for i in indices], [[] for _ in indices])
        with torch.no_grad():
            memory = model.encode(batch.source, batch.key_mask)
            decode = greedy if beam == 1 else beam_search
            rows = decode(model, memory, batch.key_mask, beam)
        for i, row in zip(indices, rows, strict=True):
            found[i] = row
    return found


def mean_log_probability(model: Model, source: Sequence[int], target: Sequence[int]) -> float:
    """The mean of ln p of target ids and END, given source ids."""
    batch = collate([source], [target])
    with torch.no_grad():
        memory = model.encode(batch.source, batch.key_mask)
        log_p = model.logits(model.decode(memory, batch.key_mask, batch.target)).log_softmax(-1)
    return float(log_p[0].gather(-1, batch.labels[0, :, None]).mean())


def calibration(
    model: Model, words: Unigram, pieces: Tokenizer, cases: Sequence[Case]
) -> list[dict[str, float | int | None]]:
    """How many greedy translations come close to a person's, by fifths of their mean ln p.

    below: the upper end of a fifth, None for the last. close: translations whose chrF against
    one of the references is at least CLOSE.
    """
    rows = search(model, words, [case.source for case in cases])
    found = sorted(
        (
            mean_log_probability(model, words.ids(words.tokenize(case.source)[:LONGEST]), row),
            sacrebleu.sentence_chrf(pieces.decode(row), list(case.references)).score >= CLOSE,
        )
        for case, row in zip(cases, rows, strict=True)
    )
    bounds = [len(found) * fifth // 5 for fifth in range(6)]
    return [
        {
            "below": round(found[end][0], 4) if end < len(found) else None,
            "sentences": end - begin,
            "close": sum(is_close for _, is_close in found[begin:end]),
        }
        for begin, end in pairwise(bounds)
    ]


def greedy(model: Model, memory: Tensor, key_mask: Tensor, _: int) -> list[list[int]]:
    """Greedy decoding: target ids of each sentence, without [START] and [END].

    memory: (sentence, token, d_model); key_mask: (sentence, token).
    """
    sequences: list[list[int]] = [[]] * len(memory)
    sentence = torch.arange(len(memory))  # which one each row is
    target = torch.zeros(len(memory), 1, dtype=torch.long)
    for _ in range(LONGEST):
        X = model.decode(memory, key_mask, target)[:, -1]
        target = torch.cat((target, model.logits(X).argmax(-1, keepdim=True)), 1)
        unfinished = target[:, -1] != END_ID
        for i, row in zip(sentence.tolist(), target[:, 1:].tolist(), strict=True):
            sequences[i] = row
        sentence, target = sentence[unfinished], target[unfinished]
        memory, key_mask = memory[unfinished], key_mask[unfinished]
        if not len(sentence):
            break
    return [row[: row.index(END_ID)] if END_ID in row else row for row in sequences]


def beam_search(model: Model, memory: Tensor, key_mask: Tensor, beam: int) -> list[list[int]]:
    """Beam search with length normalisation: target ids as ``greedy`` returns them.

    The search of a sentence ends when no hypothesis scores higher, at its present length, than the
    best finished one. memory, key_mask: as for ``greedy``.
    """
    best: list[tuple[float, list[int]]] = [(-math.inf, [])] * len(memory)
    sentence = list(range(len(memory)))  # which one each ``beam`` rows are
    memory, key_mask = memory.repeat_interleave(beam, 0), key_mask.repeat_interleave(beam, 0)
    target = torch.zeros(len(memory), 1, dtype=torch.long)
    score = torch.tensor([0.0] + [-math.inf] * (beam - 1)).repeat(len(sentence))  # one at first
    for length in range(1, LONGEST + 1):
        log_p = model.logits(model.decode(memory, key_mask, target)[:, -1]).log_softmax(-1)
        total = (score[:, None] + log_p).view(len(sentence), -1)
        values, indices = (one.tolist() for one in total.topk(2 * beam, -1))  # (sentence, 2 · beam)
        extended, unfinished = [], []
        for n, i in enumerate(sentence):
            ahead: list[tuple[float, int, int]] = []  # score, row, piece
            for value, where in zip(values[n], indices[n], strict=True):
                row, piece = n * beam + where // log_p.shape[1], where % log_p.shape[1]
                if piece == END_ID:
                    best[i] = max(best[i], (value / length**PENALTY, target[row, 1:].tolist()))
                elif len(ahead) < beam:
                    ahead.append((value, row, piece))
            if ahead[0][0] / length**PENALTY > best[i][0]:
                extended += ahead
                unfinished.append(i)
        if not unfinished:
            break
        rows = [row for _, row, _ in extended]
        sentence, score = unfinished, torch.tensor([value for value, _, _ in extended])
        target = torch.cat((target[rows], torch.tensor([[piece] for _, _, piece in extended])), 1)
        memory, key_mask = memory[rows], key_mask[rows]
    for n, i in enumerate(sentence):
        if best[i][0] == -math.inf:
            best[i] = (-math.inf, target[n * beam, 1:].tolist())
    return [sequence for _, sequence in best]
