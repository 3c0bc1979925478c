"""How the small decoder under ``assets/models/decoder`` came to be."""
