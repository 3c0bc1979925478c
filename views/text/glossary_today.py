"""The terms of what came after the paper, and their names in other books and libraries."""

from views.text.glossary_models import DECODER_LAYER, ENCODER
from views.text.glossary_term import Term

DINO = (("example", "dinov2"),)  # the example of the page of one's own model

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
