"""The memory as an MCP server: tools and resources for agents, over stdio and HTTP."""
