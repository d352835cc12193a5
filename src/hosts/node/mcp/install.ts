import { readFileSync } from 'node:fs'
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser'
import { AppError } from '#engine/platform/errors.ts'
import { isObject } from '#shared/json/object.ts'
import { assistantFiles, type Assistant } from './assistants.ts'
import { ownCommand, resolvePath } from '../io.ts'

export interface ServerCommand {
  readonly command: string
  readonly args: readonly string[]
}

/** Absolute: an assistant may have another PATH, and another Node on it. */
export function serverCommand(args: readonly string[]): ServerCommand {
  const { program, script } = ownCommand()
  return { command: program, args: [script, ...args] }
}

/** `before` null: the file does not exist. */
export interface ConfigurationChange {
  readonly file: string
  readonly before: string | null
  readonly after: string
  /** Only this part of the file is shown: others may contain secrets. */
  readonly entry: string
}

/** Everything else in the file stays, with its comments. `file` null: that of the project in the current folder. Throws `bad_input` if something would be lost. */
export function planChange(
  assistant: Assistant,
  file: string | null,
  server: ServerCommand,
): ConfigurationChange {
  const { configuration, key } = assistantFiles[assistant]
  const target = resolvePath(file ?? configuration)
  const before = readText(target)
  const text = before ?? ''
  if (assistant === 'codex') {
    return { file: target, before, after: addToml(target, text, server), entry: tableOf(server) }
  }
  const entry = JSON.stringify({ [key]: { tabscope: server } }, null, 2)
  return { file: target, before, after: addJson(target, text, key, server), entry }
}

export function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new AppError('bad_input', `${file} could not be read. Check its permissions.`, {
      cause: error,
    })
  }
}

/** Comments and everything else in it stay. */
function addJson(file: string, text: string, key: string, server: ServerCommand): string {
  const errors: ParseError[] = []
  const start = text.trim() === '' ? '{}\n' : text
  const value: unknown = parse(start, errors, { allowTrailingComma: true })
  const servers = isObject(value) ? (value[key] ?? {}) : null
  if (errors.length > 0 || !isObject(servers)) {
    throw cannotAdd(file, `it is no JSON object, or "${key}" in it is none. Correct it first.`)
  }
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: 2, keepLines: true }
  return applyEdits(start, modify(start, [key, 'tabscope'], server, { formattingOptions }))
}

/** Strings in JSON are strings in TOML. */
function tableOf({ command, args }: ServerCommand): string {
  const words = args.map((word) => JSON.stringify(word)).join(', ')
  return `[mcp_servers.tabscope]\ncommand = ${JSON.stringify(command)}\nargs = [${words}]`
}

/** A table is added at the end: what exists is not replaced. */
function addToml(file: string, text: string, server: ServerCommand): string {
  const table = tableOf(server)
  if (text.includes(table)) return text
  if (/^(?:mcp_servers ?=|\[mcp_servers\.["']?tabscope)/m.test(text)) {
    throw cannotAdd(file, `it has other values for MCP servers. Replace them with:\n${table}`)
  }
  const separator = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return `${text}${separator}${table}\n`
}

function cannotAdd(file: string, reason: string): AppError {
  return new AppError('bad_input', `${file} was not changed: ${reason}`)
}
