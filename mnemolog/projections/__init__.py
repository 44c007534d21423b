"""Following: folds of events into tables, and the file that they live in."""
