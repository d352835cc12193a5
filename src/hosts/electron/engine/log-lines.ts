import { StringDecoder } from 'node:string_decoder'
import type { Log } from '#engine/platform/ports.ts'

/** Lines of one process that are logged: a process that floods its stderr must not fill the log. */
const mostLines = 200
/** Of an unfinished line, in characters. */
const longestLine = 16_384

/** The lines of a stream. */
export interface LoggedLines {
  /** Listens again after somebody has removed all listeners of the stream. */
  listen(): void
}

/** Logs what a process writes, line by line. Null: it writes nowhere. */
export function logLines(stream: NodeJS.ReadableStream | null, log: Log): LoggedLines {
  if (stream === null) return { listen: () => undefined }
  const decoder = new StringDecoder('utf8')
  let open = ''
  let lines = 0
  const take = (line: string): void => {
    lines += 1
    if (line.trim() === '' || lines > mostLines) return
    log.warn(`The engine's process wrote: ${line}`)
    if (lines === mostLines) log.warn("More of the process's output is not logged.")
  }
  const read = (text: string): void => {
    const [first = '', ...rest] = text.split(/\r?\n/)
    open = `${open}${first}`.slice(0, longestLine)
    for (const next of rest) {
      take(open)
      open = next.slice(0, longestLine)
    }
  }
  const logged = {
    listen(): void {
      stream.on('data', (chunk: Buffer) => read(decoder.write(chunk)))
      stream.on('end', () => take(open))
    },
  }
  logged.listen()
  return logged
}
