import { expect, test } from 'vitest'
import type { ForwardHealth } from '#contract/endpoint-rules.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { attemptsOf, deliver, forwardTo, healthOf, notForwarded } from '#test/support/forwarding.ts'
import { startFlood } from '#test/support/flood.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { rawTarget, reply } from '#test/support/raw-target.ts'
import { goodBody, post, testSecret } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const engine = sharedTestEngine()

test('a target that refuses connections is reported as failing, and as working again once it recovers', async () => {
  const tab = engine()
  await using target = await rawTarget()
  await using forward = await forwardTo(tab, target.origin)
  await target.down()
  expect((await deliver(tab, post(tab.path, goodBody))).status).toBe(200)
  const down = await until('the light', async () => {
    const health = await healthOf(tab, forward.id)
    return health.state === 'down' && health
  })
  expect(down).toMatchObject({ failed: 1, ok: 0, lastStatus: null, waiting: 0, retryAt: null })
  expect(down.lastError).toMatch(/\.$/)
  const { id } = await tab.one()
  const [attempt] = await attemptsOf(tab, id, 1)
  expect(attempt).toMatchObject({ status: null, error: { code: 'refused' } })

  await target.up()
  await deliver(tab, post(tab.path, goodBody))
  await until('the light', async () => (await healthOf(tab, forward.id)).state === 'good')
  expect(await healthOf(tab, forward.id)).toMatchObject({ failed: 1, ok: 1, lastStatus: 200 })
  expect(target.received).toHaveLength(1)
})

test('a failure is retried, later deliveries wait for it, and each attempt is recorded', async () => {
  const tab = engine()
  await using target = await rawTarget((_, index) => reply(index === 0 ? 503 : 200))
  await using forward = await forwardTo(tab, target.origin, { retries: 3 })
  await deliver(tab, post(tab.path, Buffer.from('{"type":"OPEN_TAB","data":{"n":1}}')))
  await deliver(tab, post(tab.path, Buffer.from('{"type":"OPEN_TAB","data":{"n":2}}')))
  const [one, two] = await tab.kept(2)
  await until('what waits', async () => {
    const { retryAt, waiting } = await healthOf(tab, forward.id)
    return retryAt !== null && waiting === 1
  })
  await until('all of it', async () => (await healthOf(tab, forward.id)).ok === 2)
  expect(target.received.map(({ body }) => /\d/.exec(body.toString())?.[0])).toEqual([
    '1',
    '1',
    '2',
  ])
  const tries = await attemptsOf(tab, one?.id ?? 0, 2)
  expect(tries.map(({ tryNumber, status, comparison }) => [tryNumber, status, comparison])).toEqual(
    [
      [2, 200, 'fixed'],
      [1, 503, null],
    ],
  )
  expect(await attemptsOf(tab, two?.id ?? 0, 1)).toHaveLength(1)
  expect(await healthOf(tab, forward.id)).toMatchObject({ failed: 0, state: 'good', retryAt: null })
})

test('a target that hangs: every delivery gets a response, 50 wait, and skipped ones are reported', async () => {
  const tab = engine()
  await using hanging = await rawTarget(() => null)
  await using well = await rawTarget()
  await using forward = await forwardTo(tab, hanging.origin, { queueLimit: 50, timeoutMs: 120_000 })
  await using other = await forwardTo(tab, well.origin, { concurrency: 4, queueLimit: 2000 })
  const pushed: ForwardHealth[][] = []
  const off = tab.engine.on('forwards.health', (health) => pushed.push(health))
  const begun = performance.now()
  const flood = startFlood({
    port: tab.port,
    path: tab.path,
    connections: 8,
    secret: testSecret,
    name: 'hanging',
    limit: 1000,
  })
  await flood.done
  expect([flood.answered.size, flood.refused, flood.broken]).toEqual([1000, [], []])
  const kept = await until('the queue', async () => {
    const health = await healthOf(tab, forward.id)
    return health.waiting + health.skipped + health.inFlight === 1000 && health
  })
  expect(kept).toMatchObject({ waiting: 50, inFlight: 1, skipped: 949, ok: 0, failed: 0 })
  // The other target has received all of them by then.
  await until('the other', async () => (await healthOf(tab, other.id)).ok === 1000)
  expect(well.received).toHaveLength(1000)
  off()
  const most = (performance.now() - begun) / 200 + 2
  expect(pushed.length).toBeGreaterThan(0)
  expect(pushed.length).toBeLessThanOrEqual(most)
  const texts = pushed.map((health) => JSON.stringify(health))
  expect(texts.filter((text, index) => text === texts[index - 1])).toEqual([])

  // Deliveries are forwarded before they are stored. The IDs have no gaps.
  await tab.engine.catchUp()
  const { upTo } = await tab.engine.call('deliveries.page', { upTo: null, offset: 0, limit: 1 })
  const ids = Array.from({ length: 1000 }, (_, index) => upTo - 999 + index)
  expect(await notForwarded(tab, ids[1] ?? 0)).toEqual([
    `Not forwarded to ${forward.url}: 50 were already waiting.`,
  ])
  expect(await notForwarded(tab, ids[949] ?? 0)).toHaveLength(1)
  const said = async (id: number): Promise<string[]> =>
    (await tab.engine.call('attempts.list', { deliveryId: id })).notForwarded
  // In flight, and waiting.
  expect([await said(ids[0] ?? 0), await said(ids[950] ?? 0)]).toEqual([[], []])

  expect(await tab.engine.call('forwards.drop', { id: forward.id })).toEqual({ dropped: 50 })
  expect(await notForwarded(tab, ids[999] ?? 0)).toEqual([
    `Not forwarded to ${forward.url}: It was dropped while it was waiting.`,
  ])
  expect(await healthOf(tab, forward.id)).toMatchObject({ waiting: 0, inFlight: 1, skipped: 999 })
  expect(hanging.received).toHaveLength(1)
})

test('an incomplete delivery is not forwarded, and reports it', async () => {
  const tab = engine()
  await using target = await rawTarget()
  await using forward = await forwardTo(tab, target.origin)
  await using client = await rawClient(tab.port)
  const request = post(tab.path, goodBody)
  await client.send(request.subarray(0, request.byteLength - 10))
  client.finish()
  const { id, arrival } = await tab.one()
  expect(arrival).toBe('cut_off')
  expect(await notForwarded(tab, id)).toEqual([
    `Not forwarded to ${forward.url}: The delivery was incomplete.`,
  ])
  expect(target.received).toEqual([])
})

test('dropping the queue of a missing target is refused', async () => {
  await expect(engine().engine.call('forwards.drop', { id: 4711 })).rejects.toMatchObject({
    code: 'not_found',
  })
})
