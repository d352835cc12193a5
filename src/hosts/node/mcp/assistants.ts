export const assistants = ['claude-code', 'codex', 'cursor', 'vscode'] as const
export type Assistant = (typeof assistants)[number]

/** For a project. `key`: the object of the MCP servers. */
export const assistantFiles: Record<
  Assistant,
  { configuration: string; key: string; skills: string }
> = {
  'claude-code': { configuration: '.mcp.json', key: 'mcpServers', skills: '.claude/skills' },
  codex: { configuration: '.codex/config.toml', key: 'mcp_servers', skills: '.agents/skills' },
  cursor: { configuration: '.cursor/mcp.json', key: 'mcpServers', skills: '.agents/skills' },
  vscode: { configuration: '.vscode/mcp.json', key: 'servers', skills: '.agents/skills' },
}
