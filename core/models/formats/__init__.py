"""Formats of files with weights: each module here lists the tensors of one under the names that
``transformers`` gives them, so that a model is read the same way from any of them."""
