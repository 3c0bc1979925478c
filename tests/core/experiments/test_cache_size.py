from core.experiments.cache_size import CONTEXT, LLAMA_8B


def test_the_cache_of_a_named_model_is_that_of_a_hand_calculation():
    # 2 · 32 layers · 8 heads · 128 numbers · 2 bytes = 131 072 bytes a token
    assert LLAMA_8B.cache_bytes(1) == 131_072
    assert LLAMA_8B.cache_bytes(CONTEXT) == 16 * 2**30
    assert LLAMA_8B.cache_bytes(CONTEXT, kv_heads=32) == 64 * 2**30
    assert LLAMA_8B.cache_bytes(CONTEXT, kv_heads=1) == 2 * 2**30


def test_its_parameters_are_four_matrices_a_layer():
    # W_Q and W_O: 4096 · 4096 each; W_K and W_V: 4096 · 1024 each
    assert LLAMA_8B.attention_parameters() == 32 * (2 * 4096 * 4096 + 2 * 4096 * 1024)
    assert LLAMA_8B.attention_parameters(32) == 32 * 4 * 4096 * 4096


def test_multiply_adds_of_a_new_token():
    # once with its key, once with its value: 32 layers · 32 heads · 128 numbers · 2 a token
    for kv_heads in (32, 8, 1):
        parameters = LLAMA_8B.attention_parameters(kv_heads)
        found = LLAMA_8B.attention_multiply_adds(1000, kv_heads)
        assert found == parameters + 1000 * 2 * 32 * 32 * 128


def test_bytes_of_queries_and_weights():
    # 32 layers · 32 heads · 128 numbers · 2 bytes a token; a weight of 2 bytes for each two tokens
    assert LLAMA_8B.query_bytes(10) == 10 * 262_144
    assert LLAMA_8B.weights_bytes(10) == 32 * 32 * 100 * 2


def test_a_text_without_a_cache_is_read_from_every_token_to_those_before_it():
    # token by token as with a cache, whose first has 1 key and whose last has all
    n = 1000
    by_token = sum(LLAMA_8B.attention_multiply_adds(i + 1) for i in range(n))
    assert LLAMA_8B.reading_multiply_adds(n) == by_token
