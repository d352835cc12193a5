import { useEffect, useState } from 'react'
import { joinBytes } from '#shared/bytes/text.ts'
import { maxComparedBytes } from '#shared/diff/bodies.ts'
import { CallError, messageOf } from '../../platform/call-error.ts'
import { type Calls, callWorker } from '../../platform/worker-calls.ts'
import { isEncoded } from '../body/index.ts'
import type { DiffApi, ShownBodyDiff } from './diff-model.ts'
import type { DiffSide } from './side.ts'

const sliceBytes = 512 * 1024

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
      readonly diff: ShownBodyDiff
      /** Which bodies were decoded from a content encoding. */
      readonly decoded: readonly [before: boolean, after: boolean]
    }

interface Found {
  readonly before: DiffSide
  readonly after: DiffSide
  readonly comparison: BodyComparison
}

export function useBodyDiff(before: DiffSide, after: DiffSide): BodyComparison {
  const [found, setFound] = useState<Found | null>(null)
  const known = knownWithoutBytes(before, after)
  useEffect(() => {
    if (known) return undefined
    let current = true
    const show = (comparison: BodyComparison): void => {
      if (current) setFound({ before, after, comparison })
    }
    const worker = callWorker<DiffApi>(
      new Worker(new URL('../../workers/diff-worker.ts', import.meta.url), { type: 'module' }),
    )
    compareIn(worker, before, after)
      .then(show, (error: unknown) => show({ phase: 'failed', message: messageOf(error) }))
      // Release the worker and its memory.
      .finally(() => worker.close())
    return () => {
      current = false
      worker.close()
    }
  }, [after, before, known])
  if (known) return { phase: known }
  return found?.before === before && found.after === after
    ? found.comparison
    : { phase: 'comparing' }
}

function knownWithoutBytes(
  before: DiffSide,
  after: DiffSide,
): 'omitted' | 'same' | 'too-long' | null {
  if (before.altered === 'omitted' || after.altered === 'omitted') return 'omitted'
  const sameBytes = before.sha256 !== null && before.sha256 === after.sha256
  if (sameBytes && isEncoded(before.headers) === isEncoded(after.headers)) return 'same'
  if (before.bytesKept === 0 && after.bytesKept === 0) return 'same'
  const longest = Math.max(before.bytesKept, after.bytesKept)
  return longest > maxComparedBytes ? 'too-long' : null
}

async function compareIn(
  worker: Calls<DiffApi>,
  before: DiffSide,
  after: DiffSide,
): Promise<BodyComparison> {
  const [old, fresh] = [await bodyOf(before), await bodyOf(after)]
  const bodies = { before: old.bytes, after: fresh.bytes }
  const diff = await worker.call('compare', bodies, [old.bytes.buffer, fresh.bytes.buffer])
  return { phase: 'ready', diff, decoded: [old.decoded, fresh.decoded] }
}

/** Reads a body, decoded if possible. Stops where it is too large to be compared. */
async function bodyOf({ headers, read }: DiffSide) {
  let decoded = isEncoded(headers)
  const parts: Uint8Array[] = []
  for (let offset = 0; offset <= maxComparedBytes;) {
    try {
      const { bytes, size } = await read({ offset, length: sliceBytes, decoded })
      parts.push(bytes)
      offset += bytes.length
      if (bytes.length === 0 || offset >= size) break
    } catch (error) {
      // The body is not encoded as its header says.
      if (!decoded || !(error instanceof CallError) || error.code !== 'bad_input') throw error
      decoded = false
    }
  }
  return { bytes: joinBytes(parts), decoded }
}
