"""Its folder joins the import path, so that every test below it reaches ``blob_reader``."""
