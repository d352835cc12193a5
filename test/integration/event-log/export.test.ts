import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { CallInput } from '#contract/calls.ts'
import type { LogExport } from '#contract/logs.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { withoutTime } from '#test/support/event-log.ts'
import { endOf, exportTo, linesIn } from '#test/support/exporting.ts'
import { sha256 } from '#test/support/requests.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { appVersion } from '#test/support/app-version.ts'

const tab = sharedTestEngine({ background: false })

const scan = (n: number): string =>
  JSON.stringify({ type: 'QR_SCANNED', targetUuid: `spot-${n}`, data: { n, name: `Gast ${n} ☕` } })
const openTab = (tabUuid: string): string =>
  JSON.stringify({ type: 'OPEN_TAB', targetUuid: tabUuid, createdAt: '2026-03-14T21:00:00.000Z' })

/** Text with a byte order mark, characters of all lengths, and everything that JSON escapes. */
const withMark = Buffer.from('\ufeff"\\\u0000\u001f\u007f é ☕ 🎉\u2028\n')
const notUtf8 = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3])
const large = Buffer.concat([Buffer.alloc(1_600_000, 0x41), notUtf8])
const bodies = [
  Buffer.from(scan(1)),
  withMark,
  notUtf8,
  large,
  Buffer.from(''),
  Buffer.from(scan(2)),
]

