import { expect, it } from 'vitest'
import { LogWhat } from '#contract/logs.ts'
import type { ExportAsk, WhatDraft } from '#renderer/features/logs/export/what.ts'
import { choices, draftOf, whatFaults, whatOf } from '#renderer/features/logs/export/what.ts'

const now = Date.UTC(2026, 10, 21, 14, 30)
const ask: ExportAsk = { log: null, which: 'all', filter: '', chosen: null, traceOf: null }
const draft = draftOf(ask, now)

function what(from: ExportAsk, change: Partial<WhatDraft> = {}): LogWhat {
  return LogWhat.parse(whatOf(from, { ...draftOf(from, now), ...change }))
}

it('requests only what is selected', () => {
  expect(what(ask)).toEqual({
    log: null,
    filter: '',
    from: null,
    to: null,
    ids: null,
    traceOf: null,
  })
  const full: ExportAsk = {
    log: 3,
    which: 'filter',
    filter: ' type:OPEN_TAB ',
    chosen: [2, 5],
    traceOf: { id: 5, title: 'Tab opened' },
  }
  expect(what(full)).toMatchObject({ log: 3, filter: 'type:OPEN_TAB', ids: null, traceOf: null })
  expect(what(full, { which: 'chosen' })).toMatchObject({ filter: '', ids: [2, 5], traceOf: null })
  expect(what(full, { which: 'trace' })).toMatchObject({ filter: '', ids: null, traceOf: 5 })
  expect(what(full, { which: 'all' })).toMatchObject({
    log: 3,
    filter: '',
    ids: null,
    traceOf: null,
  })
})

it('computes time ranges relative to now, and accepts open ends', () => {
  expect(what(ask, { when: 'hour' })).toMatchObject({ from: now - 3_600_000, to: null })
  expect(what(ask, { when: 'day' })).toMatchObject({ from: now - 86_400_000, to: null })
  const from = '2026-11-20T18:00'
  expect(what(ask, { when: 'between', from })).toMatchObject({
    from: new Date(from).getTime(),
    to: null,
  })
  expect(what(ask, { when: 'between' })).toMatchObject({ from: null, to: null })
})

it('reports invalid input, and only where it matters', () => {
  expect(whatFaults(ask, draft)).toEqual({})
  expect(whatFaults(ask, { ...draft, which: 'filter', filter: 'since:' }).filter).toBeTruthy()
  expect(whatFaults(ask, { ...draft, which: 'all', filter: 'since:' })).toEqual({})
  const [from, to] = ['2026-11-21T18:00', '2026-11-21T17:00']
  expect(whatFaults(ask, { ...draft, when: 'between', from, to }).to).toBeTruthy()
  expect(whatFaults(ask, { ...draft, when: 'between', from: to, to: from })).toEqual({})
  expect(whatFaults(ask, { ...draft, when: 'any', from, to })).toEqual({})
  const many = { ...ask, chosen: Array.from({ length: 100_001 }, (_, index) => index + 1) }
  expect(whatFaults(many, { ...draft, which: 'chosen' }).chosen).toContain('100,000')
  expect(whatFaults(many, draft)).toEqual({})
})

it('shows available choices, in words', () => {
  expect(choices(ask).map(({ words }) => words)).toEqual(['All that are kept', 'Those of a filter'])
  const one = { ...ask, log: 2, chosen: [5], traceOf: { id: 5, title: 'Tab \u202eopened' } }
  expect(choices(one).map(({ words }) => words)).toEqual([
    'Only “Tab \\u202eopened”',
    'The trace of “Tab \\u202eopened”',
    'All of this log',
    'Those of a filter',
  ])
  expect(choices({ ...ask, chosen: [5, 6] })[0]?.words).toBe('The 2 deliveries chosen')
})
