import { expect, test } from 'vitest'
import { openTestEngine } from '#test/support/engine.ts'
import { full } from '#test/support/full.ts'
import { rawClient, type RawClient } from '#test/support/raw-client.ts'
import { goodBody, head, post } from '#test/support/requests.ts'
import { until } from '#test/support/until.ts'

test.runIf(full)(
  '2,000 idle connections stay open while deliveries get their responses',
  async () => {
    await using tab = await openTestEngine()
    await using stack = new AsyncDisposableStack()
    const idle: RawClient[] = []
    while (idle.length < 2000) {
      const some = await Promise.all(Array.from({ length: 100 }, () => rawClient(tab.port)))
      for (const client of some) idle.push(stack.use(client))
    }
    for (let i = 0; i < 20; i += 1) {
      await using client = await rawClient(tab.port)
      await client.send(post(tab.path, goodBody))
      expect(await client.answer()).toMatchObject({ status: 200 })
    }
    expect(idle.filter(({ isClosed }) => isClosed)).toHaveLength(0)
    const kept = await tab.kept(20)
    expect(kept.map(({ status, verdict }) => [status, verdict])).toEqual(
      Array.from({ length: 20 }, () => [200, 'valid']),
    )
  },
)

test('at the connection limit, the connection that has been idle for longest is closed', async () => {
  await using tab = await openTestEngine({ limits: { connections: 3 } })
  await using busy = await rawClient(tab.port)
  await busy.send(head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 2']))
  await busy.send('{')
  await using first = await rawClient(tab.port)
  await using second = await rawClient(tab.port)
  await second.send(post(tab.path, goodBody))
  await second.answers(1)
  // The older connection was used more recently than the newer one.
  await first.send(post(tab.path, goodBody))
  await first.answers(1)
  await using newest = await rawClient(tab.port)
  await newest.send(post(tab.path, goodBody))
  expect(await newest.answer()).toMatchObject({ status: 200 })
  await until('the idle one to give way', () => second.isClosed)
  expect(first.isClosed).toBe(false)
  await first.send(post(tab.path, goodBody))
  expect(await first.answers(2)).toHaveLength(2)
  await busy.send('}')
  expect(await busy.answer()).toMatchObject({ status: 200 })
})

test('incomplete bodies on all connections do not block a delivery: the slowest is closed and recorded', async () => {
  const connections = 200
  await using tab = await openTestEngine({ limits: { connections } })
  await using stack = new AsyncDisposableStack()
  const half = [head(`POST ${tab.path} HTTP/1.1`, ['Host: a', 'Content-Length: 1000']), '{']
  const slow: RawClient[] = []
  for (let count = 0; count < connections; count += 1) {
    const client = stack.use(await rawClient(tab.port))
    slow.push(client)
    for (const bytes of half) await client.send(bytes)
  }
  for (let count = 1; count <= 3; count += 1) {
    await using client = await rawClient(tab.port)
    await client.send(post(tab.path, goodBody))
    expect(await client.answer()).toMatchObject({ status: 200 })
    const next = stack.use(await rawClient(tab.port))
    for (const bytes of half) await next.send(bytes)
  }
  await until('one to give way', () => slow.some(({ isClosed }) => isClosed))
  const cut = (await tab.kept(4)).filter(({ arrival }) => arrival === 'cut_off')
  expect(cut[0]).toMatchObject({
    arrival: 'cut_off',
    status: null,
    path: tab.path,
    bytes: 1,
    reason: expect.stringContaining('Too many connections were open'),
  })
})

test('a new delivery whose body is late is not closed in favor of older incomplete bodies', async () => {
  await using tab = await openTestEngine({ limits: { connections: 3 } })
  await using stack = new AsyncDisposableStack()
  const begin = async (): Promise<RawClient> => {
    const client = stack.use(await rawClient(tab.port))
    await client.send(
      head(`POST ${tab.path} HTTP/1.1`, ['Host: a', `Content-Length: ${goodBody.byteLength}`]),
    )
    return client
  }
  const older = [await begin(), await begin(), await begin()]
  const honest = await begin()
  await begin()
  await honest.send(goodBody)
  expect(await honest.answer()).toMatchObject({ status: 200 })
  await until('two to give way', () => older.filter(({ isClosed }) => isClosed).length === 2)
})
