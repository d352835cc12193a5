import type { CallInput } from '#contract/calls.ts'
import type { Run } from '#contract/authorization.ts'
import { AppError } from '#engine/errors.ts'
import type { Session } from './session.ts'

export interface FollowedRun {
  readonly id: number
  /** The run when it is over. Rejects with `connection_lost` when its Tabscope ends before. */
  readonly over: Promise<Run>
}

/** Starts a run and follows it, wherever its engine is. `waiting`: the address is known, and what takes the way back is ready. */
export async function startRun(
  session: Session,
  wish: CallInput<'authorization.start'>,
  waiting: (run: Run) => void,
): Promise<FollowedRun> {
  const over = Promise.withResolvers<Run>()
  const early: Run[] = []
  let id: number | null = null
  let seen = 0
  let told = false
  const take = (run: Run): void => {
    // A push may be older than the answer to the start.
    if (run.id !== id || run.steps.length < seen) return
    if (run.state === 'waiting' && !told) {
      told = true
      waiting(run)
    }
    seen = run.steps.length
    if (run.endedAt !== null) over.resolve(run)
  }
  session.on('authorization.changed', (run) => {
    if (id === null) early.push(run)
    else take(run)
  })
  void session.gone.then(() =>
    over.reject(new AppError('connection_lost', 'The Tabscope that ran the flow has ended.')),
  )
  // Whoever starts it waits for it later; until then a rejection is nobody's.
  over.promise.catch(() => undefined)
  const first = await session.call('authorization.start', wish)
  id = first.id
  take(first)
  for (const run of early) take(run)
  return { id, over: over.promise }
}
