"""The training of the Chinese–English translator, on sentence pairs of Tatoeba."""
