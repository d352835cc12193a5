import { expect, it } from 'vitest'
import { eventTypes } from '#catalogue/catalogue.ts'
import { readCoverage } from '#engine/deliveries/health/coverage.ts'
import { createRecord } from '#engine/sending/store/attempts.ts'
import { attempted, firstAttemptMs, unanswered } from '#test/support/attempts.ts'
import { delivery } from '#test/support/groups.ts'
import { storeWith } from '#test/support/test-store.ts'

const target = { url: 'http://127.0.0.1:3000/in', endpointId: 1 }
const month = 30 * 86_400_000

it('knows for each handler and type what was sent in the last month, and how it responded last', async () => {
  const { db } = storeWith([
    delivery(1),
    delivery(2, { type: 'CLOSE_TAB' }),
    delivery(3, { type: 'ITEM_ADDED' }),
    delivery(4, { type: 'TAB_MERGED' }),
    delivery(5, { type: 'QR_SCANNED', endpointId: 2 }),
  ])
  const attempts = [
    attempted({ sentAt: firstAttemptMs - month - 1, deliveryId: 5 }),
    attempted({ deliveryId: 1, status: 500 }),
    // The query of a delivery is passed on.
    attempted({ deliveryId: 1, url: `${target.url}?x=1` }),
    unanswered({ deliveryId: 2, kind: 'forward' }),
    attempted({ deliveryId: 3, signing: 'broken', status: 401 }),
    attempted({ deliveryId: 4, url: 'http://127.0.0.1:4780/hooks/sandbox' }),
    attempted({ deliveryId: 4, url: 'http://localhost:9/other' }),
  ]
  await createRecord(db, () => undefined)({ attempts, settled: [], skips: [] })
  const [own, other, ...rest] = readCoverage(db, {
    nowMs: firstAttemptMs,
    targets: [target],
    listener: 'http://127.0.0.1:4780',
  })
  expect(rest).toEqual([])
  expect(own).toMatchObject(target)
  expect(own?.types).toHaveLength(eventTypes.length)
  const types = new Map(own?.types.map(({ type, ...one }) => [type, one]))
  expect(types.get('OPEN_TAB')).toMatchObject({
    sent: 2,
    last: { deliveryId: 1, status: 200, at: firstAttemptMs },
  })
  expect(types.get('CLOSE_TAB')).toMatchObject({
    last: { status: null, error: 'Nothing listens at 127.0.0.1:3000.' },
  })
  expect(types.get('ITEM_ADDED')).toMatchObject({ sent: 0, last: null })
  expect(types.get('QR_SCANNED')).toMatchObject({ sent: 0, last: null })
  expect(other).toMatchObject({ url: 'http://localhost:9/other', endpointId: 1 })
  expect(other?.types.at(-1)).toMatchObject({ type: 'TAB_MERGED', sent: 1 })
})
