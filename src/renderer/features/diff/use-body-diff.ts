import { useEffect, useState } from 'react'
import type { Delivery } from '#contract/models.ts'
import { CallError, sentence } from '../../platform/call-error.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import type { Calls } from '../../platform/worker-calls.ts'
import { callWorker } from '../../platform/worker-calls.ts'
import { isEncoded } from '../body/is-encoded.ts'
import type { BodyDiff, DiffApi } from './diff-model.ts'

/** Bytes of one call. */
const slice = 512 * 1024
/** Longer bodies are compared by size and SHA-256 alone. */
export const bytesUpTo = 25 * 1024 * 1024

export type BodyComparison =
  | { readonly phase: 'comparing' }
  | { readonly phase: 'failed'; readonly message: string }
  /** The same bytes, without a look at them: their SHA-256 is equal. */
  | { readonly phase: 'same' }
  | { readonly phase: 'too-long' }
  | {
      readonly phase: 'ready'
      readonly diff: BodyDiff
      /** Which of them had a content encoding that was undone. */
      readonly decoded: readonly [before: boolean, after: boolean]
    }

/** How the bodies of two deliveries differ. */
export function useBodyDiff(before: Delivery, after: Delivery): BodyComparison {
  const client = useClient()
  const [found, setFound] = useState<{ key: string; comparison: BodyComparison } | null>(null)
  const key = `${before.id} ${after.id}`
  useEffect(() => {
    let current = true
    const show = (comparison: BodyComparison): void => {
      if (current) setFound({ key, comparison })
    }
    if (before.bytesKept > bytesUpTo || after.bytesKept > bytesUpTo) {
      show({ phase: before.sha256 === after.sha256 ? 'same' : 'too-long' })
      return undefined
    }
    if (before.sha256 === after.sha256 && isEncoded(before.headers) === isEncoded(after.headers)) {
      show({ phase: 'same' })
      return undefined
    }
    const worker = callWorker<DiffApi>(
      new Worker(new URL('../../workers/diff-worker.ts', import.meta.url), { type: 'module' }),
    )
    compareBoth(client, worker, before, after, () => current).then(
      (comparison) => {
        // What it was for is done: nothing of it is kept.
        worker.close()
        if (comparison) show(comparison)
      },
      (error: unknown) => show({ phase: 'failed', message: sentence(error) }),
    )
    return () => {
      current = false
      worker.close()
    }
  }, [after, before, client, key])
  return found?.key === key ? found.comparison : { phase: 'comparing' }
}

async function compareBoth(
  client: Client,
  worker: Calls<DiffApi>,
  before: Delivery,
  after: Delivery,
  wanted: () => boolean,
): Promise<BodyComparison | null> {
  const decoded = [
    await send(client, worker, 'before', before, wanted),
    await send(client, worker, 'after', after, wanted),
  ] as const
  if (!wanted()) return null
  return { phase: 'ready', diff: await worker.call('compare', undefined), decoded }
}

/** Sends a body to the worker, decoded where it can be; whether it was. */
async function send(
  client: Client,
  worker: Calls<DiffApi>,
  side: 'before' | 'after',
  { id, headers }: Delivery,
  wanted: () => boolean,
): Promise<boolean> {
  let decoded = isEncoded(headers)
  for (let offset = 0; wanted();) {
    try {
      const { bytes, size } = await client.call('deliveries.body', {
        id,
        offset,
        length: slice,
        decoded,
      })
      const own = new Uint8Array(bytes)
      offset += own.length
      await worker.call('add', { side, bytes: own }, [own.buffer])
      if (bytes.length === 0 || offset >= size || offset >= bytesUpTo) break
    } catch (error) {
      // It says that it is encoded, and is not.
      if (!decoded || !(error instanceof CallError) || error.code !== 'bad_input') throw error
      decoded = false
    }
  }
  return decoded
}
