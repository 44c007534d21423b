"""Admission of content: admit, flush, and the decisions behind them."""
