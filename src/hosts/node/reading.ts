import { existsSync } from 'node:fs'
import { plural } from '#shared/text/format.ts'
import { AppError } from '#engine/platform/errors.ts'
import { holderPath } from '#engine/store/data-folder.ts'
import { logOf } from './log-option.ts'
import { printMessage } from './output.ts'
import { openSession, refuseNoData, type Session } from './session.ts'
import type { Reading } from './stored-reading.ts'
import { untilIndexed } from './until-indexed.ts'

/** Bytes per request. */
const slice = 1024 * 1024

/**
 * Opens the deliveries of a data folder for queries, including all that were received so far; with `indexed`, the search index includes them too.
 * Queries a running Tabscope. If none is running, the store is read directly, or by an engine if it needs recovery, as after a crash. Throws
 * `AppError`.
 */
export async function openForReading(dataDir: string, indexed = false): Promise<Reading> {
  refuseNoData(dataDir)
  if (!existsSync(holderPath(dataDir))) {
    const { openStored } = await import('./stored-reading.ts')
    const stored = openStored(dataDir, indexed)
    if (stored) return stored
  }
  const session = await openSession(dataDir, { access: 'read', waits: false }).catch(orInUse)
  if (!session) {
    const { openHeld } = await import('./stored-reading.ts')
    return openHeld(dataDir, indexed)
  }
  try {
    await untilStored(session, indexed)
    return readingOf(session, null)
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}

/** Null if another process holds the folder but cannot be queried: it is starting, or has lost its socket. */
function orInUse(error: unknown): null {
  if (error instanceof AppError && error.code === 'store_in_use') return null
  throw error
}

/** In a flood, a running Tabscope stores more deliveries than this later than it receives them. A query would wait for seconds. */
const maxBehind = 500

/** If the disk of a running Tabscope is full, or in a flood, only the deliveries stored before are available. */
async function untilStored(session: Session, indexed: boolean): Promise<void> {
  try {
    if (indexed) return void (await untilIndexed(session))
    const { behind } = await session.call('deliveries.stored', session.joined ? { maxBehind } : {})
    if (behind > 0) {
      const newest = plural(behind, 'newest delivery', 'newest deliveries')
      printMessage(`The ${newest} are not stored yet and are missing here. Run the command again.`)
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'store_failed') throw error
    printMessage(`The newest deliveries may be missing. ${error.message}`)
  }
}

/** The queries of a session over the deliveries of an event log, or of the live store for null. Disposing it closes the session. */
export function readingOf(session: Session, log: number | null): Reading {
  return {
    page: (input) => session.call('deliveries.page', { ...input, log }),
    delivery: (id) => session.call('deliveries.get', { id, log }),
    body: async (id) => {
      const pieces: Uint8Array[] = []
      for (let offset = 0; ;) {
        const wanted = { id, log, offset, length: slice }
        const { bytes, size } = await session.call('deliveries.body', wanted)
        pieces.push(bytes)
        offset += bytes.byteLength
        if (bytes.byteLength === 0 || offset >= size) return Buffer.concat(pieces)
      }
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  }
}

/** Like `openForReading`, for an event log, which is imported first if necessary. Throws like `logOf`. */
export async function openLogForReading(dataDir: string, word: string): Promise<Reading> {
  const session = await openSession(dataDir)
  try {
    return readingOf(session, await logOf(session, word))
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}
