"""How the weights under ``assets/models`` were made. The app imports nothing from here."""
