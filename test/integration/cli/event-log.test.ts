import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { goodBody, goodHeaders, head, post, sign } from '#test/support/requests.ts'
import { jsonLines, runCli } from '#test/support/run-cli.ts'
import { until } from '#test/support/until.ts'

const secret = 'exported-by-hand'
const handle = 'mara.lind@harbour.example'
const guest = JSON.stringify({
  type: 'GUEST_SUBSCRIBED',
  targetUuid: 'c-1',
  createdAt: '2026-11-21T09:00:00.000Z',
  data: { handle },
})
const { folder, tab: held } = sharedTabscope({ secret })

beforeAll(async () => {
  const { path: to } = held()
  const signed = [goodBody, Buffer.from(guest)].map((body) =>
    Buffer.concat([
      head(`POST ${to} HTTP/1.1`, [
        'Host: a',
        `Content-Length: ${body.byteLength}`,
        `X-Service-Signature: ${sign(body, secret)}`,
        ...goodHeaders,
      ]),
      body,
    ]),
  )
  await held().receive(...signed, post(to, Buffer.from([0, 255, 128, 10])))
  await until('the causes, which are in an export', async () => {
    const { causes } = await held().engine.call('deliveries.get', { id: 3 })
    return causes !== null
  })
})

const run = (...args: string[]) => runCli([...args, '--data', folder])
const file = (name: string): string => path.join(folder, name)

async function done(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await run(...args, '--json')
  const remarks = /^(?:Nothing will be redacted|No event logs).*\n/
  expect({ code, stderr: stderr.replace(remarks, '') }).toEqual({ code: 0, stderr: '' })
  return jsonLines(stdout)
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)))
    .filter(({ kind }) => kind === 'delivery')

describe('export', () => {
  test('the format follows the file name, and --force replaces an existing file', async () => {
    for (const [name, format] of [
      ['a.tabscope', 'ndjson'],
      ['a.html', 'html'],
      ['a.ndjson.gz', 'ndjson'],
    ] as const) {
      writeFileSync(file(name), 'what was there before')
      const [output] = await done('export', '-o', file(name), '--force')
      expect(output).toMatchObject({ event: 'export', format, deliveries: 3, path: file(name) })
      const written = readFileSync(file(name))
      expect(output?.['bytes']).toBe(written.byteLength)
      const text = (name.endsWith('.gz') ? gunzipSync(written) : written).toString('utf8')
      expect(text).not.toContain('what was there before')
      expect(text).not.toContain(handle)
      expect(text).toContain('GUEST_SUBSCRIBED')
    }
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
  })

  test('selects by filter, IDs, time and trace; --keep and --mask select fields', async () => {
    const ids = async (...args: string[]): Promise<unknown[]> =>
      linesOf((await run('export', ...args)).stdout.toString()).map(({ id }) => id)
    expect(await ids('--id', '3,1')).toEqual([1, 3])
    expect(await ids('--filter', 'verdict:valid', '--id', '2', '--id', '3')).toEqual([2])
    expect(await ids('--since', '1h')).toEqual([1, 2, 3])
    expect(await ids('--before', '1h')).toEqual([])
    expect(await ids('--trace', '2')).toContain(2)
    const chosen = ['--mask', 'header User-Agent', '--keep', 'data.handle']
    const { stdout, stderr } = await run('export', ...chosen, '--keep', 'data.handel')
    expect(stderr).toContain('No delivery has data.handel: --preview lists the fields.')
    const text = stdout.toString()
    expect(linesOf(text).flatMap(({ headers }) => headers)).not.toContainEqual([
      'User-Agent',
      expect.stringContaining('WebhookAgent'),
    ])
    expect(text).toContain(handle)
    expect(text).toContain('"kept":["data.handle","data.key 1"],"masked":["header user-agent"]')
  })

  test('--preview reports how each field would be exported, and writes nothing', async () => {
    const before = readdirSync(folder)
    const [output] = await done('export', '--preview')
    expect(output).toMatchObject({ event: 'export_preview', deliveries: 3 })
    expect(JSON.stringify(output)).toContain(handle)
    expect(JSON.stringify(output)).not.toContain(sign(goodBody, secret))
    expect((await run('export', '--preview')).stdout.toString()).toMatch(
      /^3 deliveries, .*\nFIELD +DOCUMENTED +RECEIVED +ALIASES +MASKED +EXAMPLE\n(?:.*\n)*data\.handle +yes +0 +\d+ +0 +\S+ → \S+ 1\n/,
    )
    expect(readdirSync(folder)).toEqual(before)
  })
})

