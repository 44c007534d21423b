"""Interfaces for agents and programs: the prompt hook, the MCP server and its clients."""
