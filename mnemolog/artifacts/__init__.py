"""Sources of artifacts: forges over HTTP, local git checkouts, and how settings name them.

Below `serve`, since the library's own `ask` reads them; beside `mnemolog.imports`,
which reads such things too, but to remember them.
"""
