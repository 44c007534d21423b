"""A made-up year of an assistant's daily use, always the same for one seed."""
