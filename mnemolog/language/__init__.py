"""Reading English: sentences, words, clauses, dates, quantities and names of a text."""
