import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { styleText } from 'node:util'
import type { CliOutput } from '#contract/cli-output/index.ts'
import { printable, printableLines } from '../printable.ts'
import { globals } from './command-line/globals.ts'

// All that a command prints goes through this file, which lets no control character of others out to a terminal, whatever a command has
// forgotten. Line breaks it cannot judge: a value that stands within a line is made `printable` where the line is made.

/**
 * Stands for the escape character of our own colors until a line is written. Nobody outside of this process can know it. Null until a color is
 * used, since the random source takes a while to load.
 */
let ownEscape: string | null = null

function safe(text: string): string {
  return ownEscape === null
    ? printableLines(text)
    : text.split(ownEscape).map(printableLines).join('\u001B')
}

/** One JSON object on a line of stdout: what scripts read. Escapes of JSON keep it safe for a terminal, too. */
export function writeJson(value: CliOutput): void {
  process.stdout.write(`${printable(JSON.stringify(value))}\n`)
}

/** A line for people on stdout, where no `--json` was asked for. */
export function writeLine(line: string): void {
  process.stdout.write(`${safe(line)}\n`)
}

const decoder = new StringDecoder('utf8')

/**
 * Bytes on stdout exactly as they are; on a terminal as text, with control characters escaped. Resolves when the reader takes more, so that
 * a slow one does not make us hold all of it.
 */
export async function writeBytes(bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength === 0) return
  const output = process.stdout.isTTY
    ? decoder.write(Buffer.from(bytes)).split('\t').map(printableLines).join('\t')
    : bytes
  if (!process.stdout.write(output)) await outputDrained()
}

/** Resolves at once, or when what is waiting to be written to stdout is out. */
export async function outputDrained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
}

/** A message beside the output, on stderr; nothing with `--quiet`. */
export function say(line: string): void {
  if (!globals.quiet) sayError(line)
}

/** An error or a warning on stderr, also with `--quiet`. */
export function sayError(line: string): void {
  process.stderr.write(`${safe(line)}\n`)
}

/**
 * Prints one result: with `--json` as an object on a line, with `--quiet` the ID of what has one, else as the text. A text of several lines is
 * printed as such.
 */
export function print(output: CliOutput, text: () => string): void {
  if (globals.json) writeJson(output)
  else if (globals.quiet && 'id' in output) writeLine(String(output.id))
  else writeLine(text())
}

/** On a terminal a line that takes the place of the one before; the empty one clears it. Elsewhere nothing. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${printable(line)}`)
}

/** The user pressed Ctrl+C at a question: exit code 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Whether the user answers yes. Without a terminal nobody can; the end of the input (Ctrl+D) is a no. Throws `Interrupted`. */
export async function confirms(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  let interrupted = false
  terminal.on('SIGINT', () => {
    interrupted = true
    terminal.close()
  })
  const closed = once(terminal, 'close').then(() => null)
  try {
    // It rejects when the input ends.
    const answered = terminal.question(`${printable(question)} [y/N] `).catch(() => null)
    const answer = await Promise.race([answered, closed])
    if (answer === null) process.stderr.write('\n')
    if (interrupted) throw new Interrupted()
    return answer !== null && /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

type Style = Parameters<typeof styleText>[0]

/** Coloured where stdout is a terminal that wants it (NO_COLOR, FORCE_COLOR), else plain. */
export function coloured(style: Style, text: string): string {
  // Only what stands around the text is ours.
  const styled = styleText(style, 'text', { stream: process.stdout })
  if (styled === 'text') return text
  ownEscape ??= `\u0000${process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex')}\u0000`
  const [before = '', after = ''] = styled.replaceAll('\u001B', ownEscape).split('text')
  return before + text + after
}

/** Ends quietly when the reader of our output has gone (`tabscope listen | head`), and with 1 where it cannot be written. */
export function endWithOutput(): void {
  process.stdout.on('error', outputFailed)
  // Words beside the output: nobody reads them any more, and the work goes on.
  process.stderr.on('error', () => undefined)
}

/** Ends the process once all of the output is written. */
export function exitWhenWritten(): void {
  // An empty write is called back behind all others.
  process.stdout.write('', (error) => {
    const failed = process.stdout.errored ?? error
    if (failed) outputFailed(failed)
    process.exit()
  })
}

function outputFailed(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  const why = error.code === 'ENOSPC' ? 'there is no room left' : (error.code ?? error.message)
  say(`Not all of the output could be written: ${why}. What stands there is cut off.`)
  process.exit(1)
}
