import { readFileSync, statSync } from 'node:fs'
import { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { ReceivedRequest } from '#engine/capture/received-request.ts'
import { GroupCommit, type Planner } from '#engine/capture/group-commit.ts'
import { inspect } from '#engine/capture/inspect.ts'
import type { Plan } from '#engine/capture/respond/rules.ts'
import { listSegments } from '#engine/capture/journal-format.ts'
import { HeldMemory } from '#engine/capture/request-reader.ts'
import { JournalReader } from '#engine/capture/journal-reader.ts'
import { JournalWriter } from '#engine/capture/journal-writer.ts'
import { pendingConnection } from '#test/support/pending-connection.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

/** All deliveries get their default status. */
const usual: Planner = { plan: () => null, execute: () => undefined }

/** A journal on disk whose syncs finish when the test decides. */
class HeldJournal extends JournalWriter {
  readonly syncs: ((error: Error | null) => void)[] = []
  override sync(done: (error: Error | null) => void): void {
    this.syncs.push(done)
  }
}

function setUp(planner: Planner = usual) {
  const dir = tempFolder()
  const journal = new HeldJournal(dir, 0)
  const published: [position: number, lastId: number][] = []
  const failures: (string | null)[] = []
  const held = new HeldMemory()
  const delaying = { now: false }
  const commit = new GroupCommit({
    journal,
    firstId: 1,
    held,
    planner,
    delays: () => delaying.now,
    published: (position, lastId) => published.push([position, lastId]),
    failing: (reason) => failures.push(reason),
  })
  return { dir, journal, published, failures, held, delaying, commit }
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
    arrival: 'complete',
    reason: null,
    endpoint: null,
    own: null,
    via: null,
    status: 404,
    channel: { kind: 'socket', connection },
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Waits until a turn of the event loop has brought no more requests. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await nextTurn()
}

it('responds only after its sync has finished', async () => {
  const { commit, journal, published } = setUp()
  const sent: string[] = []
  commit.add(request(sent, 'a'), 'Service')
  commit.add(request(sent, 'b'), 'Service')
  await turn()
  expect(journal.syncs).toHaveLength(1)
  expect([sent, published]).toEqual([[], []])
  journal.syncs[0]?.(null)
  expect(sent).toEqual(['a 404', 'b 404'])
  expect(published).toEqual([[journal.position, 2]])
})

it('writes the requests of several turns as one group, up to half of those in progress', async () => {
  const { commit, journal } = setUp()
  const sent: string[] = []
  const add = (name: string): void => commit.add(request(sent, name), 'Service')
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) add(name)
  await turn()
  journal.syncs[0]?.(null)
  for (const name of ['i', 'j', 'k']) {
    add(name)
    await nextTurn()
    expect(journal.syncs).toHaveLength(1)
  }
  add('l')
  await nextTurn()
  expect(journal.syncs).toHaveLength(2)
  journal.syncs[1]?.(null)
  expect(sent).toHaveLength(12)
  await commit.drained()
})

it('writes fewer requests after a turn without new ones', async () => {
  const { commit, journal } = setUp()
  const sent: string[] = []
  const add = (name: string): void => commit.add(request(sent, name), 'Service')
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) add(name)
  await turn()
  journal.syncs[0]?.(null)
  add('i')
  await nextTurn()
  expect(journal.syncs).toHaveLength(1)
  await nextTurn()
  expect(journal.syncs).toHaveLength(2)
  journal.syncs[1]?.(null)
  expect(sent).toHaveLength(9)
  await commit.drained()
})

