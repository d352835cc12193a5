import { expect } from 'vitest'
import type { CallInput, CallName, CallOutput } from '#contract/calls.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { sign } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>

/** Makes every call of rehearsals and scenarios, against a handler that reveals its secret in each response. */
export async function rehearsalsWithSecrets(
  call: Call,
  { secret, deliveryId }: { secret: string; deliveryId: number },
): Promise<void> {
  await using service = await loopbackService(({ headers, body }, response) => {
    const isValid = Object.values(headers).includes(sign(body, secret))
    response.writeHead(isValid ? 200 : 401, { 'x-debug': `Basic ${secret}` })
    response.end(`secret ${secret}, ${JSON.stringify(secret)}, ${encodeURIComponent(secret)}`)
  })
  const url = `${service.baseUrl}/`
  const ended = (id: number) =>
    until('the rehearsal to end', async () => {
      const { rehearsal, results } = await call('rehearsals.get', { id })
      return rehearsal.endedAt === null ? null : results
    })
  const { id } = await call('rehearsals.start', {
    url,
    seed: 7,
    only: ['S4', 'S14'],
    secret,
    previousSecret: secret,
  })
  await call('rehearsals.observed', { id, key: 1, value: null, error: null })
  const results = await ended(id)
  expect(results.find((result) => result.id === 'S14')?.reason).toContain('contains the secret')
  const requests = await call('rehearsals.requests', { id, caseId: 'S4' })
  expect(Buffer.from(requests[0]?.responseBody ?? []).toString()).toContain('<WEBHOOK_SECRET>')
  const { rehearsal } = await call('rehearsals.startOauth', {
    startUrl: url,
    callUrl: null,
    redirectUrl: null,
    accessSecret: secret,
    flowTimeout: 100,
    watchTime: 50,
  })
  await call('rehearsals.cancel', { id: rehearsal.id })
  expect(await call('rehearsals.list', {})).toHaveLength(2)
  await call('rehearsals.remove', { id: rehearsal.id })
  await scenariosWithSecrets(call, { url, secret, deliveryId })
}

async function scenariosWithSecrets(
  call: Call,
  { url, secret, deliveryId }: { url: string; secret: string; deliveryId: number },
): Promise<void> {
  const name = 'evening'
  await call('scenarios.save', { name, what: { ids: [deliveryId] } })
  const run = await call('scenarios.run', { name, url, secret, speed: null })
  const ended = await until('the run to end', async () => {
    const { runs } = await call('scenarios.get', { name })
    return runs.find(({ state }) => state !== 'running') ?? null
  })
  expect(ended).toMatchObject({ ok: 1 })
  expect(await call('jobs.items', { id: run.id })).toMatchObject([{ state: 'ok' }])
  expect(await call('scenarios.list', {})).toHaveLength(1)
  await call('scenarios.remove', { name })
}
