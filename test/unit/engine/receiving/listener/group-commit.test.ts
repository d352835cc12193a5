import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ReceivedRequest } from '#engine/receiving/listener/received-request.ts'
import { GroupCommit, type Planner } from '#engine/receiving/listener/group-commit.ts'
import type { Group, ToWriter } from '#engine/deliveries/groups.ts'
import type { Plan } from '#engine/receiving/listener/respond/rules.ts'
import { HeldMemory } from '#engine/receiving/listener/request-reader.ts'
import { pendingConnection } from '#test/support/pending-connection.ts'

/** All deliveries get their default status. */
const usual: Planner = { plan: () => null, execute: () => undefined }

function setUp(planner: Planner = usual) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const sent: string[] = []
  const messages: ToWriter[] = []
  const failures: (string | null)[] = []
  const held = new HeldMemory()
  const unanswered: ToWriter[] = []
  let nextId = 1
  const commit = new GroupCommit({
    writer: {
      post: (message, transferred) => {
        const sentMessage = structuredClone(message, { transfer: [...transferred] })
        messages.push(sentMessage)
        if (message.kind === 'probe' || message.group.deliveries.length > 0)
          unanswered.push(sentMessage)
      },
    },
    held,
    planner,
    failing: (reason) => failures.push(reason),
  })
  const groups = (): Group[] =>
    messages.flatMap((message) => (message.kind === 'probe' ? [] : [message.group]))
  const add = (name: string, changes: Partial<ReceivedRequest> = {}): ReceivedRequest => {
    const received = { ...request(sent, name), ...changes }
    commit.add(received, 'Service')
    return received
  }
  /** The writer replies to the oldest message that needs it. */
  const reply = (failed: string | null = null): void => {
    const message = unanswered.shift()
    if (!message) throw new Error('nothing needs a reply')
    if (message.kind === 'probe') return commit.received({ kind: 'probed', failed })
    const firstId = nextId
    if (failed === null) nextId += message.group.deliveries.length
    commit.received({ kind: 'stored', firstId, failed })
  }
  return { commit, sent, messages, groups, failures, held, add, reply }
}

/** Records what was written to the plain socket, and in which order. */
function request(sent: string[], name: string): ReceivedRequest {
  const socket = new Socket()
  Object.defineProperty(socket, 'writable', { value: true })
  socket.end = (text?: unknown) => {
    sent.push(`${name} ${String(text).slice(9, 12)}`)
    return socket
  }
  const connection = pendingConnection(socket)
  return {
    receivedUs: 1_000_000,
    method: 'POST',
    path: `/${name}`,
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    rawHeaders: [],
    rawTrailers: [],
    body: Buffer.from('{}'),
    bytes: 2,
    bodyBytes: 2,
    arrival: 'complete',
    reason: null,
    endpoint: null,
    own: null,
    via: null,
    status: 404,
    channel: { kind: 'socket', connection },
  }
}

function withBody(body: Uint8Array): Partial<ReceivedRequest> {
  return { body, bytes: body.byteLength, bodyBytes: body.byteLength }
}

const large = (fill: number) => new Uint8Array(100_000).fill(fill)

function planned(changes: Partial<Plan> = {}): Plan {
  return { status: null, answeredBy: null, reason: null, action: { kind: 'silent' }, ...changes }
}

