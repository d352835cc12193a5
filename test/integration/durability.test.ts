import { appendFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { prepareStore } from '#engine/store/open.ts'
import { startFlood } from '#test/support/flood.ts'
import { jsonLines, runCli, startListening } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'kept through everything'
const rounds = 12

/** SHA-256 of every delivery in the store, in order. */
async function listed(dataDir: string): Promise<string[]> {
  const args = ['deliveries', 'list', '--json', '--limit', '1000000', '--data', dataDir]
  const { code, stdout } = await runCli(args)
  expect(code).toBe(0)
  return jsonLines(stdout).map((line) => String(line['sha256']))
}

describe('killed 20 times in a flood', () => {
  const folder = ownedFolder()
  afterAll(() => folder[Symbol.asyncDispose]())
  const answered = new Set<string>()
  const sent = new Set<string>()

  // One test for each round, so that a slow machine has the full timeout for each start.
  test.for(Array.from({ length: rounds }, (_, round) => round))('kill %i', async (round) => {
    await using tab = await startListening(folder.path, ['listen', '--secret', secret])
    const flood = startFlood({
      port: tab.port,
      path: tab.path,
      connections: 16,
      secret,
      name: `round-${round}`,
      limit: 4000,
    })
    await until('the first responses', () => flood.answered.size > 20)
    // At different moments of a group commit: spread over a third of a second.
    await pause(80 + ((round * 67) % 330))
    tab.child.kill('SIGKILL')
    await tab.ended
    flood.stop()
    await flood.done
    for (const hash of flood.answered) answered.add(hash)
    for (const hash of flood.sent) sent.add(hash)
  })

  test('every acknowledged delivery is stored exactly once', async () => {
    const kept = await listed(folder.path)
    const once = new Set(kept)
    expect(kept.length - once.size, 'stored twice').toBe(0)
    expect(
      [...answered].filter((hash) => !once.has(hash)),
      'answered and lost',
    ).toEqual([])
    expect(
      kept.filter((hash) => !sent.has(hash)),
      'never sent',
    ).toEqual([])
    expect(answered.size).toBeGreaterThan(rounds * 20)
  })
})

test('killed while idle, with a torn record at the end of the journal: all other records are read', async () => {
  await using folder = ownedFolder()
  await using first = await startListening(folder.path, ['listen', '--secret', secret])
  const flood = startFlood({
    port: first.port,
    path: first.path,
    connections: 4,
    secret,
    name: 'torn',
    limit: 200,
  })
  await flood.done
  first.child.kill('SIGKILL')
  await first.ended
  await tearJournal(folder.path)

  await using second = await startListening(folder.path, ['listen', '--secret', secret])
  const after = startFlood({
    port: second.port,
    path: second.path,
    connections: 4,
    secret,
    name: 'after',
    limit: 50,
  })
  await after.done
  expect(flood.answered.size).toBe(200)
  expect(after.answered.size).toBe(50)
  const kept = await listed(folder.path)
  expect(new Set(kept)).toEqual(new Set([...flood.answered, ...after.answered]))
  expect(kept).toHaveLength(250)
})

/** As after a power failure: the start of a record, and zeros in place of its end. */
async function tearJournal(dataDir: string): Promise<void> {
  const journal = path.join(dataDir, 'journal')
  const newest = (await readdir(journal)).sort().at(-1)
  expect(newest).toBeDefined()
  const torn = Buffer.alloc(300)
  torn.writeUInt32LE(5000, 0)
  torn.writeUInt32LE(0x12345678, 4)
  await appendFile(path.join(journal, newest ?? ''), torn)
}

test('killed while findings of an older version are rewritten, it resumes, and all of them are kept', async () => {
  await using folder = ownedFolder()
  const count = 20_000
  const { path: file } = prepareStore(folder.path, 'now')
  const db = new Database(file)
  // As version 9 stored them: objects with their sentences, and their kinds for each delivery.
  db.exec(`
    INSERT INTO finding_kind (id, type, code, place, severity) VALUES (1, 'OPEN_TAB', 'body.empty', 'body', 'error');
    WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${count})
    INSERT INTO delivery (id, received_us, method, path, type, title, verdict, findings, bytes, sha256, arrival)
      SELECT id, id, 'POST', '/', 'OPEN_TAB', 'Tab', 'valid', json_array(json_object('code', 'body.empty', 'severity', 'error', 'place', 'body',
        'message', 'An older sentence.', 'actual', 'n' || id)), 0, '', 'complete' FROM n;
    INSERT INTO delivery_content (id, http_version, remote_address, brand, headers, trailers, body)
      SELECT id, '1.1', '127.0.0.1', 'Service', '', '', x'' FROM delivery;
    INSERT INTO delivery_finding SELECT 1, id FROM delivery;
    UPDATE progress SET last_id = ${count}, deliveries = ${count};
    UPDATE search_progress SET indexed_id = ${count};
    UPDATE finding_list_progress SET rewrite_up_to = ${count};
  `)
  const left = db.prepare<[], { id: number }>(
    'SELECT rewrite_up_to AS id FROM finding_list_progress',
  )
  for (const share of [0.9, 0.5]) {
    await using tab = await startListening(folder.path, ['listen'])
    await until('a part to be rewritten', () => (left.get()?.id ?? count) < count * share)
    tab.child.kill('SIGKILL')
    await tab.ended
    expect(left.get()?.id).toBeGreaterThan(0)
  }
  {
    await using _ = await startListening(folder.path, ['listen'])
    await until('the rest to be rewritten', () => left.get()?.id === 0)
  }
  const { code, stdout } = await runCli([
    'deliveries',
    'show',
    '7',
    '--json',
    '--data',
    folder.path,
  ])
  expect(code).toBe(0)
  expect(jsonLines(stdout)[0]?.['findings']).toEqual([
    expect.objectContaining({ code: 'body.empty', message: 'An older sentence.', actual: 'n7' }),
  ])
  const rows = db.prepare<[], { n: number }>(
    'SELECT count(*) AS n FROM delivery WHERE finding_list_id IS NOT NULL',
  )
  expect(rows.get()?.n).toBe(count)
  expect(db.prepare('SELECT 1 FROM delivery_finding').all()).toEqual([])
  db.close()
})

test('killed while headers of an older version are rewritten, it resumes, and all of them are kept', async () => {
  await using folder = ownedFolder()
  const count = 20_000
  const { path: file } = prepareStore(folder.path, 'now')
  const db = new Database(file)
  // As version 10 stored them: complete headers in each delivery.
  db.exec(`
    WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${count})
    INSERT INTO delivery (id, received_us, method, path, type, title, verdict, bytes, sha256, arrival)
      SELECT id, id, 'POST', '/', 'OPEN_TAB', 'Tab', 'valid', 2, '', 'complete' FROM n;
    INSERT INTO delivery_content (id, http_version, remote_address, brand, headers, trailers, body)
      SELECT id, '1.1', '127.0.0.1', 'Service', 'Host' || char(10) || 'here' || char(10) || 'X-Id' || char(10) || id, '', x'7b7d' FROM delivery;
    UPDATE progress SET last_id = ${count}, deliveries = ${count};
    UPDATE search_progress SET indexed_id = ${count};
    UPDATE shared_head_progress SET rewrite_up_to = ${count};
  `)
  const done = db.prepare<[], number>('SELECT rewritten_up_to FROM shared_head_progress').pluck()
  for (const share of [0.1, 0.5]) {
    await using tab = await startListening(folder.path, ['listen'])
    await until('a part to be rewritten', () => (done.get() ?? 0) > count * share)
    tab.child.kill('SIGKILL')
    await tab.ended
    expect(done.get()).toBeLessThan(count)
  }
  {
    await using _ = await startListening(folder.path, ['listen'])
    await until('the rest to be rewritten', () => done.get() === count)
  }
  for (const id of [1, 2, 2001, count]) {
    const { stdout } = await runCli([
      'deliveries',
      'show',
      String(id),
      '--json',
      '--data',
      folder.path,
    ])
    expect(jsonLines(stdout)[0]).toMatchObject({
      headers: [
        ['Host', 'here'],
        ['X-Id', String(id)],
      ],
    })
  }
  const other = db
    .prepare<[], number>(
      "SELECT count(*) FROM delivery_content WHERE head_id IS NULL OR headers <> id OR body <> x'7b7d'",
    )
    .pluck()
  expect(other.get()).toBe(1)
  db.close()
})
