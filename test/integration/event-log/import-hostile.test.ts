import { hash } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readdirSync, writeSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { LogImport } from '#contract/logs.ts'
import { openReader } from '#engine/platform/sqlite.ts'
import { storePath } from '#engine/platform/store/data-folder.ts'
import { seeded } from '#sandbox/random.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import {
  importBytes,
  importPath,
  logBytes,
  logDelivery,
  logHead,
  logOf,
} from '#test/support/event-log.ts'
import { sampleRehearsalLines } from '#test/support/event-log/sample-rehearsal.ts'
import { full } from '#test/support/full.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const tab = sharedTestEngine({ background: false })

const MiB = 1024 * 1024
/** Memory that an import may use in addition. */
const allowed = 400 * MiB

/** All rows of the live store. Its files change when SQLite copies the WAL. */
function liveStore(): string {
  const db = openReader(storePath(tab().dataDir))
  const tables = db
    .prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
  const rows = tables.map((name) => [name, db.prepare(`SELECT * FROM main."${name}"`).all()])
  db.close()
  return hash('sha256', JSON.stringify(rows))
}

/** Runs an import that must fail: the live store does not change, no files are left, and memory is limited. */
async function refused(run: () => Promise<LogImport>): Promise<{ code: string; message: string }> {
  const live = liveStore()
  const { logs } = await tab().engine.call('logs.list', {})
  let peak = 0
  const before = process.memoryUsage().rss
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - before)
  }, 20)
  try {
    const done = await run()
    expect(done.state).toBe('failed')
    expect(liveStore()).toBe(live)
    expect((await tab().engine.call('logs.list', {})).logs).toEqual(logs)
    const folder = path.join(tab().dataDir, 'logs')
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([])
    expect(peak).toBeLessThan(allowed)
    if (!done.error) throw new Error('there is no error message')
    expect(done.error.message).toMatch(/^[A-Z/].*\.$/)
    return done.error
  } finally {
    clearInterval(looking)
  }
}

const head = `${JSON.stringify(logHead(1))}\n`

test.runIf(full)('a line of 10 GB ends in an error after its first megabytes', async () => {
  const file = path.join(tempFolder(), 'long.ndjson')
  const handle = openSync(file, 'w')
  writeSync(handle, `${head}{"kind":"delivery","note":"`)
  // The rest is sparse: 10 GB that occupy no disk space.
  ftruncateSync(handle, 10 * 1024 ** 3)
  closeSync(handle)
  const { code, message } = await refused(() => importPath(tab().engine, file))
  expect(code).toBe('log_unreadable')
  expect(message).toMatch(/^Line 2 is longer than 32 MiB\./)
})

const sample = <T>(cases: readonly T[]): readonly T[] => (full ? cases : cases.slice(0, 1))

test.each(
  sample<[string, Buffer, RegExp]>([
    ['zeros', Buffer.concat([Buffer.from(head), Buffer.alloc(80 * MiB)]), /Line 2 is longer than/],
    [
      'empty lines',
      Buffer.concat([Buffer.from(head), Buffer.alloc(MiB, '\n')]),
      /More than 10000 consecutive lines/,
    ],
    [
      'one valid line again and again',
      Buffer.from(head + `${JSON.stringify(logDelivery(1))}\n`.repeat(11_000)),
      /More than 10000 consecutive lines/,
    ],
    [
      'parts of one body',
      Buffer.from(
        `${head}${JSON.stringify(logDelivery(1, '', { body: { parts: 4000, key: 0 } }))}\n${Array.from(
          { length: 70 },
          (_, index) =>
            `${JSON.stringify({ kind: 'part', delivery: 1, key: 0, index, base64: 'A'.repeat(MiB) })}\n`,
        ).join('')}`,
      ),
      /compressed more than 250 times/,
    ],
  ]),
)('a gzip bomb of %s ends in an error', async (_of, bytes, sentence) => {
  const packed = gzipSync(bytes)
  const { code, message } = await refused(() => importBytes(tab().engine, packed, 'bomb.gz'))
  expect(code).toBe('log_unreadable')
  expect(message).toMatch(sentence)
})