it('records the responses to a group before it sends them, and then writes the next group', async () => {
  const { commit, dir, journal, published } = setUp()
  const sent: string[] = []
  commit.add(request(sent, 'a'), 'Service')
  await turn()
  commit.add(request(sent, 'b'), 'Service')
  await turn()
  expect(journal.syncs).toHaveLength(1)
  journal.syncs[0]?.(null)
  expect(published).toEqual([[journal.position, 1]])
  expect(sent).toEqual(['a 404'])
  await turn()
  expect(journal.syncs).toHaveLength(2)
  // After the answers of the first group, and before the second group, whose sync is still running.
  const [position = 0] = published[0] ?? []
  expect(position).toBeLessThan(journal.position)
  const reader = new JournalReader(dir, 0)
  const kinds = reader.next(journal.position).records.map(({ kind }) => kind)
  expect(kinds).toEqual(['delivery', 'answers', 'delivery'])
  reader.close()
  journal.syncs[1]?.(null)
  expect(sent).toEqual(['a 404', 'b 404'])
  expect(published.map(([, id]) => id)).toEqual([1, 2])
  await commit.drained()
})

it('publishes deliveries before their responses, so that whoever gets one can read them', async () => {
  const { commit, journal, published } = setUp()
  const sent: string[] = []
  const publishedBefore: number[] = []
  vi.spyOn(sent, 'push').mockImplementation(() => publishedBefore.push(published.at(-1)?.[1] ?? 0))
  commit.add(request(sent, 'a'), 'Service')
  commit.add(request(sent, 'b'), 'Service')
  await turn()
  journal.syncs[0]?.(null)
  expect(publishedBefore).toEqual([2, 2])
  await commit.drained()
})

it('delays the next group, but not the responses of the one before it', async () => {
  const { commit, dir, journal, published, delaying } = setUp()
  const sent: string[] = []
  commit.add(request(sent, 'a'), 'Service')
  await turn()
  commit.add(request(sent, 'b'), 'Service')
  delaying.now = true
  journal.syncs[0]?.(null)
  commit.addLate(late(1))
  await turn()
  expect(sent).toEqual(['a 404'])
  expect(journal.syncs).toHaveLength(1)
  expect(published.at(-1)).toEqual([journal.position, 1])
  expect(readJournal(dir, journal.position)).toEqual(['delivery', 'answers', 'answered 1'])
  delaying.now = false
  await vi.waitFor(() => expect(journal.syncs).toHaveLength(2))
  journal.syncs[1]?.(null)
  expect(sent).toEqual(['a 404', 'b 404'])
  await commit.drained()
})

it('delays nothing while it drains', async () => {
  const { commit, journal, delaying } = setUp()
  const sent: string[] = []
  delaying.now = true
  commit.add(request(sent, 'a'), 'Service')
  await turn()
  expect(journal.syncs).toHaveLength(0)
  const drained = commit.drained()
  await vi.waitFor(() => expect(journal.syncs).toHaveLength(1))
  journal.syncs[0]?.(null)
  await drained
  expect(sent).toEqual(['a 404'])
})

/** Returns the late responses in the journal up to a position, and the kinds of all records. */
function readJournal(dir: string, upTo: number) {
  const reader = new JournalReader(dir, 0)
  const { records } = reader.next(upTo)
  reader.close()
  return records.map((record) =>
    record.kind === 'answered' ? `answered ${record.answered.id}` : record.kind,
  )
}
const late = (id: number) => ({
  id,
  atUs: 2_000_000,
  status: 202,
  answeredBy: 'rule' as const,
  reason: null,
})

it('records late responses after their group, and publishes them without another sync', async () => {
  const { commit, dir, journal, published } = setUp()
  const sent: string[] = []
  for (const name of ['a', 'b']) commit.add(request(sent, name), 'Service')
  await turn()
  journal.syncs[0]?.(null)
  commit.addLate(late(1))
  commit.addLate(late(2))
  await turn()
  expect(journal.syncs).toHaveLength(1)
  expect(published.at(-1)).toEqual([journal.position, 2])
  expect(readJournal(dir, journal.position)).toEqual([
    'delivery',
    'delivery',
    'answers',
    'answered 1',
    'answered 2',
  ])
  await commit.drained()
})

