import { describe, expect, it } from 'vitest'
import { changesSince, isNew } from '#pages/health/differences/ChangeList.tsx'
import { kind, tuesday, typed } from './samples.ts'

const before = typed('MENU_UPDATED', -50, -40)

describe('the changes', () => {
  it('are empty without earlier deliveries', () => {
    expect(changesSince([], tuesday)).toEqual({ comparable: false, list: [] })
    expect(changesSince([typed('ORDER_PLACED', 0, 5, [kind(1, 2)])], tuesday)).toEqual({
      comparable: false,
      list: [],
    })
  })

  it('contain types and findings first seen since then, newest first', () => {
    const order = typed('ORDER_PLACED', -10, 9, [
      kind(-1, 8, { location: 'body.data.old' }),
      kind(0, 8, { location: 'body.data.atMidnight' }),
      kind(3, 8, { location: 'body.data.later' }),
    ])
    const fresh = typed('TAB_MERGED', 2, 4, [kind(2, 4), kind(3, 4)])
    const { comparable, list } = changesSince([before, order, fresh], tuesday)
    expect(comparable).toBe(true)
    expect(
      list.map((change) => (change.kind === 'type' ? change.of.type : change.finding.location)),
    ).toEqual(['body.data.later', 'TAB_MERGED', 'body.data.atMidnight'])
  })

  it('contain findings not seen again, but only if the type was received again', () => {
    const stopped = kind(-9, -1, { location: 'body.data.gone' })
    const changes = changesSince([typed('ORDER_PLACED', -10, 9, [stopped])], tuesday)
    expect(changes.list).toMatchObject([{ kind: 'gone', finding: stopped }])
    expect(changesSince([typed('ORDER_PLACED', -10, -1, [stopped])], tuesday).list).toEqual([])
  })

  it('are empty if nothing changed', () => {
    const { comparable, list } = changesSince(
      [before, typed('ORDER_PLACED', -10, 9, [kind(-9, 8)])],
      tuesday,
    )
    expect([comparable, list]).toEqual([true, []])
  })
})

it('marks nothing as new without a selected day', () => {
  expect(isNew(kind(5, 6), null)).toBe(false)
  expect(isNew(kind(5, 6), tuesday)).toBe(true)
  expect(isNew(kind(-1, 6), tuesday)).toBe(false)
})
