export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
}

interface AssistantFile {
  /** In the folder of a project; with `~`, of the user. */
  readonly configuration: string
  readonly key: string
  /** Of the entry in it. Absent: JSON with `command` and `args`. */
  readonly format?: 'toml' | 'yaml' | ((server: ServerCommand) => object)
  /** Null: it is not known where it looks for skills. */
  readonly skills: string | null
  /** What else the user has to do, as a sentence. */
  readonly next?: string
}

const agents = '.agents/skills'
const codexTrust =
  'Codex ignores the servers of a folder that is not trusted: start it in this folder once, and trust the folder.'

/** Measured with Claude Code 2.1, Codex 0.171, Gemini CLI 0.61, opencode 1.18 and Qwen Code 0.24; of the others, their documentation says so. */
export const assistantFiles = {
  'claude-code': {
    configuration: '.mcp.json',
    key: 'mcpServers',
    skills: '.claude/skills',
    next: 'Claude Code asks for your approval of the server when it starts.',
  },
  codex: {
    configuration: '.codex/config.toml',
    key: 'mcp_servers',
    format: 'toml',
    skills: agents,
    next: codexTrust,
  },
  cursor: { configuration: '.cursor/mcp.json', key: 'mcpServers', skills: agents },
  vscode: { configuration: '.vscode/mcp.json', key: 'servers', skills: agents },
  gemini: {
    configuration: '.gemini/settings.json',
    key: 'mcpServers',
    skills: null,
    next: 'Gemini CLI ignores the servers of a folder that is not trusted.',
  },
  opencode: {
    configuration: 'opencode.json',
    key: 'mcp',
    format: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    skills: null,
  },
  qwen: {
    configuration: '.qwen/settings.json',
    key: 'mcpServers',
    skills: null,
    next: 'Approve the server: qwen mcp approve tabscope',
  },
  zed: { configuration: '.zed/settings.json', key: 'context_servers', skills: null },
  kiro: { configuration: '.kiro/settings/mcp.json', key: 'mcpServers', skills: null },
  windsurf: {
    configuration: '~/.codeium/windsurf/mcp_config.json',
    key: 'mcpServers',
    skills: null,
  },
  goose: {
    configuration: '~/.config/goose/config.yaml',
    key: 'extensions',
    format: 'yaml',
    skills: null,
  },
} as const satisfies Record<string, AssistantFile>

export type Assistant = keyof typeof assistantFiles

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const assistants = Object.keys(assistantFiles) as [Assistant, ...Assistant[]]

export function fileOf(assistant: Assistant): AssistantFile {
  return assistantFiles[assistant]
}
