import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { styleText } from 'node:util'
import type { CliEvent, CliLine } from '#contract/cli-output.ts'
import { isObject } from '#shared/json/object.ts'
import { escapeControls, visibleJson, visibleLines } from '#shared/text/visible.ts'
import { globals } from '../command-line/globals.ts'
import { asStarted, io } from '../command-line/io.ts'
import { roundMs } from './text.ts'

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as this text. */
    rawJSON(text: string): unknown
  }
}

// All output of commands goes through this file, which escapes control characters of foreign text. It cannot judge line breaks: apply `escapeControls`
// to a value within a line where the line is made.

/** Stands for the escape character of our own colors until a line is written. Random, so that foreign text cannot contain it; loading that takes time. */
let ownEscape: string | null = null

function safe(text: string): string {
  return ownEscape === null
    ? visibleLines(text)
    : text.split(ownEscape).map(visibleLines).join('\u001B')
}

/** JSON escapes keep it safe for a terminal. */
export function writeJson<E extends CliEvent>(event: E, value: CliLine<E>): void {
  io.stdout.write(`${jsonLine(event, value)}\n`)
}

/** Without its line break. */
export function jsonLine<E extends CliEvent>(event: E, value: CliLine<E>): string {
  return visibleJson(JSON.stringify({ event, ...Object.fromEntries(publicEntries(value)) }))
}

/** Times (`…At`) become whole milliseconds, and durations (`…Ms`) get at most one decimal. */
function publicEntries(value: object): [key: string, value: unknown][] {
  return Object.entries(value).map(([key, each]) => [
    key,
    // A received body is printed as it is.
    key === 'body' ? each : publicValue(key, each),
  ])
}

const times: ReadonlySet<string> = new Set(['at', 'since', 'until', 'from', 'to'])

export function isTime(key: string): boolean {
  return key.endsWith('At') || times.has(key)
}

function publicValue(key: string, value: unknown): unknown {
  if (typeof value === 'number') {
    if (isTime(key)) return Math.floor(value)
    return key.endsWith('Ms') ? roundMs(value) : value
  }
  if (Array.isArray(value)) return value.map((each: unknown) => publicValue(key, each))
  return isObject(value) ? Object.fromEntries(publicEntries(value)) : value
}

/** `body`: a JSON value, whose numbers keep all of their digits, or other text; `bodyBase64`: other bytes. Neither for an empty body. */
export function bodyJson(bytes: Uint8Array): { body?: unknown; bodyBase64?: string } {
  if (bytes.byteLength === 0) return {}
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!isUtf8(buffer)) return { bodyBase64: buffer.toString('base64') }
  const text = buffer.toString('utf8')
  try {
    return { body: JSON.parse(text, exactNumber) }
  } catch {
    // Not JSON, or nested too deeply to be read.
    return { body: text }
  }
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value === 'number' && source !== undefined ? JSON.rawJSON(source) : value
}

export function writeLine(line: string): void {
  io.stdout.write(`${safe(line)}\n`)
}

const decoder = new StringDecoder('utf8')

/** Unchanged; on a terminal as text, with control characters escaped. Resolves when the reader accepts more, so that memory stays bounded. */
export async function writeBytes(bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength === 0) return
  const output = io.stdout.isTTY
    ? decoder.write(Buffer.from(bytes)).split('\t').map(visibleLines).join('\t')
    : bytes
  if (!io.stdout.write(output)) await outputDrained()
}

export async function outputDrained(): Promise<void> {
  if (io.stdout.writableNeedDrain) await once(io.stdout, 'drain')
}

/** On stderr, unless `--quiet` is set. */
export function printMessage(line: string): void {
  if (!globals.quiet) printError(line)
}

/** On stderr, even with `--quiet`. */
export function printError(line: string): void {
  io.stderr.write(`${safe(asStarted(line))}\n`)
}

/** A row, or what a command changed. `--json`: an object on one line; `--quiet`: only its ID if it has one; else text of one or more lines. */
export function print<E extends CliEvent>(event: E, value: CliLine<E>, text: () => string): void {
  if (globals.quiet && !globals.json && 'id' in value) writeLine(String(value.id))
  else printDetails(event, value, text)
}

/** What a command was asked for by its ID or name, which `--quiet` does not shorten. */
export function printDetails<E extends CliEvent>(
  event: E,
  value: CliLine<E>,
  text: () => string,
): void {
  if (globals.json) writeJson(event, value)
  else writeLine(text())
}

/** Replaces the previous line of a terminal; an empty line clears it. */
export function showProgress(line: string): void {
  if (io.stderr.isTTY) io.stderr.write(`\r\u001B[K${escapeControls(line)}`)
}

/** Ctrl+C: exit code 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** False without a terminal, at the end of the input (Ctrl+D), and once `signal` is aborted. Throws `Interrupted`. */
export async function confirms(question: string, signal?: AbortSignal): Promise<boolean> {
  if (!io.stdin.isTTY) return false
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: io.stdin, output: io.stderr })
  let interrupted = false
  terminal.on('SIGINT', () => {
    interrupted = true
    terminal.close()
  })
  const closed = once(terminal, 'close').then(() => null)
  const close = (): void => terminal.close()
  signal?.addEventListener('abort', close, { once: true })
  try {
    // Rejects when the input ends.
    const answered = terminal.question(`${escapeControls(question)} [y/N] `).catch(() => null)
    const answer = await Promise.race([answered, closed])
    if (answer === null) io.stderr.write('\n')
    if (interrupted) throw new Interrupted()
    return answer !== null && /^y(es)?$/i.test(answer.trim())
  } finally {
    signal?.removeEventListener('abort', close)
    terminal.close()
  }
}

type Style = Parameters<typeof styleText>[0]

/** Unless `globals.colors` is false. */
export function colored(style: Style, text: string): string {
  if (!globals.colors) return text
  // Only the escape sequences around the text are ours.
  const styled = styleText(style, 'text', { validateStream: false })
  ownEscape ??= `\u0000${process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex')}\u0000`
  const [before = '', after = ''] = styled.replaceAll('\u001B', ownEscape).split('text')
  return before + text + after
}

/** `Name: value` */
export function headerLines(headers: readonly (readonly [string, string])[]): string[] {
  return headers.map(
    ([name, value]) => `${colored('cyan', escapeControls(name))}: ${escapeControls(value)}`,
  )
}
