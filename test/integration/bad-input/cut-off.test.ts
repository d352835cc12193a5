import { expect, test } from 'vitest'
import { openTestEngine, sharedTestEngine, type TestEngine } from '#test/support/engine.ts'
import { ask, rawClient, type RawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post, sha256 } from '#test/support/requests.ts'

const shared = sharedTestEngine()

const half = 'POST /hooks/sandbox HTTP/1.1\r\nHost: a\r\nX-Hal'
const begun = goodBody.subarray(0, 40)

/** A head that announces the complete body, and the start of the body. */
const halfBody = (path: string): Buffer =>
  Buffer.concat([
    head(`POST ${path} HTTP/1.1`, ['Host: a', `Content-Length: ${goodBody.byteLength}`]),
    begun,
  ])

async function expectGood(tab: TestEngine): Promise<void> {
  expect(await ask(tab.port, post(tab.path, goodBody))).toMatchObject({ status: 200 })
}

/** Waits until the listener has read what was sent: bytes on one connection are read before the response on a later one. */
async function settle(tab: TestEngine, client: RawClient, bytes: string | Uint8Array) {
  await client.send(bytes)
  await expectGood(tab)
}

for (const leave of ['finish', 'reset'] as const) {
  test(`an incomplete head, then ${leave}: recorded with the bytes received`, async () => {
    const tab = shared()
    await using client = await rawClient(tab.port)
    await settle(tab, client, half)
    client[leave]()
    const [, kept] = await tab.kept(2)
    expect(kept).toMatchObject({
      arrival: 'cut_off',
      method: '',
      path: '',
      verdict: 'unsigned',
      bytes: 0,
      sha256: sha256(''),
      status: leave === 'finish' ? 400 : null,
      reason: expect.stringContaining(
        `${half.length} bytes of an incomplete request head were received.`,
      ),
    })
    if (leave === 'finish') expect(await client.answer()).toMatchObject({ status: 400 })
    await expectGood(tab)
  })

  test(`an incomplete body, then ${leave}: the received part is stored`, async () => {
    const tab = shared()
    await using client = await rawClient(tab.port)
    await settle(tab, client, halfBody(tab.path))
    client[leave]()
    const [, kept] = await tab.kept(2)
    expect(kept).toMatchObject({
      arrival: 'cut_off',
      method: 'POST',
      path: tab.path,
      endpointId: tab.endpointId,
      verdict: 'missing',
      bytes: begun.byteLength,
      sha256: sha256(begun),
      reason: expect.stringMatching(/^The (sender|connection) .* before .* complete\.$/),
    })
    expect(kept?.body.equals(begun)).toBe(true)
    expect(kept?.findings.map(({ code }) => code)).toEqual(['request.cut_off'])
    await client.closed()
    await expectGood(tab)
    expect(await tab.kept(3)).toHaveLength(3)
  })

  test(`an incomplete head after a complete request, then ${leave}: both are recorded`, async () => {
    const tab = shared()
    await using client = await rawClient(tab.port)
    await client.send(post(tab.path, goodBody))
    await client.answers(1)
    await client.send(half)
    client[leave]()
    const kept = await tab.kept(2)
    expect(kept.map(({ arrival }) => arrival)).toEqual(['complete', 'cut_off'])
    expect(kept[0]).toMatchObject({ status: 200, verdict: 'valid' })
  })
}

test('a sender that resets the connection after a complete request is recorded, without a status', async () => {
  const tab = shared()
  await using client = await rawClient(tab.port)
  await client.send(post(tab.path, goodBody))
  client.reset()
  const kept = await tab.one()
  expect(kept).toMatchObject({ arrival: 'complete', verdict: 'valid', bytes: goodBody.byteLength })
  await expectGood(tab)
})

const quick = { headMs: 250, bodyMs: 500, idleMs: 200 }
const sharedQuick = sharedTestEngine({ limits: quick })

/** Sends `start` and then a byte now and then. Returns the delivery before the good one that follows. */
async function tooSlow(tab: TestEngine, start: string | Buffer) {
  await using client = await rawClient(tab.port)
  await client.send(start)
  const drip = setInterval(() => void client.socket.write('x'), 20)
  expect(await client.answer()).toMatchObject({ status: 408 })
  await client.closed()
  clearInterval(drip)
  await expectGood(tab)
  const [kept, ...others] = await tab.kept(2)
  expect(others.map(({ arrival }) => arrival)).toEqual(['complete'])
  expect(kept).toMatchObject({
    arrival: 'cut_off',
    status: 408,
    reason: expect.stringContaining('The sender was too slow'),
  })
  return kept
}

test('a head that takes too long gets 408, and is recorded once as cut off', async () => {
  await tooSlow(sharedQuick(), half)
})

test('a body that takes too long gets 408, and its received part is stored once', async () => {
  const tab = sharedQuick()
  const kept = await tooSlow(tab, halfBody(tab.path))
  expect(kept?.path).toBe(tab.path)
  expect(kept?.bytes).toBeGreaterThanOrEqual(begun.byteLength)
  expect(kept?.sha256).toBe(sha256(kept?.body ?? ''))
  const { causes } = await tab.engine.call('deliveries.diagnose', { id: kept?.id ?? 0 })
  const cause = causes.find(({ code }) => code === 'body.truncated')
  expect(cause?.detail).toContain('Tabscope stopped reading')
})

test('a body that is sent too slowly gets 408 long before its time limit, and its received part is stored once', async () => {
  await using tab = await openTestEngine({
    limits: { bodyMs: 60_000, rateGraceMs: 200, bytesPerSecond: 1_000_000 },
  })
  await using client = await rawClient(tab.port)
  await client.send(halfBody(tab.path))
  expect(await client.answer()).toMatchObject({ status: 408 })
  await client.closed()
  await expectGood(tab)
  const [kept, ...others] = await tab.kept(2)
  expect(others.map(({ arrival }) => arrival)).toEqual(['complete'])
  expect(kept).toMatchObject({
    arrival: 'cut_off',
    status: 408,
    path: tab.path,
    bytes: begun.byteLength,
    sha256: sha256(begun),
    reason: expect.stringContaining('The minimum is 1000000 bytes per second'),
  })
})

test('a connection that sends nothing is closed, and leaves no record', async () => {
  const tab = sharedQuick()
  await using client = await rawClient(tab.port)
  await client.closed()
  await expectGood(tab)
  expect(await tab.kept(1)).toHaveLength(1)
})

test('an incomplete head is recorded when Tabscope is closed', async () => {
  await using tab = await openTestEngine()
  await using client = await rawClient(tab.port)
  await settle(tab, client, half)
  await tab.engine.stopListening()
  const kept = await tab.kept(2)
  expect(kept.map(({ arrival }) => arrival)).toEqual(['complete', 'cut_off'])
})