test.skipIf(process.platform === 'win32')(
  'a link is followed, and what is not a file is left unchanged',
  async () => {
    const [socket, link, real] = [file('socket'), file('link.ndjson'), file('real.ndjson')]
    const server = createServer().listen(socket)
    await once(server, 'listening')
    symlinkSync(real, link)
    writeFileSync(real, 'before')
    const { code, stderr } = await run('export', '-o', socket)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${socket} is a device or a pipe, not a file. Enter the path of another file.\n`,
    })
    expect(lstatSync(socket).isSocket()).toBe(true)
    server.close()
    const refused = await run('export', '-o', link)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') })
    expect(readFileSync(real, 'utf8')).toBe('before')
    await done('export', '-o', link, '--force')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(linesOf(readFileSync(real, 'utf8')).length).toBeGreaterThan(2)
    rmSync(real)
    expect(await run('export', '-o', link, '--force')).toMatchObject({ code: 1 })
    expect(existsSync(real)).toBe(false)
    rmSync(link)
  },
)

test('a file that cannot be imported is named, and the others are imported', async () => {
  const request = { method: 'POST', url: 'https://hooks.example/in', headers: [] }
  const entry = { startedDateTime: '2026-02-02T02:40:00.000Z', request }
  const har = JSON.stringify({ log: { version: '1.2', entries: [entry] } })
  const bad = '{"log":{"entries":[{"request":null}]}}'
  const texts = { 'a.har': har, 'bad.har': bad, 'c.har': '[]', 'd.har': har.replace('40', '41') }
  for (const [name, text] of Object.entries(texts)) writeFileSync(file(name), text)
  const { code, stdout, stderr } = await run('import', ...Object.keys(texts).map(file), '--json')
  expect(code).toBe(1)
  expect(jsonLines(stdout)).toMatchObject([
    { event: 'event_log', name: 'a.har', deliveries: 1 },
    { event: 'failed', code: 'log_unreadable' },
    { event: 'failed', code: 'log_unreadable' },
    { event: 'event_log', name: 'd.har', deliveries: 1 },
  ])
  expect(stderr).toContain('bad.har: Nothing was imported. Skipped entry 1: it has no request.')
  expect(stderr).toContain('c.har: The file seems to be JSON')
  for (const name of ['a.har', 'd.har']) await done('event-log', 'remove', name)
})

test.runIf(full)(
  'an imported log is identified by file, ID or name, is imported once, and can be removed',
  async () => {
    await done('export', '--no-redact', '--yes', '-o', file('mine.ndjson'))
    const [{ id } = {}] = await done('import', file('mine.ndjson'))
    expect(await done('import', file('mine.ndjson'))).toMatchObject([{ id, known: true }])
    for (const word of [file('mine.ndjson'), String(id), 'mine.ndjson']) {
      expect(
        await done('delivery', 'list', '--log', word, '--filter', 'verdict:invalid'),
      ).toMatchObject([{ id: 3 }])
    }
    const body = await run('delivery', 'show', '3', '--body', '--log', 'mine.ndjson')
    expect(body.stdout).toEqual(Buffer.from([0, 255, 128, 10]))
    expect(await done('event-log', 'list')).toMatchObject([
      { event: 'event_log', id, deliveries: 3 },
    ])
    expect(await done('event-log', 'remove', 'mine.ndjson')).toEqual([
      { event: 'removed', kind: 'event_log', id },
    ])
    expect(await done('event-log', 'list')).toEqual([])
    expect(existsSync(file('mine.ndjson'))).toBe(true)
  },
)