async function post(body: string | Uint8Array): Promise<void> {
  const { port, path: hook } = tab()
  await fetch(`http://127.0.0.1:${port}${hook}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
  })
}

beforeAll(async () => {
  for (const body of bodies) await post(body)
  for (const body of [openTab('tab-7'), openTab('tab-8'), openTab('tab-7')]) await post(body)
  await tab().kept(bodies.length + 3)
})

async function idsOf(what: CallInput<'logs.export'>['what']): Promise<number[]> {
  const { file, view } = await exportTo(tab().engine, what ? { what } : {})
  expect(view).toMatchObject({ state: 'done', error: null })
  const lines = linesIn(file)
  const ids = lines.of('delivery').map(({ id }) => id)
  expect(lines.of('head')[0]?.counts.deliveries).toBe(ids.length)
  expect(lines.of('end')[0]?.deliveries).toBe(ids.length)
  expect(view).toMatchObject({ deliveries: ids.length, total: ids.length })
  return ids
}

test('a log contains every byte of every delivery, oldest first, and its own hash', async () => {
  const pushed: LogExport[] = []
  const forget = tab().engine.on('logs.changed', ({ exports }) => pushed.push(...exports))
  const { file, view } = await exportTo(tab().engine)
  forget()
  const bytes = readFileSync(file)
  expect(view).toMatchObject({
    name: path.basename(file),
    path: file,
    deliveries: 9,
    bytes: bytes.length,
  })
  expect(pushed.some(({ state }) => state === 'running')).toBe(true)
  expect(pushed.at(-1)).toMatchObject({ id: view.id, state: 'done' })
  expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)

  const { all, of } = linesIn(file)
  expect(all.map(({ kind }) => kind).slice(0, 4)).toEqual([
    'head',
    'integration',
    'endpoint',
    'delivery',
  ])
  for (const line of bytes.toString().trimEnd().split('\n')) expect(line).toMatch(/^\{"kind":"/)
  const [head] = of('head')
  expect(head).toMatchObject({ app: `Tabscope ${appVersion}`, redaction: { on: false } })
  expect(head?.redaction.note).toContain('Not redacted')
  const [end] = of('end')
  const before = bytes.subarray(0, bytes.lastIndexOf('\n', -2) + 1)
  expect(end).toMatchObject({
    deliveries: 9,
    lines: all.length - 1,
    removed: {},
    // The hash does not include the time: the same deliveries always have the same hash.
    sha256: sha256(withoutTime(before)),
  })

  const parts = of('part')
  const wholes = of('delivery').map(({ body, id }) => {
    if ('text' in body) return Buffer.from(body.text)
    if ('base64' in body) return Buffer.from(body.base64, 'base64')
    if ('omitted' in body) throw new Error('a body is missing')
    const mine = parts.filter((part) => part.delivery === id && part.key === body.key)
    expect(mine.map(({ index }) => index)).toEqual(Array.from({ length: body.parts }, (_, n) => n))
    return Buffer.concat(mine.map(({ base64 }) => Buffer.from(base64, 'base64')))
  })
  expect(wholes.slice(0, bodies.length)).toEqual(bodies)
  const forms = of('delivery').map(({ body }) => Object.keys(body)[0])
  expect(forms.slice(0, 4)).toEqual(['text', 'text', 'base64', 'parts'])
  for (const delivery of of('delivery')) {
    const {
      storedBytes: _,
      noted: __,
      ...kept
    } = await tab().engine.call('deliveries.get', { id: delivery.id })
    expect(delivery).toMatchObject(kept)
  }
})

test('filter, time, selection and trace are combined', async () => {
  const { engine } = tab()
  const all = await idsOf(undefined)
  const [first = 0] = all
  expect(all).toEqual(Array.from({ length: 9 }, (_, n) => first + n))
  expect(await idsOf({ filter: 'type:QR_SCANNED' })).toEqual([first, first + 5])
  expect(await idsOf({ ids: [first + 5, first + 1, first + 5] })).toEqual([first + 1, first + 5])
  expect(await idsOf({ ids: [first + 1, first + 5], filter: 'type:QR_SCANNED' })).toEqual([
    first + 5,
  ])
  expect(await idsOf({ traceOf: first + 6 })).toEqual([first + 6, first + 8])
  expect(await idsOf({ traceOf: first + 6, ids: [first, first + 8] })).toEqual([first + 8])
  expect(await idsOf({ filter: 'type:NO_SUCH_TYPE' })).toEqual([])

  const { receivedAt } = await engine.call('deliveries.get', { id: first + 4 })
  expect(await idsOf({ from: receivedAt })).toEqual(all.slice(4))
  expect(await idsOf({ to: receivedAt })).toEqual(all.slice(0, 4))
  expect(await idsOf({ from: receivedAt, filter: 'type:QR_SCANNED' })).toEqual([first + 5])

  // Immediately, before the search index has reached it.
  await post(scan(4711))
  expect(await idsOf({ filter: 'spot-4711' })).toEqual([first + 9])
  await engine.call('deliveries.annotate', { id: first + 9, pinned: false })
})

test('excluded data is not exported', async () => {
  const { engine } = tab()
  const { ids } = { ids: [(await idsOf({ filter: 'type:OPEN_TAB' }))[0] ?? 0] }
  await engine.call('deliveries.annotate', { id: ids[0] ?? 0, note: 'a note', tags: ['a tag'] })
  const whole = linesIn((await exportTo(engine, { what: { ids } })).file)
  expect(whole.of('delivery')[0]).toMatchObject({ note: 'a note', tags: ['a tag'], pinned: true })
  const bare = await exportTo(engine, {
    what: { ids },
    with: { attempts: false, notes: false, authorization: false },
  })
  const lines = linesIn(bare.file)
  expect(lines.all.map(({ kind }) => kind)).toEqual(['head', 'delivery', 'end'])
  expect(lines.of('delivery')[0]).toMatchObject({ note: '', tags: [] })
  expect(lines.of('head')[0]).toMatchObject({
    scope: { selected: 1, filter: '', traceOf: null },
    counts: { deliveries: 1, integrations: 0, endpoints: 0 },
  })
})

test('an impossible export is reported before anything is written', async () => {
  const { engine } = tab()
  const folder = tempFolder()
  const to = (name: string) => ({ kind: 'file', path: path.join(folder, name) }) as const
  const begin = (input: CallInput<'logs.export'>) =>
    engine.call('logs.export', { redact: false, ...input })
  writeFileSync(path.join(folder, 'there.ndjson'), 'mine')
  mkdirSync(path.join(folder, 'folder.ndjson'))

  await expect(begin({ to: to('a'), what: { filter: 'data.n:>' } })).rejects.toMatchObject({
    code: 'bad_filter',
  })
  await expect(begin({ to: to('a'), format: 'xls' })).rejects.toMatchObject({ code: 'bad_input' })
  await expect(begin({ to: to('a'), what: { traceOf: 99_999 } })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(begin({ to: to('a'), what: { log: 99 } })).rejects.toMatchObject({
    code: 'not_found',
  })
  await expect(begin({ to: { kind: 'file', path: 'here.ndjson' } })).rejects.toMatchObject({
    code: 'bad_input',
  })
  await expect(begin({ to: to('none/a.ndjson') })).rejects.toMatchObject({
    code: 'file_failed',
    message: expect.stringContaining('does not exist'),
  })
  await expect(begin({ to: to('there.ndjson') })).rejects.toMatchObject({ code: 'file_exists' })
  await expect(begin({ to: { kind: 'ask', name: 'a' } })).rejects.toMatchObject({
    code: 'bad_input',
  })
  if (process.platform !== 'win32' && process.getuid?.() !== 0) {
    chmodSync(folder, 0o500)
    await expect(begin({ to: to('a') })).rejects.toMatchObject({ code: 'file_failed' })
    chmodSync(folder, 0o700)
  }
  expect(readFileSync(path.join(folder, 'there.ndjson'), 'utf8')).toBe('mine')
  expect(readdirSync(folder).toSorted()).toEqual(['folder.ndjson', 'there.ndjson'])

  const replacing = {
    kind: 'file',
    path: path.join(folder, 'there.ndjson'),
    overwrite: true,
  } as const
  const replaced = await begin({ to: replacing })
  expect(await endOf(engine, replaced.export.id)).toMatchObject({ state: 'done' })
  expect(linesIn(replacing.path).of('end')).toHaveLength(1)
  const onFolder = { ...replacing, path: path.join(folder, 'folder.ndjson') }
  const failed = await begin({ to: onFolder })
  expect(await endOf(engine, failed.export.id)).toMatchObject({ state: 'failed' })
  expect(readdirSync(folder).toSorted()).toEqual(['folder.ndjson', 'there.ndjson'])
})

test('a canceled export leaves nothing, and is not listed once it is dismissed', async () => {
  const { engine } = tab()
  await post(randomBytes(18_000_000))
  await engine.catchUp()
  const folder = tempFolder()
  const begun = await engine.call('logs.export', {
    redact: false,
    gzip: true,
    to: { kind: 'file', path: path.join(folder, 'gone.ndjson.gz') },
  })
  expect(readdirSync(folder)).toHaveLength(1)
  const cancelled = await engine.call('logs.cancelExport', { id: begun.export.id })
  expect(cancelled).toMatchObject({ state: 'cancelled', error: null })
  expect(readdirSync(folder)).toEqual([])
  await engine.call('logs.dismissExport', { id: begun.export.id })
  const { exports } = await engine.call('logs.list', {})
  expect(exports.map(({ id }) => id)).not.toContain(begun.export.id)
})

test('a preview reports number and size by running the export', async () => {
  const { engine } = tab()
  const what = { filter: 'type:QR_SCANNED' }
  const ask = () => engine.call('logs.preview', { key: 'one', redact: false, what })
  let preview = await ask()
  while (!preview.complete) preview = await ask()
  const { file } = await exportTo(engine, { what })
  expect(preview).toMatchObject({ deliveries: 3, examined: 3, fields: [], texts: [] })
  expect(preview.bytes).toBe(statSync(file).size)
  expect(preview.totalBytes).toBe(preview.bytes)
  expect(preview.notes[0]).toContain('Not redacted')
  const wrong = async (): Promise<void> => {
    for (let complete = false; !complete;) {
      const what = { filter: '"' }
      ;({ complete } = await engine.call('logs.preview', { key: 'two', redact: false, what }))
    }
  }
  await expect(wrong()).rejects.toMatchObject({ code: 'bad_filter' })
})

test('a single delivery is exported as text, and cut if it is long', async () => {
  const { engine } = tab()
  const rows = linesIn((await exportTo(engine)).file).of('delivery')
  const text = (id: number) => engine.call('logs.text', { id, format: 'ndjson', redact: false })
  const small = await text(rows[0]?.id ?? 0)
  expect(small).toMatchObject({ removed: 0, cut: false })
  expect(small.text.split('\n').map((line) => line.slice(0, 16))).toEqual([
    '{"kind":"head","',
    '{"kind":"deliver',
    '{"kind":"end","d',
    '',
  ])
  const cut = await text(rows[3]?.id ?? 0)
  expect(cut.cut).toBe(true)
  expect(Buffer.byteLength(cut.text)).toBe(1024 * 1024)
  await expect(text(99_999)).rejects.toMatchObject({ code: 'not_found' })
  await expect(
    engine.call('logs.text', { id: rows[0]?.id ?? 0, format: 'csv', redact: false }),
  ).rejects.toMatchObject({ code: 'bad_input' })
})
