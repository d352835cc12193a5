import { logOf } from './log-option.ts'
import { readingOf } from './reading.ts'
import type { Reading } from './stored-reading.ts'
import { openSession } from './session.ts'

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
