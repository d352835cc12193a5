import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { Arrived } from '#engine/capture/arrived.ts'
import type { ConnectionState } from '#engine/capture/connections.ts'
import { GroupCommit, type Planner } from '#engine/capture/group-commit.ts'
import { JournalReader } from '#engine/capture/journal-reader.ts'
import { JournalWriter } from '#engine/capture/journal-writer.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

/** All get their usual status. */
const usual: Planner = { plan: () => null, carryOut: () => undefined }

/** A journal on the disk whose syncs end when the test says so. */
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
  const commit = new GroupCommit({
    journal,
    firstId: 1,
    planner,
    published: (position, lastId) => published.push([position, lastId]),
    failing: (reason) => failures.push(reason),
  })
  return { dir, journal, published, failures, commit }
}

/** What was written to the bare socket says what was answered, and when. */
function request(sent: string[], name: string): Arrived {
  const socket = new Socket()
  Object.defineProperty(socket, 'writable', { value: true })
  socket.end = (text?: unknown) => {
    sent.push(`${name} ${String(text).slice(9, 12)}`)
    return socket
  }
  const connection: ConnectionState = {
    socket,
    intake: null,
    draining: false,
    unanswered: 1,
    waiting: 0,
    dropping: false,
    newest: null,
    closing: false,
    faulted: false,
    idleSince: 0,
    readAtEnd: 0,
  }
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
    status: 404,
    answerer: { kind: 'socket', connection },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('answers nothing before its sync is over', async () => {
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

it('hands the next group to the disk before it answers the one before', async () => {
  const { commit, dir, journal, published } = setUp()
  const sent: string[] = []
  commit.add(request(sent, 'a'), 'Service')
  await turn()
  commit.add(request(sent, 'b'), 'Service')
  await turn()
  expect(journal.syncs).toHaveLength(1)
  journal.syncs[0]?.(null)
  expect(journal.syncs).toHaveLength(2)
  expect(sent).toEqual(['a 404'])
  // Behind the answers to the first, and before the second, whose sync goes on.
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

it('answers 503 when the disk refuses, and goes on', async () => {
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
