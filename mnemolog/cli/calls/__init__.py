"""Calls of commands: their options, input, exit codes and questions to a person."""
