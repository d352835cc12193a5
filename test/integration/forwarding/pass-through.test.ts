import { expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { attemptsOf, deliver, forwardTo, healthOf } from '#test/support/forwarding.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { rawTarget, reply } from '#test/support/raw-target.ts'
import { goodBody, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

const engine = sharedTestEngine()

test('the target gets the delivery byte for byte, and its response is returned', async () => {
  const tab = engine()
  await using target = await rawTarget(() =>
    reply(422, '{"no":"way"}', [
      'Content-Type: application/problem+json',
      'X-Hop: secret',
      'Connection: keep-alive, X-Hop',
      'Keep-Alive: timeout=5',
      'X-Reason: too late',
    ]),
  )
  await using forward = await forwardTo(tab, `${target.origin}/in`, { mode: 'return' })
  const request = post(tab.path, goodBody, ['x-DUP: 1', 'X-dup: 2'])
  const { status, headers, body } = await deliver(tab, request)
  expect([status, body]).toEqual([422, '{"no":"way"}'])
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(headers.get('x-reason')).toBe('too late')
  expect(headers.has('x-hop')).toBe(false)
  const sent = request.toString('latin1').replace(tab.path, '/in')
  const received = target.received[0]?.bytes.toString('latin1')
  expect(received).toBe(sent.replace('Host: 127.0.0.1', `Host: 127.0.0.1:${target.port}`))

  const delivery = await tab.one()
  const [attempt] = await attemptsOf(tab, delivery.id, 1)
  expect(attempt).toMatchObject({
    kind: 'pass_through',
    forwardId: forward.id,
    status: 422,
    edited: false,
  })
  await until('the answer in the store', async () => {
    const { status, respondedBy } = await tab.engine.call('deliveries.get', { id: delivery.id })
    return status === 422 && respondedBy === 'target'
  })
  expect(await healthOf(tab, forward.id)).toMatchObject({
    state: 'failing',
    failed: 1,
    inFlight: 0,
  })
})

test('a target that is down: the service gets 502, and the delivery is kept', async () => {
  const tab = engine()
  await using target = await rawTarget()
  await target.down()
  await using forward = await forwardTo(tab, target.origin, { mode: 'return' })
  expect((await deliver(tab, post(tab.path, goodBody))).status).toBe(502)
  const delivery = await tab.one()
  expect(delivery.body.equals(goodBody)).toBe(true)
  const [attempt] = await attemptsOf(tab, delivery.id, 1)
  expect(attempt).toMatchObject({ kind: 'pass_through', status: null, error: { code: 'refused' } })
  expect(await healthOf(tab, forward.id)).toMatchObject({ state: 'down', failed: 1 })
})

test('a response over 1 MiB is not passed on', async () => {
  const tab = engine()
  await using target = await rawTarget(() => reply(200, 'x'.repeat(1024 * 1024 + 1)))
  await using _ = await forwardTo(tab, target.origin, { mode: 'return' })
  const { status, body } = await deliver(tab, post(tab.path, goodBody))
  expect(status).toBe(502)
  expect(body).toContain('larger than 1 MiB')
})

test('a slow target delays nothing else: no other types, and not its own next delivery', async () => {
  const tab = engine()
  const held: (() => void)[] = []
  await using target = await rawTarget(
    (_, index) =>
      new Promise((resolve) => {
        if (index === 0) held.push(() => resolve(reply(202, 'late')))
        else resolve(reply(200, 'soon'))
      }),
  )
  await using _ = await forwardTo(tab, target.origin, { mode: 'return', types: ['OPEN_TAB'] })
  await using slow = await rawClient(tab.port)
  await slow.send(post(tab.path, goodBody))
  await until('the target to have it', () => held.length === 1)
  const other = await deliver(
    tab,
    post(tab.path, '{"type":"CLOSE_TAB","targetUuid":"t","data":{}}'),
  )
  expect([other.status, other.body]).toEqual([200, ''])
  expect((await deliver(tab, post(tab.path, goodBody))).body).toBe('soon')
  held[0]?.()
  expect(await slow.answer()).toMatchObject({ status: 202, body: 'late' })
})
