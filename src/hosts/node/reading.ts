import type { CallInput, CallOutput } from '#contract/calls.ts'
import type { Delivery } from '#contract/models.ts'
import { logOf } from './log-option.ts'
import { openSession, type Session } from './session.ts'
import { untilIndexed } from './until-indexed.ts'

/** For commands that only read. */
export interface Reading extends AsyncDisposable {
  /** Repeat it with the same input until the page is complete. Throws `bad_filter`. */
  page(input: CallInput<'deliveries.page'>): Promise<CallOutput<'deliveries.page'>>
  /** Throws `not_found`. */
  delivery(id: number): Promise<Delivery>
  /** As stored. Throws `not_found`. */
  body(id: number): Promise<Uint8Array>
}

/** All deliveries received so far; with `indexed`, the search index includes them. Throws `AppError`. */
export async function openForReading(dataDir: string, indexed = false): Promise<Reading> {
  const session = await openSession(dataDir, { access: 'read' })
  try {
    if (indexed) await untilIndexed(session)
    else if (!session.stored) await session.call('deliveries.stored', {})
    return readingOf(session, null)
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}

/** `null`: the live store. Disposing it closes the session. */
export function readingOf(session: Session, log: number | null): Reading {
  return {
    page: (input) => session.call('deliveries.page', { ...input, log }),
    delivery: (id) => session.call('deliveries.get', { id, log }),
    body: (id) => storedBody(session, id, log),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  }
}

/** Imports the log first if necessary. Throws like `logOf`. */
export async function openLogForReading(dataDir: string, word: string): Promise<Reading> {
  const session = await openSession(dataDir)
  try {
    return readingOf(session, await logOf(session, word))
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
}

const slice = 1024 * 1024

/** The body of a delivery, completely. */
export async function storedBody(
  session: Session,
  id: number,
  log: number | null = null,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let offset = 0; ;) {
    const wanted = { id, log, offset, length: slice }
    const { bytes, size } = await session.call('deliveries.body', wanted)
    pieces.push(bytes)
    offset += bytes.byteLength
    if (bytes.byteLength === 0 || offset >= size) return Buffer.concat(pieces)
  }
}
