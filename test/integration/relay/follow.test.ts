import { jetstreamManager } from '@nats-io/jetstream'
import { headers, type Msg } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { full } from '#test/support/full.ts'
import { systemClock } from '#engine/platform/clock.ts'
import { encodeInvitation } from '#engine/receiving/relay/files.ts'
import { bodiesStream, directGet, noEndpoint, streamOf } from '#engine/receiving/relay/format.ts'
import { relayText } from '#hosts/node/output/relay-text.ts'
import { openTestEngine } from '../../support/engine.ts'
import { attemptsOf, forwardTo } from '../../support/forwarding.ts'
import {
  invitationOf,
  publish,
  publishLarge,
  publishParts,
  recordOf,
} from '../../support/nats/records.ts'
import { openAdministered } from '../../support/nats/administered.ts'
import { createStreams, natsServer } from '../../support/nats/server.ts'
import { recordingServer } from '../../support/recording-server.ts'
import { openRelay } from '../../support/nats/receiving.ts'
import { isCaughtUp, untilRelay } from './support.ts'

const open = (n: number): string => `{"type":"OPEN_TAB","targetId":"t${n}"}`

describe.skipIf(natsServer === null)('following a relay', () => {
  it('stores what receivers accepted as captured deliveries are stored, and its position', async () => {
    await using relay = await openRelay()
    const { nats, connection } = relay
    await using tab = await openTestEngine()
    const slug = tab.path.replace('/hooks/', '')
    await publish(connection, slug, [recordOf(slug, open(1)), recordOf(slug, open(2))])
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
    expect(first?.findings.map(({ code }) => code)).toContain('header.type_missing')
    expect(second?.target).toBe('t2')
    await untilRelay(tab, 'that nothing waits', ({ behind }) => behind === 0)
    await publish(connection, noEndpoint, [recordOf('nowhere', open(3))])
    await tab.kept(3)
    const view = await untilRelay(
      tab,
      'the position',
      ({ position, deliveries }) => position === 2 && deliveries === 3,
    )
    expect(view).toMatchObject({ state: 'live', behind: 0, reason: null })
    expect(view.lastReceivedAt).toBeGreaterThan(Date.now() - 60_000)
    const found = await tab.engine.call('deliveries.page', {
      filter: 'relay:Team receiver:gate via:relay endpoint:none',
      upTo: null,
      offset: 0,
      limit: 10,
    })
    expect(found.rows.map(({ target }) => target)).toEqual(['t3'])
  })

  it('reads only the endpoints of its key, creates those that are missing, and forgets', async () => {
    await using relay = await openAdministered()
    expect((await relay.relay('check')).code).toBe(0)
    const ben = await relay.invite('ben', '--endpoint', 'bar')
    const admin = await relay.asAdmin()
    await using tab = await openTestEngine()
    await publish(admin, 'bar', [recordOf('bar', open(1))])
    await publish(admin, 'terrace', [recordOf('terrace', open(2))])
    await publishLarge(admin, 'bar', recordOf('bar', `{"type":"${'x'.repeat(900_000)}"}`))
    const invitation = encodeInvitation(ben)
    expect(await tab.engine.call('relay.read', { invitation })).toMatchObject({ missing: ['bar'] })
    const { id } = await tab.engine.call('relay.add', { invitation })
    const { endpoints } = await tab.engine.call('app.snapshot', {})
    expect(endpoints.map(({ slug }) => slug)).toContain('bar')
    const [bar, large] = await tab.kept(2)
    expect(bar).toMatchObject({ target: 't1', endpointName: 'bar', verdict: 'unchecked' })
    expect(large?.bytes).toBeGreaterThan(900_000)
    await publish(admin, 'bar', [recordOf('bar', open(4))])
    await tab.kept(3)
    const forgotten = await tab.engine.call('relay.forget', { id, deliveries: false })
    expect(forgotten).toEqual({ deleted: 0 })
    expect(await tab.engine.call('relay.list', {})).toEqual([])
    const kept = await tab.kept(3)
    expect(kept[0]?.relay).toMatchObject({ id, receiver: 'gate' })
    await admin.close()
  })

  it.runIf(full)('reads more endpoints than backlogs at once', async () => {
    const endpoints = Array.from({ length: 12 }, (_, n) => `e${n}`)
    await using relay = await openRelay({ endpoints })
    await using tab = await openTestEngine()
    const each = async (from: number): Promise<void> => {
      for (const [n, slug] of endpoints.entries())
        await publish(relay.connection, slug, [recordOf(slug, open(from + n))])
    }
    await each(0)
    await each(12)
    const invitation = invitationOf(relay.nats.url, { endpoints })
    await tab.engine.call('relay.add', { invitation })
    await untilRelay(tab, 'the relay', isCaughtUp)
    await each(24)
    const rows = await tab.kept(36)
    const targets = rows.map(({ target }) => Number(target?.slice(1)))
    expect(targets.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 36 }, (_, n) => n))
  })

  it('deletes the deliveries of a relay that is forgotten with them, and no others', async () => {
    await using relay = await openRelay()
    await using tab = await openTestEngine()
    await fetch(tab.endpoint, { method: 'POST', body: '{}' })
    const slug = tab.path.replace('/hooks/', '')
    await publish(
      relay.connection,
      slug,
      Array.from({ length: 150 }, (_, n) => recordOf(slug, open(n))),
    )
    const { id } = await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    await tab.kept(151)
    expect(await tab.engine.call('relay.forget', { id, deliveries: true })).toEqual({
      deleted: 150,
    })
    const { total } = await tab.engine.call('deliveries.page', { upTo: null, offset: 0, limit: 1 })
    expect(total).toBe(1)
  })

  it('takes the endpoint from the stream, whatever path the delivery has', async () => {
    await using relay = await openRelay()
    await using tab = await openTestEngine()
    const { path } = tab
    const own = path.replace('/hooks/', '')
    for (const [n, slug] of ['bar', noEndpoint, own].entries())
      await publish(relay.connection, slug, [recordOf(slug, open(n), { path })])
    await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    const found = (await tab.kept(3)).map(({ target, endpointId }) => [target, endpointId] as const)
    expect(new Map(found)).toEqual(
      new Map([
        ['t0', null],
        ['t1', null],
        ['t2', tab.endpointId],
      ]),
    )
  })

  it('takes the receiver from the key that published, whatever the message says', async () => {
    await using relay = await openRelay()
    await using tab = await openTestEngine()
    await publish(relay.connection, 'bar', [recordOf('bar', open(1))], {
      headers: {
        'Nats-Subject': 'hooks.bar.other',
        'Nats-Sequence': '7',
        'Nats-Time-Stamp': '2020-01-01T00:00:00Z',
      },
    })
    await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    const [row] = await tab.kept(1)
    expect(row?.relay).toMatchObject({ receiver: 'gate', position: 1 })
  })

  it('asks again for a message that a replica does not have yet, or when nobody answers, and keeps the order', async () => {
    await using relay = await openRelay()
    const { connection } = relay
    await using tab = await openTestEngine()
    const { streams } = await jetstreamManager(connection)
    // Instead of the server, this answers.
    await streams.update(streamOf('bar'), { allow_direct: false })
    for (const n of [1, 2, 3]) await publish(connection, 'bar', [recordOf('bar', open(n))])
    let late = 2
    let isReloaded = false
    const answer = async (request: Msg): Promise<void> => {
      const { seq } = z.object({ seq: z.number() }).parse(request.json())
      if (seq === 3 && !isReloaded) {
        isReloaded = true
        // As of nats-server 2.15, while it reads its configuration again.
        const nobody = headers(503, 'No Responders')
        nobody.append('Nats-Subject', request.subject)
        request.respond('', { headers: nobody })
        return
      }
      if (seq === 2 && (late -= 1) >= 0) {
        request.respond('', { headers: headers(404, 'Message Not Found') })
        return
      }
      const found = await streams.getMessage(streamOf('bar'), { seq })
      if (found === null) return
      found.header.append('Nats-Subject', found.subject)
      found.header.append('Nats-Time-Stamp', found.timestamp)
      request.respond(found.data, { headers: found.header })
    }
    connection.subscribe(directGet(streamOf('bar')), {
      callback: (_, request) => void answer(request),
    })
    await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    expect((await tab.kept(3)).map(({ target }) => target)).toEqual(['t1', 't2', 't3'])
    const view = await untilRelay(
      tab,
      'the relay',
      (seen) => isCaughtUp(seen) && seen.position === 3,
    )
    expect(view).toMatchObject({ position: 3, skipped: 0, reason: null })
    expect(late).toBeLessThan(0)
  })

  it.runIf(full)('does not store a copy, and passes over it', async () => {
    await using relay = await openRelay()
    await using tab = await openTestEngine()
    const record = recordOf('bar', open(1))
    await publish(relay.connection, 'bar', [record])
    await publish(relay.connection, 'bar', [record, recordOf('bar', open(2))])
    await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    await untilRelay(tab, 'the position', ({ position }) => position === 2)
    expect((await tab.kept(2)).map(({ target }) => target)).toEqual(['t1', 't2'])
  })

  it('joins large bodies, and is not held by an upload that was torn', async () => {
    await using relay = await openRelay()
    const { connection } = relay
    await using tab = await openTestEngine()
    const body = Buffer.alloc(1_300_000, 'abcdefg')
    const torn = recordOf('bar', body)
    await publishParts(connection, 'bar', torn, 400_000, 2)
    await publishLarge(connection, 'bar', recordOf('bar', body))
    await publish(connection, 'bar', [recordOf('bar', open(1))])
    await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    const rows = await tab.kept(2)
    expect(rows[0]?.body.equals(body)).toBe(true)
    expect(rows[1]?.target).toBe('t1')
  })

  it('connects again when the server was away, and when it is asked to', async () => {
    await using relay = await openRelay()
    const { nats } = relay
    await using tab = await openTestEngine()
    const { id } = await tab.engine.call('relay.add', { invitation: invitationOf(nats.url) })
    await untilRelay(tab, 'the relay', ({ state }) => state === 'live')
    await nats.stop('SIGKILL')
    const away = await untilRelay(tab, 'the loss', ({ state }) => state === 'offline')
    expect(away.reason).toMatch(/^The connection to the relay was lost\.$|not reachable/)
    expect(away.behind).toBe(0)
    await nats.start()
    await tab.engine.call('relay.connect', { id })
    await untilRelay(tab, 'the relay again', ({ state }) => state === 'live')
    const connection = await nats.connect()
    await publish(connection, 'bar', [recordOf('bar', open(1))])
    await connection.close()
    await tab.kept(1)
  })

  it.runIf(full)(
    'does not know what waits while the server does not answer, or without its stream',
    async () => {
      await using relay = await openRelay()
      const { nats, connection } = relay
      await using tab = await openTestEngine()
      await tab.engine.call('relay.add', { invitation: invitationOf(nats.url) })
      await untilRelay(tab, 'the relay', isCaughtUp)
      nats.child().kill('SIGSTOP')
      const hung = await untilRelay(tab, 'the doubt', ({ behind }) => behind === null)
      expect(hung).toMatchObject({
        state: 'live',
        reason: 'The relay does not answer, so it is not known what waits there.',
      })
      expect(relayText(hung)).toMatch(/^Behind +unknown$/m)
      nats.child().kill('SIGCONT')
      const again = await untilRelay(tab, 'the answer', isCaughtUp)
      expect(again.reason).toBeNull()
      expect(relayText(again)).toMatch(/^Behind +nothing waits$/m)
      await (await jetstreamManager(connection)).streams.delete(streamOf('bar'))
      const without = await untilRelay(tab, 'the loss', ({ behind }) => behind === null)
      expect(without.reason).toMatch(/^The relay has no stream for bar any more/)
      await nats.stop('SIGKILL')
      const away = await untilRelay(tab, 'the end', ({ state }) => state === 'offline')
      expect(relayText({ ...away, behind: 0 })).toMatch(
        /^Behind +unknown; nothing waited when it was last connected$/m,
      )
    },
  )

  it.runIf(full)('does not trust its connection after a sleep', async () => {
    await using relay = await openRelay()
    let slept = 0
    const clock = { ...systemClock, now: () => systemClock.now() + slept }
    await using tab = await openTestEngine({ ports: { clock } })
    await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    const { since } = await untilRelay(tab, 'the relay', ({ state }) => state === 'live')
    slept += 3_600_000
    tab.engine.woke()
    await untilRelay(tab, 'a new connection', (view) => view.state === 'live' && view.since > since)
  })

  it.runIf(full)('says how many messages the relay deleted before they were read', async () => {
    await using relay = await openRelay()
    const { connection } = relay
    await using tab = await openTestEngine()
    const { id } = await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    await publish(connection, 'bar', [recordOf('bar', open(1))])
    await tab.kept(1)
    await tab.engine.call('relay.update', { id, enabled: false })
    for (let n = 2; n < 7; n += 1) await publish(connection, 'bar', [recordOf('bar', open(n))])
    const manager = await jetstreamManager(connection)
    await manager.streams.purge(streamOf('bar'), { seq: 5 })
    await tab.engine.call('relay.update', { id, enabled: true })
    await tab.kept(3)
    const { reason } = await untilRelay(tab, 'the deleted', (view) => view.reason !== null)
    expect(reason).toContain('deleted 3 messages before they were read here')
  })

  it.runIf(full)('asks before it reads a stream that was created anew', async () => {
    await using relay = await openRelay()
    const { connection } = relay
    await using tab = await openTestEngine()
    const { id } = await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    const stored = recordOf('bar', open(1))
    await publish(connection, 'bar', [stored])
    await tab.kept(1)
    await tab.engine.call('relay.update', { id, enabled: false })
    const manager = await jetstreamManager(connection)
    await manager.streams.delete(streamOf('bar'))
    await manager.streams.delete(bodiesStream)
    await createStreams(connection)
    await publish(connection, 'bar', [stored])
    await publish(connection, 'bar', [recordOf('bar', open(2))])
    await tab.engine.call('relay.update', { id, enabled: true })
    const view = await untilRelay(tab, 'the question', ({ state }) => state === 'replaced')
    expect(view.reason).toContain('created again')
    expect(view.deliveries).toBe(1)
    await tab.engine.call('relay.connect', { id })
    const rows = await tab.kept(2)
    expect(rows.map(({ target }) => target)).toEqual(['t1', 't2'])
  })

  it('forwards only what arrives live, and only if that is on', async () => {
    await using relay = await openRelay()
    const { connection } = relay
    await using server = await recordingServer(Buffer.from(''))
    await using tab = await openTestEngine()
    await using _ = await forwardTo(tab, `http://127.0.0.1:${server.port}/app`)
    const slug = tab.path.replace('/hooks/', '')
    await publish(connection, slug, [recordOf(slug, open(1))])
    const { id } = await tab.engine.call('relay.add', { invitation: invitationOf(relay.nats.url) })
    await tab.kept(1)
    await untilRelay(tab, 'the relay', isCaughtUp)
    await publish(connection, slug, [recordOf(slug, open(2))])
    await tab.kept(2)
    await tab.engine.call('relay.update', { id, enabled: false, forward: true })
    await publish(connection, slug, [recordOf(slug, open(3))])
    await tab.engine.call('relay.update', { id, enabled: true })
    await tab.kept(3)
    await untilRelay(tab, 'the relay', isCaughtUp)
    await publish(connection, slug, [recordOf(slug, open(4))])
    const rows = await tab.kept(4)
    await attemptsOf(tab, rows[3]?.id ?? 0, 1)
    expect(server.received.map(({ body }) => body.toString())).toEqual([open(4)])
  })
})
