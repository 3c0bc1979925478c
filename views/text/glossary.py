"""All terms of the glossary, and their names in papers, libraries and other books."""

from dataclasses import dataclass

Names = tuple[tuple[str, tuple[str, ...]], ...]
PROJECTIONS = (("Q", "q", "query", "查询"), ("K", "k", "key", "键"), ("V", "v", "value", "值"))
ENCODER = "encoder/1/self"
FEED_FORWARD = "encoder/1/feed_forward"
PREDICTION = "prediction"
DECODER_LAYER = (("layer", "1"),)
DINO = (("example", "dinov2"),)  # the example of the page of one's own model
OF_STAGE: dict[str, tuple[str, ...]] = {  # the terms that occur in the texts of a step
    "tokens": ("token", "n", "batch"),
    "embedding": ("E", "d_model"),
    "position": ("position", "d_model"),
    "X": ("X", "n", "d_model"),
    "Q": ("Q", "W_Q", "h", "d_k"),
    "K": ("K", "W_K", "h", "d_k"),
    "V": ("V", "W_V", "h", "d_v"),
    "shared_keys": ("K", "W_K", "grouped_query", "d_k"),
    "shared_values": ("V", "W_V", "grouped_query", "d_v"),
    **dict.fromkeys(("cos", "sin"), ("rotary", "position")),
    "Q_rotated": ("rotary", "Q", "d_k"),
    "K_rotated": ("rotary", "K", "d_k"),
    "shared_rotated_keys": ("rotary", "K", "grouped_query", "d_k"),
    "present_K": ("kv_cache", "K", "grouped_query"),
    "present_V": ("kv_cache", "V", "grouped_query"),
    "latent": ("latent", "X", "n"),
    "latent_keys": ("K", "latent", "d_k"),
    "latent_values": ("V", "latent", "d_v"),
    "Q_normed": ("qk_norm", "Q", "d_k"),
    "K_normed": ("qk_norm", "K", "d_k"),
    "capped": ("soft_cap", "scaled"),
    "sink_weights": ("attention_sink", "weights", "scaled"),
    "scores": ("scores", "Q", "K", "n"),
    "scaled": ("scaled", "scores", "d_k"),
    "unscaled": ("scaled", "scores", "d_k"),
    "relative_bias": ("position", "scores"),
    "biased": ("scores", "position"),
    "biased_and_masked": ("masked", "position"),
    "masked": ("masked", "scaled"),
    "weights": ("weights", "scaled"),
    "dropped": ("dropped", "weights"),
    "head_output": ("head_output", "weights", "V"),
    **dict.fromkeys(("added", "direction"), ("stream", "d_model")),
    "shares": ("logits", "stream"),
    "set_weights": ("weights", "head_output"),
    "muted": ("head_output", "W_O"),
    "patched": ("head_output", "stream"),
    **dict.fromkeys(("patched_stream", "patched_input"), ("stream", "d_model")),
    "concat": ("concat", "head_output", "h", "d_v"),
    "output": ("output", "W_O", "d_model"),
    "residual": ("residual", "X"),
    "normalised": ("normalised", "residual"),
    "learnt_norm": ("normalised", "gamma", "beta", "post_norm"),
    "stream": ("stream", "n", "d_model"),
    "pre_norm_residual": ("stream", "residual"),
    **dict.fromkeys(("final_norm", "normed_vectors"), ("normalised", "gamma", "beta")),
    **dict.fromkeys(("bias_free_norm", "bias_free_normed_vectors"), ("normalised", "gamma")),
    "normed_stream": ("pre_norm", "normalised", "gamma", "beta"),
    "bias_free_normed_stream": ("pre_norm", "normalised", "gamma"),
    "gamma": ("gamma", "normalised"),
    "beta": ("beta", "normalised"),
    "feed_forward_input": ("feed_forward", "n", "d_model"),
    **dict.fromkeys(
        ("W_1", "hidden", "bias_free_hidden", "W_2", "gate", "gelu_gate", "up", "gated", "geglu"),
        ("feed_forward", "d_ff"),
    ),
    **dict.fromkeys(
        ("feed_forward_output", "bias_free_output", "gated_output"), ("feed_forward", "d_model")
    ),
    **dict.fromkeys(("cls", "learnt_cls"), ("cls",)),
    "registers": ("registers", "cls"),
    "registered_sequence": ("cls", "registers", "n"),
    "spaced_position": ("position", "registers"),
    "lambda": ("layer_scale",),
    "layer_scaled": ("layer_scale", "residual"),
    "sequence": ("cls", "n"),
    "cls_vector": ("cls", "d_model"),
    **dict.fromkeys(("logits", "plain_logits"), ("logits",)),
    "rms_stream": ("pre_norm", "rms_norm", "gamma"),
    "rms_gamma": ("gamma", "rms_norm"),
    "rms_norm": ("rms_norm", "gamma"),
    "gamma_post": ("gamma", "rms_norm"),
    "post_normed": ("rms_norm", "residual"),
    "probabilities": ("probabilities", "logits", "greedy"),
}


