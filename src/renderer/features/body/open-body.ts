import type { Calls } from '../../platform/worker-calls.ts'
import { callHere, callWorker } from '../../platform/worker-calls.ts'
import type { BodyApi } from './body-model.ts'
import { createBodyModel } from './body-model.ts'

export type BodyCalls = Calls<BodyApi>

/** Up to this many bytes are read in the page: a worker takes longer to start than they take to read. */
const small = 256 * 1024

/** A body of this size, to be filled by `add` and read by `read`. */
export function openBody(size: number): BodyCalls {
  if (size <= small) return callHere(createBodyModel())
  return callWorker<BodyApi>(
    new Worker(new URL('../../workers/body-worker.ts', import.meta.url), { type: 'module' }),
  )
}
