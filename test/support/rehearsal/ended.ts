import type { Rehearsal } from '#contract/rehearsal.ts'
import type { Engine } from '#engine/app/engine.ts'
import { until } from '../until.ts'

/** Waits for the end of a rehearsal. */
export function ended(engine: Pick<Engine, 'call'>, id: number): Promise<Rehearsal> {
  return until('the run to end', async () => {
    const { rehearsal } = await engine.call('rehearsals.get', { id })
    return rehearsal.endedAt === null ? null : rehearsal
  })
}