@dataclass(frozen=True)
class Term:
    """One term.

    name: in code and in the link. symbol: LaTeX, ``""`` if it is the name. stage: the step that
    shows it; ``""`` if only a user's own model has it. role: for a size, the axis of that step.
    also: its names elsewhere, by where they are used. needs: query parameters with which the page
    has this step, or describes such a model. page: the experiment about it, or ``""``. model, part:
    the trained model and its part with that step; ``""`` if the user's own sentence has it.
    is_step: whether the term is the step itself, so that its shape is shown.
    """

    name: str
    symbol: str
    stage: str
    also: Names
    role: str = ""
    needs: tuple[tuple[str, str], ...] = ()
    page: str = ""
    model: str = ""
    part: str = ""
    is_step: bool = True


SIZES = (
    Term(
        "n", "n", "X",
        (
            ("papers", ("N", "L", "T")),
            ("pytorch", ("L", "S", "src_len", "tgt_len")),
            ("hf", ("sequence_length", "seq_length")),
            ("vision", ("patch_num", "num_patches")),
            ("sound", ("time_step", "num_frames")),
            ("code", ("seq_len",)),
            ("chinese", ("序列长度",)),
        ),
        role="token", page="sizes",
    ),
    Term(
        "batch", "B", "X",
        (
            ("papers", ("M", "B")),
            ("pytorch", ("N", "bsz")),
            ("code", ("batch_size",)),
            ("chinese", ("批大小", "样本数")),
        ),
        role="batch", page="sizes",
    ),
    Term(
        "d_model", r"d_{\text{model}}", "X",
        (
            ("papers", ("d", "D", "embedding dimension", "model width")),
            ("pytorch", ("E", "embed_dim")),
            ("hf", ("hidden_size",)),
            ("gpt2", ("C", "n_embd")),
            ("vision", ("D", "C", "embed_dim")),
            ("chinese", ("嵌入维度", "模型维度", "隐藏维度")),
        ),
        role="d_model", page="sizes",
    ),
    Term(
        "h", "h", "Q",
        (
            ("pytorch", ("num_heads", "nhead")),
            ("keras", ("num_heads",)),
            ("hf", ("num_attention_heads",)),
            ("gpt2", ("n_head",)),
            ("code", ("n_heads", "H")),
            ("chinese", ("头数",)),
        ),
        role="head", page="heads",
    ),
    Term(
        "d_k", "d_k", "Q",
        (
            ("pytorch", ("head_dim",)),
            ("keras", ("key_dim",)),
            ("hf", ("attention_head_size", "head_dim")),
            ("papers", ("d_h", "d_head")),
            ("code", ("dim_head",)),
            ("chinese", ("每头维度", "键的维度")),
        ),
        role="d_k", page="scaling",
    ),
    Term(
        "d_v", "d_v", "V",
        (
            ("pytorch", ("head_dim",)),
            ("keras", ("value_dim",)),
            ("hf", ("head_dim",)),
            ("chinese", ("值的维度",)),
        ),
        role="d_v", page="sizes",
    ),
)  # fmt: skip

INPUTS = (
    Term(
        "token", "", "tokens",
        (
            ("papers", ("word piece", "subword", "element")),
            ("vision", ("patch", "image token")),
            ("sound", ("frame", "time step")),
            ("hf", ("input_ids",)),
            ("chinese", ("词元", "词", "图像块", "帧")),
        ),
    ),
    Term(
        "E", "E", "E",
        (
            ("pytorch", ("nn.Embedding",)),
            ("gpt2", ("wte",)),
            ("hf", ("word_embeddings", "embed_tokens")),
            ("papers", ("lookup table", "token embedding")),
            ("chinese", ("词嵌入", "嵌入矩阵", "词向量")),
        ),
    ),
    Term(
        "position", "", "position",
        (
            ("papers", ("PE", "positional encoding", "position embedding")),
            ("gpt2", ("wpe",)),
            ("hf", ("position_embeddings",)),
            ("vision", ("pos_embed",)),
            ("chinese", ("位置编码", "位置嵌入")),
        ),
        page="order",
    ),
    Term(
        "X", "X", "X",
        (
            ("pytorch", ("query=", "key=", "value=", "src")),
            ("hf", ("hidden_states", "inputs_embeds")),
            ("code", ("x", "inputs")),
            ("chinese", ("输入",)),
        ),
        page="cross",
    ),
)  # fmt: skip

