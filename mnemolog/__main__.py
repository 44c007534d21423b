"""`python -m mnemolog`: the command line."""

from mnemolog.cli.main import main

if __name__ == "__main__":
    main()
