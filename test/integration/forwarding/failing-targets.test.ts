import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { attemptsOf, deliver, forwardTo, healthOf, notForwarded } from '#test/support/forwarding.ts'
import { loopbackService } from '#test/support/loopback-service.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { goodBody, post } from '#test/support/requests.ts'
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

test.each([
  ['30', '30 s (Retry-After: 30)', 30_000],
  // RFC 9110, 10.2.3: compared with the clock of the target, which is wrong by years.
  ['Wed, 21 Oct 2015 07:28:45 GMT', '45 s (Retry-After: Wed, 21 Oct 2015 07:28:45 GMT)', 45_000],
  ['86400', '24 h (Retry-After: 86400). Tabscope waits at most 10 min', 600_000],
  ['later', 'Retry-After: “later”. That is neither seconds nor a date', 1000],
])('Retry-After: %s', async (retryAfter, words, ms) => {
  const tab = engine()
  await using target = await loopbackService(
    (_, response) =>
      void response
        .writeHead(429, { 'Retry-After': retryAfter, Date: 'Wed, 21 Oct 2015 07:28:00 GMT' })
        .end(),
  )
  await using forward = await forwardTo(tab, target.baseUrl, { retries: 2 })
  const before = Date.now()
  await deliver(tab, post(tab.path, goodBody))
  const { id } = await tab.one()
  const [first] = (await attemptsOf(tab, id, 1)).toReversed()
  const attempt = await tab.engine.call('attempts.get', { id: first?.id ?? 0 })
  expect(attempt.notes).toEqual([`The target asks to wait before the next attempt: ${words}.`])
  const { retryAt } = await until('the wait', async () => {
    const health = await healthOf(tab, forward.id)
    return health.retryAt !== null && health
  })
  expect(retryAt).toBeGreaterThanOrEqual(before + ms)
  expect(retryAt).toBeLessThan(Date.now() + ms * 1.2)
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
