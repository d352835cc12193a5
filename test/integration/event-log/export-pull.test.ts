import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '#engine/platform/clock.ts'
import { openInterfaceServer } from '#hosts/node/serve/interface-server.ts'
import { sharedTestEngine } from '#test/support/engine.ts'
import { endOf, linesIn, linesOf, pullAll } from '#test/support/exporting.ts'
import { fakeClock } from '#test/support/fake-clock.ts'
import { full } from '#test/support/full.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const MiB = 1024 * 1024
/** Deliveries of 4 MiB, and of less than one. */
const [large, small] = full ? [3, 20] : [1, 4]
/** Fake clock for the timeouts of a minute. */
const clock = fakeClock()
/** Result of the file dialog of the host. */
let chosen: string | null = null
const tab = sharedTestEngine({
  background: false,
  ports: {
    clock: { now: () => systemClock.now(), after: (ms, callback) => clock.after(ms, callback) },
    dialogs: { save: async () => chosen, open: async () => null },
  },
})

async function fill(): Promise<void> {
  const { engine, port, path: hook } = tab()
  await engine.call('deliveries.clear', {})
  const post = (body: Uint8Array<ArrayBuffer>) =>
    fetch(`http://127.0.0.1:${port}${hook}`, { method: 'POST', body })
  for (let n = 0; n < large; n += 1) await post(new Uint8Array(randomBytes(4 * MiB)))
  for (let n = 0; n < small; n += 1) await post(new Uint8Array(randomBytes(900_000)))
  await engine.catchUp()
}

async function beginPull() {
  const { engine } = tab()
  const begun = await engine.call('logs.export', {
    redact: false,
    to: { kind: 'pull', name: 'a.ndjson' },
  })
  return { id: begun.export.id, ticket: begun.ticket ?? '' }
}

async function viewOf(id: number) {
  const { exports } = await tab().engine.call('logs.list', {})
  return exports.find((each) => each.id === id)
}

/** Waits until the export is paused because its buffer is full. */
async function untilItWaits(id: number): Promise<number> {
  let before = -1
  return until('the export to wait', async () => {
    const { bytes = 0 } = (await viewOf(id)) ?? {}
    const stands = bytes > 0 && bytes === before
    before = bytes
    return stands ? bytes : null
  })
}

async function statusOf(answer: Promise<IncomingMessage>) {
  const response = await answer
  response.resume()
  return response.statusCode
}

test.runIf(full)('a pulled export runs no faster than it is read, and is complete', async () => {
  await fill()
  const { engine } = tab()
  const { id, ticket } = await beginPull()
  expect(ticket).toMatch(/^[0-9a-f]{64}$/)
  const waiting = await untilItWaits(id)
  expect(waiting).toBeLessThanOrEqual(MiB + 256 * 1024)
  const log = await pullAll(engine, ticket)
  expect(linesOf(log).of('end')[0]).toMatchObject({ deliveries: large + small })
  expect(await endOf(engine, id)).toMatchObject({ state: 'done', bytes: log.length, path: null })
  await expect(engine.call('logs.pull', { ticket })).rejects.toMatchObject({ code: 'not_found' })
  await expect(engine.call('logs.pull', { ticket: 'x' })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('deliveries deleted meanwhile are not exported, and the end line has the actual number', async () => {
  await fill()
  const { engine } = tab()
  const { id, ticket } = await beginPull()
  await untilItWaits(id)
  await engine.call('deliveries.clear', {})
  const { of } = linesOf(await pullAll(engine, ticket))
  const [head] = of('head')
  const [end] = of('end')
  expect(head?.counts.deliveries).toBe(large + small)
  expect(of('delivery').length).toBeLessThan(large + small)
  expect(end?.deliveries).toBe(of('delivery').length)
})

test.runIf(full)(
  'an export that is not pulled for a minute is canceled, and can be canceled explicitly',
  async () => {
    await fill()
    const { engine } = tab()
    const left = await beginPull()
    await clock.pass(59_000)
    await engine.call('logs.pull', { ticket: left.ticket })
    await clock.pass(59_000)
    expect(await viewOf(left.id)).toMatchObject({ state: 'running' })
    await clock.pass(1000)
    expect(await endOf(engine, left.id)).toMatchObject({ state: 'cancelled' })
    await expect(engine.call('logs.pull', { ticket: left.ticket })).rejects.toMatchObject({
      code: 'run_over',
    })

    const other = await beginPull()
    expect(await engine.call('logs.cancelExport', { id: other.id })).toMatchObject({
      state: 'cancelled',
    })
    await expect(engine.call('logs.pull', { ticket: other.ticket })).rejects.toMatchObject({
      code: 'run_over',
    })
  },
)

test('the host asks where to save, and the user may cancel', async () => {
  const { engine } = tab()
  const ask = () =>
    engine.call('logs.export', { redact: false, to: { kind: 'ask', name: 'a.ndjson' } })
  chosen = null
  const unwanted = await ask()
  expect(unwanted).toMatchObject({ ticket: null, export: { state: 'cancelled', name: 'a.ndjson' } })
  expect(await viewOf(unwanted.export.id)).toBeUndefined()
  const folder = tempFolder()
  chosen = path.join(folder, 'chosen.ndjson')
  const begun = await ask()
  expect(await endOf(engine, begun.export.id)).toMatchObject({ state: 'done', path: chosen })
  expect(linesIn(chosen).of('end')).toHaveLength(1)
  expect(readdirSync(folder)).toEqual(['chosen.ndjson'])
})

test('a browser downloads an export by its ticket, once, and cancels it by disconnecting', async () => {
  await fill()
  const { engine } = tab()
  const server = await openInterfaceServer(engine, tempFolder(), 0)
  try {
    const { host, port } = new URL(server.address)
    const fetchExport = (ticket: string, name: string, headers = {}) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const target = { host: '127.0.0.1', port, path: `/exports/${ticket}/${name}`, headers }
        get(target, resolve).on('error', reject)
      })
    const { id, ticket } = await beginPull()
    expect(await statusOf(fetchExport('0'.repeat(64), 'a.ndjson'))).toBe(404)
    expect(await statusOf(fetchExport(ticket, 'a.ndjson', { Host: 'evil.example' }))).toBe(421)
    expect((await fetch(`http://${host}/exports/${ticket}/a`, { method: 'POST' })).status).toBe(405)

    const name = encodeURIComponent('a "b"/☕\r\n.ndjson')
    const response = await fetchExport(ticket, name)
    expect(await statusOf(fetchExport(ticket, 'a.ndjson'))).toBe(404)
    expect(response.headers).toMatchObject({
      'content-disposition': `attachment; filename="a -b-----.ndjson"; filename*=UTF-8''a%20-b--%E2%98%95--.ndjson`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'application/octet-stream',
    })
    expect(response.headers['content-security-policy']).toContain('sandbox')
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(Buffer.from(piece))
    expect(linesOf(Buffer.concat(pieces)).of('end')[0]).toMatchObject({ deliveries: large + small })
    expect(await endOf(engine, id)).toMatchObject({ state: 'done' })

    const second = await beginPull()
    const leaving = await fetchExport(second.ticket, 'a.ndjson')
    leaving.destroy()
    expect(await endOf(engine, second.id)).toMatchObject({ state: 'cancelled' })
  } finally {
    await server.close()
  }
})
