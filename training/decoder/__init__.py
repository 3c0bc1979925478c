"""The training of the small decoder under ``assets/models/decoder``."""
