import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedTabscope } from '#test/support/engine-on-folder.ts'
import { full } from '#test/support/full.ts'
import { loopbackService, type LoopbackService } from '#test/support/loopback-service.ts'
import { head, post, sign } from '#test/support/requests.ts'
import { jsonLines, runCli, startCli } from '#test/support/run-cli.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const secret = 'of the endpoint'
const tabUuid = '8c6f1d2e-0b1a-4c3d-9e8f-001122334455'
const location = { locationUuid: 'loc-1', locationId: '44', locationName: 'Harbour' }
const evening = [
  {
    type: 'OPEN_TAB',
    targetUuid: tabUuid,
    createdAt: '2026-03-14T21:00:00.000Z',
    data: { name: 'Ada' },
  },
  {
    type: 'ITEM_ADDED',
    targetUuid: 'ITEM-77-ab',
    createdAt: '2026-03-14T21:10:00.000Z',
    // Undocumented: `sourceId` is the ID of the tab, `deviceId` of something unknown.
    data: {
      orderId: '5001',
      productId: '5001',
      tabId: 7001,
      tabUuid,
      sourceId: tabUuid,
      deviceId: 'till-9',
    },
  },
  {
    type: 'ORDER_PLACED',
    targetUuid: '0b1a8c6f-1d2e-4c3d-8e8f-554433221100',
    createdAt: '2026-03-14T21:20:00.000Z',
    data: { created: '2026-03-14T21:19:59.500Z', total: 42.5, tabUuid },
  },
  { type: 'MENU_UPDATED', targetUuid: 'menu-1', createdAt: '2026-03-14T21:30:00.000Z', data: {} },
].map((event) => ({ ...event, ...location }))

const { folder, tab } = sharedTabscope({ secret })
let handler: LoopbackService
/** Status of accepted orders. */
let orders = 200
const arrivedAt: number[] = []
/** Responses wait for this promise. */
let held: Promise<void> = Promise.resolve()
/** What the handler has already processed: it ignores it the second time, as a good handler does. */
const processed = new Set<unknown>()

beforeAll(async () => {
  handler = await loopbackService(async ({ headers, body }, response) => {
    arrivedAt.push(Date.now())
    await held
    const { type, targetUuid } = JSON.parse(body.toString())
    const isGenuine =
      headers['x-service-signature'] === sign(body, secret) &&
      headers['x-service-event-target-uuid'] === targetUuid
    const isNew = !processed.has(targetUuid) || type.endsWith('_UPDATED')
    processed.add(targetUuid)
    const accepted = type === 'ORDER_PLACED' ? orders : 200
    response.writeHead(!isGenuine ? 401 : isNew ? accepted : 409).end()
  })
  for (const event of evening) {
    const body = JSON.stringify(event)
    const echo = [`X-Service-Event-Target-UUID: ${event.targetUuid}`]
    const bytes = post(tab().path, body, echo).toString('latin1')
    await tab().receive(
      Buffer.from(bytes.replace(/Signature: \w+/, `Signature: ${sign(body, secret)}`), 'latin1'),
    )
    processed.add(event.targetUuid)
  }
  await tab().receive(head(`GET ${tab().path} HTTP/1.1`, ['Host: a']))
  await tab().receive(post(tab().path, 'no JSON'))
})
afterAll(() => handler[Symbol.asyncDispose]())

async function scenario(args: readonly string[], env = {}, data = folder) {
  const result = await runCli(['scenario', ...args, '--data', data, '--json'], { env })
  return { ...result, lines: jsonLines(result.stdout) }
}

const sentAfter = (count: number) =>
  handler.arrived.slice(count).map(({ body }) => JSON.parse(body.toString()))

