import { copyFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultRefreshRule } from '#contract/constants.ts'
import {
  readForwards,
  readResponses,
  readTargets,
  readUses,
} from '#engine/endpoints/rules-store.ts'
import { readBody, readByIds, readDelivery, readStats } from '#engine/deliveries/store.ts'
import { openReader, openWriter } from '#engine/platform/sqlite.ts'
import { readEndpoints } from '#engine/endpoints/store.ts'
import { readLogs, readRedactionRules } from '#engine/event-logs/store.ts'
import { readExchange, readExchangeBody, readSaved } from '#engine/api-console/store.ts'
import { createIndexer } from '#engine/search/indexer/indexer.ts'
import { createIngest } from '#engine/deliveries/ingest.ts'
import { readIntegrations } from '#engine/integrations/store.ts'
import { createLogExtrasReader } from '#engine/deliveries/log-extras.ts'
import type { Migration } from '#engine/store/migrations/migration.ts'
import { migrations, newestVersion } from '#engine/store/migrations/migrations.ts'
import { prepareStore } from '#engine/store/open.ts'
import { readRun, readRunSecret } from '#engine/oauth/store.ts'
import { readFilters } from '#engine/search/saved-filters-store.ts'
import { readAttempt, readAttemptBody, readAttempts } from '#engine/sending/store/attempts.ts'
import { readDraft } from '#engine/sending/store/drafts.ts'
import { readJob, readJobRequest } from '#engine/sending/store/jobs.ts'
import { readSkipsOf } from '#engine/sending/store/skips.ts'
import { readSettings } from '#engine/settings/store.ts'
import { readTokens } from '#engine/tokens/store.ts'
import { readTunnel } from '#engine/tunnel/record.ts'
import { readLastSpanId, readSpans } from '#engine/tunnel/store.ts'
import { defaultTunnel, nameFor } from '#engine/tunnel/record.ts'
import { tempFolder } from '#test/support/temp-folder.ts'

const fixtures = path.join(import.meta.dirname, 'fixtures')

function folderWith(version: number): string {
  const folder = tempFolder()
  copyFileSync(path.join(fixtures, `v${version}.db`), path.join(folder, 'tabscope.db'))
  return folder
}

function open(file: string) {
  const db = openReader(file)
  onTestFinished(() => void db.close())
  return db
}
const versionOf = (file: string) => open(file).pragma('user_version', { simple: true })
const backupsIn = (folder: string) => readdirSync(folder).filter((name) => name.includes('backup'))

/** An additional version: a column with a constraint for every row. */
const next: Migration = {
  version: newestVersion(migrations) + 1,
  name: 'test',
  up: (db) => db.exec("ALTER TABLE delivery ADD COLUMN note TEXT NOT NULL DEFAULT 'none'"),
}
const failing: Migration = {
  version: next.version + 1,
  name: 'fails',
  up: (db) => {
    db.exec('DELETE FROM delivery')
    throw new Error('the migration failed')
  },
}

