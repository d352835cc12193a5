import { expect, it } from 'vitest'
import { LogWhat } from '#contract/logs.ts'
import {
  type ExportAsk,
  type WhatDraft,
  choices,
  rehearsalChoices,
  rehearsalsOf,
  whatErrors,
  whatOf,
  exportRequest,
  initialDraft,
} from '#parts/event-logs/export/selection.ts'

const ask: ExportAsk = {
  log: null,
  which: 'all',
  filter: '',
  selected: null,
  traceOf: null,
  rehearsal: null,
}
const draftOf = ({ which, filter }: ExportAsk): WhatDraft => ({ which, filter })
const draft = draftOf(ask)

function what(from: ExportAsk, change: Partial<WhatDraft> = {}): LogWhat {
  return LogWhat.parse(whatOf(from, { ...draftOf(from), ...change }))
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
    rehearsal: null,
    which: 'filter',
    filter: ' type:OPEN_TAB ',
    selected: [2, 5],
    traceOf: { id: 5, title: 'Tab opened' },
  }
  expect(what(full)).toMatchObject({ log: 3, filter: 'type:OPEN_TAB', ids: null, traceOf: null })
  expect(what(full, { which: 'selected' })).toMatchObject({
    filter: '',
    ids: [2, 5],
    traceOf: null,
  })
  expect(what(full, { which: 'trace' })).toMatchObject({ filter: '', ids: null, traceOf: 5 })
  expect(what(full, { which: 'all' })).toMatchObject({
    log: 3,
    filter: '',
    ids: null,
    traceOf: null,
  })
})

it('reports invalid input only in fields that are used', () => {
  expect(whatErrors(ask, draft)).toEqual({})
  expect(whatErrors(ask, { ...draft, which: 'filter', filter: 'since:' }).filter).toBeTruthy()
  expect(whatErrors(ask, { ...draft, which: 'all', filter: 'since:' })).toEqual({})
  const many = { ...ask, selected: Array.from({ length: 100_001 }, (_, index) => index + 1) }
  expect(whatErrors(many, { ...draft, which: 'selected' }).selected).toContain('100,000')
  expect(whatErrors(many, draft)).toEqual({})
})

it('lists the available choices', () => {
  expect(choices(ask).map(({ label }) => label)).toEqual([
    'All deliveries',
    'Deliveries matching a filter',
  ])
  const one = { ...ask, log: 2, selected: [5], traceOf: { id: 5, title: 'Tab \u202eopened' } }
  expect(choices(one).map(({ label }) => label)).toEqual([
    'Only “Tab \\u202eopened”',
    'The trace of “Tab \\u202eopened”',
    'All deliveries in this log',
    'Deliveries matching a filter',
  ])
  expect(choices({ ...ask, selected: [5, 6] })[0]?.label).toBe('2 selected deliveries')
})

it('exports a rehearsal alone, with other runs of its target, or with deliveries', () => {
  const from: ExportAsk = { ...ask, which: 'none', rehearsal: { id: 5, ofTarget: [2, 5] } }
  expect(choices(from)[0]).toEqual({ which: 'none', label: 'None, only the rehearsal' })
  expect(rehearsalChoices(from).map(({ label }) => label)).toEqual([
    'None',
    'Only rehearsal 5',
    'The 2 runs of this target',
    'All rehearsals',
  ])
  expect(rehearsalsOf(from, 'one')).toEqual([5])
  expect(rehearsalsOf(from, 'target')).toEqual([2, 5])
  const formats = [{ id: 'csv' }, { id: 'ndjson', rehearsals: true }]
  const made = initialDraft(from, formats)
  expect(exportRequest(from, made, undefined)).toMatchObject({
    what: { ids: [] },
    format: 'ndjson',
    with: { authorization: false, rehearsals: [5] },
  })
})

function rehearsalsIn(from: ExportAsk) {
  const made = initialDraft(from, [{ id: 'ndjson' }])
  return exportRequest(from, made, undefined).with?.rehearsals
}

it('exports no rehearsals unless they are chosen, but all of them in a copy of a log', () => {
  expect(rehearsalsIn(ask)).toBe('none')
  expect(rehearsalsIn({ ...ask, log: 3 })).toBe('all')
  expect(rehearsalsIn({ ...ask, log: 3, which: 'selected', selected: [1] })).toBe('none')
})
