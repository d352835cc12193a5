import { describe, expect, it } from 'vitest'
import { readConformance } from '#engine/deliveries/conformance-store.ts'
import { delivery, firstUs, warning } from '#test/support/groups.ts'
import { readerOf, storeWith } from '#test/support/test-store.ts'

/** When delivery `id` was received, in milliseconds since the epoch. */
const at = (id: number): number => firstUs / 1000 + id * 1000
const all = { since: null, before: null }

function filled() {
  return storeWith([
    delivery(1, { findings: [warning('a')] }),
    delivery(2, { type: 'CLOSE_TAB', verdict: 'invalid' }),
    delivery(3, { verdict: 'invalid', findings: [warning('a'), warning('b')] }),
    delivery(4, { type: null, verdict: 'unsigned', findings: [warning('a')] }),
    delivery(5, { verdict: 'missing', findings: [warning('b'), warning('b', 'header.x')] }),
    delivery(6, { type: 'CLOSE_TAB' }),
    delivery(7, { findings: [warning('b')] }),
  ])
}

const seen = (count: number, firstId: number, lastId: number) => ({
  count,
  firstId,
  firstAt: at(firstId),
  lastId,
  lastAt: at(lastId),
})
const kind = (code: string, location = 'body') => ({ code, location, severity: 'warning' })

describe('the conformance summary', () => {
  it('reports for each type how many, and which findings, first and last', async () => {
    expect(await readConformance(readerOf(filled()), all)).toEqual([
      { type: 'CLOSE_TAB', ...seen(2, 2, 6), findings: [] },
      {
        type: 'OPEN_TAB',
        ...seen(4, 1, 7),
        findings: [
          { ...kind('b'), ...seen(3, 3, 7) },
          { ...kind('a'), ...seen(2, 1, 3) },
          { ...kind('b', 'header.x'), ...seen(1, 5, 5) },
        ],
      },
      { type: null, ...seen(1, 4, 4), findings: [{ ...kind('a'), ...seen(1, 4, 4) }] },
    ])
  })

  it('reports documented types, however many others were sent', async () => {
    const forged = Array.from({ length: 600 }, (_, index) =>
      delivery(index + 1, { type: `AAA_${index}`, endpointId: null, verdict: 'unsigned' }),
    )
    const { db } = storeWith([...forged, delivery(601)])
    const types = (await readConformance(db, all)).map(({ type }) => type)
    expect(types).toContain('OPEN_TAB')
    expect(types.length).toBeLessThanOrEqual(500)
  })

  it('reports a time range: including its start, excluding its end', async () => {
    const db = readerOf(filled())
    const since = await readConformance(db, { since: at(5), before: null })
    expect(since).toEqual([
      { type: 'CLOSE_TAB', ...seen(1, 6, 6), findings: [] },
      {
        type: 'OPEN_TAB',
        ...seen(2, 5, 7),
        findings: [
          { ...kind('b'), ...seen(2, 5, 7) },
          { ...kind('b', 'header.x'), ...seen(1, 5, 5) },
        ],
      },
    ])
    const between = await readConformance(db, { since: at(2), before: at(3) })
    expect(between).toEqual([{ type: 'CLOSE_TAB', ...seen(1, 2, 2), findings: [] }])
    expect(await readConformance(db, { since: at(8), before: null })).toEqual([])
    expect(await readConformance(db, { since: null, before: at(1) })).toEqual([])
    expect(await readConformance(db, { since: at(5), before: at(2) })).toEqual([])
  })

  it('reports nothing for deleted deliveries', async () => {
    const store = filled()
    store.db.exec('DELETE FROM delivery WHERE id <= 6')
    expect(await readConformance(readerOf(store), all)).toEqual([
      { type: 'OPEN_TAB', ...seen(1, 7, 7), findings: [{ ...kind('b'), ...seen(1, 7, 7) }] },
    ])
  })

  it('yields to other work while it counts', async () => {
    const db = readerOf(storeWith([delivery(1), delivery(2_000_000_000)]))
    let turns = 0
    const counting = readConformance(db, all)
    const timer = setInterval(() => (turns += 1), 1)
    const [open] = await counting
    clearInterval(timer)
    expect(open).toMatchObject({ count: 2, firstId: 1, lastId: 2_000_000_000 })
    expect(turns).toBeGreaterThan(0)
  })
})
