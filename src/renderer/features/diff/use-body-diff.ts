import { useEffect, useState } from 'react'
import { CallError, sentence } from '../../platform/call-error.ts'
import type { Calls } from '../../platform/worker-calls.ts'
import { callHere } from '../../platform/worker-calls.ts'
import { isEncoded } from '../body/index.ts'
import type { BodyDiff, DiffApi } from './diff-model.ts'
import type { DiffSide } from './side.ts'

/** Bytes of one call. */
const slice = 512 * 1024
/** Longer bodies are compared by size and SHA-256 alone. */
export const bytesUpTo = 25 * 1024 * 1024

let openDiff = (): Calls<DiffApi> =>
  callHere(import('./diff-model.ts').then(({ createDiffModel }) => createDiffModel()))

/** Bodies are compared in what `make` opens from now on, instead of in the page: it knows where a worker is to be had. */
export function compareBodiesIn(make: () => Calls<DiffApi>): void {
  openDiff = make
}

export type BodyComparison =
  | { readonly phase: 'comparing' }
  | { readonly phase: 'failed'; readonly message: string }
  /** The same bytes, without a look at them: their SHA-256 is equal. */
  | { readonly phase: 'same' }
  | { readonly phase: 'too-long' }
  /** At least one is not in its event log. */
  | { readonly phase: 'omitted' }
  | {
      readonly phase: 'ready'
      readonly diff: BodyDiff
      /** Which of them had a content encoding that was undone. */
      readonly decoded: readonly [before: boolean, after: boolean]
    }

interface Found {
  readonly before: DiffSide
  readonly after: DiffSide
  readonly comparison: BodyComparison
}

/** How the bodies of two messages differ. */
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
  }, [after, before])
  return found?.before === before && found.after === after
    ? found.comparison
    : { phase: 'comparing' }
}

async function compareBoth(
  worker: Calls<DiffApi>,
  before: DiffSide,
  after: DiffSide,
  wanted: () => boolean,
): Promise<BodyComparison | null> {
  const decoded = [
    await send(worker, 'before', before, wanted),
    await send(worker, 'after', after, wanted),
  ] as const
  if (!wanted()) return null
  return { phase: 'ready', diff: await worker.call('compare', undefined), decoded }
}

/** Sends a body to the worker, decoded where it can be; whether it was. */
async function send(
  worker: Calls<DiffApi>,
  side: 'before' | 'after',
  { headers, read }: DiffSide,
  wanted: () => boolean,
): Promise<boolean> {
  let decoded = isEncoded(headers)
  for (let offset = 0; wanted();) {
    try {
      const { bytes, size } = await read({ offset, length: slice, decoded })
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
