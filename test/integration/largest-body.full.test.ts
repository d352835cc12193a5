import path from 'node:path'
import { expect, test } from 'vitest'
import { openTestEngine } from '#test/support/engine.ts'
import { attemptsOf, deliver, forwardTo } from '#test/support/forwarding.ts'
import { rawTarget } from '#test/support/raw-target.ts'
import { goodBody, post, sign } from '#test/support/requests.ts'
import { tempFolder } from '#test/support/temp-folder.ts'
import { until } from '#test/support/until.ts'

const limit = 25 * 1024 * 1024
const start = '{"type":"ORDER_PLACED","data":{"x":['
const end = '{}]}}'

/** In milliseconds: on a busy computer. */
const slow = 100_000

/** JSON of 25 MiB in the smallest values, which take many times their size when parsed. */
const text = `${start}${'{},'.repeat((limit - start.length - end.length) / 3)}${end}`

test(
  'no thread runs out of memory with 25 MiB of JSON in the smallest values',
  async () => {
    const bytes = Buffer.from(text)
    expect(bytes.byteLength).toBeLessThanOrEqual(limit)
    await using target = await rawTarget()
    await using tab = await openTestEngine()
    await forwardTo(tab, target.origin)
    const response = await fetch(`http://127.0.0.1:${tab.port}${tab.path}`, {
      method: 'POST',
      // So that the diagnosis tries everything.
      headers: { 'X-Service-Signature': sign('another body') },
      body: bytes,
    })
    expect(response.status).toBe(200)
    const { id, body } = await tab.one()
    expect(body.byteLength).toBe(bytes.byteLength)
    const { engine } = tab
    const { causes } = await engine.call('deliveries.diagnose', { id })
    expect(causes.length).toBeGreaterThan(0)
    await until('the forward', () => target.received.length > 0, slow)
    expect(target.received[0]?.body.equals(bytes)).toBe(true)
    await attemptsOf(tab, id, 1)
    const found = await engine.call('deliveries.page', {
      filter: 'data.y:1',
      upTo: null,
      asOf: Date.now(),
      offset: 0,
      limit: 10,
    })
    expect(found.rows).toEqual([])
    const file = path.join(tempFolder(), 'export.ndjson')
    const { export: begun } = await engine.call('logs.export', {
      redact: true,
      to: { kind: 'file', path: file },
    })
    const exported = await until(
      'the export to end',
      async () => {
        const { exports } = await engine.call('logs.list', {})
        return exports.find((each) => each.id === begun.id && each.state !== 'running')
      },
      slow,
    )
    expect(exported).toMatchObject({ state: 'done', error: null })

    // All threads still work.
    expect((await deliver(tab, post(tab.path, goodBody))).status).toBe(200)
    const [, next] = await tab.kept(2)
    await attemptsOf(tab, next?.id ?? 0, 1)
    expect(tab.log.filter((line) => line.includes('crashed'))).toEqual([])
  },
  3 * slow,
)
