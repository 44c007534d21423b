"""Names in a text: people, things and places, their kinds and their stated relations."""
