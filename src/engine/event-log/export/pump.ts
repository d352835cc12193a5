import { setImmediate as turn } from 'node:timers/promises'
import type { Sink } from './sink.ts'

/** Bytes are written in pieces of about this size. */
const pieceBytes = 256 * 1024
/** After so many milliseconds messages are looked at. */
const sliceMs = 8

/**
 * Draws from a generator into a sink, no faster than the sink takes it. `between` is called every few milliseconds, between two pieces, and may
 * wait or throw. How the bytes are cut depends on them alone, not on how long they took.
 */
export async function pump(
  pieces: Iterable<string | Uint8Array>,
  sink: Sink,
  between: () => Promise<void> | void,
): Promise<void> {
  let text = ''
  let parts: Uint8Array[] = []
  let size = 0
  let sliceEnd = performance.now() + sliceMs
  const takeText = (): void => {
    if (text === '') return
    const bytes = Buffer.from(text)
    text = ''
    parts.push(bytes)
    size += bytes.byteLength
  }
  const flush = async (): Promise<void> => {
    takeText()
    const [only] = parts
    const bytes = parts.length === 1 && only ? only : Buffer.concat(parts)
    parts = []
    size = 0
    if (bytes.byteLength > 0) await sink.write(bytes)
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else {
      takeText()
      parts.push(piece)
      size += piece.byteLength
    }
    if (size + text.length >= pieceBytes) await flush()
    if (performance.now() < sliceEnd) continue
    await turn()
    await between()
    sliceEnd = performance.now() + sliceMs
  }
  await flush()
}
