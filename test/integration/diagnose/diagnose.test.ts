import { createHmac } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { Diagnosis } from '#contract/deliveries.ts'
import { AppError } from '#engine/platform/errors.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { testSecret } from '#test/support/requests.ts'

const tab = sharedTestEngine()
const otherSecret = 'Zq8-the-bar-of-others'
const accessSecret = 'Xw5/access+of+all'
const previousSecret = 'Vv4_was-there-before'

const value = { type: 'ORDER_PLACED', data: { orderName: 'Café/A-17', total: 42.5 } }
const compact = JSON.stringify(value)
const hmac = (of: string | Uint8Array, key: string = testSecret) =>
  createHmac('sha256', key).update(of).digest()
const hex = (of: string | Uint8Array, key?: string) => hmac(of, key).toString('hex')

beforeAll(async () => {
  const { engine, endpointId } = tab()
  await engine.call('endpoints.rotateSecret', { id: endpointId, secret: previousSecret })
  await engine.call('endpoints.rotateSecret', {
    id: endpointId,
    secret: testSecret,
    keepPrevious: true,
  })
  const { id } = await engine.call('integrations.create', {
    name: 'Pier 9',
    baseUrl: 'http://127.0.0.1:1',
    accessId: 'pier-9',
    accessSecret,
    redirectUrls: [],
  })
  await engine.call('endpoints.create', {
    integrationId: id,
    name: 'Bar',
    slug: 'bar',
    applicationId: 'app-bar',
    customHeaders: [],
    secret: otherSecret,
  })
})

async function diagnosed(
  body: string | Uint8Array,
  headers: Record<string, string>,
  options: { path?: string; candidate?: string } = {},
): Promise<Diagnosis> {
  const { engine, port, path } = tab()
  const sent = await fetch(`http://127.0.0.1:${port}${options.path ?? path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  })
  expect(sent.status).toBe(options.path === undefined ? 200 : 404)
  const { id } = await tab().one()
  return engine.call('deliveries.diagnose', { id, candidate: options.candidate })
}

const matching = ({ causes }: Diagnosis): string[] =>
  causes.filter(({ outcome }) => outcome === 'matches').map(({ code }) => code)

it('finds it in another brand’s header, and names the endpoint that has the secret', async () => {
  const diagnosis = await diagnosed(compact, { 'X-Acme-Signature': hex(compact, otherSecret) })
  expect(matching(diagnosis).toSorted()).toEqual([
    'header.missing',
    'header.other_name',
    'secret.other_endpoint',
  ])
  const cause = diagnosis.causes.find(({ code }) => code === 'secret.other_endpoint')
  expect(cause?.detail).toContain('X-Acme-Signature')
  expect(cause?.detail).toContain('the current secret of the endpoint “Bar”')
})

it('finds the endpoint of a delivery to an unknown path', async () => {
  const headers = { 'X-Service-Signature': hex(compact, otherSecret) }
  const diagnosis = await diagnosed(compact, headers, { path: '/nowhere' })
  expect(diagnosis.verdict).toBe('unchecked')
  expect(matching(diagnosis)).toEqual(['secret.other_endpoint', 'endpoint.none'])
})

it('accepts any candidate, and refuses one that is too long without repeating it', async () => {
  const headers = { 'X-Service-Signature': hex(compact, ' candidate ') }
  const diagnosis = await diagnosed(compact, headers, { candidate: 'candidate' })
  expect(diagnosis.candidate).toBe('matches_changed')
  expect(matching(diagnosis)).toEqual(['secret.candidate', 'secret.white_space'])
  const { engine } = tab()
  const candidate = 'longer'.repeat(300)
  const refused = engine.call('deliveries.diagnose', { id: 1, candidate })
  await expect(refused).rejects.toBeInstanceOf(AppError)
  await expect(refused).rejects.not.toThrow(candidate.slice(0, 20))
})

it('is refused for a missing delivery', async () => {
  const gone = tab().engine.call('deliveries.diagnose', { id: 999_999 })
  await expect(gone).rejects.toMatchObject({ code: 'not_found' })
})

it.runIf(full)(
  'is bounded for a body of 20 MiB of values, and does not block queries',
  async () => {
    const { engine, port, path } = tab()
    const item = { id: 1, name: 'Café', price: 1.5, url: 'https://x/y', text: 'x'.repeat(100) }
    const body = JSON.stringify(
      { type: 'BIG', data: { items: Array.from({ length: 120_000 }, () => item) } },
      null,
      1,
    )
    expect(body.length).toBeGreaterThan(20 * 1024 * 1024)
    const sent = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'X-Service-Signature': hex(body, 'nobody knows it') },
      body,
    })
    expect(sent.status).toBe(200)
    const { id } = await tab().one()
    let done = false
    const diagnosing = engine.call('deliveries.diagnose', { id }).finally(() => (done = true))
    let queries = 0
    while (!done) {
      await engine.call('deliveries.get', { id })
      queries += 1
    }
    const diagnosis = await diagnosing
    expect(diagnosis.verdict).toBe('invalid')
    expect(diagnosis.exhaustive).toBe(false)
    expect(queries).toBeGreaterThan(20)
  },
)
