"""The terms of a whole model, and their names in other books and libraries."""

from views.text.glossary_term import Term

ENCODER = "encoder/1/self"
FEED_FORWARD = "encoder/1/feed_forward"
PREDICTION = "prediction"
DECODER_LAYER = (("layer", "1"),)

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