MATRICES = (
    *(
        Term(
            f"W_{letter}", f"W^{letter}", f"W_{letter}",
            (
                ("papers", (f"W^{small}", f"W_{small}")),
                ("pytorch", ("in_proj", "in_proj_weight", f"{small}_proj_weight")),
                ("hf", (f"{small}_proj", f"{english}.weight")),
                ("gpt2", ("c_attn",)),
                ("vision", ("qkv",)),
                ("code", (f"to_{small}", f"W{small}")),
                ("chinese", (f"{chinese}权重矩阵",)),
            ),
        )
        for letter, small, english, chinese in PROJECTIONS
    ),
    Term(
        "W_O", "W^O", "W_O",
        (
            ("papers", ("W^o", "W_o")),
            ("pytorch", ("out_proj",)),
            ("hf", ("o_proj", "attention.output.dense")),
            ("gpt2", ("c_proj",)),
            ("vision", ("proj",)),
            ("code", ("to_out",)),
            ("chinese", ("输出投影",)),
        ),
        page="heads",
    ),
)  # fmt: skip

STEPS = (
    *(
        Term(
            letter, letter, letter,
            (
                ("papers", (english, several)),
                ("code", (small,)),
                ("hf", (f"{english}_states", f"{english}_layer")),
                ("chinese", (chinese,)),
            ),
            page="cross",
        )
        for (letter, small, english, chinese), several in zip(
            PROJECTIONS, ("queries", "keys", "values"), strict=True
        )
    ),
    Term(
        "scores", r"QK^\top", "scores",
        (
            ("papers", ("S", "attention scores", "logits", "similarity")),
            ("older", ("e_ij", "energy", "alignment score")),
            ("code", ("attn_scores", "QK^T")),
            ("hf", ("attention_scores",)),
            ("chinese", ("注意力分数", "相似度")),
        ),
        page="by_hand",
    ),
    Term(
        "scaled", r"\frac{QK^\top}{\sqrt{d_k}}", "scaled",
        (
            ("papers", ("scaled scores", "scaled dot product", "scaled attention scores")),
            ("pytorch", ("scale",)),
            ("hf", ("scaling", "attn_logits")),
            ("chinese", ("缩放", "缩放点积")),
        ),
        page="scaling",
    ),
    Term(
        "masked", "+M", "masked",
        (
            ("papers", ("look-ahead mask", "causal mask", "padding mask")),
            ("pytorch", ("attn_mask", "key_padding_mask", "is_causal")),
            ("hf", ("attention_mask",)),
            ("gpt2", ("tril", "attn.bias")),
            ("code", ("subsequent_mask",)),
            ("chinese", ("掩码", "遮罩", "因果掩码")),
        ),
        needs=(("mask", "causal"),), page="masks",
    ),
    Term(
        "weights", "A", "weights",
        (
            ("papers", ("A", "W", "attention weights", "attention distribution")),
            ("older", ("α_ij", "alignment")),
            ("pytorch", ("attn_output_weights", "attn_weights")),
            ("keras", ("attention_scores",)),
            ("hf", ("attentions", "attention_probs")),
            ("vision", ("attn", "attention map")),
            ("research", ("pattern", "attention pattern")),
            ("chinese", ("注意力权重", "注意力图")),
        ),
        page="softmax",
    ),
    Term(
        "dropped", "", "dropped",
        (
            ("pytorch", ("dropout", "dropout_p")),
            ("gpt2", ("attn_dropout", "attn_pdrop")),
            ("vision", ("attn_drop",)),
            ("hf", ("attention_probs_dropout_prob",)),
            ("chinese", ("随机失活",)),
        ),
        needs=(("dropout", "0.1"),), page="around",
    ),
    Term(
        "head_output", "AV", "head_output",
        (
            ("papers", ("head_i", "weighted sum")),
            ("older", ("c_i", "context vector")),
            ("hf", ("context_layer",)),
            ("research", ("z",)),
            ("chinese", ("上下文向量", "加权和")),
        ),
        page="by_hand",
    ),
    Term(
        "concat", r"\text{Concat}", "concat",
        (
            ("papers", ("Concat(head_1, …, head_h)",)),
            ("gpt2", ("merge_heads",)),
            ("code", ("combine_heads",)),
            ("chinese", ("拼接", "合并多头")),
        ),
        page="heads",
    ),
    Term(
        "output", "", "output",
        (
            ("papers", ("MultiHead(Q, K, V)",)),
            ("pytorch", ("attn_output",)),
            ("keras", ("attention_output",)),
            ("chinese", ("输出",)),
        ),
        page="heads",
    ),
    Term(
        "residual", "", "residual",
        (
            ("papers", ("Add", "skip connection", "shortcut")),
            ("chinese", ("残差连接", "跳跃连接")),
        ),
        needs=(("residual", "1"),), page="around",
    ),
    Term(
        "normalised", "", "normalised",
        (
            ("papers", ("LayerNorm", "Add & Norm")),
            ("pytorch", ("nn.LayerNorm", "norm1")),
            ("gpt2", ("ln_1",)),
            ("chinese", ("层归一化",)),
        ),
        needs=(("residual", "1"),), page="around",
    ),
)  # fmt: skip

