import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { deliver, forwardTo, healthOf } from '#test/support/forwarding.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const engine = sharedTestEngine()

const typed = (type: string, n: number): Buffer =>
  Buffer.from(JSON.stringify({ type, targetUuid: `${type}-${n}`, data: { n } }))

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
