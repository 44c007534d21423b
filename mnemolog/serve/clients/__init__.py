"""The settings of agent clients, into which the server is entered: files of JSON and TOML."""