KINDS = (
    Term(
        "multi_head", r"\text{MultiHead}", "output",
        (
            ("papers", ("MHA", "multi-head attention")),
            ("pytorch", ("nn.MultiheadAttention",)),
            ("keras", ("MultiHeadAttention",)),
            ("chinese", ("多头注意力",)),
        ),
        page="heads",
    ),
    Term(
        "self_attention", "", "weights",
        (
            ("papers", ("self-attention", "MHSA", "intra-attention")),
            ("vision", ("MSA",)),
            ("chinese", ("自注意力", "多头自注意力")),
        ),
        page="cross",
    ),
    Term(
        "cross_attention", "", "weights",
        (
            ("papers", ("cross-attention", "encoder–decoder attention", "MHA")),
            ("pytorch", ("memory", "kdim", "vdim", "multihead_attn")),
            ("hf", ("encoder_hidden_states", "crossattention")),
            ("code", ("context",)),
            ("chinese", ("交叉注意力", "互注意力")),
        ),
        page="cross", model="translator", part="decoder/1/cross",
    ),
)  # fmt: skip


LAYERS = (
    Term(
        "feed_forward", r"\text{FFN}", "hidden",
        (
            ("papers", ("FFN", "position-wise feed-forward", "MLP")),
            ("pytorch", ("linear1", "linear2")),
            ("hf", ("intermediate", "mlp")),
            ("gpt2", ("mlp", "c_fc")),
            ("vision", ("mlp", "fc1", "fc2")),
            ("chinese", ("前馈网络", "前馈层", "全连接层")),
        ),
        model="translator", part=FEED_FORWARD,
    ),
    Term(
        "d_ff", r"d_{\text{ff}}", "hidden",
        (
            ("pytorch", ("dim_feedforward",)),
            ("hf", ("intermediate_size",)),
            ("gpt2", ("n_inner", "4 * n_embd")),
            ("vision", ("mlp_dim", "mlp_ratio")),
            ("chinese", ("前馈层的宽度", "中间维度")),
        ),
        role="d_ff", model="translator", part=FEED_FORWARD,
    ),
    Term(
        "gamma", r"\gamma", "gamma",
        (
            ("papers", ("gain", "g")),
            ("pytorch", ("LayerNorm.weight",)),
            ("keras", ("gamma", "scale")),
            ("gpt2", ("ln_1.weight",)),
            ("chinese", ("缩放参数", "增益")),
        ),
        page="around", model="translator", part=ENCODER,
    ),
    Term(
        "beta", r"\beta", "beta",
        (
            ("pytorch", ("LayerNorm.bias",)),
            ("keras", ("beta", "center")),
            ("gpt2", ("ln_1.bias",)),
            ("chinese", ("平移参数", "偏置")),
        ),
        page="around", model="translator", part=ENCODER,
    ),
    Term(
        "stream", "", "stream",
        (
            ("research", ("residual stream", "resid_pre", "resid_post")),
            ("hf", ("hidden_states",)),
            ("code", ("x",)),
            ("chinese", ("残差流",)),
        ),
        page="around", model="vision", part=ENCODER,
    ),
    Term(
        "post_norm", "", "normalised",
        (
            ("papers", ("post-norm", "Post-LN", "Add & Norm")),
            ("pytorch", ("norm_first=False",)),
            ("hf", ("attention.output.LayerNorm",)),
            ("chinese", ("后置归一化",)),
        ),
        page="around", model="translator", part=ENCODER,
    ),
    Term(
        "pre_norm", "", "X",
        (
            ("papers", ("pre-norm", "Pre-LN")),
            ("pytorch", ("norm_first=True",)),
            ("hf", ("layernorm_before",)),
            ("gpt2", ("ln_1",)),
            ("vision", ("norm1",)),
            ("chinese", ("前置归一化",)),
        ),
        page="around", model="vision", part=ENCODER,
    ),
    Term(
        "rotary", "", "Q_rotated",
        (
            ("papers", ("RoPE", "rotary position embedding")),
            ("hf", ("apply_rotary_pos_emb", "rope_theta", "position_embeddings")),
            ("code", ("freqs_cis", "rotate_half")),
            ("chinese", ("旋转位置编码",)),
        ),
        needs=DECODER_LAYER, page="rotary", model="decoder", part=ENCODER,
    ),
    Term(
        "grouped_query", "", "K",
        (
            ("papers", ("GQA", "grouped-query attention", "MQA")),
            ("pytorch", ("enable_gqa=True",)),
            ("hf", ("num_key_value_heads", "repeat_kv")),
            ("chinese", ("分组查询注意力",)),
        ),
        needs=DECODER_LAYER, page="grouped_query", model="decoder", part=ENCODER,
    ),
    Term(
        "kv_cache", "", "K",
        (
            ("papers", ("KV cache", "PagedAttention", "prefill and decode")),
            ("hf", ("past_key_values", "DynamicCache", "use_cache=True")),
            ("code", ("layer_past", "kv_cache")),
            ("chinese", ("键值缓存",)),
        ),
        needs=DECODER_LAYER, page="kv_cache", model="decoder", part=ENCODER,
    ),
    Term(
        "rms_norm", "", "X",
        (
            ("papers", ("RMSNorm", "root mean square layer normalization")),
            ("pytorch", ("nn.RMSNorm",)),
            ("hf", ("input_layernorm", "rms_norm_eps")),
            ("chinese", ("均方根归一化",)),
        ),
        needs=DECODER_LAYER, page="around", model="decoder", part=ENCODER,
    ),
    Term(
        "gated", "", "hidden",
        (
            ("papers", ("SwiGLU", "GLU", "gated linear unit")),
            ("hf", ("gate_proj", "up_proj", "hidden_act=silu")),
            ("chinese", ("门控前馈层",)),
        ),
        needs=DECODER_LAYER, page="around", model="decoder", part=FEED_FORWARD,
    ),
)  # fmt: skip

