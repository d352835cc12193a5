import { jetstreamManager } from '@nats-io/jetstream'
import { connect, createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { readAdminFile } from '#engine/receiving/relay/admin/folder.ts'
import { desktopApi } from '#engine/receiving/relay/format.ts'
import type { Invitation } from '#engine/receiving/relay/files.ts'
import { openAdministered, type AdministeredRelay } from '#test/support/nats/administered.ts'
import { natsServer } from '#test/support/nats/server.ts'
import { runCli } from '#test/support/run-cli.ts'
import { until } from '#test/support/until.ts'

// What each key may do on a real server with the nats.conf that `tabscope relay init` wrote.

/** Sends with a reply subject, and resolves with what comes there: the status, or the content. */
async function asked(
  connection: NatsConnection,
  subject: string,
  input: object | string = '',
  reply: string = createInbox(),
): Promise<string> {
  const response = Promise.withResolvers<string>()
  connection.subscribe(reply, {
    max: 1,
    callback: (_, message) => {
      const { code = 0 } = message.headers ?? {}
      response.resolve(code > 0 ? String(code) : message.string())
    },
  })
  connection.publish(subject, typeof input === 'string' ? input : JSON.stringify(input), { reply })
  return response.promise
}

/** Nobody answers, or the account has no JetStream. */
const nothing = expect.stringMatching(/^503$|"err_code":10039/)

function closing(connection: NatsConnection) {
  return { connection, [Symbol.asyncDispose]: () => connection.close() }
}

describe.skipIf(natsServer === null)('rights', () => {
  let relay: AdministeredRelay
  let ben: Invitation
  let admin: NatsConnection
  let receiver: NatsConnection
  let desktop: NatsConnection
  let all: NatsConnection

  const streams = ['HOOKS_bar', 'HOOKS_terrace', 'HOOKS__', 'BODIES']

  /** Of all streams: what nobody but the administrator and a receiver can change. */
  async function stored(): Promise<unknown> {
    const manager = await jetstreamManager(admin)
    const found = []
    for (const name of streams) {
      const { config, state } = await manager.streams.info(name)
      const { first_seq, last_seq, messages } = state
      const consumers = await manager.consumers.list(name).next()
      found.push({ config, first_seq, last_seq, messages, consumers: consumers.length })
    }
    return found
  }

  beforeAll(async () => {
    relay = await openAdministered()
    const checked = await relay.relay('check')
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    ben = await relay.invite('ben', '--endpoint', 'bar')
    const ann = await relay.invite('ann')
    admin = await relay.asAdmin()
    receiver = await relay.asReceiver('edge-1')
    desktop = await relay.as(ben)
    all = await relay.as(ann)
    for (const slug of ['bar', 'terrace', '_']) {
      expect(await asked(receiver, `hooks.${slug}.edge-1`, slug)).toContain('"seq"')
      expect(await asked(receiver, `parts.${slug}.edge-1.id.0`, slug)).toContain('"seq"')
    }
  })

  afterAll(async () => {
    for (const connection of [admin, receiver, desktop, all]) await connection.close()
    await relay[Symbol.asyncDispose]()
  })

  describe('a desktop with one endpoint', () => {
    it('reads its messages, parts and state, and hears of new ones', async () => {
      expect(await asked(desktop, '$JS.API.DIRECT.GET.HOOKS_bar', { seq: 1 })).toBe('bar')
      expect(await asked(desktop, '$JS.API.DIRECT.GET.HOOKS_bar', { seq: 99 })).toBe('404')
      expect(await asked(desktop, '$JS.API.DIRECT.GET.BODIES.parts.bar.edge-1.id.0')).toBe('bar')
      expect(await asked(desktop, 'relay.STREAM.INFO.HOOKS_bar')).toContain('"last_seq":')
      const hints: [string, string | undefined, number][] = []
      desktop.subscribe('live.>', {
        callback: (_, { subject, headers, data }) =>
          void hints.push([subject, headers?.last('Nats-Sequence'), data.byteLength]),
      })
      await desktop.flush()
      await asked(receiver, 'hooks.terrace.edge-1', 'terrace')
      await asked(receiver, 'hooks.bar.edge-1', 'bar')
      await until('the hint', () => hints.length > 0)
      // The head only, and nothing of the other endpoint.
      expect(hints).toEqual([['live.bar.edge-1', '2', 0]])
    })

    test.for<[what: string, subject: string, input?: object | string]>([
      ['messages of another endpoint', '$JS.API.DIRECT.GET.HOOKS_terrace', { seq: 1 }],
      ['messages without an endpoint', '$JS.API.DIRECT.GET.HOOKS__', { seq: 1 }],
      ['messages of all endpoints', '$JS.API.DIRECT.GET.*', { seq: 1 }],
      ['another endpoint by a subject', '$JS.API.DIRECT.GET.HOOKS_bar.hooks.terrace.edge-1'],
      ['parts of another endpoint', '$JS.API.DIRECT.GET.BODIES.parts.terrace.edge-1.id.0'],
      ['any part', '$JS.API.DIRECT.GET.BODIES', { last_by_subj: 'parts.terrace.edge-1.id.0' }],
      ['parts of all endpoints', '$JS.API.DIRECT.GET.BODIES.parts.*.edge-1.id.0'],
      ['the state of another endpoint', 'relay.STREAM.INFO.HOOKS_terrace'],
      ['the state of the parts', 'relay.STREAM.INFO.BODIES'],
      ['the state by the subject of JetStream', '$JS.API.STREAM.INFO.HOOKS_bar'],
      ['the names of endpoints', 'relay.STREAM.NAMES'],
      ['the names by the subject of JetStream', '$JS.API.STREAM.NAMES'],
      ['the streams', '$JS.API.STREAM.LIST'],
      ['the account', '$JS.API.INFO'],
      ['the state of the server', '$SYS.REQ.SERVER.PING'],
      ['the connections of others', '$SYS.REQ.ACCOUNT.RELAY.CONNZ'],
      ['a message by the other request', '$JS.API.STREAM.MSG.GET.HOOKS_bar', { seq: 1 }],
      ['consumers', '$JS.API.CONSUMER.NAMES.HOOKS_bar'],
    ])('does not get %s', async ([, subject, input]) => {
      for (const each of [subject, subject.replace('$JS.API', desktopApi)])
        if (each !== 'relay.STREAM.INFO.HOOKS_bar')
          expect(await asked(desktop, each, input)).toEqual(nothing)
    })

    test.for([
      { seq: 2 },
      { last_by_subj: 'parts.terrace.edge-1.id.0' },
      { next_by_subj: 'parts.terrace.>' },
      { multi_last: ['parts.terrace.>'] },
      { seq: 1, batch: 9 },
    ])('gets no other part by asking for its own with %j', async (query) => {
      const own = '$JS.API.DIRECT.GET.BODIES.parts.bar.edge-1.id.0'
      expect(await asked(desktop, own, query)).not.toMatch(/terrace|^_$/)
    })

    test.for<[what: string, subject: string, input?: object | string]>([
      ['publish a delivery', 'hooks.bar.edge-1', 'x'],
      ['publish a delivery under its own name', 'hooks.bar.ben', 'x'],
      ['publish a part', 'parts.bar.edge-1.id.1', 'x'],
      [
        'create a consumer',
        '$JS.API.CONSUMER.CREATE.HOOKS_bar.c1.hooks.bar.*',
        {
          stream_name: 'HOOKS_bar',
          config: { name: 'c1', deliver_subject: 'hooks.bar.edge-1', ack_policy: 'none' },
          action: 'create',
        },
      ],
      ['create an unnamed consumer', '$JS.API.CONSUMER.CREATE.HOOKS_bar', {}],
      ['create a durable consumer', '$JS.API.CONSUMER.DURABLE.CREATE.HOOKS_bar.c1', {}],
      ['delete a consumer', '$JS.API.CONSUMER.DELETE.HOOKS_bar.c1'],
      ['purge the stream', '$JS.API.STREAM.PURGE.HOOKS_bar', {}],
      ['delete a message', '$JS.API.STREAM.MSG.DELETE.HOOKS_bar', { seq: 1 }],
      ['delete the stream', '$JS.API.STREAM.DELETE.HOOKS_bar'],
      ['update the stream', '$JS.API.STREAM.UPDATE.HOOKS_bar', { name: 'HOOKS_bar' }],
      ['create a stream', '$JS.API.STREAM.CREATE.OTHER', { name: 'OTHER' }],
    ])('may not %s', async ([, subject, input]) => {
      const before = await stored()
      for (const each of [subject, subject.replace('$JS.API', desktopApi)])
        expect(await asked(desktop, each, input)).toEqual(nothing)
      expect(await stored()).toEqual(before)
    })

    it('cannot make the server publish for it', async () => {
      const before = await stored()
      const replies = [
        'hooks.bar.edge-1',
        'parts.bar.edge-1.id.0',
        '$JS.API.STREAM.PURGE.HOOKS_bar',
        '$JS.API.STREAM.DELETE.HOOKS_terrace',
      ]
      for (const reply of replies) {
        // The response stays in its account.
        for (const [subject, input, response] of [
          ['$JS.API.DIRECT.GET.HOOKS_bar', { seq: 1 }, 'bar'],
          ['$JS.API.DIRECT.GET.HOOKS_bar', { seq: 99 }, '404'],
          ['relay.STREAM.INFO.HOOKS_bar', {}, expect.stringContaining('"last_seq":')],
        ] as const)
          expect(await asked(desktop, subject, input, reply)).toEqual(response)
      }
      await admin.flush()
      expect(await stored()).toEqual(before)
    })
  })

  it('a desktop with all endpoints reads them, what has none, and their names', async () => {
    for (const slug of ['bar', 'terrace', '_']) {
      expect(await asked(all, `$JS.API.DIRECT.GET.HOOKS_${slug}`, { seq: 1 })).toBe(slug)
      const part = `$JS.API.DIRECT.GET.BODIES.parts.${slug}.edge-1.id.0`
      expect(await asked(all, part)).toBe(slug)
      expect(await asked(all, `relay.STREAM.INFO.HOOKS_${slug}`)).toContain('"last_seq":')
    }
    expect(await asked(all, 'relay.STREAM.NAMES')).toContain('"HOOKS__"')
    const before = await stored()
    for (const subject of ['hooks.bar.ann', 'hooks.bar.edge-1', '$JS.API.STREAM.PURGE.HOOKS_bar'])
      expect(await asked(all, subject, '')).toEqual(nothing)
    expect(await stored()).toEqual(before)
  })

  it('nobody sees what others send and get', async () => {
    const seen: string[] = []
    for (const connection of [desktop, receiver]) {
      const callback = (_: unknown, { subject }: Msg): void => void seen.push(subject)
      const subscription = connection.subscribe('>', { callback })
      onTestFinished(() => subscription.unsubscribe())
    }
    await desktop.flush()
    await receiver.flush()
    await asked(all, '$JS.API.DIRECT.GET.HOOKS_terrace', { seq: 1 })
    await asked(admin, 'hooks.terrace.edge-2', 'x')
    await asked(admin, 'parts.terrace.edge-2.id.0', 'x')
    all.publish('anything.at.all', 'x')
    await all.flush()
    // What comes after all of that.
    await asked(admin, 'hooks.bar.edge-2', 'x')
    await until('the hint', () => seen.length > 0)
    await receiver.flush()
    expect(seen).toEqual(['live.bar.edge-2'])
  })

  describe('a receiver', () => {
    test.for<[what: string, subject: string, input?: object | string]>([
      ['write under another name', 'hooks.bar.edge-2', 'x'],
      ['write to an endpoint that is not its own', 'hooks.kitchen.edge-1', 'x'],
      ['write parts under another name', 'parts.bar.edge-2.id.0', 'x'],
      ['write parts of another endpoint', 'parts.kitchen.edge-1.id.0', 'x'],
      ['write a hint', 'live.bar.edge-1', 'x'],
      ['read a message', '$JS.API.DIRECT.GET.HOOKS_bar', { seq: 1 }],
      ['read a part', '$JS.API.DIRECT.GET.BODIES.parts.bar.edge-1.id.0'],
      ['ask for the state', 'relay.STREAM.INFO.HOOKS_bar'],
      ['ask for the names', 'relay.STREAM.NAMES'],
      ['create a consumer', '$JS.API.CONSUMER.CREATE.HOOKS_bar', {}],
      ['purge the stream', '$JS.API.STREAM.PURGE.HOOKS_bar', {}],
      ['delete a message', '$JS.API.STREAM.MSG.DELETE.HOOKS_bar', { seq: 1 }],
    ])('may not %s', async ([, subject, input]) => {
      const before = await stored()
      for (const each of [subject, subject.replace('$JS.API', desktopApi)])
        expect(await asked(receiver, each, input)).toEqual(nothing)
      expect(await stored()).toEqual(before)
    })

    it('gets its acknowledgements, and cannot make them arrive elsewhere', async () => {
      const others: string[] = []
      const subscription = desktop.subscribe('>', {
        callback: (_, { subject }) => void others.push(subject),
      })
      onTestFinished(() => subscription.unsubscribe())
      await desktop.flush()
      const replies = ['hooks.bar.edge-2', 'live.bar.x', '$JS.API.STREAM.PURGE.HOOKS_bar']
      const before = await stored()
      for (const [at, reply] of replies.entries())
        expect(await asked(receiver, 'hooks._.edge-1', `${at}`, reply)).toContain('"HOOKS__"')
      const [bar, terrace, none] = Array.isArray(before) ? before : []
      const last = none.last_seq + replies.length
      expect(await stored()).toMatchObject([bar, terrace, { last_seq: last, messages: last }, {}])
      expect(others).toEqual([])
    })
  })

  it('nobody gets in without a key', async () => {
    const { servers } = readAdminFile(relay.folder)
    await expect(connect({ servers, reconnect: false })).rejects.toThrow(
      /authorization|EPIPE|ECONNRESET/i,
    )
  })

  it('lets a new endpoint and a new key in, and a revoked one out, without a restart', async () => {
    const change = ['--endpoint', 'bar', '--endpoint', 'terrace', '--endpoint', 'kitchen']
    expect((await runCli(['relay', 'init', '--force', ...change, '-o', relay.folder])).code).toBe(0)
    const cleo = await relay.invite('cleo', '--endpoint', 'kitchen')
    expect((await relay.relay('check')).code).toBe(0)
    // The command has waited for the server.
    await using connected = closing(await relay.as(cleo))
    expect(await asked(receiver, 'hooks.kitchen.edge-1', 'kitchen')).toContain('"HOOKS_kitchen"')
    for (const connection of [connected.connection, all])
      expect(await asked(connection, '$JS.API.DIRECT.GET.HOOKS_kitchen', { seq: 1 })).toBe(
        'kitchen',
      )
    expect(await asked(desktop, '$JS.API.DIRECT.GET.HOOKS_kitchen', { seq: 1 })).toEqual(nothing)
    expect((await relay.relay('revoke', 'ben')).code).toBe(0)
    await desktop.closed()
    await expect(relay.as(ben)).rejects.toThrow(/authorization|EPIPE|ECONNRESET/i)
    for (const connection of [connected.connection, all, receiver, admin])
      expect(connection.isClosed()).toBe(false)
  })
})
