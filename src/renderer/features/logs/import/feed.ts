import type { LogImport } from '#contract/logs.ts'
import { feedLimit } from '#contract/logs.ts'
import { CallError } from '../../../platform/call-error.ts'
import type { Client } from '../../../platform/client.ts'

/** What is needed of a file: the browser's own, or a made-up one. */
export interface Fed {
  readonly name: string
  readonly size: number
  slice(from: number, to: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** As the contract takes a name. */
const longestName = 300

/**
 * Hands a file over in pieces, one in memory at a time, and waits for what came of it. What is wrong with its content is in the import; throws
 * where it cannot be begun or read, and then nothing of it is kept.
 */
export async function feedFile(client: Client, file: Fed): Promise<LogImport> {
  const { id } = await client.call('logs.import', {
    from: { kind: 'feed', name: file.name.slice(0, longestName), size: file.size },
  })
  try {
    await feedPieces(client, id, file)
  } catch (error) {
    // It has ended by itself, since it was cancelled or cannot be read: what came of it says which.
    if (!(error instanceof CallError && error.code === 'run_over')) {
      await client.call('logs.cancelImport', { id }).catch(() => undefined)
      throw error
    }
  }
  return client.call('logs.imported', { id })
}

async function feedPieces(client: Client, id: number, file: Fed): Promise<void> {
  for (let from = 0; ; from += feedLimit) {
    const to = Math.min(from + feedLimit, file.size)
    const bytes = new Uint8Array(await file.slice(from, to).arrayBuffer())
    const end = to === file.size
    await client.call('logs.feed', { id, bytes, end })
    if (end) return
  }
}
