"""Names in a text: people, things and places, their kinds and the relations stated of them."""
