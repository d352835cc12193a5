import type { CallOutput } from '#contract/calls.ts'
import { type Loaded } from '#kit/use-action.ts'
import { useQuery, useRefresh } from '#client/use-client.ts'
import { useLog } from '#client/state/scope.ts'

/** How many attempts are listed. The maximum that the contract allows. */
const limit = 500
const refreshEvery = 500
/** A skipped forward changes the delivery without creating an attempt. */
const pushes = ['attempts.made', 'deliveries.changed'] as const

/** The newest attempts of a delivery or draft, newest first. */
export type AttemptsListed = CallOutput<'attempts.list'>

export interface AttemptsSource {
  readonly state: Loaded<AttemptsListed>
  readonly reload: () => void
}

/** The attempts of a delivery or draft, kept up to date. */
export function useAttempts(of: {
  readonly deliveryId?: number
  readonly draftId?: number
}): AttemptsSource {
  const log = useLog()
  const { state, reload } = useQuery('attempts.list', { log, ...of, limit })
  useRefresh(log, pushes, refreshEvery, reload)
  return { state, reload }
}
