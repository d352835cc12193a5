import { printable } from '../printable.ts'
import { styleText } from 'node:util'

/** One JSON object on a line of stdout: what scripts read. Escapes of JSON keep it safe for a terminal, too. */
export function writeJson(value: object): void {
  writeLine(printable(JSON.stringify(value)))
}

/** A line for people on stdout, where no `--json` was asked for. */
export function writeLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Words for people beside the output. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

type Style = Parameters<typeof styleText>[0]

/** Coloured where stdout is a terminal that wants it (NO_COLOR, FORCE_COLOR), else plain. */
export function coloured(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout })
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
