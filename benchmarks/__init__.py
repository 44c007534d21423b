"""Programs that measure speed, size and retrieval quality; see docs/benchmarks.md.

The sentences in the `.jsonl` files are cases, as people would say them: "for now" and the like
there speak of a case's own affairs, and promise nothing of this project.
"""
