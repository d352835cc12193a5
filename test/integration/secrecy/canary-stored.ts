import { expect } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { until } from '#test/support/until.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Sends a delivery with a new signature and reads everything stored about it, then the stored drafts, jobs, targets and rules. */
export async function readSentData(
  call: Call,
  of: { readonly deliveryId: number; readonly endpointId: number; readonly url: string },
): Promise<void> {
  const { deliveryId, endpointId, url } = of
  const sign = { how: 'secret', endpointId, which: 'current' } as const
  const job = await call('jobs.start', { ids: [deliveryId], url, sign })
  await until('the job to be over', async () => {
    const { state } = await call('jobs.get', { id: job.id })
    return state === 'done' || null
  })
  expect(await call('jobs.items', { id: job.id })).toHaveLength(1)
  expect(await call('jobs.list', {})).not.toEqual([])
  const { rows } = await call('attempts.list', { jobId: job.id })
  const [attempt] = rows
  expect(attempt?.signing).toBe('signed')
  const id = attempt?.id ?? 0
  await call('attempts.get', { id })
  for (const which of ['request', 'response'] as const)
    await call('attempts.body', { id, which, offset: 0, length: 1_000_000 })
  await until('the sender to let go of it', async () => {
    const { jobs } = await call('app.snapshot', {})
    return jobs.length === 0 || null
  })
  await call('jobs.remove', { id: job.id })

  const slow = { how: 'rate', perSecond: 0.1 } as const
  await call('jobs.plan', { filter: '', url })
  const { id: long } = await call('jobs.start', { filter: '', url, sign, pace: slow })
  await call('jobs.pause', { id: long })
  await call('jobs.resume', { id: long })
  await call('jobs.cancel', { id: long })

  const refused = await call('jobs.start', { ids: [deliveryId], url: 'http://127.0.0.1:1/', sign })
  await until('the job to fail', async () => {
    const { state } = await call('jobs.get', { id: refused.id })
    const { jobs } = await call('app.snapshot', {})
    return (state === 'done' && jobs.every(({ id }) => id !== refused.id)) || null
  })
  await call('jobs.resendFailed', { id: refused.id })

  expect(await call('health.coverage', {})).not.toEqual([])
  expect((await call('health.overview', { range: 'hour' })).total.received).toBeGreaterThan(0)
  await call('health.alerts', {})
  await call('health.setRule', { endpointId, silenceMinutes: 60 })

  await call('generate.targets', {})
  for (const [output, target] of [
    ['types', 'typescript'],
    ['fixtures', 'vitest'],
  ] as const) {
    const observed = { output, target, observed: '' } as const
    expect((await call('generate.files', observed)).payloads).toBeGreaterThan(0)
    await call('generate.save', { ...observed, to: 'bytes' })
  }

  const draft = await call('compose.save', {
    content: {
      origin: { kind: 'delivery', deliveryId },
      endpointId,
      method: 'POST',
      url,
      headers: [],
      body: { kind: 'captured' },
      sign,
      placeholders: true,
    },
  })
  await call('compose.get', { id: draft.id })
  await call('compose.list', {})
  await call('compose.remove', { id: draft.id })

  await call('targets.set', { url: 'http://192.0.2.1/', confirmed: true })
  await call('targets.list', {})
  await call('targets.resolve', { url })

  const source = '(delivery) => ({ body: delivery.text })'
  await call('scripts.save', { name: 'copy', source })
  await call('scripts.list', {})
  await call('scripts.export', { name: 'copy', to: 'bytes' })
  expect((await call('scripts.run', { source, deliveryId })).result.kind).toBe('request')
  await call('scripts.remove', { name: 'copy' })

  const answer = { kind: 'status', status: 200, headers: [], body: '' } as const
  const rule = { type: null, delayMs: 0, when: { kind: 'always' }, enabled: true } as const
  const rules = [{ ...rule, response: { ...answer, headers: [] } }]
  await call('responses.set', { endpointId, rules })
  const [added] = await call('responses.add', {
    endpointId,
    ...rule,
    type: 'OPEN_TAB',
    response: { ...answer, headers: [] },
  })
  await call('responses.remove', { id: added?.id ?? 0 })
  await call('responses.off', {})
}
