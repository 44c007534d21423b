"""Questions to a space, now and as of any past moment."""
