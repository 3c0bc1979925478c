"""How the translator for any Chinese sentence is trained, on sentence pairs of Tatoeba."""
