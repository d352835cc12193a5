import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { styleText } from 'node:util'
import type { CliOutput } from '#contract/cli-output/index.ts'
import { visible, visibleJson, visibleLines } from '#shared/text/visible.ts'
import { globals } from './command-line/globals.ts'

// All output of commands goes through this file, which escapes control characters of foreign text. It cannot judge line breaks: apply `visible`
// to a value within a line where the line is made.

/**
 * Placeholder for the escape character of our own colors until a line is written. Random, so that foreign text cannot contain it. Null until a
 * color is used, since loading the random source takes time.
 */
let ownEscape: string | null = null

function safe(text: string): string {
  return ownEscape === null
    ? visibleLines(text)
    : text.split(ownEscape).map(visibleLines).join('\u001B')
}

/** Prints one JSON object as a line on stdout. JSON escapes keep it safe for a terminal. */
export function writeJson(value: CliOutput): void {
  process.stdout.write(`${visibleJson(JSON.stringify(value))}\n`)
}

/** Prints a line on stdout, for output without `--json`. */
export function writeLine(line: string): void {
  process.stdout.write(`${safe(line)}\n`)
}

const decoder = new StringDecoder('utf8')

/**
 * Writes bytes to stdout unchanged; on a terminal as text, with control characters escaped. Resolves when the reader accepts more, so that
 * memory stays bounded with a slow reader.
 */
export async function writeBytes(bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength === 0) return
  const output = process.stdout.isTTY
    ? decoder.write(Buffer.from(bytes)).split('\t').map(visibleLines).join('\t')
    : bytes
  if (!process.stdout.write(output)) await outputDrained()
}

/** Resolves when stdout accepts more output. */
export async function outputDrained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
}

/** Prints a message on stderr, unless `--quiet` is set. */
export function printMessage(line: string): void {
  if (!globals.quiet) printError(line)
}

/** Prints an error or a warning on stderr, even with `--quiet`. */
export function printError(line: string): void {
  process.stderr.write(`${safe(line)}\n`)
}

/**
 * Prints one result: with `--json` as an object on one line, with `--quiet` only its ID if it has one, else as text of one or more lines.
 */
export function print(output: CliOutput, text: () => string): void {
  if (globals.json) writeJson(output)
  else if (globals.quiet && 'id' in output) writeLine(String(output.id))
  else writeLine(text())
}

/** On a terminal, shows a line that replaces the previous one; an empty line clears it. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${visible(line)}`)
}

/** The user pressed Ctrl+C: exit code 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Asks the user to confirm. False without a terminal, at the end of the input (Ctrl+D), and once `signal` is aborted. Throws `Interrupted`. */
export async function confirms(question: string, signal?: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
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
    const answered = terminal.question(`${visible(question)} [y/N] `).catch(() => null)
    const answer = await Promise.race([answered, closed])
    if (answer === null) process.stderr.write('\n')
    if (interrupted) throw new Interrupted()
    return answer !== null && /^y(es)?$/i.test(answer.trim())
  } finally {
    signal?.removeEventListener('abort', close)
    terminal.close()
  }
}

type Style = Parameters<typeof styleText>[0]

/** The text in color if stdout is a terminal; NO_COLOR and FORCE_COLOR override that. */
export function colored(style: Style, text: string): string {
  // Only the escape sequences around the text are ours.
  const styled = styleText(style, 'text', { stream: process.stdout })
  if (styled === 'text') return text
  ownEscape ??= `\u0000${process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex')}\u0000`
  const [before = '', after = ''] = styled.replaceAll('\u001B', ownEscape).split('text')
  return before + text + after
}

/** Exits with 0 when the reader closes the output (`tabscope listen | head`), and with 1 if it cannot be written. */
export function endWithOutput(): void {
  process.stdout.on('error', outputFailed)
  // Messages are lost if stderr is closed; the command continues.
  process.stderr.on('error', () => undefined)
}

/** Ends the process once all of the output is written. */
export function exitWhenWritten(): void {
  // The callback of an empty write runs after all earlier writes.
  process.stdout.write('', (error) => {
    const failed = process.stdout.errored ?? error
    if (failed) outputFailed(failed)
    process.exit()
  })
}

function outputFailed(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  const reason =
    error.code === 'ENOSPC' ? 'no space left on the disk' : (error.code ?? error.message)
  printMessage(`Could not write all of the output: ${reason}. The output is incomplete.`)
  process.exit(1)
}
