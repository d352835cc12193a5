import { closeSync, createWriteStream, fsyncSync, openSync, renameSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callbackify } from 'node:util'
import { setImmediate as nextTick } from 'node:timers/promises'
import { createGzip } from 'node:zlib'
import { fileFailed, renameWithoutReplacing } from '../../platform/file-errors.ts'
import type { ExportTo } from './messages.ts'

const pieceBytes = 256 * 1024
const sliceMs = 8

/**
 * Pieces of at most 256 KiB. `throwIfCancelled` is called every few milliseconds, between two pieces. Where the output is cut depends only on its content,
 * never on timing.
 */
export async function* inPieces(
  parts: Iterable<string | Uint8Array>,
  throwIfCancelled: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let text = ''
  let waiting: Uint8Array[] = []
  let size = 0
  let sliceEnd = performance.now() + sliceMs
  const add = (bytes: Uint8Array): void => {
    waiting.push(bytes)
    size += bytes.byteLength
  }
  const take = function* (): Generator<Uint8Array, void, undefined> {
    if (text !== '') add(Buffer.from(text))
    text = ''
    const [first] = waiting
    const bytes = waiting.length === 1 && first ? first : Buffer.concat(waiting)
    waiting = []
    size = 0
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
      yield bytes.subarray(at, at + pieceBytes)
    }
  }
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      if (text !== '') add(Buffer.from(text))
      text = ''
      add(part)
    }
    if (size + text.length >= pieceBytes) yield* take()
    if (performance.now() < sliceEnd) continue
    await nextTick()
    throwIfCancelled()
    sliceEnd = performance.now() + sliceMs
  }
  yield* take()
}

export interface Output {
  readonly stream: Writable
  /** Call it once everything is written. */
  readonly complete?: () => void
}

/** `send` resolves when a piece is consumed. Throws `file_failed`. */
export async function openOutput(
  to: ExportTo,
  send: (piece: Uint8Array) => Promise<void>,
): Promise<Output> {
  switch (to.kind) {
    case 'file':
      return openFile(to)
    case 'pieces':
      return {
        stream: new Writable({
          write: (piece: Buffer, _, done) => {
            // A copy: of a part of a buffer, the whole would be sent.
            callbackify(send)(new Uint8Array(piece), (error) => done(error))
          },
        }),
      }
    case 'count':
      return { stream: new Writable({ write: (_piece, _, done) => done() }) }
  }
}

/** Has a temporary name, and is readable by the user only, until it is completely on the disk. */
async function openFile({
  path: final,
  part,
  overwrite,
}: Extract<ExportTo, { kind: 'file' }>): Promise<Output> {
  const options = { flags: 'wx', mode: 0o600, flush: true, highWaterMark: pieceBytes }
  const stream = createWriteStream(part, options)
  try {
    await once(stream, 'open')
  } catch (error) {
    throw fileFailed(final, error)
  }
  return {
    stream,
    complete: () => {
      if (overwrite) renameSync(part, final)
      else renameWithoutReplacing(part, final)
      syncFolder(path.dirname(final))
    },
  }
}

function syncFolder(folder: string): void {
  try {
    const opened = openSync(folder, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  } catch {
    // Not every system supports this. The content of the file has been synced already.
  }
}

/**
 * Writes no faster than the output accepts. `written` gets the number of bytes of each piece. The gzip header has neither name nor time (RFC 1952, 2.3.1),
 * so the output is reproducible. Throws `file_failed`.
 */
export async function writeOutput(
  pieces: AsyncIterable<Uint8Array>,
  { stream, complete }: Output,
  { to, gzip }: { to: ExportTo; gzip: boolean },
  written: (bytes: number) => void,
): Promise<void> {
  try {
    await pipeline(
      pieces,
      gzip ? createGzip({ level: 6, chunkSize: pieceBytes }) : new PassThrough(),
      async function* (packed: AsyncIterable<Buffer>) {
        for await (const piece of packed) {
          written(piece.byteLength)
          yield piece
        }
      },
      stream,
    )
    complete?.()
  } catch (error) {
    const isOfFile = to.kind === 'file' && error instanceof Error && 'syscall' in error
    throw isOfFile ? fileFailed(to.path, error) : error
  }
}
