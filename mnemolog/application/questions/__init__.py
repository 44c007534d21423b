"""Questions to a space, as of now or any past moment."""
