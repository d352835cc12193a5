import { readFileSync } from 'node:fs'
import path from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import type { Msg } from '@nats-io/transport-node'
import { describe, expect, it } from 'vitest'
import { full } from '#test/support/full.ts'
import { clockWarning, readStreams } from '#engine/receiving/relay/session.ts'
import { encodeRecord, streamOf } from '#engine/receiving/relay/format.ts'
import { sharedTestEngine, openTestEngine } from '../../support/engine.ts'
import { encodeInvitation } from '#engine/receiving/relay/files.ts'
import { openAdministered } from '../../support/nats/administered.ts'
import { freePort } from '../../support/free-port.ts'
import { invitationOf, publish, publishParts, recordOf } from '../../support/nats/records.ts'
import { natsServer, openNats } from '../../support/nats/server.ts'
import { openRelay } from '../../support/nats/receiving.ts'
import { newUser, untilRelay } from './support.ts'

/** Each has a server and an engine of its own. */
const sample = <T>(cases: readonly T[]): readonly T[] => (full ? cases : cases.slice(0, 1))

describe.skipIf(natsServer === null)('a relay that cannot be followed', () => {
  const tab = sharedTestEngine()
  const failure = async (invitation: string): Promise<string> => {
    const error: unknown = await tab()
      .engine.call('relay.add', { invitation })
      .then(
        () => 'added',
        (thrown: unknown) => thrown,
      )
    expect(error).toMatchObject({ code: 'relay_failed' })
    expect(await tab().engine.call('relay.list', {})).toEqual([])
    return error instanceof Error ? error.message : ''
  }

  it('is not reachable', async () => {
    const port = await freePort()
    expect(await failure(invitationOf(`nats://127.0.0.1:${port}`))).toContain('is not reachable')
  })

  it('has no TLS outside of this computer', async () => {
    expect(await failure(invitationOf('nats://relay.example.com:4222'))).toContain('tls://')
  })

  it('refuses the key', async () => {
    await using relay = await openAdministered()
    const { seed } = newUser()
    const ann = await relay.invite('ann')
    const message = await failure(encodeInvitation({ ...ann, seed }))
    expect(message).toContain('refused the key of ann')
    expect(message).not.toContain(seed)
  })

  it('does not grant the endpoint', async () => {
    await using relay = await openAdministered()
    expect((await relay.relay('check')).code).toBe(0)
    const ben = await relay.invite('ben', '--endpoint', 'bar')
    const invitation = encodeInvitation({ ...ben, endpoints: ['bar', 'terrace'] })
    expect(await failure(invitation)).toContain(
      'The key of ben may not use relay.STREAM.INFO.HOOKS_terrace',
    )
  })

  it('has no stream, or one of another application', async () => {
    await using nats = await openNats()
    expect(await failure(invitationOf(nats.url))).toContain('no stream of a relay')
    const connection = await nats.connect()
    const manager = await jetstreamManager(connection)
    await manager.streams.add({ name: streamOf('bar'), subjects: ['orders.>'] })
    await connection.close()
    expect(await failure(invitationOf(nats.url))).toContain('another application')
  })

  it('has no JetStream', async () => {
    await using nats = await openNats({
      config: 'listen: "127.0.0.1:$PORT"\nhttp: "127.0.0.1:$MONITOR"\n',
    })
    expect(await failure(invitationOf(nats.url))).toContain('or that is no relay')
  })

  it.each(
    sample([
      ['of another CA', 'cert', 'private-ca-cert', 'is not of the CA of this relay'],
      ['for another host', 'elsewhere-cert', 'elsewhere-cert', 'is for another name'],
      ['that has expired', 'expired-cert', 'expired-cert', 'is not valid at this time'],
    ]),
  )('has a certificate %s', async (_, cert, ca, sentence) => {
    await using nats = await openNats({ config: withTls(cert) })
    const servers = [`tls://127.0.0.1:${nats.port}`]
    expect(await failure(invitationOf('', { servers, ca: pem(ca) }))).toContain(sentence)
  })

  it('has another time, which is a warning', () => {
    const now = Date.now()
    expect(clockWarning({ ts: new Date(now + 50_000).toISOString() })).toBeNull()
    expect(clockWarning({ ts: new Date(now + 310_000).toISOString() })).toContain(
      'differ by 5 minutes',
    )
  })

  it('has states that are none, or names of streams without an end', async () => {
    await using nats = await openNats({
      config: 'listen: "127.0.0.1:$PORT"\nhttp: "127.0.0.1:$MONITOR"\n',
    })
    const server = await nats.connect()
    const time = '2026-01-01T00:00:00Z'
    const state = { messages: 2, first_seq: 1, last_seq: 2, first_ts: time, last_ts: time }
    // A year.
    const config = { name: 'HOOKS_bar', subjects: ['hooks.bar.*'], max_age: 31_536e12 }
    const info = { created: time, ts: time, config, state }
    let answer: object = info
    const respond = (_: unknown, message: Msg): void => void message.respond(JSON.stringify(answer))
    server.subscribe('relay.STREAM.>', { callback: respond })
    const connection = await nats.connect()
    const read = (endpoint: string): Promise<unknown> =>
      readStreams(connection, {
        user: 'ann',
        servers: [nats.url],
        seed: null,
        ca: null,
        endpoints: [endpoint],
      })
    await read('bar')
    const type = 'io.nats.jetstream.api.v1.stream_names_response'
    const streams = Array.from({ length: 5000 }, () => 'OTHER')
    for (const [endpoint, edited, why] of [
      ['bar', { state: { ...state, last_seq: 'y' } }, 'cannot be read'],
      ['bar', { state: { ...state, first_seq: 1.5 } }, 'cannot be read'],
      ['bar', { state: { ...state, last_ts: 'never' } }, 'cannot be read'],
      ['bar', { config: { ...config, max_age: 1e300 } }, 'cannot be read'],
      ['bar', { config: { ...config, subjects: 'hooks.bar.*' } }, 'cannot be read'],
      ['bar', { created: {} }, 'cannot be read'],
      ['bar', { total: 1e9, limit: 0, state: { ...state, subjects: {} } }, null],
      ['*', { type, total: 1e9, streams }, 'too many'],
    ] as const) {
      answer = { ...info, ...edited }
      if (why === null) await read(endpoint)
      else await expect(read(endpoint)).rejects.toThrow(why)
    }
    await connection.close()
    await server.close()
  })

  it('offers no TLS where the invitation says so', async () => {
    await using nats = await openNats()
    const servers = [`tls://127.0.0.1:${nats.port}`]
    expect(await failure(invitationOf('', { servers }))).toContain('has no TLS')
  })

  it('skips, counts and names messages that it cannot read, and stays live', async () => {
    await using relay = await openRelay()
    const { connection } = relay
    await using own = await openTestEngine()
    const send = (n: number, ...rest: Parameters<typeof publish>[3][]): Promise<number> =>
      publish(connection, 'bar', [recordOf('bar', `{"n":${n}}`)], ...rest)
    const parts = { count: 2, bytes: 600_000, sha256: 'a'.repeat(64) }
    const short = recordOf('bar', Buffer.alloc(600_000, 'x'))
    await publishParts(connection, 'bar', short, 300_000, 2)
    const hostile: NonNullable<Parameters<typeof publish>[3]>[] = [
      { format: '2' },
      { format: '' },
      { format: '\u202e9' },
      { count: 3 },
      { data: Buffer.from([0, 0, 9, 9, 1]) },
      { receiver: 'Edge' },
      // The head says that there is no such message, or that nobody answers.
      { data: new Uint8Array(), status: 404 },
      { data: new Uint8Array(), status: 503 },
      { data: new Uint8Array(), count: 0 },
      { data: encoded({ bodyBytes: -100 }) },
      { data: encoded({ status: { toString: 'x' } }) },
      // Nothing is fetched for the first two, the third has no parts, and the fourth other ones.
      { data: encoded({ parts: { ...parts, count: 1e9 } }) },
      { data: encoded({ parts: { ...parts, bytes: 1e12 } }) },
      { data: encoded({ parts }) },
      { data: encoded({ parts, id: short.head.id }) },
      { data: Buffer.concat([encoded({}), encoded({ parts })]), count: 2 },
    ]
    await send(1)
    for (const change of hostile) await send(0, change)
    await send(2)
    const invitation = invitationOf(relay.nats.url)
    const { id } = await own.engine.call('relay.add', { invitation })
    const position = hostile.length + 2
    const view = await untilRelay(own, 'the relay', (seen) => seen.position === position)
    expect(view).toMatchObject({ state: 'live', deliveries: 2, skipped: hostile.length })
    const { reason } = await untilRelay(own, 'the reason', (seen) => seen.reason !== null)
    expect(reason).toBe(
      `Message ${position - 1} of bar was skipped: A body in parts is not alone in its message.`,
    )
    // They are not read again, and after an update the rest can be, without a second copy.
    await own.engine.call('relay.update', { id, enabled: false })
    await own.engine.call('relay.update', { id, enabled: true })
    await send(3)
    const again = await untilRelay(own, 'the next', (seen) => seen.position === position + 1)
    expect(again).toMatchObject({ deliveries: 3, skipped: hostile.length, reason: null })
    await own.engine.call('relay.forget', { id })
    await own.engine.call('relay.add', { invitation })
    await untilRelay(own, 'all again', (seen) => seen.position === position + 1)
    expect((await own.kept(3)).map(({ body }) => body.toString())).toEqual(
      [1, 2, 3].map((n) => `{"n":${n}}`),
    )
  })
})

const fixture = (name: string): string =>
  path.resolve(import.meta.dirname, `../../support/fixtures/tls/${name}.pem`)

const pem = (name: string): string => readFileSync(fixture(name), 'utf8')

const withTls = (cert: string): string => `
listen: "127.0.0.1:$PORT"
http: "127.0.0.1:$MONITOR"
jetstream { store_dir: "$FOLDER/jetstream", sync_interval: always }
tls { cert_file: "${fixture(cert)}", key_file: "${fixture(cert.replace(/cert$/, 'key'))}" }
`

/** A record without a body. */
function encoded(edits: object): Uint8Array {
  const { head } = recordOf('bar', '')
  return encodeRecord({ ...head, ...edits }, new Uint8Array())
}
