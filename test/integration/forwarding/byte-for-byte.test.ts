import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { attemptsOf, deliver, forwardTo, healthOf } from '#test/support/forwarding.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { goodBody, head, post, sign } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const engine = sharedTestEngine()

const typed = (type: string, n: number): Buffer =>
  Buffer.from(JSON.stringify({ type, targetUuid: `${type}-${n}`, data: { n } }))

test('deliveries are forwarded byte for byte, except for Host', async () => {
  const tab = engine()
  await using target = await rawTarget()
  await using _ = await forwardTo(tab, `${target.origin}${tab.path}`)
  const body = Buffer.concat([goodBody, Buffer.from('  \r\n\u00e9', 'utf8')])
  const lines = [
    'X-First: 1',
    'host: tabscope.example',
    'x-dup: a',
    'CONTENT-type: application/json; charset=UTF-8',
    'X-DUP: b',
    `content-LENGTH: ${body.byteLength}`,
    'X-Empty: ',
    `x-service-SIGNATURE: ${sign(body)}`,
    'Accept-Encoding: br, gzip',
    'X-Latin: caf\u00e9',
    'x-dup: a',
  ]
  const line = `POST ${tab.path}?a=1&a=%20&b HTTP/1.1`
  expect((await deliver(tab, Buffer.concat([head(line, lines), body]))).status).toBe(200)
  const [received] = await until('the forward', () => target.received.length > 0 && target.received)
  expect(received?.head).toEqual([
    line,
    ...lines.map((text) => (text.startsWith('host:') ? `host: 127.0.0.1:${target.port}` : text)),
  ])
  expect(received?.body.equals(body)).toBe(true)

  const { id } = await tab.one()
  const [summary] = await attemptsOf(tab, id, 1)
  expect(summary).toMatchObject({
    kind: 'forward',
    status: 200,
    error: null,
    edited: false,
    bodyEdited: false,
    signing: 'kept',
    tryNumber: 1,
  })
})

test('each target gets its types, in the order received, over one connection', async () => {
  const tab = engine()
  await using all = await rawTarget()
  await using some = await rawTarget()
  await using _all = await forwardTo(tab, all.origin)
  const forward = await forwardTo(tab, some.origin, { types: ['OPEN_TAB', 'CLOSE_TAB'] })
  await using _some = forward
  const types = ['OPEN_TAB', 'ORDER_PLACED', 'CLOSE_TAB', 'QR_SCANNED', 'OPEN_TAB']
  const bodies = Array.from({ length: 60 }, (_, n) => typed(types[n % types.length] ?? '', n))
  for (const body of bodies) await deliver(tab, post(tab.path, body))
  await deliver(tab, post(tab.path, 'no type at all'))
  await until('all of them', () => all.received.length === 61 && some.received.length === 36)
  const texts = bodies.map(String)
  expect(all.received.map(({ body }) => body.toString())).toEqual([...texts, 'no type at all'])
  expect(some.received.map(({ body }) => body.toString())).toEqual(
    texts.filter((text) => text.includes('_TAB')),
  )
  expect([all.mostConnections, some.mostConnections]).toEqual([1, 1])
  await until('the counts', async () => (await healthOf(tab, forward.id)).ok === 36)
  expect(await healthOf(tab, forward.id)).toMatchObject({
    state: 'good',
    waiting: 0,
    inFlight: 0,
    failed: 0,
    skipped: 0,
    lastStatus: 200,
    lastError: null,
  })
})
