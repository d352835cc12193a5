import type { ForwardHealth, ForwardTarget } from '#contract/endpoint-rules.ts'
import type { CallInput } from '#contract/calls.ts'
import type { AttemptSummary } from '#contract/sending.ts'
import type { TestEngine } from './engine.ts'
import { ask, type Answer } from './raw-client.ts'
import { goodBody, post } from './requests.ts'
import { until } from './until.ts'

type Fields = Omit<CallInput<'forwards.add'>, 'endpointId' | 'url'>

/** Forwards the deliveries of the first endpoint to `url` until disposed. */
export async function forwardTo(
  tab: TestEngine,
  url: string,
  fields: Fields = {},
): Promise<ForwardTarget & AsyncDisposable> {
  const { endpointId } = tab
  const target = await tab.engine.call('forwards.add', { endpointId, url, ...fields })
  return {
    ...target,
    [Symbol.asyncDispose]: async () => {
      const { forwards } = await tab.engine.call('app.snapshot', {})
      if (!forwards.some(({ id }) => id === target.id)) return
      await tab.engine.call('forwards.remove', { id: target.id })
    },
  }
}

export async function deliver(tab: TestEngine, bytes: Uint8Array): Promise<Answer> {
  return ask(tab.port, bytes)
}

/** Forgets what was received, and returns the ID of a new delivery. */
export async function captured(
  tab: TestEngine,
  bytes: Uint8Array = post(tab.path, goodBody),
): Promise<number> {
  await tab.forget()
  await deliver(tab, bytes)
  return (await tab.one()).id
}

export async function healthOf(tab: TestEngine, id: number): Promise<ForwardHealth> {
  const { forwardHealth } = await tab.engine.call('app.snapshot', {})
  const health = forwardHealth.find(({ forwardId }) => forwardId === id)
  if (!health) throw new Error(`nothing is said of the forward target ${id}`)
  return health
}

/** Waits for this number of attempts of a delivery. Newest first. */
export function attemptsOf(
  tab: TestEngine,
  deliveryId: number,
  count: number,
): Promise<AttemptSummary[]> {
  return until(`${count} attempts of delivery ${deliveryId}`, async () => {
    const { rows } = await tab.engine.call('attempts.list', { deliveryId })
    return rows.length >= count ? rows : null
  })
}

export function notForwarded(tab: TestEngine, deliveryId: number): Promise<string[]> {
  return until(`what is said of delivery ${deliveryId} not being forwarded`, async () => {
    const { notForwarded } = await tab.engine.call('attempts.list', { deliveryId })
    return notForwarded.length > 0 ? notForwarded : null
  })
}
