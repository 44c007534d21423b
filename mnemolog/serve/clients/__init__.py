"""Client configuration: install the server's entry in JSON and TOML files."""
