import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import type { Sink } from './sink.ts'

/**
 * Compresses what goes into another sink. No more than one piece is under way, so that memory stays flat; no name and no time are in its
 * head (RFC 1952, 2.3.1), so that the same bytes come out the same.
 */
export function openGzipSink(into: Sink): Sink {
  const gzip = createGzip({ level: 6 })
  let failed: unknown = null
  // An error that nobody waits for just now is thrown by the next write.
  gzip.on('error', (error) => (failed ??= error))
  gzip.on('data', (piece: Uint8Array) => {
    try {
      const written = into.write(piece)
      if (!written) return
      gzip.pause()
      written.then(
        () => gzip.resume(),
        (error: unknown) => gzip.destroy(asError(error)),
      )
    } catch (error) {
      gzip.destroy(asError(error))
    }
  })
  return {
    get bytes() {
      return into.bytes
    },
    write: async (piece) => {
      if (failed !== null) throw asError(failed)
      await new Promise<void>((resolve, reject) => {
        gzip.write(piece, (error) => (error ? reject(asError(failed ?? error)) : resolve()))
      })
    },
    end: async () => {
      if (failed !== null) throw asError(failed)
      const ended = once(gzip, 'end')
      gzip.end()
      await ended
      await into.end()
    },
    abort: async () => {
      gzip.destroy()
      await into.abort()
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
