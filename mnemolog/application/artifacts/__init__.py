"""Sources of artifacts: forges over HTTP, local git checkouts, and how settings name them."""
