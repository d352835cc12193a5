import { setTimeout as pause } from 'node:timers/promises'
import type { CallOutput } from '#contract/calls.ts'
import type { Session } from './session.ts'

/** How long the search index may take to come as far as what was stored when we came, in milliseconds. */
const patienceMs = 10_000

/** Waits until the search index knows what there is now; resolves to how far it is behind where that takes too long. */
export async function untilIndexed(session: Session): Promise<number> {
  const stats = async (): Promise<CallOutput<'app.snapshot'>['stats']> =>
    (await session.call('app.snapshot', {})).stats
  const deadline = performance.now() + patienceMs
  for (;;) {
    const { behind, newestId, indexedId } = await stats()
    if (behind === 0 && indexedId >= newestId) return 0
    if (performance.now() > deadline) return newestId - indexedId
    await pause(20)
  }
}
