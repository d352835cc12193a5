import { describe, expect, it } from 'vitest'
import { DeliveryRows, pageSize } from '#client/state/delivery-rows.ts'
import { outcomeLabel } from '#pages/deliveries/outcome-label.ts'
import { summaries } from './fake-host.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { summary } from '#test/support/sample-summary.ts'

function listOf(newest: number): DeliveryRows {
  const rows = new DeliveryRows()
  const oldest = Math.max(1, newest - pageSize + 1)
  rows.restart(
    { rows: summaries(newest, oldest), upTo: newest, total: newest, complete: true },
    null,
  )
  return rows
}
const found = (from: number, to: number, complete = false) => ({
  rows: summaries(from, to),
  total: 1000 - to + 1,
  complete,
})
const ids = (rows: DeliveryRows, to: number) =>
  Array.from({ length: to }, (_, index) => rows.idAt(index))

describe('new rows', () => {
  it('are added at the top, newest first, without moving the pages below', () => {
    const rows = listOf(1000)
    rows.prepend([summary(1001), summary(1002)], null)
    expect(rows.count).toBe(1002)
    expect(rows.anchor).toBe(1000)
    expect(ids(rows, 4)).toEqual([1002, 1001, 1000, 999])
    expect(rows.rowAt(0)?.title).toBe('Tab 1002')
    expect(rows.idAt(102)).toBeNull()
    expect(rows.idAt(5000)).toBeNull()
  })

  it('are added once, however often they are pushed', () => {
    const rows = listOf(10)
    rows.prepend([summary(9), summary(10), summary(11)], null)
    rows.prepend([summary(11), summary(12)], null)
    expect(ids(rows, 4)).toEqual([12, 11, 10, 9])
    expect(rows.count).toBe(12)
  })

  it('move the anchor up, to stay bounded', () => {
    const rows = listOf(1000)
    rows.prepend(summaries(2000, 1001).toReversed(), 950)
    expect(rows.anchor).toBe(1000)
    rows.prepend([summary(2001)], 950)
    expect(rows.anchor).toBe(2001)
    expect(rows.count).toBe(2001)
    expect(rows.idAt(0)).toBe(2001)
    expect(rows.idAt(299)).toBe(1702)
    expect(rows.idAt(300)).toBeNull()
    expect(rows.missing(250, 450)).toEqual([3, 4])
    // The selected row is kept; other rows outside of pages are discarded.
    expect(rows.byId.size).toBe(301)
    expect(rows.byId.has(950)).toBe(true)
    rows.prepend([summary(2002)], null)
    expect(ids(rows, 3)).toEqual([2002, 2001, 2000])
  })

  it('keep only themselves and the page, in a list of a million', () => {
    const rows = listOf(1_000_000)
    const page = rows.idAt(0)
    for (let id = 1_000_001; id <= 1_000_900; id += 1) rows.prepend([summary(id)], null)
    expect(rows.indexOf(page ?? 0)).toBe(900)
    expect(rows.byId.size).toBe(1000)
  })
})

describe('pages', () => {
  it('are reported as missing until loaded, and then found at their positions', () => {
    const rows = listOf(1000)
    rows.prepend([summary(1001), summary(1002)], null)
    expect(rows.missing(0, 50)).toEqual([])
    expect(rows.missing(-20, 302)).toEqual([1, 2, 3])
    rows.setPage(2, { rows: summaries(800, 701), total: 1000, complete: true })
    expect(rows.missing(0, 302)).toEqual([1, 3])
    expect(rows.idAt(202)).toBe(800)
    expect(rows.idAt(301)).toBe(701)
    expect(rows.indexOf(750)).toBe(252)
    expect(rows.indexOf(1001)).toBe(1)
    expect(rows.indexOf(850)).toBeNull()
  })

  it('are not missing beyond the end', () => {
    expect(listOf(130).missing(0, 100_000)).toEqual([1])
    expect(new DeliveryRows().missing(0, 50)).toEqual([])
  })

  it('update the count: rows removed by retention are gone', () => {
    const rows = listOf(1000)
    rows.setPage(1, { rows: summaries(900, 801), total: 640, complete: true })
    expect(rows.count).toBe(640)
    expect(rows.missing(500, 2000)).toEqual([5, 6])
  })

  it('are released far from the viewport, except for the selected row', () => {
    const rows = listOf(10_000)
    for (let page = 1; page < 60; page += 1) {
      rows.setPage(page, {
        rows: summaries(10_000 - page * 100, 9901 - page * 100),
        total: 10_000,
        complete: true,
      })
    }
    rows.trim(5950, 10_000)
    expect(rows.byId.size).toBe(20 * 100 + 1)
    expect(rows.missing(5900, 5999)).toEqual([])
    expect(rows.missing(0, 50)).toEqual([0])
    expect(rows.byId.has(10_000)).toBe(true)
  })
})

