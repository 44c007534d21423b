"""Programs that measure speed, size and retrieval quality; see docs/benchmarks.md."""
