import { createInterface } from 'node:readline'
import type { Log } from '#engine/ports.ts'

/** So many lines of one process stand in the log: its last words are few, and one that raves must not push out all else. */
const mostLines = 200

/** Puts into the log what a process writes, line by line. Null: it writes nowhere. */
export function logLines(stream: NodeJS.ReadableStream | null, log: Log): void {
  if (stream === null) return
  let lines = 0
  const reader = createInterface({ input: stream, crlfDelay: Infinity })
  reader.on('line', (line) => {
    lines += 1
    if (line.trim() === '' || lines > mostLines) return
    log.warn(`The engine's process wrote: ${line}`)
    if (lines === mostLines) log.warn('More that it writes is not kept.')
  })
}
