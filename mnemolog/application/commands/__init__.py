"""Commands: decisions on the present state, appended as events, with receipts."""
