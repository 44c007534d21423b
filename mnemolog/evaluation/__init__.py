"""How well recall answers, measured on labelled sets."""