test.each([
  ['nothing', Buffer.alloc(0), /empty/],
  ['white space', Buffer.from(' \n\n'), /blank/],
  ['an HTML export', Buffer.from('<!doctype html>\n<html><body>'), /HTML page/],
  ['a table', Buffer.from('id,received,type,title\n1,2026,OPEN_TAB,"a"\n'), /table \(CSV\)/],
  ['a database', Buffer.from('SQLite format 3\0and so on'), /SQLite/],
  ['a zip', Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), /zip/],
  ['twice compressed', gzipSync(gzipSync(logOf(1))), /compressed twice/],
  ['a JSON list', Buffer.from('[{"kind":"head"}]'), /JSON, but neither/],
  ['pretty JSON', Buffer.from('{\n  "kind": "head"\n}'), /JSON, but neither/],
  ['other JSON', Buffer.from('{"hello":"world"}\n'), /not the head/],
  ['a log without its head', Buffer.from(`${JSON.stringify(logDelivery(1))}\n`), /not the head/],
  ['half a head', Buffer.from(head.slice(0, 90)), /first line of the file cannot be read/],
  ['bytes', Buffer.from([0, 1, 2, 3, 200, 201]), /binary data/],
  ['UTF-16', Buffer.from('\ufeff{"kind"', 'utf16le'), /UTF-16/],
  ['a head with a wrong type', Buffer.from(head.replace('"app":"0.1.0"', '"app":7')), /app/],
  [
    'a head without a version',
    Buffer.from(head.replace('"version":1', '"version":"1"')),
    /version/,
  ],
  ['a HAR without entries', Buffer.from('{"log":{"version":"1.2"}}'), /no entries/],
])('%s is not a log, and the error says what it seems to be', async (_what, bytes, sentence) => {
  const { code, message } = await refused(() => importBytes(tab().engine, bytes, 'x'))
  expect(code).toBe('log_unreadable')
  expect(message).toMatch(sentence)
})

test('a newer version is refused by its number', async () => {
  const newer = Buffer.from(head.replace('"version":1', '"version":9'))
  const { code, message } = await refused(() => importBytes(tab().engine, newer))
  expect(code).toBe('log_too_new')
  expect(message).toContain('version 9')
  expect(message).toContain('up to version 1')
})

test('a missing file, a folder and a device are distinguished from a log', async () => {
  const { engine } = tab()
  const folder = tempFolder()
  expect(await refused(() => importPath(engine, path.join(folder, 'none')))).toMatchObject({
    code: 'file_failed',
    message: expect.stringContaining('File not found'),
  })
  expect(await refused(() => importPath(engine, folder))).toMatchObject({ code: 'file_failed' })
})

const deep = (bracket: string, count: number): string =>
  `{"kind":"delivery","id":2,"x":${bracket.repeat(count)}`

test('invalid lines are skipped one by one, and reported; the rest is imported', async () => {
  const { engine } = tab()
  const good = JSON.stringify(logDelivery(2))
  const strange: [string, RegExp][] = [
    [deep('[', 1_000_000), /not JSON/],
    [deep('{"a":', 200_000), /kind|not JSON/],
    [deep('[', 30_000), /not JSON/],
    ['{"kind":"delivery"}', /id/],
    [good.replace('"id":2', '"id":"2"'), /id/],
    [good.replace('"id":2', '"id":-2'), /id/],
    [good.replace('"id":2', '"id":1e300'), /id/],
    [good.replace('"id":2', '"id":9007199254740991'), /too high/],
    [good.replace(/"receivedAt":[\d.]+/, '"receivedAt":1e300'), /time/],
    [good.replace(/"receivedAt":[\d.]+/, '"receivedAt":-5'), /time/],
    [good.replace(/"receivedAt":[\d.]+/, '"receivedAt":1e999'), /receivedAt/],
    [good.replace('"bytes":', '"bytes":-'), /bytes/],
    [good.replace('"verdict":"valid"', '"verdict":"fine"'), /verdict/],
    [good.replace('["Host"', '["Ho\\nst"'), /line break/],
    [good.replace('"headers":[', '"headers":[["a"],'), /headers/],
    ['{"kind":"surprise"}', /kind is unknown/],
    ['[1,2,3]', /not a JSON object/],
    ['null', /not a JSON object/],
    ['\u0000\u0001\ufffd', /not JSON/],
    [
      JSON.stringify({ kind: 'part', delivery: 7, key: 0, index: 0, base64: '' }),
      /not belong to the delivery before/,
    ],
    [head.trim(), /another log starts/],
    [JSON.stringify(logDelivery(1)), /there is already a delivery 1 before/],
  ]
  const live = liveStore()
  const done = await importBytes(
    engine,
    logBytes([
      logHead(3),
      logDelivery(1),
      ...strange.map(([line]) => line),
      // `__proto__` and other unknown keys are ignored.
      good.replace('{', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}},'),
      logDelivery(9),
      logDelivery(3),
    ]),
  )
  expect(done).toMatchObject({ state: 'done', deliveries: 4 })
  const [log] = (await engine.call('logs.list', {})).logs
  const problems = log?.problems.slice(-1 - strange.length) ?? []
  for (const [index, [, sentence]] of strange.entries())
    expect(problems[index]).toMatch(new RegExp(`^Skipped line ${index + 3}: .*${sentence.source}`))
  expect(problems.at(-1)).toMatch(/delivery 3 comes after delivery 9/)
  expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  const { rows } = await engine.call('deliveries.page', {
    log: done.logId,
    upTo: null,
    offset: 0,
    limit: 9,
  })
  expect(rows.map(({ id }) => id)).toEqual([9, 3, 2, 1])
  await engine.call('logs.remove', { id: done.logId ?? 0 })
  expect(live).not.toBe('')
})

