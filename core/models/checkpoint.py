"""Opens a reader's own model: a folder with BERT, ViT, GPT-2, Llama, T5 or one like them, as saved
by ``transformers``, or a file of llama.cpp.

Files: config.json, model.safetensors (or shards), for text tokenizer.json (or BERT's vocab.txt),
for ViT optionally preprocessor_config.json. Nothing in the folder is executed: pickles are not
read, and all files are validated first.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from core.errors import InputError
from core.limits import TOKENIZER_BYTES
from core.models import families, folder
from core.models import processor as processors
from core.models.config import ModelConfig
from core.models.families.whisper import feature_extractor
from core.models.formats import gguf
from core.models.model import Model
from core.models.opened_model import Checkpoint
from core.models.processor import Processor
from core.models.tensors import Shards, Tensors
from core.models.text_to_text import TextToText
from core.rotary import Divided
from core.sources import sentencepiece_file, tokenizer, wordpiece
from core.sources.tokenizer import Tokenizer

SPECIAL_TOKENS = "special_tokens_map.json"
SPM, VOCABULARY_JSON = ("source.spm", "target.spm"), "vocab.json"  # of Marian
SPIECE = "spiece.model"  # of mT5


def open(
    given: Path | str, name: str = "", parameter: str = "checkpoint", tower: str = ""
) -> Checkpoint:
    """Open a checkpoint: check the configuration and the names and shapes of all weights.

    given: its folder, or a file of llama.cpp, ``*.gguf``.

    name: of the model; that of its folder by default. parameter: the origin of the weights, as for
    ``nested.compose``: ``checkpoint`` for the user's own, or ``trained``. tower: which one of a
    model with several, such as CLIP; by default the first of ``families.towers``.

    No weights are read yet. Raises no_such_folder, missing_file, pickle_only, outside_folder,
    checkpoint_file_too_large, damaged_checkpoint, unknown_architecture, wrong_setting,
    heads_do_not_divide, patches_do_not_fit, missing_tensor, wrong_number_type and
    tensor_does_not_fit.
    """
    path = Path(given)
    if not path.exists():
        raise InputError("no_such_folder", folder=str(path))
    if path.suffix == gguf.SUFFIX:
        return open_gguf([path], name or path.stem, parameter)
    stated = families.of_tower(folder.settings(path, folder.CONFIG), tower)
    config = families.config(stated)
    files = folder.shards(path)
    tensors = Shards(files) if files else Tensors(folder.path_of(path, folder.WEIGHTS))
    model = Model(tensors, config)
    model.check()
    if config.token == "patch":
        processor = _processor(path, config)
        resized = replace(model, config=config.pictured(processor.shape))
        return Checkpoint(name or path.name, resized, processor, parameter)
    if config.token == "frame":
        listens = feature_extractor(folder.optional_settings(path, processors.FILE), config)
        return Checkpoint(name or path.name, model, listens, parameter)
    decoder_config = families.decoder_config(stated)
    if decoder_config:
        decoder = Model(tensors, decoder_config).with_own_head()
        decoder.check()
        source, target = tokenizers_of(path)
        whole = TextToText(model, decoder, source, target, parameter)
        return Checkpoint(name or path.name, model, source, parameter, text_to_text=whole)
    reader = tokenizer_of(
        path, vocab_txt=config.vocab_txt, tokenizer_class=stated.get("tokenizer_class")
    )
    return Checkpoint(name or path.name, model, reader, parameter)


def open_gguf(paths: Sequence[Path], name: str, parameter: str = "checkpoint") -> Checkpoint:
    """Open a GGUF file, or one in several pieces.

    Raises what ``gguf.read`` and ``families.config`` raise, and contradicts_itself.
    """
    file = gguf.read(paths)
    config = families.config(file.settings)
    if file.rope_factors is not None and config.rotary is not None:
        scaling = Divided(tuple(file.rope_factors.tolist()))
        config = replace(config, rotary=replace(config.rotary, scaling=scaling))
    model = Model(file.tensors, replace(config, gamma_offset=0.0))  # llama.cpp has added it
    try:
        model.check()
        reader = Tokenizer(file.tokenizer)
    except InputError as error:
        if error.code in ("missing_tensor", "tensor_does_not_fit"):
            raise InputError(
                "contradicts_itself", file=paths[0].name, name=error.fields["name"]
            ) from error
        raise InputError.from_json(error.code, error.fields | {"file": paths[0].name}) from error
    return Checkpoint(name, model, reader, parameter, file.quantization)


def towers_of(given: Path | str) -> tuple[str, ...]:
    """The towers of a checkpoint of several models, such as CLIP; empty for one model.

    Raises what reading its config.json raises.
    """
    if Path(given).suffix == gguf.SUFFIX:
        return ()
    return families.towers(folder.settings(Path(given), folder.CONFIG))


def _processor(path: Path, config: ModelConfig) -> Processor:
    """The image processor; where positions are interpolated, its file has the size of pictures.

    Raises missing_file for a model that needs this file, and what ``processors.processor`` raises.
    """
    read = folder.settings if config.resizes else folder.optional_settings
    stated = read(path, processors.FILE)
    return processors.processor(stated, config.shape[0], config.patch if config.resizes else 0)


def tokenizers_of(path: Path) -> tuple[Tokenizer, Tokenizer]:
    """The tokenizers of a folder of what is read and of what is written.

    Both by its ``tokenizer.json``, or as mT5 has it, by ``spiece.model``, or as Marian has them, by
    ``source.spm``, ``target.spm`` and ``vocab.json``. Raises what ``tokenizer_of`` and
    ``sentencepiece_file.definition`` raise.
    """
    has_own, has_spm = ((path / name).is_file() for name in (tokenizer.FILE, SPM[0]))
    if not has_own and not has_spm and (path / SPIECE).is_file():
        data = folder.bytes_of(path, SPIECE, TOKENIZER_BYTES)
        reader = Tokenizer(sentencepiece_file.definition(data, SPIECE))
        return reader, reader
    if has_own or not has_spm:
        reader = tokenizer_of(path, vocab_txt=False)
        return reader, reader
    vocabulary = folder.settings(path, VOCABULARY_JSON, TOKENIZER_BYTES)
    source, target = (
        Tokenizer(
            sentencepiece_file.definition(
                folder.bytes_of(path, name, TOKENIZER_BYTES), name, vocabulary, VOCABULARY_JSON
            ),
            known=len(vocabulary),
        )
        for name in SPM
    )
    return source, target


def tokenizer_of(path: Path, *, vocab_txt: bool, tokenizer_class: object = None) -> Tokenizer:
    """The tokenizer of a folder.

    vocab_txt: whether it may be BERT's ``vocab.txt``. tokenizer_class: as in config.json.

    Raises what ``folder.text_of`` and ``Tokenizer`` raise, and for vocab.txt what
    ``wordpiece.definition`` raises.
    """
    try:
        return Tokenizer(folder.text_of(path, tokenizer.FILE, TOKENIZER_BYTES))
    except InputError as error:
        other = vocab_txt and (path / wordpiece.VOCABULARY).is_file()
        if error.code != "missing_file" or not other:
            raise
    vocabulary = folder.text_of(path, wordpiece.VOCABULARY, TOKENIZER_BYTES)
    stated = folder.optional_settings(path, wordpiece.SETTINGS)
    stated.setdefault("tokenizer_class", tokenizer_class)
    if "added_tokens_decoder" not in stated:  # as files of before it are
        stated |= folder.optional_settings(path, SPECIAL_TOKENS)
    return Tokenizer(
        wordpiece.definition(
            vocabulary, stated, folder.optional_settings(path, wordpiece.ADDED_TOKENS)
        )
    )