describe('an evening', () => {
  test('is saved without what cannot be sent again, and outlives its deliveries', async () => {
    const saved = await scenario(['save', 'evening', '--since', '1h'])
    expect(saved.code).toBe(0)
    const leftOut = [
      { reason: 'not a POST request', count: 1 },
      { reason: 'without a JSON body', count: 1 },
    ]
    expect(saved.lines).toMatchObject([
      { event: 'scenario', name: 'evening', deliveries: 4, leftOut },
    ])
    expect((await scenario(['save', 'evening', '1'])).lines).toMatchObject([{ code: 'name_taken' }])
    await tab().engine.call('deliveries.clear', {})
    expect((await scenario(['run', 'evening'])).lines).toMatchObject([{ code: 'bad_target' }])
  })

  test('is sent as if it were new: a handler that ignores what it knows accepts all of it, twice', async () => {
    const before = Date.now()
    const first = await scenario(['run', 'evening', '--at-once', '--to', handler.baseUrl])
    expect(first.lines.at(-1)).toMatchObject({
      event: 'scenario_run',
      ok: 4,
      unsigned: 0,
      state: 'done',
    })
    expect(first.code).toBe(0)
    const sent = sentAfter(0).toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    const [opened, item, order, menu] = sent
    // IDs: new, of the same form, the same everywhere. Those of what is configured and unknown ones stay.
    expect(opened.targetUuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-9[\da-f]{3}-[\da-f]{12}$/)
    expect(opened.targetUuid).not.toBe(tabUuid)
    expect(item.targetUuid).toMatch(/^[A-Z]{4}-\d\d-[a-z]{2}$/)
    expect(item.data).toEqual({
      orderId: expect.stringMatching(/^(?!5001)\d{4}$/),
      productId: '5001',
      tabId: expect.any(Number),
      tabUuid: opened.targetUuid,
      sourceId: opened.targetUuid,
      deviceId: 'till-9',
    })
    expect(order.data).toMatchObject({ total: 42.5, tabUuid: opened.targetUuid })
    expect(menu).toMatchObject({ targetUuid: 'menu-1', ...location })
    // Times: the last one is now, the others as long before it as they were.
    const last = Date.parse(menu.createdAt)
    expect(last).toBeGreaterThanOrEqual(before)
    expect(last).toBeLessThanOrEqual(Date.now())
    expect(last - Date.parse(order.data.created)).toBe(600_500)
    const again = await scenario(['run', 'evening', '--at-once'])
    expect(again.lines.at(-1)).toMatchObject({ ok: 4, comparedTo: 1, changed: 0 })
    expect(again.code).toBe(0)
  })

  test('is compared with the last complete run: exit code 1 if a response changed', async () => {
    orders = 500
    const changed = await scenario(['run', 'evening', '--at-once'])
    orders = 200
    expect(changed.code).toBe(1)
    expect(changed.lines.filter((line) => 'before' in line)).toMatchObject([
      { event: 'scenario_result', position: 2, status: 500, before: 200, type: 'ORDER_PLACED' },
    ])
    expect(changed.lines.at(-1)).toMatchObject({ ok: 3, failed: 1, changed: 1, comparedTo: 2 })
    // All succeed, but one of them otherwise than before.
    const text = await runCli(['scenario', 'run', 'evening', '--at-once', '--data', folder])
    expect(text.code).toBe(1)
    expect(text.stdout.toString()).toMatch(/^ +3 +500 → 200 .*ORDER_PLACED/m)
    expect(text.stderr).toContain('1 response differs from run 3.')
    // The same IDs again: the handler ignores what it knows.
    const kept = await scenario(['run', 'evening', '--at-once', '--keep-ids'])
    expect(kept.lines.at(-1)).toMatchObject({ ok: 1, failed: 3 })
  })

  test('Ctrl+C stops a run, which stays interrupted and is not compared with', async () => {
    const hold = Promise.withResolvers<void>()
    held = hold.promise
    const before = handler.arrived.length
    await using running = startCli(['scenario', 'run', 'evening', '--data', folder, '--json'])
    await until('the first request', () => handler.arrived.length > before)
    running.kill('SIGINT')
    const { code } = await running.ended
    hold.resolve()
    expect(code).toBe(130)
    const { lines } = await scenario(['show', 'evening'])
    expect(lines.find(({ event }) => event === 'scenario_run')).toMatchObject({
      state: 'interrupted',
    })
  })
})

test.runIf(full)(
  'is shared as a masked event log: exported, imported elsewhere, saved and sent',
  async () => {
    const file = path.join(folder, 'evening.tabscope')
    expect((await scenario(['export', 'evening', '-o', file])).code).toBe(0)
    const text = await readFile(file, 'utf8')
    expect(text).not.toContain('Ada')
    expect(text).not.toContain(tabUuid)
    const refused = await scenario(['export', 'evening', '-o', file, '--no-redact'])
    expect(refused.lines).toMatchObject([{ code: 'confirmation_required' }])
    await using other = ownedFolder()
    const run = (args: readonly string[]) => scenario(args, { HOOK_SECRET: secret }, other.path)
    expect((await run(['save', 'theirs', '--log', file])).lines).toMatchObject([{ deliveries: 4 }])
    const count = handler.arrived.length
    const args = ['run', 'theirs', '--at-once', '--to', handler.baseUrl]
    expect((await run(args)).lines.at(-1)).toMatchObject({ failed: 4, unsigned: 4, changed: 0 })
    expect((await run([...args, '--secret-env', 'HOOK_SECRET'])).lines.at(-1)).toMatchObject({
      ok: 4,
      failed: 0,
    })
    expect(sentAfter(count)).toHaveLength(8)
    const { lines } = await run(['list'])
    expect(lines).toMatchObject([
      { name: 'theirs', lastRun: { ok: 4, url: `${handler.baseUrl}/` } },
    ])
    expect((await run(['delete', 'theirs', '--yes'])).code).toBe(0)
    expect((await run(['show', 'theirs'])).code).toBe(3)
  },
)