describe('a restart', () => {
  it('keeps newer rows above its page, and discards the rest', () => {
    const rows = listOf(1000)
    rows.prepend([summary(1001), summary(1002)], null)
    rows.restart({ rows: summaries(1001, 902), upTo: 1001, total: 1001, complete: true }, null)
    expect(ids(rows, 3)).toEqual([1002, 1001, 1000])
    expect(rows.count).toBe(1002)
    expect(rows.byId.has(901)).toBe(false)
  })

  it('with another filter treats gaps between IDs as no gaps in the list', () => {
    const rows = listOf(1000)
    const chosen = [summary(990), summary(400), summary(3)]
    rows.restart({ rows: chosen, upTo: 1000, total: 3, complete: true }, 555)
    rows.prepend([summary(1004)], null)
    expect(ids(rows, 5)).toEqual([1004, 990, 400, 3, null])
    expect(rows.indexOf(3)).toBe(3)
    expect(rows.indexOf(500)).toBeNull()
  })

  it('with another filter keeps nothing, not even newer rows', () => {
    const rows = listOf(1000)
    rows.prepend([summary(1001)], null)
    rows.restart({ rows: [summary(7)], upTo: 900, total: 1, complete: true }, null, true)
    expect(ids(rows, 2)).toEqual([7, null])
    expect(rows.byId.size).toBe(1)
  })

  it('after clearing everything leaves nothing', () => {
    const rows = listOf(50)
    rows.prepend([summary(51)], null)
    rows.restart({ rows: [], upTo: 51, total: 0, complete: true }, null)
    expect(rows.count).toBe(0)
    expect(rows.idAt(0)).toBeNull()
    expect(rows.byId.size).toBe(0)
    rows.prepend([summary(51), summary(52)], null)
    expect(ids(rows, 2)).toEqual([52, null])
  })
})

it('applies changes only to loaded rows', () => {
  const rows = listOf(10)
  rows.change([summary(10, { pinned: true }), summary(99)])
  expect(rows.rowAt(0)?.pinned).toBe(true)
  expect(rows.byId.has(99)).toBe(false)
})

describe('a search that is in progress', () => {
  it('grows, and its last page is missing until it contains all matches', () => {
    const rows = new DeliveryRows()
    rows.restart({ ...found(1000, 971), upTo: 1000 }, null)
    expect(rows.complete).toBe(false)
    expect(rows.missing(0, 90)).toEqual([])
    rows.found(170, false)
    expect(rows.count).toBe(170)
    expect(rows.missing(0, 90)).toEqual([0])
    expect(rows.missing(0, 150)).toEqual([0, 1])
    rows.setPage(0, { ...found(1000, 901), total: 170 })
    rows.setPage(1, { rows: summaries(900, 831), total: 170, complete: true })
    expect(rows.missing(0, 999)).toEqual([])
    expect([rows.count, rows.complete, rows.idAt(169)]).toEqual([170, true, 831])
  })

  it('never loses matches when it restarts', () => {
    const rows = new DeliveryRows()
    rows.restart({ ...found(1000, 901, true), upTo: 1000 }, null)
    rows.found(4, false)
    expect([rows.count, rows.complete]).toEqual([100, true])
    // Only a complete response may reduce the count.
    rows.found(90, true)
    expect(rows.count).toBe(90)
  })

  it('keeps its anchor, from which it continues', () => {
    const rows = new DeliveryRows()
    rows.restart({ ...found(1000, 991), upTo: 1000 }, null)
    rows.prepend(summaries(2500, 1001).toReversed(), null)
    expect([rows.anchor, rows.count]).toEqual([1000, 1510])
    rows.found(10, true)
    rows.prepend([summary(2501)], null)
    expect([rows.anchor, rows.count]).toEqual([2501, 1511])
  })
})

it.each<[Partial<DeliverySummary>, string, string]>([
  [{}, 'Valid · 200', 'ok'],
  [{ lastAttempt: { status: 204 } }, 'Valid · your handler 204', 'ok'],
  [{ respondedBy: 'rule' }, 'Sent 200 by rule', 'quiet'],
  [{ lastAttempt: { status: null } }, 'Your handler: no response', 'invalid'],
  [
    { verdict: 'invalid', causes: [{ code: 'encoding.base64', where: 'sender' }] },
    'Encoded in base64 instead of hex',
    'invalid',
  ],
  [
    { verdict: 'missing', causes: [{ code: 'header.missing', where: 'sender' }] },
    'Signature header is missing',
    'invalid',
  ],
  [{ verdict: 'invalid' }, 'Signature is invalid', 'invalid'],
  [{ verdict: 'unsigned' }, 'Not signed', 'quiet'],
])('the outcome of %j is “%s”', (changes, text, tone) => {
  expect(outcomeLabel(summary(1, changes))).toMatchObject({ text, tone })
})
