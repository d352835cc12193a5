import { jetstreamManager } from '@nats-io/jetstream'
import { PermissionViolationError, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { Invitation } from '#engine/relay/files.ts'
import { openAdministered, type AdministeredRelay } from '#test/support/nats/administered.ts'
import { natsServer } from '#test/support/nats/server.ts'
import { until } from '#test/support/until.ts'

// What each key may do on a real server with the nats.conf that `tabscope relay init` wrote.

type Refusal = 'by its permissions' | 'by JetStream' | null
const denied = 'by its permissions'
const rejected = 'by JetStream'
const create = '$JS.API.CONSUMER.CREATE.HOOKS'

/** How the server refuses a message. Null: it does not. */
async function refusal(
  connection: NatsConnection,
  subject: string,
  input?: object,
): Promise<Refusal> {
  try {
    const payload = input === undefined ? '' : JSON.stringify(input)
    const message = await connection.request(subject, payload, { timeout: 10_000 })
    if (message.headers?.hasError) return 'by JetStream'
    return message.data.byteLength > 0 && subject.startsWith('$JS.API.') && isError(message.data)
      ? 'by JetStream'
      : null
  } catch (error) {
    if (causes(error).some((each) => each instanceof PermissionViolationError))
      return 'by its permissions'
    throw error
  }
}

function isError(data: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(data).toString())
    return typeof value === 'object' && value !== null && 'error' in value
  } catch {
    return false
  }
}

function causes(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [error]
}

async function subscriptionRefused(connection: NatsConnection, subject: string): Promise<boolean> {
  let refused = false
  connection.subscribe(subject, { callback: (error) => void (refused ||= error !== null) })
  await connection.flush()
  // The refusal comes before the response to the flush.
  return refused
}

/** Of a message that nobody acknowledges. The refusals come in order, and that of the second message always comes. */
async function publishRefused(connection: NatsConnection, subject: string): Promise<boolean> {
  const last = 'nobody.may.publish.this'
  const statuses = connection.status()
  connection.publish(subject, 'x')
  connection.publish(last, 'x')
  let refused = false
  for await (const status of statuses) {
    if (status.type !== 'error' || !(status.error instanceof PermissionViolationError)) continue
    if (status.error.subject === last) return refused
    refused ||= status.error.subject === subject
  }
  throw new Error('The connection ended.')
}

const consumer = (filter: string | null, more: object = {}) => ({
  stream_name: 'HOOKS',
  config: {
    name: 'c1',
    deliver_policy: 'all',
    ack_policy: 'none',
    mem_storage: true,
    ...(filter === null ? {} : { filter_subject: filter }),
    ...more,
  },
  action: 'create',
})

