import { expect, test } from 'vitest'
import { scriptExamples } from '#catalogue/script-examples.ts'
import type { ScriptResult } from '#contract/scripts.ts'
import { createHash } from 'node:crypto'
import { sharedTestEngine } from '#test/support/engine.ts'
import { post } from '#test/support/requests.ts'

const tab = sharedTestEngine()

const order = JSON.stringify({
  type: 'ORDER_PLACED',
  locationName: 'Harbour',
  data: { orderName: 'A-18', spotName: 'T4', total: 3 },
})
const response = { headers: [], body: '', delayMs: 0, kind: 'response' }
const unchanged = { headers: [], body: null, url: null, sign: 'auto', kind: 'request' }

/** On an order, and then on a delivery without data. */
const results: Record<string, readonly [order: object, other: object]> = {
  'Rename a field': [
    {
      ...unchanged,
      body: '{"type":"ORDER_PLACED","locationName":"Harbour","data":{"orderName":"A-18","total":3,"table":"T4"}}',
    },
    { kind: 'none' },
  ],
  'Add a header': [
    { ...unchanged, headers: [['X-Body-SHA256', sha256(order)]] },
    { ...unchanged, headers: [['X-Body-SHA256', sha256('{}')]] },
  ],
  'Forward by location': [
    { ...unchanged, url: 'http://127.0.0.1:3001/webhooks' },
    { kind: 'skip' },
  ],
  'Delay by type': [
    { ...response, status: 200, delayMs: 2000 },
    { ...response, status: 200 },
  ],
  'Fail every third': [{ ...response, status: 503 }, { kind: 'none' }],
  'Respond by order number': [
    { ...response, status: 422, body: 'Order 18 is rejected.' },
    { kind: 'none' },
  ],
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function readable(result: ScriptResult): object {
  return result.kind === 'request' && result.body !== null
    ? { ...result, body: Buffer.from(result.body).toString() }
    : result
}

test('each example does on a fitting delivery what its title says, and ignores others', async () => {
  await tab().receive(post(tab().path, order), post(tab().path, '{}'))
  const rows = await tab().kept(2)
  const done: Record<string, object[]> = {}
  for (const { title, source } of scriptExamples) {
    let state = '{"count":2}'
    done[title] = []
    for (const { id } of rows) {
      const run = await tab().engine.call('scripts.run', { source, deliveryId: id, state })
      done[title].push(readable(run.result))
      ;({ state } = run)
    }
  }
  expect(done).toEqual(results)
})
