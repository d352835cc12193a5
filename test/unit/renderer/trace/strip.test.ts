import { describe, expect, it } from 'vitest'
import type { Trace, TraceEntry } from '#contract/deliveries.ts'
import type { DeliverySummary } from '#contract/models.ts'
import { stripOf, type Cell } from '#renderer/features/deliveries/detail/trace/strip.ts'

function row(id: number, type: string | null): DeliverySummary {
  return {
    id,
    receivedAt: id * 1000,
    method: 'POST',
    path: '/hooks/sandbox',
    endpointId: 1,
    type,
    title: '',
    target: null,
    locationName: null,
    createdAt: null,
    verdict: 'valid',
    findings: [],
    status: 200,
    responseMs: 1,
    bytes: 1,
    sha256: '',
    arrival: 'complete',
    pinned: false,
    tags: [],
    noted: false,
    duplicateOf: null,
    sentBy: null,
    respondedBy: null,
    lastAttempt: null,
  }
}

function traceOf(
  types: readonly (string | null)[],
  more: Partial<Trace> = {},
  near: readonly number[] = [],
): Trace {
  const entries = types.map((type, index): TraceEntry => ({
    delivery: row(index + 1, type),
    relation: near.includes(index + 1) ? 'near' : 'linked',
    by: '',
    subject: null,
    amount: null,
    totals: { items: (index + 1) * 10, orders: (index + 1) * 100, stated: 0.5 },
    gapMs: null,
    observations: [],
  }))
  return {
    subject: { kind: 'tab', id: 'tab-1', name: null },
    entries,
    notes: [],
    truncated: false,
    indexedId: types.length,
    ...more,
  }
}

/** Each cell as text: `OPEN_TAB@0.5`, `ITEM_ADDED×2@30`, `+3`, `CLOSE_TAB?`; the current one in brackets. */
function words(cells: readonly Cell[]): string[] {
  return cells.map((cell) => {
    switch (cell.kind) {
      case 'more':
        return `+${cell.count}`
      case 'unseen':
        return `${cell.type}?`
      case 'events': {
        const count = cell.count > 1 ? `×${cell.count}` : ''
        const value = cell.value === null ? '' : `@${cell.value}`
        const text = `${cell.type}${count}${value}`
        return cell.current ? `[${text}]` : text
      }
    }
  })
}

const opened = ['OPEN_TAB', 'ITEM_ADDED', 'ITEM_ADDED', 'ITEM_ADDED', 'ORDER_PLACED']

describe('the summary of a trace', () => {
  it('combines neighbors of the same type, except for the current event, and adds a missing end', () => {
    expect(words(stripOf(traceOf(opened), 4))).toEqual([
      'OPEN_TAB@0.5',
      'ITEM_ADDED×2@30',
      '[ITEM_ADDED@40]',
      'ORDER_PLACED@500',
      'CLOSE_TAB?',
    ])
    expect(words(stripOf(traceOf(['ITEM_ADDED', 'CLOSE_TAB']), 1))).toEqual([
      'OPEN_TAB?',
      '[ITEM_ADDED@10]',
      'CLOSE_TAB',
    ])
  })

  it('does not report a missing end for a truncated trace or a trace that is not of a tab', () => {
    expect(words(stripOf(traceOf(['ITEM_ADDED'], { truncated: true }), 1))).toEqual([
      '[ITEM_ADDED@10]',
    ])
    const guest = { subject: { kind: 'guest', id: 'c', name: null } } as const
    expect(words(stripOf(traceOf(['GUEST_VERIFIED', null], guest), 1))).toEqual([
      '[GUEST_VERIFIED]',
      'no type',
    ])
  })

  it('leaves out events that are only near', () => {
    expect(words(stripOf(traceOf(['QR_SCANNED', 'OPEN_TAB', 'CLOSE_TAB'], {}, [1]), 2))).toEqual([
      '[OPEN_TAB@0.5]',
      'CLOSE_TAB',
    ])
  })

  it('keeps both ends and the cells around the current one, and counts the rest', () => {
    const pair = ['ITEM_ADDED', 'ORDER_PLACED']
    const many = traceOf([
      'OPEN_TAB',
      ...Array.from({ length: 20 }, () => pair).flat(),
      'CLOSE_TAB',
    ])
    for (const id of [1, 2, 20, 41, 42]) {
      const cells = stripOf(many, id)
      expect(cells.length, `#${id}`).toBeLessThanOrEqual(7)
      expect(words(cells)[0], `#${id}`).toContain('OPEN_TAB')
      expect(words(cells).at(-1), `#${id}`).toContain('CLOSE_TAB')
      expect(words(cells).filter((word) => word.startsWith('['))).toHaveLength(1)
      const shown = cells.reduce((sum, cell) => sum + (cell.kind === 'unseen' ? 0 : cell.count), 0)
      expect(shown, `#${id}`).toBe(42)
    }
    expect(words(stripOf(many, 20))).toEqual([
      'OPEN_TAB@0.5',
      '+17',
      'ORDER_PLACED@1900',
      '[ITEM_ADDED@200]',
      'ORDER_PLACED@2100',
      '+20',
      'CLOSE_TAB',
    ])
  })
})
