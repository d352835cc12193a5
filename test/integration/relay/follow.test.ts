import type { NatsConnection } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import type { RelayView } from '#contract/relay.ts'
import { openTestEngine, type TestEngine } from '../../support/engine.ts'
import { invitationOf, publish, recordOf } from '../../support/nats/records.ts'
import { createStreams, natsServer, openNats, type Nats } from '../../support/nats/server.ts'
import { until } from '../../support/until.ts'

interface TestRelay extends AsyncDisposable {
  readonly nats: Nats
  readonly connection: NatsConnection
}

async function openRelay(): Promise<TestRelay> {
  const nats = await openNats()
  const connection = await nats.connect()
  await createStreams(connection)
  return {
    nats,
    connection,
    [Symbol.asyncDispose]: async () => {
      await connection.close()
      await nats[Symbol.asyncDispose]()
    },
  }
}

async function relayOf({ engine }: TestEngine): Promise<RelayView> {
  const [relay] = await engine.call('relay.list', {})
  if (!relay) throw new Error('there is no relay')
  return relay
}

describe.skipIf(natsServer === null)('following a relay', () => {
  it('stores what receivers accepted as captured deliveries are stored, and its position', async () => {
    await using relay = await openRelay()
    const { nats, connection } = relay
    await using tab = await openTestEngine()
    const slug = tab.path.replace('/hooks/', '')
    await publish(connection, slug, [
      recordOf(slug, '{"type":"OPEN_TAB","targetId":"t1"}'),
      recordOf(slug, '{"type":"OPEN_TAB","targetId":"t2"}'),
    ])
    await tab.engine.call('relay.add', { invitation: invitationOf(nats.url) })
    const [first, second] = await tab.kept(2)
    expect(first).toMatchObject({
      verdict: 'valid',
      via: 'relay',
      relay: { name: 'Team', receiver: 'gate', position: 1 },
      status: 202,
      responseMs: null,
      remoteAddress: '198.51.100.7',
      endpointId: tab.endpointId,
      target: 't1',
    })
    expect(second?.target).toBe('t2')
    await publish(connection, slug, [recordOf(slug, '{"type":"CLOSE_TAB","targetId":"t1"}')])
    await tab.kept(3)
    const view = await until('the position', async () => {
      const seen = await relayOf(tab)
      return seen.position === 2 && seen.state === 'live' && seen.deliveries === 3 ? seen : null
    })
    expect(view).toMatchObject({
      behind: 0,
      deliveries: 3,
      away: { deliveries: 2, firstId: first?.id, lastId: second?.id },
      removed: null,
      reason: null,
    })
  })
})
