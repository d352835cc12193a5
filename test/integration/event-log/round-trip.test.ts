import { createServer } from 'node:http'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { Engine } from '#engine/app/engine.ts'
import { suggestedFields } from '#contract/constants.ts'
import { filterFields } from '#contract/filter/fields.ts'
import { openAuthorizing, type Authorizing } from '#test/support/authorization.ts'
import { exportTo, importPath, withoutTime } from '#test/support/event-log.ts'
import { deliver, forwardTo, notForwarded } from '#test/support/forwarding.ts'
import { full } from '#test/support/full.ts'
import { rehearseInEngine } from '#test/support/rehearsal/run-in-engine.ts'
import { recordingServer } from '#test/support/recording-server.ts'
import { goodBody, post, testSecret } from '#test/support/requests.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const folder = ownedFolder()
let at: Authorizing
let engine: Engine
/** A complete export of the live store, imported again. */
let log: number
let newest: number
let counter = 0

const newFile = (name = 'ndjson'): string => path.join(folder.path, `${(counter += 1)}.${name}`)

async function imported(file: string): Promise<number> {
  const done = await importPath(engine, file)
  if (done.logId === null) throw new Error(done.error?.message ?? 'no log')
  return done.logId
}

beforeAll(async () => {
  at = await openAuthorizing()
  const { tab } = at
  ;({ engine } = tab)
  await at.through()
  const run = await at.start()
  await at.paste(run, at.redirectFor(run, 'error=access_denied&state=STATE'))
  await engine.call('endpoints.update', {
    id: tab.endpointId,
    applicationId: 'app-1',
    customHeaders: [['X-Ours', 'v']],
  })
  await engine.call('sandbox.send', {
    endpointId: tab.endpointId,
    types: ['OPEN_TAB', 'CLOSE_TAB', 'QR_SCANNED'],
  })
  await using server = await recordingServer(Buffer.from('{"ok":true}'))
  const url = `http://127.0.0.1:${server.port}/in`
  {
    // A forwarded delivery is not forwarded again, and the reason is recorded.
    await using _forward = await forwardTo(tab, `http://127.0.0.1:${tab.port}${tab.path}`)
    await deliver(tab, post(tab.path, goodBody))
    const [, , , , forwarded] = await tab.kept(5)
    await notForwarded(tab, forwarded?.id ?? 0)
  }
  await deliver(tab, post(tab.path, '{"type":"CLOSE_TAB","data":{"é":"ünï\\u0000"}}'))
  await deliver(tab, post(tab.path, Buffer.from([0xff, 0xfe, 0, 1, 10, 13])))
  await deliver(tab, post(tab.path, Buffer.alloc(2_500_000, 'long ')))
  await deliver(
    tab,
    post('/nowhere?a=%00&b=\u00e9', '[1,2]', ['X-Latin: caf\u00e9', 'x-twice: 1', 'X-Twice: 2']),
  )
  await deliver(tab, Buffer.from('GET /hooks/sandbox HTTP/1.1\r\nHost: a\r\n\r\n'))
  await engine.catchUp()
  newest = (await engine.call('deliveries.page', { upTo: null, offset: 0, limit: 1 })).upTo
  const first = newest - 5
  await engine.call('deliveries.annotate', {
    id: first,
    note: 'Look at\nthis "one"',
    tags: ['späť', 'x'],
  })
  await engine.call('deliveries.resend', { id: first, url })
  await engine.call('deliveries.resend', {
    id: first,
    url,
    edits: { body: Buffer.from([1, 2, 255]) },
  })
  await engine.call('deliveries.resend', {
    id: first + 1,
    url: 'http://127.0.0.1:1/',
    timeout: 500,
  })
  await engine.call('deliveries.resend', {
    id: first + 4,
    url,
    edits: { body: Buffer.alloc(1_100_000, 'z') },
  })
  await until('the search index and what follows it', async () => {
    const { stats } = await engine.call('app.snapshot', {})
    const { observedId } = await engine.call('deliveries.fields', {})
    return stats.indexedId >= newest && observedId >= newest
  })
  await until('the causes', async () => {
    const rows = await engine.call('deliveries.since', { after: 0, limit: 1000 })
    return rows.every(({ causes }) => causes !== null)
  })
  // The forward may have included more deliveries, and their reasons are recorded a moment later.
  const all = await engine.call('deliveries.since', { after: 0, limit: 1000 })
  for (const { id, sentBy } of all) if (sentBy === 'forward') await notForwarded(tab, id)
  await rehearseInEngine((name, input) => engine.call(name, input), testSecret, {
    endpointId: tab.endpointId,
    only: ['S4', 'S11', 'B6', 'T10'],
  })
  const file = newFile()
  await exportTo(engine, file, { with: { rehearsals: 'all' } })
  log = await imported(file)
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

test('an export of an imported log has the same bytes as the original export', async () => {
  const live = await exportTo(engine, newFile(), { with: { rehearsals: 'all' } })
  const again = await exportTo(engine, newFile(), { what: { log } })
  expect(live.byteLength).toBeGreaterThan(4_500_000)
  for (const kind of [
    'integration',
    'endpoint',
    'token',
    'run',
    'part',
    'delivery',
    'rehearsal',
    'rehearsal_case',
    'rehearsal_request',
  ]) {
    expect(live.includes(`{"kind":"${kind}"`)).toBe(true)
  }
  expect(live.includes('Not forwarded to')).toBe(true)
  expect(live.includes('"duplicateOf":{"id":')).toBe(true)
  expect(live.includes('"comparison":"fixed"') || live.includes('"comparison":"same"')).toBe(true)
  expect(withoutTime(again)).toBe(withoutTime(live))
  expect((await engine.call('logs.list', {})).logs[0]).toMatchObject({
    state: 'complete',
    problems: [],
    rehearsals: 1,
  })
})

const exports: readonly [string, Omit<CallInput<'logs.export'>, 'to'>][] = [
  ['a choice', { what: { ids: [2, 5, 9] } }],
  ['compressed', { gzip: true }],
  ['a filter', { what: { filter: 'verdict:valid type:OPEN_TAB' } }],
  ['a trace', { what: { traceOf: 1 } }],
  ['a time span', { what: { from: 1, to: Date.parse('2100-01-01') } }],
  ['deliveries alone', { with: { attempts: false, notes: false, authorization: false } }],
  ['rehearsals alone', { what: { ids: [] }, with: { rehearsals: [1] } }],
]

test.each(full ? exports : exports.slice(0, 1))('the same applies to %s', async (_what, input) => {
  const file = newFile()
  const written = await exportTo(engine, file, input)
  const part = await imported(file)
  const again = await exportTo(engine, newFile(), { what: { log: part }, with: input.with })
  const plain = input.gzip ? gunzipSync(written) : written
  expect(withoutTime(again)).toBe(withoutTime(plain))
})

test.runIf(full)(
  'redacted values are imported unchanged, and later exports are marked as redacted',
  async () => {
    const file = newFile()
    const written = await exportTo(engine, file, { redact: true, with: { rehearsals: 'all' } })
    expect(written.toString()).toContain('{"kind":"rehearsal_request"')
    const redacted = await imported(file)
    const again = await exportTo(engine, newFile(), { what: { log: redacted } })
    expect(withoutTime(again)).toBe(withoutTime(written))
    const part = await exportTo(engine, newFile(), { what: { log: redacted, ids: [2] } })
    expect(part.toString()).toContain('"redaction":{"on":true')
  },
)

async function everything(of: number | null): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  const asOf = Date.parse('2100-01-01')
  const filters = [
    '',
    'ada',
    'tag:x',
    'note:one',
    'own:forward',
    'attempt:200',
    'attempt:>=200',
    '-type:OPEN_TAB',
    'data.name:Ada',
    'endpoint:none',
    ...filterFields.map(({ example }) => example),
  ]
  for (const filter of filters) {
    const page = await until(`all of "${filter}"`, async () => {
      const found = await engine.call('deliveries.page', {
        log: of,
        filter,
        upTo: newest,
        asOf,
        offset: 0,
        limit: 100,
      })
      return found.complete ? found : null
    })
    seen[`page ${filter}`] = page
  }
  seen['fields'] = await engine.call('deliveries.fields', { log: of })
  seen['conformance'] = await engine.call('deliveries.conformance', {
    log: of,
    since: null,
    before: null,
  })
  for (const field of suggestedFields)
    seen[`suggest ${field}`] = await engine.call('filters.suggest', { log: of, field, prefix: '' })
  for (let id = 1; id <= newest; id += 1) {
    const one = { log: of, id }
    seen[`get ${id}`] = await engine.call('deliveries.get', one)
    seen[`body ${id}`] = await engine.call('deliveries.body', {
      ...one,
      offset: 0,
      length: 4_000_000,
    })
    seen[`headers ${id}`] = await engine.call('deliveries.headers', one)
    seen[`trace ${id}`] = await engine.call('deliveries.trace', one)
    seen[`related ${id}`] = await engine.call('deliveries.related', one)
    const attempts = await engine.call('attempts.list', { log: of, deliveryId: id })
    seen[`attempts ${id}`] = attempts
    for (const { id: attempt } of attempts.rows) {
      seen[`attempt ${attempt}`] = await engine.call('attempts.get', { log: of, id: attempt })
      for (const which of ['request', 'response'] as const) {
        seen[`attempt ${attempt} ${which}`] = await engine.call('attempts.body', {
          log: of,
          id: attempt,
          which,
          offset: 0,
          length: 4_000_000,
        })
      }
    }
  }
  return seen
}

test('every query on a log returns what the live store returns', async () => {
  const [live, logged] = [await everything(null), await everything(log)]
  expect(Object.keys(logged)).toEqual(Object.keys(live))
  for (const [question, answer] of Object.entries(live))
    expect(logged[question], question).toEqual(answer)
  const [signed] = (
    await engine.call('deliveries.page', {
      log,
      filter: 'verdict:valid',
      upTo: null,
      offset: 0,
      limit: 1,
    })
  ).rows
  const one = { log, id: signed?.id ?? 0 }
  expect(await engine.call('deliveries.signature', one)).toMatchObject({ verdict: 'valid' })
  const diagnosis = await engine.call('deliveries.diagnose', { ...one, candidate: testSecret })
  expect(JSON.stringify(diagnosis)).not.toContain(testSecret)
  expect(diagnosis.candidate).toBe('matches')
  expect(await engine.call('logs.authorization', { log })).toMatchObject({
    integrations: [{ name: 'Sandbox service' }, { name: 'Under test' }],
    endpoints: [{ slug: 'sandbox' }],
    tokens: [{ status: 'good' }],
    runs: [{ state: 'failed' }, { state: 'succeeded' }],
  })
})

test.runIf(full)('the rehearsals of a log are those of the live store', async () => {
  const live = await engine.call('rehearsals.list', {})
  expect(live).toHaveLength(1)
  expect(await engine.call('rehearsals.list', { log })).toEqual(live)
  const id = live[0]?.id ?? 0
  const { results } = await engine.call('rehearsals.get', { id })
  expect(results).toHaveLength(4)
  expect(await engine.call('rehearsals.get', { id, log })).toEqual(
    await engine.call('rehearsals.get', { id }),
  )
  for (const { id: caseId } of results) {
    const requests = await engine.call('rehearsals.requests', { id, caseId })
    expect(requests).not.toEqual([])
    expect(await engine.call('rehearsals.requests', { id, caseId, log })).toEqual(requests)
  }
  await expect(engine.call('rehearsals.get', { id: 99, log })).rejects.toThrow(
    'not in this event log',
  )
  // A run that lasts is interrupted in the file.
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const at = silent.address()
  const url = `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}/`
  const running = await engine.call('rehearsals.start', { url, seed: 1, only: ['G1'] })
  const options = { what: { ids: [] }, with: { rehearsals: [running.id] } }
  const lines = (await exportTo(engine, newFile(), options)).toString()
  expect(running.state).toBe('running')
  expect(lines).toMatch(/"kind":"rehearsal","rehearsal":.*"state":"interrupted"/)
  await engine.call('rehearsals.remove', { id: running.id })
  silent.closeAllConnections()
  silent.close()
  const none = await exportTo(engine, newFile())
  expect(none.includes('"kind":"rehearsal')).toBe(false)
  await expect(exportTo(engine, newFile(), { with: { rehearsals: [99] } })).rejects.toThrow(
    'Rehearsal 99 does not exist',
  )
})
