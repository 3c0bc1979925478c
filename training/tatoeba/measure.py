"""BLEU of the translator on held-out sentences, with greedy decoding and with beam search."""

import math
from collections.abc import Sequence

import sacrebleu
import torch
from tokenizers import Tokenizer
from torch import Tensor

from core.sources.unigram import Unigram
from training.tatoeba.batches import LONGEST, collate
from training.tatoeba.data import Case
from training.tatoeba.model import Model

END_ID = 1
BATCH_SIZE = 100
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
    ids = [words.ids(words.tokenize(source)[:LONGEST]) for source in sources]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    hypotheses = [""] * len(ids)
    for start in range(0, len(order), BATCH_SIZE):
        indices = order[start : start + BATCH_SIZE]
        batch = collate([ids[i] for i in indices], [[] for _ in indices])
        with torch.no_grad():
            memory = model.encode(batch.source, batch.key_mask)
            search = greedy if beam == 1 else beam_search
            rows = search(model, memory, batch.key_mask, beam)
        for i, row in zip(indices, rows, strict=True):
            hypotheses[i] = pieces.decode(row)
    return hypotheses


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
        values, places = (one.tolist() for one in total.topk(2 * beam, -1))  # (sentence, 2 · beam)
        kept, unfinished = [], []
        for n, i in enumerate(sentence):
            ahead: list[tuple[float, int, int]] = []  # score, row, piece
            for value, where in zip(values[n], places[n], strict=True):
                row, piece = n * beam + where // log_p.shape[1], where % log_p.shape[1]
                if piece == END_ID:
                    best[i] = max(best[i], (value / length**PENALTY, target[row, 1:].tolist()))
                elif len(ahead) < beam:
                    ahead.append((value, row, piece))
            if ahead[0][0] / length**PENALTY > best[i][0]:
                kept += ahead
                unfinished.append(i)
        if not unfinished:
            break
        rows = [row for _, row, _ in kept]
        sentence, score = unfinished, torch.tensor([value for value, _, _ in kept])
        target = torch.cat((target[rows], torch.tensor([[piece] for _, _, piece in kept])), 1)
        memory, key_mask = memory[rows], key_mask[rows]
    for n, i in enumerate(sentence):
        if best[i][0] == -math.inf:
            best[i] = (-math.inf, target[n * beam, 1:].tolist())
    return [sequence for _, sequence in best]
