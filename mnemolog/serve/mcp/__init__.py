"""MCP server of the memory: tools and resources for agents, over stdio and HTTP."""
