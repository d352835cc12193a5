import { StringDecoder } from 'node:string_decoder'
import type { Log } from '#engine/platform/ports.ts'

/** Maximum number of logged lines of one process, so that a process that floods stderr does not fill the log. */
const maxLines = 200
/** Maximum length of an unfinished line, in characters. */
const maxLineLength = 16_384

/** Logging of a stream's lines. */
export interface LoggedLines {
  /** Listens again, after all listeners of the stream were removed. */
  listen(): void
}

/** Logs the output of a process, line by line. Null: the process has no output stream. */
export function logLines(stream: NodeJS.ReadableStream | null, log: Log): LoggedLines {
  if (stream === null) return { listen: () => undefined }
  const decoder = new StringDecoder('utf8')
  let unfinished = ''
  let lines = 0
  const logLine = (line: string): void => {
    lines += 1
    if (line.trim() === '' || lines > maxLines) return
    log.warn(`The engine process wrote: ${line}`)
    if (lines === maxLines) log.warn('Further output of the process is not logged.')
  }
  const read = (text: string): void => {
    const [first = '', ...rest] = text.split(/\r?\n/)
    unfinished = `${unfinished}${first}`.slice(0, maxLineLength)
    for (const next of rest) {
      logLine(unfinished)
      unfinished = next.slice(0, maxLineLength)
    }
  }
  const logged = {
    listen(): void {
      stream.on('data', (chunk: Buffer) => read(decoder.write(chunk)))
      stream.on('end', () => logLine(unfinished))
    },
  }
  logged.listen()
  return logged
}