describe.skipIf(natsServer === null)('rights', () => {
  let relay: AdministeredRelay
  let ben: Invitation
  let desktop: NatsConnection
  let receiver: NatsConnection

  beforeAll(async () => {
    relay = await openAdministered()
    const checked = await relay.relay('check')
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    ben = await relay.invite('ben', '--endpoint', 'bar')
    await until('the key', async () => {
      try {
        desktop = await relay.as(ben)
        return true
      } catch {
        return false
      }
    })
    receiver = await relay.asReceiver('edge-1')
    for (const slug of ['bar', 'terrace']) {
      expect(await refusal(receiver, `hooks.${slug}`, { slug })).toBeNull()
      expect(await refusal(receiver, `parts.${slug}.id.0`, { slug })).toBeNull()
    }
  })

  afterAll(async () => {
    await desktop.close()
    await receiver.close()
    await relay[Symbol.asyncDispose]()
  })

  describe('a desktop with one endpoint', () => {
    test.for<[what: string, subject: string, input: object | undefined, by: Refusal]>([
      ['publish a delivery', 'hooks.bar', {}, denied],
      ['publish a part', 'parts.bar.id.1', {}, denied],
      ['read another endpoint', `${create}.c1.hooks.terrace`, consumer('hooks.terrace'), denied],
      ['read all endpoints', `${create}.c1.hooks.*`, consumer('hooks.*'), denied],
      ['read requests without an endpoint', `${create}.c1.hooks._`, consumer('hooks._'), denied],
      [
        'read another endpoint by the subject of its own',
        `${create}.c1.hooks.bar`,
        consumer('hooks.terrace'),
        rejected,
      ],
      ['create a consumer without a filter', `${create}.c1.hooks.bar`, consumer(null), rejected],
      [
        'create a consumer with several filters',
        `${create}.c1.hooks.bar`,
        consumer(null, { filter_subjects: ['hooks.bar', 'hooks.terrace'] }),
        rejected,
      ],
      ['create an unnamed consumer', create, consumer('hooks.bar'), denied],
      [
        'create a durable consumer',
        '$JS.API.CONSUMER.DURABLE.CREATE.HOOKS.c1',
        consumer('hooks.bar', { durable_name: 'c1' }),
        denied,
      ],
      [
        'create a consumer that stays',
        `${create}.c2.hooks.bar`,
        consumer('hooks.bar', { name: 'c2', inactive_threshold: 3600 * 1e9 }),
        rejected,
      ],
      ['delete a consumer', '$JS.API.CONSUMER.DELETE.HOOKS.c1', undefined, denied],
      ['list consumers', '$JS.API.CONSUMER.NAMES.HOOKS', undefined, denied],
      ['purge the stream', '$JS.API.STREAM.PURGE.HOOKS', {}, denied],
      ['delete a message', '$JS.API.STREAM.MSG.DELETE.HOOKS', { seq: 1 }, denied],
      ['read a message', '$JS.API.STREAM.MSG.GET.HOOKS', { seq: 2 }, denied],
      ['delete the stream', '$JS.API.STREAM.DELETE.HOOKS', undefined, denied],
      ['update the stream', '$JS.API.STREAM.UPDATE.HOOKS', {}, denied],
      ['create a stream', '$JS.API.STREAM.CREATE.OTHER', {}, denied],
      [
        'fetch parts of another endpoint',
        '$JS.API.DIRECT.GET.BODIES.parts.terrace.id.0',
        undefined,
        denied,
      ],
      [
        'fetch any part',
        '$JS.API.DIRECT.GET.BODIES',
        { last_by_subj: 'parts.terrace.id.0' },
        denied,
      ],
    ])('may not %s', async ([, subject, input, by]) => {
      expect(await refusal(desktop, subject, input)).toBe(by)
    })

    test.for(['_INBOX_ann.>', '_INBOX_edge-1.>', '_INBOX.>', 'hooks.>', 'hooks.bar', '>'])(
      'may not subscribe to %s',
      async (subject) => {
        expect(await subscriptionRefused(desktop, subject)).toBe(true)
      },
    )

    it('may not make the server publish for it', async () => {
      await using admin = closing(await relay.asAdmin())
      const manager = await jetstreamManager(admin.connection)
      const state = async () =>
        Promise.all(
          ['HOOKS', 'BODIES'].map(
            async (name) => (await manager.streams.info(name)).state.last_seq,
          ),
        )
      const before = await state()
      const create = (name: string, to: string) =>
        refusal(
          desktop,
          `$JS.API.CONSUMER.CREATE.HOOKS.${name}.hooks.bar`,
          consumer('hooks.bar', { name, deliver_subject: to, inactive_threshold: 1e9 }),
        )
      expect(await create('p1', 'hooks.terrace')).toBe('by JetStream')
      // The server accepts these, but delivers only where somebody subscribed to exactly this subject.
      for (const to of ['parts.bar.id.0', '$JS.API.STREAM.PURGE.HOOKS'])
        await create(`p${to.length}`, to)
      let delivered = 0
      desktop.subscribe('_INBOX_ben.last', { callback: () => void (delivered += 1) })
      expect(await create('last', '_INBOX_ben.last')).toBeNull()
      await until('the delivery of the last one', () => delivered > 0)
      expect(await state()).toEqual(before)
      for (const { name } of await manager.consumers.list('HOOKS').next())
        await manager.consumers.delete('HOOKS', name)
    })

    it('may not leave a durable consumer', async () => {
      await using admin = closing(await relay.asAdmin())
      const durable = consumer('hooks.bar', { name: 'd1', durable_name: 'd1' })
      await refusal(desktop, '$JS.API.CONSUMER.CREATE.HOOKS.d1.hooks.bar', durable)
      const manager = await jetstreamManager(admin.connection)
      const { config } = await manager.consumers.info('HOOKS', 'd1')
      // The server removes it five minutes after its last use.
      expect(config.inactive_threshold).toBe(300e9)
      await manager.consumers.delete('HOOKS', 'd1')
    })

    it('has not left anything in the streams', async () => {
      await using admin = closing(await relay.asAdmin())
      const manager = await jetstreamManager(admin.connection)
      expect((await manager.streams.info('HOOKS')).state).toMatchObject({ messages: 2 })
      expect(await manager.consumers.list('HOOKS').next()).toEqual([])
    })

    it('may ask for the stream', async () => {
      expect(await refusal(desktop, '$JS.API.STREAM.INFO.HOOKS')).toBeNull()
    })

    it('may read its endpoint, with flow control, until it leaves', async () => {
      const inbox = '_INBOX_ben.deliveries'
      const received: string[] = []
      desktop.subscribe(inbox, {
        callback: (_error, message) => {
          if (message.headers?.code === 100) message.respond()
          else received.push(message.subject, message.string())
        },
      })
      const push = {
        name: 'c3',
        deliver_subject: inbox,
        flow_control: true,
        idle_heartbeat: 5e9,
        inactive_threshold: 30e9,
      }
      const subject = '$JS.API.CONSUMER.CREATE.HOOKS.c3.hooks.bar'
      expect(await refusal(desktop, subject, consumer('hooks.bar', push))).toBeNull()
      await until('the delivery', () => received.length > 0)
      expect(received).toEqual(['hooks.bar', '{"slug":"bar"}'])
      expect(await publishRefused(desktop, '$JS.FC.HOOKS.c3.x')).toBe(false)
    })

    it('may fetch parts of its endpoint', async () => {
      const found = await desktop.request('$JS.API.DIRECT.GET.BODIES.parts.bar.id.0')
      expect(found.string()).toBe('{"slug":"bar"}')
    })
  })

  test('a desktop with all endpoints may read them, and what has none', async () => {
    const ann = await relay.invite('ann')
    await using connected = closing(await until('the key', () => relay.as(ann).catch(() => null)))
    const { connection } = connected
    for (const [name, filter] of [
      ['a1', 'hooks.*'],
      ['a2', 'hooks.terrace'],
      ['a3', 'hooks._'],
    ] as const) {
      const subject = `$JS.API.CONSUMER.CREATE.HOOKS.${name}.${filter}`
      expect(await refusal(connection, subject, consumer(filter, { name }))).toBeNull()
    }
    const parts = await connection.request('$JS.API.DIRECT.GET.BODIES.parts.terrace.id.0')
    expect(parts.string()).toBe('{"slug":"terrace"}')
    expect(await refusal(connection, 'hooks.bar', {})).toBe('by its permissions')
    expect(await refusal(connection, '$JS.API.STREAM.PURGE.HOOKS', {})).toBe('by its permissions')
  })

  describe('a receiver', () => {
    test.for<[what: string, subject: string, input: object | undefined]>([
      ['ask for the stream', '$JS.API.STREAM.INFO.HOOKS', undefined],
      ['read a message', '$JS.API.STREAM.MSG.GET.HOOKS', { seq: 1 }],
      ['fetch a part', '$JS.API.DIRECT.GET.BODIES.parts.bar.id.0', undefined],
      ['create a consumer', '$JS.API.CONSUMER.CREATE.HOOKS.c1.hooks.bar', consumer('hooks.bar')],
      ['publish to an endpoint that is not its own', 'hooks.kitchen', {}],
      ['publish parts of another endpoint', 'parts.kitchen.id.0', {}],
      ['purge the stream', '$JS.API.STREAM.PURGE.HOOKS', {}],
      ['delete a message', '$JS.API.STREAM.MSG.DELETE.HOOKS', { seq: 1 }],
    ])('may not %s', async ([, subject, input]) => {
      expect(await refusal(receiver, subject, input)).toBe('by its permissions')
    })

    it('may not read what others receive', async () => {
      for (const subject of ['hooks.>', '_INBOX_ben.>'])
        expect(await subscriptionRefused(receiver, subject)).toBe(true)
    })

    it('may publish its endpoints, and what has none', async () => {
      expect(await refusal(receiver, 'hooks._', {})).toBeNull()
      expect(await refusal(receiver, 'parts._.id.0', {})).toBeNull()
    })
  })
})

function closing(connection: NatsConnection) {
  return { connection, [Symbol.asyncDispose]: () => connection.close() }
}