describe('migrations', () => {
  it('are numbered from one, without gaps', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1))
  })

  it('have a test store of every version', () => {
    for (const { version } of migrations) expect(readdirSync(fixtures)).toContain(`v${version}.db`)
  })

  it('create a store if there is none, without a backup', () => {
    const folder = tempFolder()
    const { path: file, ...rest } = prepareStore(folder, 'now')
    expect(rest).toEqual({ journalPosition: 0, lastId: 0, setAside: null })
    expect(versionOf(file)).toBe(newestVersion(migrations))
    expect(backupsIn(folder)).toEqual([])
    expect(prepareStore(folder, 'later')).toEqual({ path: file, ...rest })
    expect(readEndpoints(open(file))).toHaveLength(1)
  })

  it.each(migrations.map(({ version }) => version))(
    'keep all of a store of version %i',
    (version) => {
      const folder = folderWith(version)
      const { path: file, ...rest } = prepareStore(folder, 'now')
      expect(rest).toEqual({ journalPosition: 4711, lastId: 4, setAside: null })
      expect(versionOf(file)).toBe(newestVersion(migrations))
      expect(backupsIn(folder)).toHaveLength(version < newestVersion(migrations) ? 1 : 0)
      const db = open(file)
      expect(readStats(db)).toMatchObject({ deliveries: 4, newestId: 4 })
      expect(
        readByIds(db, [1, 2, 3, 4]).map(({ type, verdict, status, pinned, findings }) => [
          type,
          verdict,
          status,
          pinned,
          findings.map(({ code }) => code).join(),
        ]),
      ).toEqual([
        ['OPEN_TAB', 'valid', 200, false, ''],
        [null, 'missing', 200, true, ''],
        ['ORDER_PLACED', 'invalid', 200, false, 'body.not_utf8'],
        ['OPEN_TAB', 'unsigned', null, false, ''],
      ])
      expect(readDelivery(db, 3)?.title).toBe('Body is not UTF-8')
      expect(readDelivery(db, 3)?.headers).toEqual([
        ['X-All', 'ÿ'],
        ['x-all', ''],
      ])
      expect(readBody(db, 3, 0, 100)?.bytes).toEqual(new Uint8Array([0, 1, 0xff, 0xfe]))
      expect(readDelivery(db, 4)?.trailers).toEqual([['X-Sum', '1']])
      expect(readEndpoints(db)[1]).toMatchObject({
        slug: 'kitchen',
        hadSecret: true,
        customHeaders: [['X-Env', version < 7 ? 'test' : '']],
        sealedHeaders: version < 7 ? null : Buffer.from([5, 6, 7]),
        sealed: { current: Buffer.from([1, 2, 3]), previous: Buffer.from([4]) },
      })
      expect(readSettings(db)).toMatchObject({
        theme: 'dark',
        listenerPort: 4999,
        keepDeliveries: 77,
      })
    },
  )

  it('treat the integration of a store of version 1 as the sandbox’s', () => {
    const { path: file } = prepareStore(folderWith(1), 'now')
    expect(readIntegrations(open(file))).toEqual([
      {
        id: 1,
        name: 'Sandbox',
        kind: 'sandbox',
        brand: 'Service',
        baseUrl: '',
        accessId: '',
        redirectUrls: [],
        redirectUrl: '',
        refresh: defaultRefreshRule,
        sealedSecret: null,
      },
    ])
  })

  it('keep the authorization data of version 2', async () => {
    const { path: file } = prepareStore(folderWith(2), 'now')
    const db = open(file)
    expect(readIntegrations(db)[1]).toEqual({
      id: 2,
      name: 'Pier 9',
      kind: 'service',
      brand: 'Acme',
      baseUrl: 'https://pier9.example/base',
      accessId: 'id-9',
      redirectUrls: ['https://app.example/callback'],
      redirectUrl: 'https://app.example/callback',
      refresh: { ...defaultRefreshRule, provenAt: 1_700_000_000_000, dueBefore: 60 },
      sealedSecret: Buffer.from([9, 8, 7]),
    })
    expect(readRun(db, 1)).toMatchObject({
      integrationId: 2,
      state: 'succeeded',
      tokenId: 1,
      steps: [{ kind: 'exchange', answer: { status: 200 }, timings: { total: 10.5 } }],
      findings: [{ code: 'token.lifetime' }],
      heldBack: [{ name: 'code' }],
    })
    expect(readRunSecret(db, 1, 'code')).toEqual(Buffer.from([5]))
    expect(readTokens(db)).toMatchObject([
      {
        label: 'Mara',
        standing: 'revoked',
        version: 2,
        sealedAccess: Buffer.from([1]),
        sealedRefresh: Buffer.from([2]),
        events: [{ kind: 'issued', runId: 1 }, { kind: 'revoked' }],
      },
    ])
    expect(readExchange(db, 1)).toMatchObject({
      url: 'https://pier9.example/base/made/up',
      hops: [{ reason: 'sent', withToken: true }],
      advice: { code: 'invalid' },
    })
    const body = await readExchangeBody(db, { id: 1, offset: 0, length: 10, decoded: true })
    expect(Buffer.from(body?.bytes ?? []).toString()).toBe('body')
    expect(readSaved(db)).toMatchObject([{ name: 'Made up', request: { path: '/made/up' } }])
  })

  it.each([1, 2, 3, 4, 5])(
    'know the findings of a store of version %i by their kinds',
    (version) => {
      const { path: file } = prepareStore(folderWith(version), 'now')
      const found = open(file)
        .prepare(
          `SELECT delivery_id, type, code, place, severity FROM delivery_finding
         JOIN finding_kind ON finding_kind.id = kind_id`,
        )
        .all()
      expect(found).toEqual([
        {
          delivery_id: 3,
          type: 'ORDER_PLACED',
          code: 'body.not_utf8',
          place: 'body',
          severity: 'error',
        },
      ])
    },
  )

  it.each([
    [1, 0],
    [2, 0],
    [3, 3],
    [4, 3],
    [5, 3],
  ])('let the index of a store of version %i continue after delivery %i', (version, after) => {
    const { path: file } = prepareStore(folderWith(version), 'now')
    expect(readStats(open(file)).indexedId).toBe(after)
    const db = openWriter(file)
    onTestFinished(() => void db.close())
    const indexer = createIndexer(db, createIngest(db))
    indexer.step(() => false)
    expect(indexer.isUpToDate()).toBe(true)
    const found = db
      .prepare("SELECT rowid AS id FROM delivery_text WHERE delivery_text MATCH 'open_tab'")
      .all()
    expect(found).toEqual([{ id: 1 }, { id: 4 }])
    expect(readByIds(db, [1, 2, 3, 4]).map(({ repeats }) => repeats)).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('keep the delivery data of version 3', () => {
    const { path: file } = prepareStore(folderWith(3), 'now')
    const db = open(file)
    expect(readDelivery(db, 2)).toMatchObject({
      note: 'Nobody sent this.',
      noted: true,
      tags: ['to fix', 'seen'],
      pinned: true,
    })
    expect(readFilters(db)).toEqual([{ id: 1, name: 'Bad', filter: 'verdict:invalid' }])
  })

  it('keep the attempts and responses of version 4', async () => {
    const { path: file } = prepareStore(folderWith(4), 'now')
    const db = open(file)
    expect(readByIds(db, [1, 2, 3]).map(({ sent }) => sent)).toEqual([
      { status: 200 },
      null,
      { status: null },
    ])
    expect(readAttempts(db, { deliveryId: 1, limit: 10 })).toMatchObject({
      total: 2,
      rows: [
        { id: 2, status: 200, verdict: 'fixed', previousId: 1, bodyEdited: true },
        { id: 1, status: 500, verdict: null, jobId: 1 },
      ],
    })
    expect(readAttempt(db, 3)).toMatchObject({
      error: { code: 'refused' },
      tryNumber: 2,
      request: { headers: [['Host', '127.0.0.1:3000']] },
    })
    const bodyOf = async (id: number, which: 'request' | 'answer') => {
      const slice = { id, which, offset: 0, length: 100, decoded: false }
      return Buffer.from((await readAttemptBody(db, slice))?.bytes ?? []).toString()
    }
    expect(await bodyOf(1, 'answer')).toBe('busy')
    expect(await bodyOf(2, 'request')).toBe('edited')
    expect(await bodyOf(3, 'request')).toBe('\0\u0001\u{fffd}\u{fffd}')
    expect(db.prepare('SELECT attempts FROM attempt_tally').pluck().get()).toBe(4)
    expect(readJob(db, 1)).toMatchObject({
      state: 'interrupted',
      filter: 'verdict:valid',
      edited: true,
      failed: 1,
      uncertain: 1,
      waiting: 2,
    })
    expect(readJobRequest(db, 1)?.edits).toEqual({
      headers: [['X-Mine', 'ÿ']],
      body: new Uint8Array([0, 255]),
    })
    expect(readDraft(db, 1)).toMatchObject({
      name: 'Made up',
      counter: 2,
      content: { sign: { fault: 'prefix' }, body: { bytes: new Uint8Array([0, 255]) } },
    })
    expect(readSkipsOf(db, 4)).toEqual([
      'Not forwarded to http://127.0.0.1:3000/hook: Too many waited.',
    ])
    expect(readForwards(db)).toMatchObject([{ id: 1, mode: 'answer', types: ['OPEN_TAB'] }])
    expect(readResponses(db)).toMatchObject([
      { type: 'OPEN_TAB', when: { kind: 'first', count: 2 }, on: true },
      { type: null, answer: { kind: 'drop' }, on: false },
    ])
    expect(readTargets(db)).toEqual([
      { origin: 'https://made-up.example', place: 'public', confirmed: true, verifyTls: false },
    ])
  })

  it('keep the uses of response rules of version 8; earlier versions have none', () => {
    const [before, since] = [7, 8].map((version) => {
      const { path: file } = prepareStore(folderWith(version), 'now')
      return readUses(open(file)).map(({ met, applied }) => [met, applied])
    })
    expect(before).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(since).toEqual([
      [2, 1],
      [0, 0],
    ])
  })

  it('read headers with a shared head, which version 12 introduced', () => {
    const { path: file } = prepareStore(folderWith(12), 'now')
    const db = open(file)
    const stored = db.prepare('SELECT id, headers FROM delivery_content WHERE head_id IS NOT NULL')
    expect(stored.all()).toEqual([{ id: 4, headers: '' }])
    expect(readDelivery(db, 4)).toMatchObject({
      httpVersion: '1.1',
      endpointName: 'Sandbox',
      brand: 'Service',
      secretName: 'current',
      headers: [
        ['Host', '127.0.0.1'],
        ['X-Twice', 'a'],
        ['X-Twice', 'b'],
      ],
    })
  })

  it('keep the event logs and redaction rules of version 6', () => {
    const { path: file } = prepareStore(folderWith(6), 'now')
    const db = open(file)
    expect(readLogs(db)).toEqual([
      {
        store: 'abababababababab-1.db',
        log: {
          id: 1,
          name: 'evening.ndjson',
          format: 'ndjson',
          version: 1,
          app: '0.1.0',
          exportedAt: 1_773_565_200_000,
          importedAt: 1_773_565_300_000,
          redacted: true,
          scope: { filter: 'verdict:invalid', from: null, to: null, chosen: 3, traceOf: null },
          deliveries: 3,
          bytes: 4711,
          sha256: 'ab'.repeat(32),
          firstAt: 1_773_565_100_000.125,
          lastAt: 1_773_565_100_900.5,
          state: 'cut_off',
          problems: ['The file ends without its last line: it was cut off.'],
        },
      },
    ])
    expect(readRedactionRules(db)).toEqual([
      { kind: 'header', name: 'X-Table' },
      { kind: 'path', path: '$..loyaltyNumber' },
    ])
    expect(createLogExtrasReader(db)(2)).toEqual({
      bodyRedacted: true,
      omitted: null,
      notForwarded: ['Not forwarded to http://127.0.0.1:1/: it was paused.'],
    })
  })

  it('keep the tunnel data of version 5, and which deliveries were received through it', () => {
    const { path: file } = prepareStore(folderWith(5), 'now')
    const db = open(file)
    const setup = { provider: 'localtunnel', options: { host: 'https://tunnel.example' } }
    const { wanted, record } = readTunnel(db)
    expect(wanted).toBe(true)
    expect(record).toMatchObject({
      setup,
      copied: 'https://before.tunnel.example',
      warnings: [
        { kind: 'assigned', asked: 'before', got: 'pier9', by: 'user' },
        { kind: 'address_changed', now: 'https://pier9.tunnel.example' },
      ],
      seen: [{ kind: 'assigned', asked: 'older' }],
    })
    expect(nameFor(record, setup)).toBe('pier9')
    expect(readSpans(db, { since: 0, limit: 10 })).toMatchObject([
      { id: 1, state: 'online', url: 'https://pier9.tunnel.example' },
      { id: 2, state: 'offline', cause: 'server_down', url: null },
    ])
    expect(readLastSpanId(db)).toBe(2)
    expect([1, 2, 3, 4].map((id) => readDelivery(db, id)?.via)).toEqual([
      'tunnel',
      null,
      null,
      null,
    ])
  })

  it.each([1, 2, 3, 4])('of version %i have no tunnel history', (version) => {
    const { path: file } = prepareStore(folderWith(version), 'now')
    const db = open(file)
    expect(readTunnel(db)).toEqual(defaultTunnel)
    expect(readSpans(db, { since: 0, limit: 10 })).toEqual([])
    expect(readLastSpanId(db)).toBe(0)
    expect([1, 2, 3, 4].map((id) => readDelivery(db, id)?.via)).toEqual([null, null, null, null])
  })

  it.each([1, 2, 3])('of version %i have no attempts', (version) => {
    const { path: file } = prepareStore(folderWith(version), 'now')
    const db = open(file)
    const rows = readByIds(db, [1, 2, 3, 4])
    expect(rows.map(({ sent, own, answeredBy }) => sent ?? own ?? answeredBy)).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(readAttempts(db, { limit: 10 })).toEqual({ rows: [], total: 0, notForwarded: [] })
  })

  it('back up the store before the first migration, and only then', () => {
    const folder = folderWith(newestVersion(migrations))
    const list = [...migrations, next]
    const { path: file } = prepareStore(folder, '20260314T210000', list)
    expect(versionOf(file)).toBe(next.version)
    const before = newestVersion(migrations)
    expect(backupsIn(folder)).toEqual([`tabscope.db.v${before}-20260314T210000.backup`])
    const backup = path.join(folder, backupsIn(folder)[0] ?? '')
    expect(versionOf(backup)).toBe(before)
    expect(readByIds(open(backup), [1, 2, 3, 4])).toEqual(readByIds(open(file), [1, 2, 3, 4]))
    prepareStore(folder, 'later', list)
    expect(backupsIn(folder)).toHaveLength(1)
  })

  it('keep the last successful version if one fails', () => {
    const folder = folderWith(1)
    const run = () => prepareStore(folder, 'now', [...migrations, next, failing])
    expect(run).toThrow('the migration failed')
    const file = path.join(folder, 'tabscope.db')
    expect(versionOf(file)).toBe(next.version)
    expect(readStats(open(file)).deliveries).toBe(4)
    expect(readByIds(open(file), [1, 2, 3, 4])).toHaveLength(4)
    expect(backupsIn(folder)).toHaveLength(1)
  })
})
