import type { BodyApi } from '../features/body/body-model.ts'
import { readLargeBodiesIn } from '../features/body/open-body.ts'
import type { DiffApi } from '../features/diff/diff-model.ts'
import { compareBodiesIn } from '../features/diff/use-body-diff.ts'
import { callWorker } from '../platform/worker-calls.ts'

/** Parses and compares large bodies in workers. An exported page in a single file has no workers and does not call this. */
export function startWorkers(): void {
  readLargeBodiesIn(() =>
    callWorker<BodyApi>(
      new Worker(new URL('./body-worker.ts', import.meta.url), { type: 'module' }),
    ),
  )
  compareBodiesIn(() =>
    callWorker<DiffApi>(
      new Worker(new URL('./diff-worker.ts', import.meta.url), { type: 'module' }),
    ),
  )
}
