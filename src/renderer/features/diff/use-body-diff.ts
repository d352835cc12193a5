import { useEffect, useState } from 'react'
import { CallError, sentence } from '../../platform/call-error.ts'
import { type Calls, callHere } from '../../platform/worker-calls.ts'
import { isEncoded } from '../body/index.ts'
import type { BodyDiff, DiffApi } from './diff-model.ts'
import type { DiffSide } from './side.ts'

/** Maximum bytes of one call. */
const sliceBytes = 512 * 1024
/** Larger bodies are compared by size and SHA-256 only. */
export const bytesUpTo = 25 * 1024 * 1024

let openDiff = (): Calls<DiffApi> =>
  callHere(import('./diff-model.ts').then(({ createDiffModel }) => createDiffModel()))

/** Sets the function that opens the comparison, to run it in a worker instead of the page. */
export function compareBodiesIn(make: () => Calls<DiffApi>): void {
  openDiff = make
}

export type BodyComparison =
  | { readonly phase: 'comparing' }
  | { readonly phase: 'failed'; readonly message: string }
  /** Their SHA-256 is equal, so the bytes were not compared. */
  | { readonly phase: 'same' }
  | { readonly phase: 'too-long' }
  /** At least one body is not in its event log. */
  | { readonly phase: 'omitted' }
  | {
      readonly phase: 'ready'
      readonly diff: BodyDiff
      /** Which bodies were decoded from a content encoding. */
      readonly decoded: readonly [before: boolean, after: boolean]
    }

interface Found {
  readonly before: DiffSide
  readonly after: DiffSide
  readonly comparison: BodyComparison
}

/** Compares the bodies of two messages. */
export function useBodyDiff(before: DiffSide, after: DiffSide): BodyComparison {
  const [found, setFound] = useState<Found | null>(null)
  useEffect(() => {
    let current = true
    const show = (comparison: BodyComparison): void => {
      if (current) setFound({ before, after, comparison })
    }
    const sameBytes =
      before.sha256 !== null &&
      before.sha256 === after.sha256 &&
      before.bytesKept === after.bytesKept
    if (before.altered === 'omitted' || after.altered === 'omitted') {
      show({ phase: 'omitted' })
      return undefined
    }
    if (before.bytesKept > bytesUpTo || after.bytesKept > bytesUpTo) {
      show({ phase: sameBytes ? 'same' : 'too-long' })
      return undefined
    }
    if (before.bytesKept === 0 && after.bytesKept === 0) {
      show({ phase: 'same' })
      return undefined
    }
    if (sameBytes && isEncoded(before.headers) === isEncoded(after.headers)) {
      show({ phase: 'same' })
      return undefined
    }
    const worker = openDiff()
    compareBoth(worker, before, after, () => current).then(
      (comparison) => {
        // Release the worker and its memory.
        worker.close()
        if (comparison) show(comparison)
      },
      (error: unknown) => show({ phase: 'failed', message: sentence(error) }),
    )
    return () => {
      current = false
      worker.close()
    }
  }, [after, before])
  return found?.before === before && found.after === after
    ? found.comparison
    : { phase: 'comparing' }
}

async function compareBoth(
  worker: Calls<DiffApi>,
  before: DiffSide,
  after: DiffSide,
  isCurrent: () => boolean,
): Promise<BodyComparison | null> {
  const decoded = [
    await send(worker, 'before', before, isCurrent),
    await send(worker, 'after', after, isCurrent),
  ] as const
  if (!isCurrent()) return null
  return { phase: 'ready', diff: await worker.call('compare', undefined), decoded }
}

/** Sends a body to the worker, decoded if possible. Resolves to whether it was decoded. */
async function send(
  worker: Calls<DiffApi>,
  side: 'before' | 'after',
  { headers, read }: DiffSide,
  isCurrent: () => boolean,
): Promise<boolean> {
  let decoded = isEncoded(headers)
  for (let offset = 0; isCurrent();) {
    try {
      const { bytes, size } = await read({ offset, length: sliceBytes, decoded })
      const own = new Uint8Array(bytes)
      offset += own.length
      await worker.call('add', { side, bytes: own }, [own.buffer])
      if (bytes.length === 0 || offset >= size || offset >= bytesUpTo) break
    } catch (error) {
      // The body is not encoded as its header says.
      if (!decoded || !(error instanceof CallError) || error.code !== 'bad_input') throw error
      decoded = false
    }
  }
  return decoded
}
