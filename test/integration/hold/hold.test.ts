import { afterEach, expect, test } from 'vitest'
import type { HoldState } from '#contract/hold.ts'
import { openTestEngine, sharedTestEngine, type TestEngine } from '#test/support/engine.ts'
import { startFlood } from '#test/support/flood.ts'
import { attemptsOf, deliver, forwardTo, notForwarded } from '#test/support/forwarding.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { rawTarget, reply } from '#test/support/raw-target.ts'
import { post, sign, testSecret } from '#test/support/requests.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const tab = sharedTestEngine()

const body = (n: number): string => `{"type":"OPEN_TAB","data":{"n":${n}}}`

function heldIn({ engine }: TestEngine, count: number): Promise<HoldState> {
  return until(`${count} held`, async () => {
    const state = await engine.call('hold.state', {})
    return state.held.length === count ? state : null
  })
}

afterEach(async () => {
  await tab().engine.call('hold.stop', {})
})

function flood(name: string, limit: number): ReturnType<typeof startFlood> {
  const { port, path } = tab()
  return startFlood({ port, path, connections: 20, secret: testSecret, name, limit })
}

test('the next 7 of 200 concurrent deliveries are held, and forwarded once they are released', async () => {
  const { engine } = tab()
  await using target = await rawTarget()
  await using _forward = await forwardTo(tab(), target.origin, { concurrency: 8 })
  await engine.call('hold.add', { count: 7 })
  const sending = flood('next', 200)
  await sending.done
  const { rules, notHeld } = await heldIn(tab(), 7)
  expect({ rules, notHeld }).toEqual({ rules: [], notHeld: 0 })
  await until('the others', () => target.received.length === 193)
  const { ids } = await engine.call('hold.release', {})
  expect(ids).toHaveLength(7)
  await until('all', () => target.received.length >= 200)
  expect(new Set(target.received.map((request) => request.body.toString())).size).toBe(200)
})

test('beyond 100 held deliveries, others go on and are counted; dropped ones say so', async () => {
  const { engine } = tab()
  await using target = await rawTarget()
  await using _forward = await forwardTo(tab(), target.origin)
  await engine.call('hold.add', {})
  await flood('full', 103).done
  await until('those beyond', () => target.received.length === 3)
  const { held, notHeld } = await heldIn(tab(), 100)
  expect(notHeld).toBe(3)
  expect(held.map(({ deliveryId }) => deliveryId)).toEqual(
    held.map(({ deliveryId }) => deliveryId).toSorted((a, b) => a - b),
  )
  const { ids } = await engine.call('hold.drop', {})
  expect(ids).toHaveLength(100)
  expect(await notForwarded(tab(), ids[0] ?? 0)).toMatchObject([/dropped/i])
  expect((await engine.call('hold.state', {})).held).toEqual([])
  expect(target.received).toHaveLength(3)
})

test('an edited request is signed and is an attempt of its own; the captured bytes stay', async () => {
  const { engine } = tab()
  await using target = await rawTarget()
  await using _forward = await forwardTo(tab(), target.origin)
  await engine.call('hold.add', { count: 1 })
  await deliver(tab(), post(tab().path, body(1)))
  const [held] = (await heldIn(tab(), 1)).held
  const id = held?.deliveryId ?? 0
  expect(held?.targets).toEqual([target.origin])
  const content = await engine.call('hold.edit', { id })
  const edited = { kind: 'bytes', bytes: Buffer.from(body(2)) } as const
  await engine.call('hold.release', { ids: [id], content: { ...content, body: edited } })
  const [attempt] = await attemptsOf(tab(), id, 1)
  expect(attempt).toMatchObject({ kind: 'forward', edited: true, bodyEdited: true, status: 200 })
  const [request] = target.received
  expect(request?.body.toString()).toBe(body(2))
  expect(request?.head.join('\n').toLowerCase()).toContain(`x-service-signature: ${sign(body(2))}`)
  const which = { which: 'request', offset: 0, length: 1000 } as const
  const sent = await engine.call('attempts.body', { id: attempt?.id ?? 0, ...which })
  expect(Buffer.from(sent.bytes).toString()).toBe(body(2))
  expect((await tab().one()).body.toString()).toBe(body(1))
  await expect(engine.call('hold.release', { ids: [id] })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a service that waits gets the response of the user; without one, the usual response in time', async () => {
  const { engine, port, path } = tab()
  await using target = await rawTarget()
  await using _forward = await forwardTo(tab(), target.origin)
  await engine.call('hold.add', { at: 'response', count: 1 })
  await using client = await rawClient(port)
  await client.send(post(path, body(1)))
  const [held] = (await heldIn(tab(), 1)).held
  expect(held).toMatchObject({ at: 'response', releaseAt: (held?.heldAt ?? 0) + 10_000 })
  expect(target.received).toEqual([])
  const headers: [string, string][] = [['X-By', 'hand']]
  await engine.call('hold.respond', { status: 422, headers, body: 'no' })
  const response = await client.answer()
  expect(response).toMatchObject({ status: 422, body: 'no' })
  expect(response.headers.get('x-by')).toBe('hand')
  await until('the forward', () => target.received.length === 1)
  expect(
    await until('the status', async () => {
      const row = await tab().one()
      return row.status === null ? null : row
    }),
  ).toMatchObject({ status: 422, respondedBy: 'hold' })

  await engine.call('hold.add', { at: 'response', count: 1, limitMs: 1000 })
  expect((await deliver(tab(), post(path, body(2)))).status).toBe(200)
  const [, released] = await tab().kept(2)
  expect(released?.responseMs).toBeGreaterThanOrEqual(1000)
  await until('the forward', () => target.received.length === 2)
})

test('for a target whose response is returned, the service waits too, and the edit goes to that target', async () => {
  const { engine, port, path } = tab()
  await using target = await rawTarget(() => reply(201, 'from the target'))
  await using _forward = await forwardTo(tab(), target.origin, { mode: 'return' })
  await engine.call('hold.add', { count: 1 })
  await using client = await rawClient(port)
  await client.send(post(path, body(1)))
  const [held] = (await heldIn(tab(), 1)).held
  const id = held?.deliveryId ?? 0
  expect(held).toMatchObject({ at: 'response', releaseAt: (held?.heldAt ?? 0) + 10_000 })
  const content = await engine.call('hold.edit', { id })
  const edited = { kind: 'bytes', bytes: Buffer.from(body(2)) } as const
  await engine.call('hold.release', { ids: [id], content: { ...content, body: edited } })
  expect(await client.answer()).toMatchObject({ status: 201, body: 'from the target' })
  expect(target.received.map((request) => request.body.toString())).toEqual([body(2)])
  expect(await attemptsOf(tab(), id, 1)).toMatchObject([{ kind: 'pass_through', edited: true }])
  expect((await engine.call('hold.state', {})).held).toEqual([])
})

test('closing Tabscope releases what is held, once', async () => {
  await using folder = ownedFolder()
  await using target = await rawTarget()
  {
    await using closing = await openTestEngine({ dataDir: folder.path })
    await forwardTo(closing, target.origin)
    await closing.engine.call('hold.add', {})
    for (let n = 1; n <= 5; n += 1) await deliver(closing, post(closing.path, body(n)))
    await heldIn(closing, 5)
  }
  expect(target.received.map((request) => request.body.toString())).toEqual(
    [1, 2, 3, 4, 5].map(body),
  )
  await using again = await openTestEngine({ dataDir: folder.path })
  expect(await again.engine.call('hold.state', {})).toEqual({ rules: [], held: [], notHeld: 0 })
})
