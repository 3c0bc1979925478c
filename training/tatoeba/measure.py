"""What the translator is worth: BLEU on sentences that it never saw, greedy and with a beam."""

import math
from collections.abc import Sequence

import sacrebleu
import torch
from tokenizers import Tokenizer
from torch import Tensor

from core.sources.unigram import Unigram
from training.tatoeba.batches import LONGEST, batch
from training.tatoeba.data import Case
from training.tatoeba.model import Model

END_ROW = 1
AT_ONCE = 100
PENALTY = 0.6  # a finished sentence is worth log p / length^PENALTY


def bleu(found: Sequence[str], cases: Sequence[Case]) -> float:
    """Sacrebleu as it comes: 13a, capitals count; all references of a sentence."""
    most = max(len(case.references) for case in cases)
    references = [
        [case.references[i] if i < len(case.references) else None for case in cases]
        for i in range(most)
    ]
    return float(sacrebleu.corpus_bleu(found, references).score)


def translations(
    model: Model, words: Unigram, pieces: Tokenizer, sources: Sequence[str], beam: int = 1
) -> list[str]:
    """Translate all, like lengths together."""
    ids = [words.ids(words.cut(source)[:LONGEST]) for source in sources]
    order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
    found = [""] * len(ids)
    for begin in range(0, len(order), AT_ONCE):
        some = order[begin : begin + AT_ONCE]
        read = batch([ids[i] for i in some], [[] for _ in some])
        with torch.no_grad():
            memory = model.encode(read.source, read.real)
            search = greedy if beam == 1 else beam_search
            rows = search(model, memory, read.real, beam)
        for i, row in zip(some, rows, strict=True):
            found[i] = pieces.decode(row)
    return found


def greedy(model: Model, memory: Tensor, real: Tensor, _: int) -> list[list[int]]:
    """The likeliest piece, again and again, until [END]."""
    said: list[list[int]] = [[]] * len(memory)
    sentence = torch.arange(len(memory))  # which one each row is
    written = torch.zeros(len(memory), 1, dtype=torch.long)
    for _ in range(LONGEST):
        X = model.decode(memory, real, written)[:, -1]
        written = torch.cat((written, model.logits(X).argmax(-1, keepdim=True)), 1)
        going = written[:, -1] != END_ROW
        for i, row in zip(sentence.tolist(), written[:, 1:].tolist(), strict=True):
            said[i] = row
        sentence, written = sentence[going], written[going]
        memory, real = memory[going], real[going]
        if not len(sentence):
            break
    return [row[: row.index(END_ROW)] if END_ROW in row else row for row in said]


def beam_search(model: Model, memory: Tensor, real: Tensor, beam: int) -> list[list[int]]:
    """Keep the likeliest few beginnings; of what is finished, the best for its length.

    A search ends when no beginning is worth more, at its present length, than the best finished.
    """
    best: list[tuple[float, list[int]]] = [(-math.inf, [])] * len(memory)
    sentence = list(range(len(memory)))  # which one each ``beam`` rows are
    memory, real = memory.repeat_interleave(beam, 0), real.repeat_interleave(beam, 0)
    written = torch.zeros(len(memory), 1, dtype=torch.long)
    score = torch.tensor([0.0] + [-math.inf] * (beam - 1)).repeat(len(sentence))  # one at first
    for length in range(1, LONGEST + 1):
        log_p = model.logits(model.decode(memory, real, written)[:, -1]).log_softmax(-1)
        total = (score[:, None] + log_p).view(len(sentence), -1)
        found, place = (one.tolist() for one in total.topk(2 * beam, -1))  # (sentence, 2 · beam)
        kept, going = [], []
        for n, i in enumerate(sentence):
            ahead: list[tuple[float, int, int]] = []  # score, row, piece
            for value, where in zip(found[n], place[n], strict=True):
                row, piece = n * beam + where // log_p.shape[1], where % log_p.shape[1]
                if piece == END_ROW:
                    best[i] = max(best[i], (value / length**PENALTY, written[row, 1:].tolist()))
                elif len(ahead) < beam:
                    ahead.append((value, row, piece))
            if ahead[0][0] / length**PENALTY > best[i][0]:
                kept += ahead
                going.append(i)
        if not going:
            break
        rows = [row for _, row, _ in kept]
        sentence, score = going, torch.tensor([value for value, _, _ in kept])
        written = torch.cat((written[rows], torch.tensor([[piece] for _, _, piece in kept])), 1)
        memory, real = memory[rows], real[rows]
    for n, i in enumerate(sentence):
        if best[i][0] == -math.inf:
            best[i] = (-math.inf, written[n * beam, 1:].tolist())
    return [said for _, said in best]
