import { expect, test } from 'vitest'
import { openTestEngine } from '#test/support/engine.ts'
import { deliver, forwardTo, healthOf, notForwarded } from '#test/support/forwarding.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { post } from '#test/support/requests.ts'
import { ownedFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const body = (n: number): Buffer => Buffer.from(`{"type":"OPEN_TAB","data":{"n":${n}}}`)

test('after a restart nothing old is forwarded, and pending forwards report that Tabscope was closed', async () => {
  await using folder = ownedFolder()
  await using target = await rawTarget(() => null)
  {
    await using tab = await openTestEngine({ dataDir: folder.path })
    const forward = await forwardTo(tab, target.origin)
    for (let n = 1; n <= 5; n += 1) await deliver(tab, post(tab.path, body(n)))
    await until('the queue', async () => (await healthOf(tab, forward.id)).waiting === 4)
  }
  await using tab = await openTestEngine({ dataDir: folder.path })
  const { forwards, forwardHealth } = await tab.engine.call('app.snapshot', {})
  expect(forwards).toHaveLength(1)
  expect(forwardHealth).toMatchObject([{ state: 'idle', waiting: 0, ok: 0 }])
  const old = await tab.kept(5)
  for (const { id } of old.slice(1)) {
    expect(await notForwarded(tab, id)).toEqual([
      `Not forwarded to ${forwards[0]?.url}: Tabscope was closed.`,
    ])
  }
  const { rows } = await tab.engine.call('attempts.list', { deliveryId: old[0]?.id ?? 0 })
  expect(rows).toMatchObject([{ status: null, error: { code: 'aborted' } }])

  await deliver(tab, post(tab.path, body(6)))
  await until('the new one', () => target.received.length === 2)
  expect(target.received.map((request) => request.body.toString())).toEqual([
    body(1).toString(),
    body(6).toString(),
  ])
})

test('the first target gets no delivery that was received before it', async () => {
  await using target = await rawTarget()
  await using tab = await openTestEngine()
  await deliver(tab, post(tab.path, body(1)))
  await tab.one()
  await forwardTo(tab, target.origin)
  await deliver(tab, post(tab.path, body(2)))
  await until('the forward', () => target.received.length > 0)
  expect(target.received.map((request) => request.body.toString())).toEqual([body(2).toString()])
})
