import { expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { readCoverage } from '#engine/health/coverage.ts'
import { insertRow } from '#engine/platform/sqlite.ts'
import { createRecord } from '#engine/sending/store/attempts.ts'
import { attempted, firstAttemptMs, unanswered } from '#test/support/attempts.ts'
import { delivery } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'

const target = { url: 'http://127.0.0.1:3000/in', endpointId: 1 }
const month = 30 * 86_400_000

it('knows for each handler and type what was sent last, what can be sent, and what the last rehearsal said', async () => {
  const { db } = storeWith([
    delivery(1),
    delivery(2, { type: 'CLOSE_TAB' }),
    delivery(3, { type: 'ITEM_ADDED' }),
    delivery(4, { type: 'ITEM_ADDED', verdict: 'invalid' }),
    delivery(5, { type: 'QR_SCANNED', endpointId: 2 }),
    delivery(6, { type: 'TAB_MERGED' }),
  ])
  const record = createRecord(db, () => undefined)
  const sample = {
    target: '/in',
    headers: [['X-Bistro-Event-Type', 'MENU_UPDATED'] as const],
    trailers: [],
    sha256: '',
  }
  const attempts = [
    attempted({ sentAt: firstAttemptMs - month - 1, deliveryId: 5 }),
    attempted({ deliveryId: 1, status: 500 }),
    // The query of a delivery is passed on.
    attempted({ deliveryId: 1, url: `${target.url}?x=1` }),
    unanswered({ deliveryId: 2, kind: 'forward' }),
    attempted({ deliveryId: 3, signing: 'broken', status: 401 }),
    attempted({ deliveryId: null, draftId: 7, kind: 'compose', request: sample }),
    attempted({ deliveryId: 6, url: 'http://127.0.0.1:4780/hooks/sandbox' }),
    attempted({ deliveryId: 6, url: 'http://localhost:9/other' }),
  ]
  await record({ attempts, settled: [], skips: [] })
  const rehearsal = (startedAt: number) =>
    insertRow(db, 'rehearsal', {
      record: JSON.stringify({ startedAt, options: { url: target.url } }),
    })
  const rehearsed = rehearsal(5)
  rehearsal(6)
  const variants = [{ name: 'CLOSE_TAB', result: 'fail', received: '', reason: null }]
  insertRow(db, 'rehearsal_case', {
    rehearsal_id: rehearsed,
    case_id: 'G1',
    position: 0,
    record: JSON.stringify({ id: 'G1', variants }),
  })

  const [own, other, ...rest] = readCoverage(db, {
    nowMs: firstAttemptMs,
    targets: [target],
    listener: 'http://127.0.0.1:4780',
  })
  expect(rest).toEqual([])
  expect(own).toMatchObject({ ...target, rehearsal: { id: rehearsed, at: 5 } })
  expect(own?.types).toHaveLength(eventTypes.length)
  const types = new Map(own?.types.map(({ type, ...one }) => [type, one]))
  expect(types.get('OPEN_TAB')).toMatchObject({
    sent: 2,
    last: { deliveryId: 1, status: 200, at: firstAttemptMs },
    rehearsed: null,
  })
  expect(types.get('CLOSE_TAB')).toMatchObject({
    last: { status: null, error: 'Nothing listens at 127.0.0.1:3000.' },
    rehearsed: 'fail',
  })
  expect(types.get('ITEM_ADDED')).toMatchObject({ sent: 0, last: null, capturedId: 3 })
  expect(types.get('QR_SCANNED')).toMatchObject({ last: null, capturedId: null })
  expect(types.get('MENU_UPDATED')).toMatchObject({ last: { deliveryId: null, draftId: 7 } })
  expect(other).toMatchObject({ url: 'http://localhost:9/other', endpointId: 1, rehearsal: null })
  expect(other?.types.at(-1)).toMatchObject({ type: 'TAB_MERGED', sent: 1 })
})
