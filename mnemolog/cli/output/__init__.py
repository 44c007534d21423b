"""Output of the commands: tables, receipts, JSON, progress and questions."""
