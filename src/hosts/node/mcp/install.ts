import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser'
import { AppError } from '#engine/platform/errors.ts'
import { isObject } from '#shared/json/object.ts'
import { fileOf, type Assistant, type ServerCommand } from './assistants.ts'
import { io, ownCommand, resolvePath } from '../io.ts'

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
  const { configuration, key, format } = fileOf(assistant)
  const home = io.env['HOME'] ?? homedir()
  const target = resolvePath(file ?? configuration.replace(/^~/, () => home))
  const before = readText(target)
  // Editors on Windows write it, and it stays.
  const mark = before?.startsWith('\ufeff') ? '\ufeff' : ''
  const text = (before ?? '').slice(mark.length)
  const change = (after: string, entry: string): ConfigurationChange => ({
    file: target,
    before,
    after: mark + after,
    entry,
  })
  if (format === 'toml') return change(addToml(target, text, server), tableOf(server))
  if (format === 'yaml') return change(addYaml(target, text, server), extensionOf(server, '  '))
  const value = format ? format(server) : server
  const entry = JSON.stringify({ [key]: { tabscope: value } }, null, 2)
  return change(addJson(target, text, key, value), entry)
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
function addJson(file: string, text: string, key: string, server: object): string {
  const errors: ParseError[] = []
  const start = text.trim() === '' ? '{}\n' : text
  const value: unknown = parse(start, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    const lines = start.slice(0, error.offset).split('\n')
    const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
    throw cannotAdd(file, `it is not valid JSON (${place}). Correct it first.`)
  }
  if (!isObject(value) || !isObject(value[key] ?? {})) {
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

/** Strings in JSON are strings in YAML. */
function extensionOf({ command, args }: ServerCommand, indent: string): string {
  const fields = {
    type: 'stdio',
    name: 'tabscope',
    cmd: command,
    args,
    enabled: true,
    timeout: 300,
  }
  const lines = Object.entries(fields).map(
    ([name, value]) => `${indent}${indent}${name}: ${JSON.stringify(value)}`,
  )
  return `${indent}tabscope:\n${lines.join('\n')}`
}

/** An entry is added as the first one: what exists is not replaced. */
function addYaml(file: string, text: string, server: ServerCommand): string {
  const [head, own = ''] = /^extensions:[ \t]*\r?\n([ \t]*)/m.exec(text) ?? []
  const entry = extensionOf(server, own || '  ')
  if (text.includes(entry)) return text
  const hasOther = /^[ \t]+["']?tabscope["']?:/m.test(text)
  if (hasOther || (head === undefined && text.includes('extensions:'))) {
    throw cannotAdd(
      file,
      `it has another entry for Tabscope, or "extensions" on one line. Add:\n${entry}`,
    )
  }
  if (head !== undefined) return text.replace(head, () => `extensions:\n${entry}\n${own}`)
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}extensions:\n${entry}\n`
}

function cannotAdd(file: string, reason: string): AppError {
  return new AppError('bad_input', `${file} was not changed: ${reason}`)
}
