import { describe, expect, it } from 'vitest'
import type { Related } from '#contract/deliveries.ts'
import type { GroupItem } from '#test/support/groups.ts'
import { createQueries } from '#engine/app/threads/queries.ts'
import { refSlots, refHash } from '#engine/deliveries/searchable.ts'
import { indexedStore, indexerOf, readerOf, storeWith } from '#test/support/test-store.ts'
import { arrived, evening, event } from '#test/support/trace-store.ts'

function relatedOf(records: readonly GroupItem[], id: number): Related {
  const related = createQueries(readerOf(indexedStore(records))).related(id)
  if (!related) throw new Error('there is no such delivery')
  return related
}

const ids = ({ rows }: Related['sameBody']) => rows.map(({ id }) => id)

const open = (seconds: number, more: Readonly<Record<string, unknown>> = {}) =>
  event('OPEN_TAB', seconds, { targetUuid: 'tab-1', ...more })

describe('duplicates', () => {
  it('have the same bytes, or are the same event with different bytes', () => {
    const records = [
      arrived(1, open(0)),
      arrived(2, open(0), 60),
      arrived(3, open(0, { data: { name: 'Miller' } }), 70),
      arrived(4, open(1)),
      arrived(5, open(0, { targetUuid: 'tab-2' })),
      arrived(6, open(0, { locationUuid: 'loc-10' })),
      arrived(7, { ...open(0), type: 'CLOSE_TAB' }),
    ]
    const first = relatedOf(records, 1)
    expect([ids(first.sameBody), ids(first.sameEvent)]).toEqual([[2], [3]])
    const third = relatedOf(records, 3)
    expect([ids(third.sameBody), ids(third.sameEvent)]).toEqual([[], [2, 1]])
    for (const id of [4, 5, 6, 7]) {
      const { sameBody, sameEvent } = relatedOf(records, id)
      expect([sameBody.total, sameEvent.total], `#${id}`).toEqual([0, 0])
    }
  })

  it('are all counted, and the newest 20 shown', () => {
    const records = Array.from({ length: 50 }, (_, index) => arrived(index + 1, open(0), index))
    const { sameBody } = relatedOf(records, 7)
    expect(sameBody.total).toBe(49)
    expect(ids(sameBody)).toEqual(Array.from({ length: 20 }, (_, index) => 50 - index))
  })

  it('do not include deliveries that only share a hash', () => {
    const store = indexedStore([arrived(1, open(0)), arrived(2, open(5))])
    const sha256 = createQueries(readerOf(store)).get(1)?.sha256 ?? ''
    const event1 = JSON.stringify(['OPEN_TAB', 'tab-1', 'loc-9', new Date(evening).toISOString()])
    const insert = indexerOf(store).search.prepare('INSERT INTO delivery_ref VALUES (?, ?)')
    insert.run(2 * refSlots + 14, refHash('body', sha256))
    insert.run(2 * refSlots + 15, refHash('event', event1))
    const related = createQueries(readerOf(store)).related(1)
    expect([related?.sameBody.total, related?.sameEvent.total]).toEqual([0, 0])
  })

  it('are empty without a body, or if nothing identifies the event', () => {
    const untold = [arrived(1, { type: 'OPEN_TAB' }), arrived(2, { type: 'OPEN_TAB', a: 1 })]
    expect(relatedOf(untold, 1).sameEvent.total).toBe(0)
  })

  it('report whether the search index is complete', () => {
    const store = storeWith([arrived(1, open(0))])
    expect(createQueries(readerOf(store)).related(1)?.indexed).toBe(false)
    expect(relatedOf([arrived(1, open(0))], 1).indexed).toBe(true)
    expect(createQueries(readerOf(store)).related(9)).toBeNull()
  })
})