test('invalid lines of rehearsals are skipped one by one, and reported; the rest is imported', async () => {
  const { engine } = tab()
  const [run, result, ...requests] = sampleRehearsalLines('text')
  const [second] = sampleRehearsalLines('text', { id: 2 })
  const line = JSON.stringify
  const request = line(requests[0])
  const strange: [string, RegExp][] = [
    [request, /not belong to the rehearsal before/],
    [line(result).replace('"rehearsal":1', '"rehearsal":7'), /not belong to the rehearsal before/],
    [line(result).replace('"id":"S4"', '"id":"../S4"'), /id of the case is invalid/],
    [line(result).replace('"level":"MUST"', '"level":"MAY"'), /level/],
    [line(run), /there is already a rehearsal 1 before/],
    [line(result), /not belong to the rehearsal before/],
    [line(run).replace('"id":1', '"id":9007199254740991'), /too high/],
    [line(run).replace(/"startedAt":\d+/, '"startedAt":1e300'), /time/],
    [line(run).replace('"state":"done"', '"state":"won"'), /state/],
  ]
  const done = await importBytes(
    engine,
    logBytes([
      logHead(0, { counts: { ...logHead(0).counts, rehearsals: 3 } }),
      line(run),
      ...strange.map(([each]) => each),
      line(second),
      line(result).replace('"rehearsal":1', '"rehearsal":2'),
      request.replace('"rehearsal":1', '"rehearsal":2'),
      line(result).replace('"rehearsal":1', '"rehearsal":2'),
    ]),
  )
  expect(done).toMatchObject({ state: 'done' })
  const [log] = (await engine.call('logs.list', {})).logs
  expect(log).toMatchObject({ state: 'complete', rehearsals: 2 })
  expect(log?.problems[0]).toBe('The file should contain 3 rehearsals, but has 2.')
  for (const [index, [, sentence]] of strange.entries()) {
    expect(log?.problems[index + 1]).toMatch(
      new RegExp(`^Skipped line ${index + 3}: .*${sentence.source}`),
    )
  }
  expect(log?.problems.at(-1)).toContain('there is already a case S4 before it')
  const of = { log: done.logId, id: 2 }
  expect((await engine.call('rehearsals.get', of)).results).toHaveLength(1)
  expect(await engine.call('rehearsals.requests', { ...of, caseId: 'S4' })).toHaveLength(1)
  await engine.call('logs.remove', { id: done.logId ?? 0 })
})

test.runIf(full)('a damaged log ends with an error, or is imported with a report', async () => {
  const { engine } = tab()
  const { real: random } = seeded(7)
  const whole = logBytes([
    logHead(12, { counts: { ...logHead(12).counts, rehearsals: 1 } }),
    ...sampleRehearsalLines('text'),
    ...Array.from({ length: 12 }, (_, index) => logDelivery(index + 1)),
  ])
  const packed = gzipSync(whole)
  const broken: Buffer[] = []
  for (let n = 1; n <= 14; n += 2) {
    broken.push(whole.subarray(0, Math.floor((whole.byteLength * n) / 15)))
    const flipped = Buffer.from(n % 4 === 1 ? whole : packed)
    for (let flip = 0; flip < 3; flip += 1) {
      const at = Math.floor(random() * flipped.byteLength)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    }
    broken.push(flipped)
  }
  for (const bytes of broken) {
    const done = await importBytes(engine, bytes)
    if (done.state === 'failed') {
      expect(done.error?.code).toBe('log_unreadable')
      continue
    }
    expect(done.state).toBe('done')
    const log = (await engine.call('logs.list', {})).logs.find(({ id }) => id === done.logId)
    expect(log?.state).not.toBe('complete')
    expect(log?.problems.length).toBeGreaterThan(0)
    await engine.call('logs.remove', { id: done.logId ?? 0 })
  }
})
