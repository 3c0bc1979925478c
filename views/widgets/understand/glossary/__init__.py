"""What the page “glossary” is made of."""
