import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openTestEngine } from '../../support/engine.ts'
import { invitationOf, publish, recordOf } from '../../support/nats/records.ts'
import { natsServer } from '../../support/nats/server.ts'
import { openRelay } from '../../support/nats/receiving.ts'
import { relayOf, untilRelay } from './support.ts'

const backlog = 100_000
const inMessage = 100
const body = (n: number): string =>
  JSON.stringify({ type: 'OPEN_TAB', targetId: `t${n}`, data: { name: 'x'.repeat(4000) } })

describe.skipIf(natsServer === null)('a backlog', () => {
  it('is read with bounded memory while the engine responds', { timeout: 900_000 }, async () => {
    await using relay = await openRelay()
    const { connection, nats } = relay
    await using tab = await openTestEngine()
    await tab.engine.call('settings.update', { keepDeliveries: 2 * backlog })
    const slug = tab.path.replace('/hooks/', '')
    for (let n = 0; n < backlog; n += inMessage) {
      const records = Array.from({ length: inMessage }, (_, at) => recordOf(slug, body(n + at)))
      await publish(connection, slug, records)
    }
    const before = process.memoryUsage().rss
    let [most, longest] = [before, 0]
    const startedAt = performance.now()
    const { id } = await tab.engine.call('relay.add', { invitation: invitationOf(nats.url) })
    for (;;) {
      const asked = performance.now()
      const { position } = await relayOf(tab)
      await tab.engine.call('deliveries.page', { upTo: null, offset: 0, limit: 50 })
      longest = Math.max(longest, performance.now() - asked)
      most = Math.max(most, process.memoryUsage().rss)
      if (position === backlog / inMessage) break
      await pause(20)
    }
    const tookMs = performance.now() - startedAt
    const view = await untilRelay(
      tab,
      'that nothing waits',
      (seen) => seen.deliveries === backlog && seen.state === 'live' && seen.behind === 0,
    )
    expect(view).toMatchObject({ id, state: 'live', behind: 0 })
    const megabytes = Math.round((most - before) / 2 ** 20)
    process.stdout.write(
      `${Math.round(backlog / (tookMs / 1000))} deliveries/s, ${megabytes} MiB more, longest call ${Math.round(longest)} ms\n`,
    )
    expect(megabytes).toBeLessThan(300)
  })
})
