"""Other books' names lead to ours, in both languages."""

import pytest
from claims import for_all
from shown_traces import STAGES, TRACES

from core import Trace
from core.nested import subtrace
from pages.see.checkpoint.instructions import EXAMPLES
from pages.understand.glossary.cards import full_trace, model_trace, search_terms
from views.navigation import PAGES
from views.scene.naming import words_key
from views.text import GLOSSARY
from views.text.glossary import GROUPS, OF_STAGE, TERMS, find_term, of_stage
from views.widgets.sentence_input import FIRST

# The lesson's table of symbols, and the names of the libraries that learners meet.
LEADS = {
    "n": ["n", "N", "seq_len", "patch_num", "time_step", "sequence_length", "num_patches"],
    "batch": ["M", "batch_size", "batch"],
    "d_model": ["D", "C", "embedding dimension", "hidden_size", "embed_dim", "n_embd", "d_model"],
    "h": ["num_heads", "n_heads", "n_head", "num_attention_heads", "nhead", "h"],
    "d_k": ["head_dim", "key_dim", "d_k"],
    "d_v": ["head_dim", "d_v"],
    "scores": ["S", "attention scores", "attn_scores", "scores", "e_ij", "注意力分数"],
    "scaled": ["scaled"],
    "weights": ["A", "W", "attention weights", "pattern", "weights", "α_ij", "注意力权重"],
    "W_Q": ["W^q", "in_proj", "c_attn", "W_Q", "q_proj", "W^Q"],
    "W_K": ["W^k", "in_proj", "c_attn", "W_K"],
    "W_V": ["W^v", "in_proj", "c_attn", "W_V"],
    "W_O": ["out_proj", "c_proj", "W_O", "o_proj"],
    "Q": ["query", "Q", "查询", "Query"],
    "K": ["key", "K", "键"],
    "V": ["value", "V", "值"],
    "token": ["token", "patch", "frame", "词元"],
    "self_attention": ["self-attention", "MHSA", "Self Attention", "自注意力"],
    "multi_head": ["MHA", "nn.MultiheadAttention", "MultiHeadAttention", "多头注意力"],
    "cross_attention": ["cross-attention", "MHA", "encoder_hidden_states", "交叉注意力"],
    "masked": ["attn_mask", "attention_mask", "掩码"],
    "head_output": ["context vector", "上下文向量"],
    "feed_forward": ["FFN", "feed-forward", "MLP", "c_fc", "前馈网络", "前馈层"],
    "d_ff": ["dim_feedforward", "intermediate_size", "d_ff"],
    "gamma": ["gamma", "LayerNorm.weight"],
    "beta": ["beta", "LayerNorm.bias"],
    "normalised": ["LayerNorm", "nn.LayerNorm", "层归一化"],
    "stream": ["residual stream", "hidden_states", "残差流"],
    "post_norm": ["post-norm", "Add & Norm", "norm_first=False"],
    "pre_norm": ["pre-norm", "Pre-LN", "norm_first=True", "ln_1"],
    "cls": ["[CLS]", "class token", "cls_token"],
    "logits": ["logits", "lm_head"],
    "probabilities": ["output probabilities", "输出概率"],
    "greedy": ["greedy decoding", "greedy search", "argmax", "贪心解码"],
    "teacher_forcing": ["teacher forcing", "decoder_input_ids", "tgt", "教师强制"],
    "rollout": ["rollout", "attention rollout"],
    "position": ["wpe", "positional encoding", "位置编码"],
    "E": ["wte"],
    "X": ["hidden_states"],
}
PAIRS = [(name, other) for name, others in LEADS.items() for other in others]


@for_all("lang", ["en", "zh"])
@for_all(("name", "other"), PAIRS)
def test_other_books_names_find_our_terms_among_the_best_results(lang, name, other):
    answers = search_terms(other, GLOSSARY[lang].terms)
    best = min(rank for rank, _ in answers)
    assert best <= 1
    assert name in [term.name for rank, term in answers if rank <= 1]


@for_all("lang", ["en", "zh"])
def test_a_single_letter_matches_whole_names_and_case(lang):
    def names(find: str) -> list[str]:
        return [term.name for _, term in search_terms(find, GLOSSARY[lang].terms)]

    assert names("N") == ["n", "batch"]
    assert names("n") == ["n"]
    assert names("C") == ["d_model"]
    assert names("q") == ["Q"]
    assert names("A") == ["weights"]


@for_all("lang", ["en", "zh"])
def test_a_part_of_a_name_matches_and_spaces_and_underscores_are_ignored(lang):
    terms = GLOSSARY[lang].terms
    assert "h" in [term.name for _, term in search_terms("attention heads", terms)]
    assert "d_model" in [term.name for _, term in search_terms(" HiddenSize ", terms)]
    assert not search_terms("zebra", terms)
    assert [term for _, term in search_terms("  ", terms)] == list(TERMS)


def test_term_names_are_unique_and_every_source_of_names_has_a_text():
    names = [term.name for term in TERMS]
    assert len(set(names)) == len(names)
    sources = {source for term in TERMS for source, _ in term.also}
    for lang in GLOSSARY:
        assert set(GLOSSARY[lang].terms) == set(names)
        assert set(GLOSSARY[lang].sources) == sources
        assert list(GLOSSARY[lang].groups) == [group for group, _ in GROUPS]


@pytest.fixture(scope="module")
def trace() -> Trace:
    return full_trace(FIRST)


@for_all("term", TERMS)
def test_the_step_of_a_term_exists_with_its_axis_and_its_page(term, trace):
    if not term.stage:
        assert EXAMPLES[dict(term.needs)["example"]] and term.page == "checkpoint"
        return
    stages = subtrace(model_trace(term.model), term.part) if term.model else trace
    assert term.stage in stages
    if term.role:
        assert term.role in stages[term.stage].roles
    assert not term.page or term.page in PAGES
    known = {"mask", "dropout", "residual"} if not term.model else {"forced", "light", "layer"}
    assert set(dict(term.needs)) <= known


def test_the_terms_of_every_step_are_terms(trace):
    steps = {words_key(TRACES[name](), key) for name, key in STAGES} | set(trace)
    assert OF_STAGE.keys() <= steps | {key for _, key in STAGES}
    for stage, names in OF_STAGE.items():
        assert of_stage(stage) == names
        assert all(find_term(name).name == name for name in names)
    assert of_stage("no such step") == ()
    with pytest.raises(KeyError):
        find_term("no such term")
