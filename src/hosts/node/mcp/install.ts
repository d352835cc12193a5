import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { applyEdits, modify, parse, type Edit, type ParseError } from 'jsonc-parser'
import { AppError } from '#engine/platform/errors.ts'
import { isObject } from '#shared/json/object.ts'
import { systemCodeOf } from '#shared/text/errors.ts'
import { fileOf, type Assistant, type ServerCommand } from './assistants.ts'
import { io, ownCommand, resolvePath } from '../command-line/io.ts'

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
  const given = (before ?? '').slice(mark.length)
  const unix = given.replaceAll('\r\n', '\n')
  // In a file that has both kinds of line ends, each stays.
  const isCrLf = unix !== given && unix.replaceAll('\n', '\r\n') === given
  const text = isCrLf ? unix : given
  const change = (added: string, entry: string): ConfigurationChange => ({
    file: target,
    before,
    after: mark + (isCrLf ? added.replaceAll('\n', '\r\n') : added),
    entry,
  })
  if (format === 'toml') return change(addToml(target, text, server), tableOf(server))
  if (format === 'yaml') return change(addYaml(target, text, server), extensionOf(server, '  '))
  const value = format ? format(server) : server
  const entry = JSON.stringify({ [key]: { tabscope: value } }, null, 2)
  return change(addJson(target, text, key, value), entry)
}

/** Throws `bad_input`, also for other encodings: what cannot be read would be lost. */
export function readText(file: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT') return null
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'is not UTF-8. Save it as UTF-8 first.'
        : 'could not be read. Check its permissions.'
    throw new AppError('bad_input', `${file} ${why}`, { cause: error })
  }
}

/** Comments and everything else in it stay, also what the user has added to an entry that exists. */
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
  const before = entryIn(value, key)
  const entry = isObject(before) ? { ...before, ...server } : server
  if (isDeepStrictEqual(before, entry)) return text
  const after = applyEdits(start, modify(start, [key, 'tabscope'], entry, {}).map(inStyleOf(start)))
  // Of a name that is there twice, the first is changed, and the last is read.
  if (isDeepStrictEqual(entryIn(parse(after), key), entry)) return after
  throw cannotAdd(file, `"${key}" or "tabscope" is in it twice. Remove one first.`)
}

function entryIn(value: unknown, key: string): unknown {
  const servers = isObject(value) ? value[key] : null
  return isObject(servers) ? servers['tabscope'] : null
}

/** Only what is added is formatted, like what is around it. */
function inStyleOf(text: string): (edit: Edit) => Edit {
  const unit = /^([ \t]+)["/]/m.exec(text)?.[1] ?? '  '
  const isOneLine = !text.trim().includes('\n') && text.trim() !== '{}'
  return (edit) => {
    if (isOneLine) return edit
    const { offset, length, content } = edit
    const [indent = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1)) ?? []
    const formatted = (json: string, pad: string): string =>
      JSON.stringify(JSON.parse(json), null, unit).replaceAll('\n', `\n${pad}`)
    if (length > 0) return { ...edit, content: formatted(content, indent) }
    const isFirst = !content.startsWith(',')
    const pad = isFirst ? indent : indent.slice(unit.length)
    const members = formatted(`{${isFirst ? content : content.slice(1)}}`, pad)
    const lines = members.slice(1, members.lastIndexOf('\n'))
    const isLast = /^[ \t]*\}/.test(text.slice(offset))
    return { ...edit, content: isFirst ? `${lines}${isLast ? `\n${pad}` : ''}` : `,${lines}` }
  }
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
  const lines = text.split('\n').map((line) => line.replaceAll(/["'\s]/g, ''))
  if (
    lines.some((line) => /^(?:mcp_servers=|\[?mcp_servers\.tabscope[\].=]|tabscope[.=])/.test(line))
  ) {
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
  const lines = text.split('\n')
  const head = lines.find((line) => /^extensions:[ \t]*$/.test(line))
  const next = lines.slice(lines.indexOf(head ?? '') + 1).find((line) => /^\s*[^#\s]/.test(line))
  const [own = ''] = /^[ \t]*/.exec(next ?? '') ?? []
  const entry = extensionOf(server, own || '  ')
  if (text.includes(entry)) return text
  const hasOther = /^[ \t]+["']?tabscope["']?:/m.test(text)
  if (hasOther || (head === undefined && /extensions["']?:/.test(text))) {
    throw cannotAdd(
      file,
      `it has another entry for Tabscope, or "extensions" on one line. Add:\n${entry}`,
    )
  }
  if (head !== undefined) {
    return lines.flatMap((line) => (line === head ? [line, entry] : [line])).join('\n')
  }
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}extensions:\n${entry}\n`
}

function cannotAdd(file: string, reason: string): AppError {
  // Line ends would be escaped.
  return new AppError('bad_input', `${file} was not changed: ${reason.replaceAll('\n', '  ')}`)
}
