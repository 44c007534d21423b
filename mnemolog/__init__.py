"""Long-term memory for AI agents, kept as an append-only ledger.

    from mnemolog import Memory

    with Memory.open("notes") as memory:
        memory.remember("Dana prefers green tea", source="user:dana")
        print(memory.recall("what does Dana drink?").hits[0].content)

Everything that a user of the library needs is importable from here.
"""

import lazy_loader

# Importing them all would cost a command that needs no model ten times its own time.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
