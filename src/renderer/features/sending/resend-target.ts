import { useEffect, useState } from 'react'
import type { ForwardTarget } from '#contract/answering.ts'
import type { DeliverySummary } from '#contract/models.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import type { Client } from '../../platform/client.ts'
import { useClient } from '../../platform/use-client.ts'
import { useAnswering } from '../../state/answering.ts'

export type Resendable = Pick<DeliverySummary, 'id' | 'type' | 'endpointId'>

/** The addresses that were sent to by hand, newest first, each once. */
export function sentByHand(attempts: readonly AttemptSummary[]): string[] {
  const urls = attempts
    .filter(({ kind }) => kind === 'resend' || kind === 'compose')
    .map(({ url }) => url)
  return [...new Set(urls)]
}

/** Where a delivery goes without asking: where it was last sent by hand, else to the forward target of its endpoint and type. Null: ask. */
export function targetFor(
  { type, endpointId }: Resendable,
  attempts: readonly AttemptSummary[],
  forwards: readonly ForwardTarget[],
): string | null {
  const [last] = sentByHand(attempts)
  if (last !== undefined) return last
  const forward = forwards.find(
    ({ on, endpointId: of, types }) =>
      on && of === endpointId && (types.length === 0 || (type !== null && types.includes(type))),
  )
  return forward?.url ?? null
}

export async function findTarget(client: Client, delivery: Resendable): Promise<string | null> {
  const rows = await attemptsOf(client, delivery.id)
  return targetFor(delivery, rows, useAnswering.getState().forwards)
}

/** `findTarget` as it changes; undefined: not known yet. */
export function useTarget(delivery: Resendable): string | null | undefined {
  const client = useClient()
  const { id } = delivery
  const forwards = useAnswering((state) => state.forwards)
  const [found, setFound] = useState<{ id: number; rows: readonly AttemptSummary[] } | null>(null)
  useEffect(() => {
    let current = true
    const read = (): void => {
      attemptsOf(client, id).then(
        (rows) => current && setFound({ id, rows }),
        // Why they cannot be read is said when it is sent.
        () => undefined,
      )
    }
    read()
    const stop = client.on('attempts.made', ({ rows }) => {
      if (rows.some(({ deliveryId }) => deliveryId === id)) read()
    })
    return () => {
      current = false
      stop()
    }
  }, [client, id])
  return found?.id === id ? targetFor(delivery, found.rows, forwards) : undefined
}

async function attemptsOf(client: Client, deliveryId: number): Promise<readonly AttemptSummary[]> {
  const { rows } = await client.call('attempts.list', { log: null, deliveryId, limit: 200 })
  return rows
}
