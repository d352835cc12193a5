import { expect, test } from 'vitest'
import { until } from '#test/support/until.ts'
import { keepAliveServer } from './keep-alive-server.ts'
import { ok, wireClient } from './wire-client.ts'

const active = (): number =>
  process.getActiveResourcesInfo().filter((kind) => /^(TCP|TLS|Timeout)/.test(kind)).length

test('closing ends what is in progress as aborted, and leaves neither connections nor timers', async () => {
  let silent = false
  await using server = await keepAliveServer((socket) => {
    if (!silent) socket.write(ok(''))
  })
  const before = active()
  const to = wireClient()
  await to.send(server.origin, {}, { keepAlive: true })
  await Promise.all([
    to.send(server.origin, {}, { keepAlive: true, own: 'forward' }),
    to.send(server.origin, {}, { keepAlive: true, verifyTls: false }),
  ])
  silent = true
  const outcomes = [
    to.send(server.origin, {}, { keepAlive: true }),
    to.send(`http://localhost:${server.port}`),
    to.send('http://name.invalid/'),
  ]
  await until('both requests', () => server.counts.reduce((sum, count) => sum + count, 0) === 5)
  await to.wire.close()
  const [kept, fresh, unresolved] = await Promise.all(outcomes)
  expect(kept?.error?.code).toBe('aborted')
  expect(fresh?.error?.code).toBe('aborted')
  // Without a network, this was reported before.
  expect(unresolved?.error?.code).toMatch(/^(aborted|unresolved)$/)
  await until('all connections to end', () => server.open.size === 0)
  await until('nothing to be left', () => active() <= before)

  expect((await to.send(server.origin)).error?.code).toBe('aborted')
  await to.wire.close()
})
