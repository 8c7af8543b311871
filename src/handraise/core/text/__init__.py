"""Texts as the search reads them: tokens, and the concepts that words stand for."""
