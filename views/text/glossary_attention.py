"""The terms of attention, and their names in other books and libraries."""

from views.text.glossary_term import Term

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
    Term(
        "W_Q", "W^Q", "W_Q",
        (
            ("papers", ("W^q", "W_q")),
            ("pytorch", ("in_proj", "in_proj_weight", "q_proj_weight")),
            ("hf", ("q_proj", "query.weight")),
            ("gpt2", ("c_attn",)),
            ("vision", ("qkv",)),
            ("code", ("to_q", "Wq")),
            ("chinese", ("查询权重矩阵",)),
        ),
    ),
    Term(
        "W_K", "W^K", "W_K",
        (
            ("papers", ("W^k", "W_k")),
            ("pytorch", ("in_proj", "in_proj_weight", "k_proj_weight")),
            ("hf", ("k_proj", "key.weight")),
            ("gpt2", ("c_attn",)),
            ("vision", ("qkv",)),
            ("code", ("to_k", "Wk")),
            ("chinese", ("键权重矩阵",)),
        ),
    ),
    Term(
        "W_V", "W^V", "W_V",
        (
            ("papers", ("W^v", "W_v")),
            ("pytorch", ("in_proj", "in_proj_weight", "v_proj_weight")),
            ("hf", ("v_proj", "value.weight")),
            ("gpt2", ("c_attn",)),
            ("vision", ("qkv",)),
            ("code", ("to_v", "Wv")),
            ("chinese", ("值权重矩阵",)),
        ),
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
    Term(
        "Q", "Q", "Q",
        (
            ("papers", ("query", "queries")),
            ("code", ("q",)),
            ("hf", ("query_states", "query_layer")),
            ("chinese", ("查询",)),
        ),
        page="cross",
    ),
    Term(
        "K", "K", "K",
        (
            ("papers", ("key", "keys")),
            ("code", ("k",)),
            ("hf", ("key_states", "key_layer")),
            ("chinese", ("键",)),
        ),
        page="cross",
    ),
    Term(
        "V", "V", "V",
        (
            ("papers", ("value", "values")),
            ("code", ("v",)),
            ("hf", ("value_states", "value_layer")),
            ("chinese", ("值",)),
        ),
        page="cross",
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
