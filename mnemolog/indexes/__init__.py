"""Finding: embeddings, vectors, postings and columns, kept up with the log."""