const late = (id: number) => ({
  id,
  atUs: 2_000_000,
  status: 202,
  respondedBy: 'rule' as const,
  reason: null,
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Waits until a turn of the event loop has brought no more requests. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await nextTurn()
}

it('responds only after the writer has stored the group, and meanwhile sends one more that is as large', async () => {
  const { sent, groups, add, reply } = setUp()
  add('a')
  add('b')
  await turn()
  add('c')
  await turn()
  expect(groups()).toHaveLength(1)
  expect(groups()[0]).toMatchObject({ deliveries: [{ path: '/a' }, { path: '/b' }], responses: [] })
  add('d')
  await turn()
  expect(groups()[1]).toMatchObject({ deliveries: [{ path: '/c' }, { path: '/d' }], responses: [] })
  for (const name of ['e', 'f', 'g']) add(name)
  await turn()
  expect(groups()).toHaveLength(2)
  expect(sent).toEqual([])
  reply()
  expect(sent).toEqual(['a 404', 'b 404'])
  reply()
  // With the times of the responses to the first group.
  expect(groups()[2]).toMatchObject({
    deliveries: [{ path: '/e' }, { path: '/f' }, { path: '/g' }],
    responses: [{ from: 1, to: 2, lost: [] }],
  })
  reply()
  expect(sent).toHaveLength(7)
})

it('writes the requests of several turns as one group', async () => {
  const { messages, add } = setUp()
  for (const name of ['a', 'b', 'c']) {
    add(name)
    await nextTurn()
    expect(messages).toHaveLength(0)
  }
  await nextTurn()
  expect(messages).toHaveLength(1)
})

it('sends late responses with the next group, or alone after a moment, and without a reply', async () => {
  const { commit, messages, groups, add, reply } = setUp()
  add('a')
  await turn()
  reply()
  commit.addLate(late(1))
  add('b')
  await turn()
  expect(groups()[1]).toMatchObject({ responses: [{ from: 1, to: 1 }], late: [{ id: 1 }] })
  reply()
  commit.addLate(late(2))
  vi.advanceTimersByTime(4)
  expect(messages).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(messages[2]).toMatchObject({
    group: { deliveries: [], responses: [{ from: 2, to: 2 }], late: [{ id: 2 }] },
  })
  vi.advanceTimersByTime(100)
  expect(messages).toHaveLength(3)
  add('c')
  await turn()
  expect(groups()[3]).toMatchObject({ responses: [], late: [] })
})

it('responds as planned, under its ID, once it is stored, and reports that it has no response yet', async () => {
  const carried: number[] = []
  const plan = planned()
  const { sent, groups, add, reply } = setUp({
    plan: ({ path }) => (path === '/b' ? plan : null),
    execute: (_plan, _arrived, id) => carried.push(id),
  })
  for (const name of ['a', 'b', 'c']) add(name)
  await turn()
  expect(carried).toEqual([])
  expect(groups()[0]?.deliveries).toMatchObject([
    { status: 404 },
    { status: null },
    { status: 404 },
  ])
  reply()
  expect([carried, sent]).toEqual([[2], ['a 404', 'c 404']])
  add('d')
  await turn()
  expect(groups()[1]).toMatchObject({ responses: [{ from: 1, to: 3, lost: [2] }] })
})

it('responds with 503 when the group cannot be stored, whatever is planned', async () => {
  const carried: number[] = []
  const { sent, groups, failures, add, reply } = setUp({
    plan: () => planned({ status: 200, answeredBy: 'rule' }),
    execute: (_plan, _arrived, id) => carried.push(id),
  })
  add('a')
  add('b')
  await turn()
  reply('EIO')
  expect([carried, sent, failures]).toEqual([[], ['a 503', 'b 503'], ['EIO']])
  add('c')
  await turn()
  expect(groups()[1]).toMatchObject({ responses: [] })
  reply()
  expect(carried).toEqual([1])
  expect(failures).toEqual(['EIO', null])
})

it('probes the store while it cannot be written, and reports failure and recovery once each', async () => {
  const { messages, failures, add, reply } = setUp()
  add('a')
  await turn()
  reply('EIO')
  for (const failed of ['EIO', 'EIO', null]) {
    vi.advanceTimersByTime(1000)
    expect(messages.at(-1)).toEqual({ kind: 'probe' })
    reply(failed)
  }
  expect(messages).toHaveLength(4)
  expect(failures).toEqual(['EIO', null])
  vi.advanceTimersByTime(5000)
  expect(messages).toHaveLength(4)
})

it('is drained when everything is stored, and the times of the responses as well, whatever arrives meanwhile', async () => {
  const { commit, sent, groups, add, reply } = setUp()
  add('a')
  await turn()
  add('b')
  let isDrained = false
  const drained = commit.drained().then(() => (isDrained = true))
  for (const name of ['c', 'd', 'e']) add(name)
  // Both groups, and the probe after them.
  for (let replies = 0; replies < 3; replies += 1) reply()
  await turn()
  expect(sent).toEqual(['a 404', 'b 404'])
  expect(groups().flatMap(({ responses }) => responses)).toMatchObject([
    { from: 1, to: 1 },
    { from: 2, to: 2 },
  ])
  expect(isDrained).toBe(false)
  while (!isDrained) {
    reply()
    await turn()
  }
  await drained
})

it('packs small bodies, and transfers large ones, except those that a target needs', async () => {
  const { groups, add } = setUp({
    plan: ({ path }) =>
      path === '/passed'
        ? // Only the kind matters here.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          planned({ action: { kind: 'pass' } as Plan['action'] })
        : null,
    execute: () => undefined,
  })
  const small = add('small', withBody(Buffer.from('one')))
  const transferred = add('large', withBody(large(1)))
  const passed = add('passed', withBody(large(2)))
  add('empty', withBody(new Uint8Array()))
  await turn()
  const [group] = groups()
  expect(group?.deliveries.map(({ body }) => body)).toEqual([3, large(1), 100_000, 0])
  expect(Buffer.compare(group?.bodies ?? small.body, Buffer.concat([small.body, large(2)]))).toBe(0)
  expect(transferred.body.byteLength).toBe(0)
  expect([small.body.byteLength, passed.body.byteLength]).toEqual([3, 100_000])
})

it('counts deliveries as held memory until they are stored or rejected', async () => {
  const { held, add, reply } = setUp()
  for (const failed of [null, 'the disk is full']) {
    add('a')
    add('b', withBody(new Uint8Array(100_000)))
    expect(held.bytes).toBeGreaterThan(100_000)
    await turn()
    expect(held.bytes).toBeGreaterThan(100_000)
    reply(failed)
    expect(held.bytes).toBe(0)
  }
})

it('does not read on in a body while more than 64 MiB wait for the writer', () => {
  const { held } = setUp()
  const body = new IncomingMessage(new Socket())
  const limit = 64 * 1024 * 1024
  held.addWaiting(limit)
  held.pauseIfFull(body)
  expect(body.isPaused()).toBe(false)
  held.addWaiting(1)
  held.pauseIfFull(body)
  expect(body.isPaused()).toBe(true)
  held.addWaiting(-1)
  expect(body.isPaused()).toBe(false)
})

it('rejects everything after the writer has ended', async () => {
  const { commit, sent, messages, failures, add } = setUp()
  add('a')
  await turn()
  commit.writerEnded()
  add('b')
  await turn()
  expect(sent).toEqual(['a 503', 'b 503'])
  expect(failures).toEqual([expect.stringContaining('Restart Tabscope')])
  await commit.drained()
  expect(messages).toHaveLength(1)
})
