"""Word alignments of the training pairs by statistics, the labels of the alignment loss.

eflomal ("Efficient Word Alignment with Markov Chain Monte Carlo", Östling & Tiedemann, 2016) aligns
the words of each pair in both directions; links that only one direction has are left out.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from eflomal import Aligner
from tokenizers import Tokenizer

from training.translator.batches import Encoded, Links

SPACE = "▁"  # begins the pieces that begin a word


def align(pairs: Sequence[Encoded], pieces: Tokenizer) -> list[Links]:
    """The links of each pair: for each target id the positions of its source tokens, from 0.

    All pieces of an English word have the links of the word.
    """
    words = [_words(pair.pieces, pieces) for pair in pairs]
    with TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("forward", "reverse")]
        Aligner().align(
            [" ".join(_printed(token) for token in pair.words) + "\n" for pair in pairs],
            [" ".join(word for word, _ in some) + "\n" for some in words],
            *map(str, files),
        )
        forward, reverse = (file.read_text("utf-8").split("\n") for file in files)
    return [
        _of_pieces(len(pair.pieces), some, _links(one) & _links(other))
        for pair, some, one, other in zip(pairs, words, forward, reverse, strict=False)
    ]


def _printed(token: str) -> str:
    return token.replace(" ", SPACE)


def _words(ids: Sequence[int], pieces: Tokenizer) -> list[tuple[str, range]]:
    """The lower-case words and punctuation marks of a target, with the ranges of their pieces."""
    found: list[tuple[str, range]] = []
    for position, piece in enumerate(ids):
        text = pieces.id_to_token(piece)
        word = text.lstrip(SPACE).lower()
        if found and text[:1].isalnum() and found[-1][0][-1:].isalnum():
            before, positions = found[-1]
            found[-1] = before + word, range(positions.start, position + 1)
        else:
            found.append((word or SPACE, range(position, position + 1)))
    return found


def _links(line: str) -> set[tuple[int, int]]:
    return {(int(i), int(j)) for i, _, j in (link.partition("-") for link in line.split())}


def _of_pieces(
    count: int, words: Sequence[tuple[str, range]], links: set[tuple[int, int]]
) -> Links:
    found: list[tuple[int, ...]] = [()] * count
    for number, (_, positions) in enumerate(words):
        sources = tuple(sorted(i for i, j in links if j == number))
        for position in positions:
            found[position] = sources
    return tuple(found)