ANSWERS = (
    Term(
        "cls", r"x_{\text{CLS}}", "cls",
        (
            ("papers", ("[CLS]", "class token", "x_class")),
            ("vision", ("cls_token", "class embedding")),
            ("hf", ("cls_token",)),
            ("chinese", ("分类标记", "类别词元")),
        ),
        model="vision", part="input",
    ),
    Term(
        "logits", "", "logits",
        (
            ("papers", ("logits", "unnormalised log-probabilities")),
            ("hf", ("lm_head", "logits")),
            ("gpt2", ("lm_head",)),
            ("vision", ("head", "classifier")),
            ("chinese", ("未归一化的得分",)),
        ),
        model="translator", part=PREDICTION,
    ),
    Term(
        "probabilities", "", "probabilities",
        (
            ("papers", ("output probabilities",)),
            ("code", ("probs",)),
            ("chinese", ("输出概率", "预测概率")),
        ),
        page="softmax", model="translator", part=PREDICTION,
    ),
    Term(
        "greedy", "", "probabilities",
        (
            ("papers", ("greedy decoding", "greedy search")),
            ("hf", ("do_sample=False", "num_beams=1")),
            ("code", ("argmax",)),
            ("chinese", ("贪心解码", "贪婪搜索")),
        ),
        model="translator", part=PREDICTION, is_step=False,
    ),
    Term(
        "teacher_forcing", "", "tokens",
        (
            ("papers", ("teacher forcing", "outputs (shifted right)")),
            ("pytorch", ("tgt",)),
            ("hf", ("decoder_input_ids", "shift_tokens_right")),
            ("chinese", ("教师强制",)),
        ),
        needs=(("forced", "1"),), model="translator", part="target", is_step=False,
    ),
    Term(
        "rollout", r"\tilde{A}", "weights",
        (
            ("papers", ("attention rollout",)),
            ("vision", ("rollout",)),
            ("chinese", ("注意力展开",)),
        ),
        needs=(("light", "rollout"),), model="vision", part="encoder/3/self", is_step=False,
    ),
)  # fmt: skip


