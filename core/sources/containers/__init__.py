"""Picture files taken apart without decoding them, one format a file."""
