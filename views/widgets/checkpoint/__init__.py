"""An opened checkpoint: what the page of a reader's own model and the Sentence page share."""