TODAY = (
    Term(
        "sliding_window", "", "masked",
        (
            ("papers", ("sliding window attention", "SWA", "local attention")),
            ("hf", ("sliding_window", "layer_types")),
            ("code", ("window_size",)),
            ("chinese", ("滑动窗口注意力",)),
        ),
        needs=DECODER_LAYER, page="sliding_window", model="decoder", part=ENCODER, is_step=False,
    ),
    Term(
        "attention_sink", "", "weights",
        (
            ("papers", ("attention sink", "StreamingLLM", "off-by-one attention")),
            ("hf", ("sinks",)),
            ("chinese", ("注意力汇聚点", "注意力沉没")),
        ),
        needs=DECODER_LAYER, page="soft_cap", model="decoder", part=ENCODER, is_step=False,
    ),
    Term(
        "flash_attention", "", "weights",
        (
            ("papers", ("FlashAttention", "online softmax", "memory-efficient attention")),
            ("pytorch", ("SDPBackend.FLASH_ATTENTION",)),
            ("hf", ("flash_attention_2",)),
            ("code", ("flash_attn_func", "softmax_lse")),
        ),
        needs=DECODER_LAYER, page="tiles", model="decoder", part=ENCODER, is_step=False,
    ),
    Term(
        "soft_cap", "", "scaled",
        (
            ("papers", ("logit soft-capping", "logit clipping")),
            ("hf", ("attn_logit_softcapping",)),
            ("code", ("softcap",)),
            ("chinese", ("软截断",)),
        ),
        needs=DECODER_LAYER, page="soft_cap", model="decoder", part=ENCODER, is_step=False,
    ),
    Term(
        "qk_norm", "", "Q",
        (
            ("papers", ("QK-Norm", "query/key normalization")),
            ("hf", ("q_norm", "k_norm")),
            ("chinese", ("查询键归一化",)),
        ),
        needs=DECODER_LAYER, page="soft_cap", model="decoder", part=ENCODER, is_step=False,
    ),
    Term(
        "latent", r"c^{KV}", "K",
        (
            ("papers", ("MLA", "multi-head latent attention")),
            ("hf", ("kv_lora_rank", "kv_a_proj_with_mqa")),
            ("chinese", ("多头潜在注意力", "低秩键值联合压缩")),
        ),
        needs=DECODER_LAYER, page="latent", model="decoder", part=ENCODER, is_step=False,
    ),
    Term(
        "registers", "", "",
        (
            ("papers", ("register tokens", "[REG]")),
            ("hf", ("register_tokens", "num_register_tokens")),
            ("vision", ("reg_token", "reg_tokens=4")),
            ("chinese", ("寄存器标记", "寄存器令牌")),
        ),
        needs=DINO, page="checkpoint", is_step=False,
    ),
    Term(
        "layer_scale", r"\lambda", "",
        (
            ("papers", ("LayerScale", "CaiT")),
            ("hf", ("layer_scale1.lambda1", "layerscale_value")),
            ("vision", ("ls1.gamma", "init_values")),
            ("chinese", ("层缩放",)),
        ),
        needs=DINO, page="checkpoint", is_step=False,
    ),
)  # fmt: skip


GROUPS = (
    ("sizes", SIZES),
    ("inputs", INPUTS),
    ("matrices", MATRICES),
    ("steps", STEPS),
    ("kinds", KINDS),
    ("layers", LAYERS),
    ("today", TODAY),
    ("answers", ANSWERS),
)
TERMS = tuple(term for _, group in GROUPS for term in group)


def find_term(name: str) -> Term:
    """The term of this name. Raises KeyError for an unknown name."""
    return {each.name: each for each in TERMS}[name]


def of_stage(stage: str) -> tuple[str, ...]:
    """The names of the terms in the texts of a step; none for inputs."""
    return OF_STAGE.get(stage, ())
