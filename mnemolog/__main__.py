"""`python -m mnemolog`: the command line."""

from mnemolog.cli.main import main

main()
