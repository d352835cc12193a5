import { logOf } from './log-option.ts'
import type { Reading } from './reading.ts'
import { openSession } from './session.ts'

/** Bytes asked for at once. */
const slice = 1024 * 1024

/** The queries of `openForReading` over an event log, which is imported first where it was not. Throws as `logOf`. */
export async function openLogForReading(dataDir: string, word: string): Promise<Reading> {
  const session = await openSession(dataDir)
  try {
    const log = await logOf(session, word)
    const delivery: Reading['delivery'] = (id) => session.call('deliveries.get', { id, log })
    return {
      page: (input) => session.call('deliveries.page', { ...input, log }),
      delivery,
      body: async (id) => {
        const pieces: Uint8Array[] = []
        for (let offset = 0; ;) {
          const { bytes, size } = await session.call('deliveries.body', {
            id,
            log,
            offset,
            length: slice,
          })
          pieces.push(bytes)
          offset += bytes.byteLength
          if (bytes.byteLength === 0 || offset >= size) return Buffer.concat(pieces)
        }
      },
      [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
    }
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}
