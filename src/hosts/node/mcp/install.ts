import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser'
import { parse as parseToml, stringify as stringifyToml } from 'smol-toml'
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

/** An interruption leaves the old file. Throws `file_failed`. */
export async function writeChange({
  file,
  after,
}: Pick<ConfigurationChange, 'file' | 'after'>): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true })
    // A link to a file elsewhere stays one.
    const target = existsSync(file) ? realpathSync(file) : file
    const temporary = `${target}.${process.pid}.new`
    await writeFile(temporary, after)
    await rename(temporary, target)
  } catch (error) {
    throw new AppError('file_failed', `${file} could not be written. Check its permissions.`, {
      cause: error,
    })
  }
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

function addJson(
  file: string,
  text: string,
  key: string,
  { command, args }: ServerCommand,
): string {
  const errors: ParseError[] = []
  const options = { allowTrailingComma: true, allowEmptyContent: true }
  const value: unknown = parse(text, errors, options)
  const isUsable = text.trim() === '' || isObject(value)
  if (errors.length > 0 || !isUsable) throw unreadable(file, 'a JSON object')
  if (isObject(value) && value[key] !== undefined && !isObject(value[key])) {
    throw unreadable(file, `an object in "${key}"`)
  }
  const indent = /^(?<indent>\t| +)\S/m.exec(text)?.groups?.['indent'] ?? '  '
  const start = text.trim() === '' ? '{}\n' : text
  const edits = modify(
    start,
    [key, 'tabscope'],
    { command, args },
    {
      formattingOptions: {
        insertSpaces: !indent.startsWith('\t'),
        tabSize: indent.length,
        eol: text.includes('\r\n') ? '\r\n' : '\n',
        keepLines: true,
      },
    },
  )
  return applyEdits(start, edits)
}

function tableOf({ command, args }: ServerCommand): string {
  return `[mcp_servers.tabscope]\n${stringifyToml({ command, args }).trimEnd()}`
}

/** A table is added at the end: an entry that exists and differs is not replaced, because that would lose its comments. */
function addToml(file: string, text: string, server: ServerCommand): string {
  const { command, args } = server
  const table = tableOf(server)
  let servers: unknown
  try {
    servers = parseToml(text)['mcp_servers']
  } catch (error) {
    throw unreadable(file, 'valid TOML', error)
  }
  const present = isObject(servers) ? servers['tabscope'] : undefined
  if (present !== undefined) {
    const isSame =
      isObject(present) &&
      JSON.stringify([present['command'], present['args']]) === JSON.stringify([command, args])
    if (isSame) return text
    throw new AppError(
      'bad_input',
      `${file} has other values for tabscope. Replace them yourself with:\n${table}`,
    )
  }
  const separator = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  const after = `${text}${separator}${table}\n`
  try {
    parseToml(after)
  } catch (error) {
    throw unreadable(file, 'a table for MCP servers', error)
  }
  return after
}

function unreadable(file: string, expected: string, cause?: unknown): AppError {
  return new AppError(
    'bad_input',
    `${file} does not contain ${expected}, so that it was not changed. Correct it, then try again.`,
    { cause },
  )
}
