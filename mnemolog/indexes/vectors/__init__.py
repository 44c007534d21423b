"""Vectors of memories: where they are kept, and which are nearest."""
