"""RoBERTa, DistilBERT and ModernBERT on the page of one's own model."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from page_reader import FOLDERS, Open, component_data, paragraphs, texts
from tokenizers import Tokenizer, pre_tokenizers, processors
from tokenizers.models import Unigram


@pytest.fixture
def models(tmp_path: Path, offer: Callable[..., Path]) -> Path:
    """A folder of each kind, two with ``vocab.txt``: DistilBERT's, and one that is Japanese."""
    offer("roberta", "distilbert", "modernbert")
    folder = tmp_path / "distilbert"
    known = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    (folder / "vocab.txt").write_text("\n".join(sorted(known, key=known.__getitem__)), "utf-8")
    (folder / "tokenizer.json").unlink()
    shutil.copytree(folder, tmp_path / "japanese")
    stated = json.dumps({"tokenizer_class": "BertJapaneseTokenizer"})
    (tmp_path / "japanese" / "tokenizer_config.json").write_text(stated, "utf-8")
    shutil.copytree(FOLDERS / "roberta", tmp_path / "xlm")
    config = json.loads((tmp_path / "xlm" / "config.json").read_text("utf-8"))
    config["model_type"] = "xlm-roberta"
    (tmp_path / "xlm" / "config.json").write_text(json.dumps(config), "utf-8")
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁love", "▁爱"]
    written = Tokenizer(Unigram([(piece, -1.0) for piece in pieces], unk_id=3))
    written.pre_tokenizer = pre_tokenizers.Metaspace()
    written.post_processor = processors.BertProcessing(("</s>", 2), ("<s>", 0))
    written.save(str(tmp_path / "xlm" / "tokenizer.json"))
    return tmp_path


def test_the_marks_of_sentencepiece_are_explained(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="xlm", text="love ☃ 爱")
    lines = paragraphs(at, "quiet")
    assert "▁ marks the beginning of a word." in lines
    assert any(line.startswith("<unk> stands for “☃”") for line in lines)


def test_each_encoder_is_named_and_one_that_cannot_be_opened_has_a_reason(
    open_page: Open, models: Path
) -> None:
    for kind, name in (("roberta", "RoBERTa"), ("distilbert", "DistilBERT")):
        at = open_page("checkpoint", lang="zh", model=kind)
        assert not at.exception
        assert any(caption.value.startswith(f"{name}") for caption in at.caption)
    at = open_page("checkpoint", lang="zh", model="japanese")
    assert not at.exception
    shown = str([data["paragraphs"] for data in component_data(at, "prose")]) + str(texts(at))
    assert "BertJapaneseTokenizer" in shown
    assert "tokenizer_config.json" in shown