it('publishes a late response only after all records before it are on disk', async () => {
  const { commit, dir, journal, published } = setUp()
  const sent: string[] = []
  commit.add(request(sent, 'a'), 'Service')
  await turn()
  journal.syncs[0]?.(null)
  commit.add(request(sent, 'b'), 'Service')
  await turn()
  commit.addLate(late(1))
  await turn()
  expect(published).toHaveLength(1)
  journal.syncs[1]?.(null)
  expect(readJournal(dir, published.at(-1)?.[0] ?? 0)).toEqual([
    'delivery',
    'answers',
    'delivery',
    'answered 1',
    'answers',
  ])
  await commit.drained()
})

it('responds as planned, under its ID, once it is on disk, and marks it as pending in its group', async () => {
  const carried: number[] = []
  const plan: Plan = {
    status: null,
    answeredBy: null,
    reason: null,
    matched: [],
    action: { kind: 'silent' },
  }
  const { commit, dir, journal } = setUp({
    plan: ({ path }) => (path === '/b' ? plan : null),
    execute: (_plan, _arrived, id) => carried.push(id),
  })
  const sent: string[] = []
  for (const name of ['a', 'b', 'c']) commit.add(request(sent, name), 'Service')
  await turn()
  expect(carried).toEqual([])
  journal.syncs[0]?.(null)
  expect([carried, sent]).toEqual([[2], ['a 404', 'c 404']])
  const reader = new JournalReader(dir, 0)
  const { records } = reader.next(journal.position)
  reader.close()
  expect(records.at(-1)).toMatchObject({ kind: 'answers', answers: { from: 1, to: 3, lost: [2] } })
})

it('responds with 503 instead of the plan when the disk fails', async () => {
  const carried: number[] = []
  const plan: Plan = {
    status: 200,
    answeredBy: 'rule',
    reason: null,
    matched: [],
    action: { kind: 'silent' },
  }
  const { commit, journal } = setUp({
    plan: () => plan,
    execute: (_plan, _arrived, id) => carried.push(id),
  })
  const sent: string[] = []
  commit.add(request(sent, 'a'), 'Service')
  await turn()
  journal.syncs[0]?.(new Error('EIO'))
  expect([carried, sent]).toEqual([[], ['a 503']])
})

it('responds with 503 when the disk fails, and continues', async () => {
  const { commit, journal, published, failures } = setUp()
  const sent: string[] = []
  commit.add(request(sent, 'a'), 'Service')
  await turn()
  journal.syncs[0]?.(new Error('EIO'))
  expect(sent).toEqual(['a 503'])
  expect([published, failures]).toEqual([[], ['EIO']])
  commit.add(request(sent, 'b'), 'Service')
  await turn()
  journal.syncs[1]?.(null)
  expect(sent).toEqual(['a 503', 'b 404'])
  expect(failures).toEqual(['EIO', null])
})

it('removes a group whose sync failed from the journal, and readers continue with later groups', async () => {
  const { commit, dir, journal, published } = setUp()
  const sent: string[] = []
  commit.add(request(sent, 'a'), 'Service')
  await turn()
  journal.syncs[0]?.(null)
  const reader = new JournalReader(dir, 0)
  reader.next(journal.position)
  commit.add(request(sent, 'b'), 'Service')
  await turn()
  journal.syncs[1]?.(new Error('EIO'))
  commit.add(request(sent, 'c'), 'Service')
  await turn()
  // Records that could not be synced may be damaged: they must not precede synced ones.
  expect(listSegments(dir)).toHaveLength(2)
  journal.syncs[2]?.(null)
  expect(sent).toEqual(['a 404', 'b 503', 'c 404'])
  const [position = 0, lastId] = published.at(-1) ?? []
  expect(lastId).toBe(2)
  const { records } = reader.next(position)
  expect(
    records.flatMap((record) =>
      record.kind === 'delivery' ? [record.delivery.meta.slice(0, 4)] : [],
    ),
  ).toEqual([[2, 1_000_000, 'POST', '/c']])
  reader.close()
  const again = new JournalReader(dir, 0)
  const ids: number[] = []
  for (let step = again.next(position); step.records.length > 0; step = again.next(position)) {
    for (const record of step.records)
      if (record.kind === 'delivery') ids.push(record.delivery.meta[0])
  }
  again.close()
  expect(ids).toEqual([1, 2])
})

it('retries automatically while the disk fails, and reports failure and recovery once each', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { commit, dir, journal, failures } = setUp()
  const sent: string[] = []
  const probe = vi.spyOn(journal, 'probe').mockImplementation(() => {
    throw new Error('EIO')
  })
  for (const name of ['a', 'b']) {
    commit.add(request(sent, name), 'Service')
    await turn()
    journal.syncs.at(-1)?.(new Error('EIO'))
  }
  vi.advanceTimersByTime(3000)
  expect(probe).toHaveBeenCalledTimes(3)
  expect(failures).toEqual(['EIO'])
  probe.mockRestore()
  const { position } = journal
  vi.advanceTimersByTime(1000)
  expect(failures).toEqual(['EIO', null])
  expect(journal.position).toBe(position)
  expect(listSegments(dir).map(({ path: file }) => statSync(file).size)).toEqual([0])
  vi.advanceTimersByTime(5000)
  expect(failures).toHaveLength(2)
})

it('counts deliveries as held memory until they are on disk or rejected', async () => {
  const { commit, journal, held } = setUp()
  commit.add(request([], 'a'), 'Service')
  commit.add(request([], 'b'), 'Service')
  expect(held.bytes).toBeGreaterThan(0)
  await turn()
  journal.syncs[0]?.(null)
  expect(held.bytes).toBe(0)
  commit.add(request([], 'c'), 'Service')
  await turn()
  expect(held.bytes).toBeGreaterThan(0)
  journal.syncs[1]?.(new Error('the disk is full'))
  expect(held.bytes).toBe(0)
})

/** A delivery without endpoint whose findings depend on its method and body. */
const deviating = (n: number): ReceivedRequest => ({
  ...request([], `d${n}`),
  method: n % 3 === 0 ? 'POST' : `M${n % 50}`,
  body: Buffer.from(n % 4 === 0 ? '{}' : n % 4 === 1 ? '' : '[1]'),
})
const findingsOf = (n: number): unknown => inspect(deviating(n), null, 'Service').findings

it('refers to a list of findings that is in the journal already, and every reader restores it from any position', async () => {
  const { dir, journal, commit } = setUp()
  const write = async (from: number, to: number, error: Error | null = null): Promise<void> => {
    for (let n = from; n <= to; n += 1) commit.add(deviating(n), 'Service')
    await turn()
    journal.syncs.shift()?.(error)
    await turn()
    journal.syncs.shift()?.(null)
  }
  await write(1, 40)
  await write(41, 90)
  // These are rejected, so nothing may refer to them.
  await write(1001, 1060, new Error('EIO'))
  await write(91, 130)
  await write(131, 200)
  const all = new JournalReader(dir, 0)
  const positions = [0]
  for (;;) {
    const { records, ends } = all.next(Number.MAX_SAFE_INTEGER)
    if (records.length === 0) break
    positions.push(...ends)
  }
  all.close()
  expect(positions.length).toBeGreaterThan(200)
  for (const position of positions.filter((_, index) => index % 7 === 0)) {
    const reader = new JournalReader(dir, position)
    const { records } = reader.next(Number.MAX_SAFE_INTEGER)
    for (const record of records) {
      if (record.kind !== 'delivery') continue
      const { 3: path, 19: findings } = record.delivery.meta
      expect(findings).toEqual(findingsOf(Number(path.slice(2))))
    }
    reader.close()
  }
  const bytes = readFileSync(listSegments(dir)[0]?.path ?? '', 'latin1')
  expect(bytes.match(/"like":/g)?.length).toBeGreaterThan(80)
  expect(bytes.match(/body\.not_object/g)?.length).toBeLessThan(4)
})
