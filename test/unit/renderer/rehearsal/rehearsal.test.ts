import { describe, expect, it } from 'vitest'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import {
  OAuthOptions,
  type CaseResult,
  type Rehearsal,
  type RehearsalResult,
} from '#contract/rehearsal.ts'
import { rehearsalAddress, rehearseAddress, rehearsePlaceOf } from '#client/addresses/rehearse.ts'
import {
  defaultDraft,
  defaultOAuthDraft,
  draftErrors,
  endpointOfTarget,
  initialEndpoint,
  oauthErrors,
  startInput,
} from '#pages/handler/rehearsals/draft.ts'
import { caseRows, changeOf, gradeReason, summaryOf } from '#pages/handler/rehearsals/labels.tsx'
import { changedParts } from '#pages/handler/rehearsals/CaseDetail.tsx'
import { changesText, lastChange, runsOfTarget } from '#pages/handler/rehearsals/RunMatrix.tsx'
import { addResult, addResults, useRehearsals } from '#client/state/rehearsals.ts'

const noCounts = { pass: 0, fail: 0, warn: 0, review: 0, skipped: 0, flaky: 0 }

function run(id: number, changes: Partial<Rehearsal> = {}): Rehearsal {
  return {
    id,
    startedAt: id,
    endedAt: id,
    state: 'done',
    options: {
      url: 'http://127.0.0.1:1/w',
      endpointId: null,
      only: [],
      skip: [],
      seed: 1,
      accept: [],
      acknowledgesFirst: false,
      observer: { kind: 'none' },
      load: false,
      requestTimeout: 1000,
      runTimeout: 1000,
      secretOption: '',
    },
    hasSecret: true,
    total: 3,
    counts: { ...noCounts, pass: 3 },
    grade: null,
    cappedBy: null,
    problem: null,
    ...changes,
  }
}

function resultOf(id: string, result: RehearsalResult): CaseResult {
  return {
    id,
    level: 'MUST',
    result,
    sent: 'sent',
    expected: '',
    received: '',
    reason: null,
    repeat: '',
    variants: [],
    durationMs: 0,
  }
}

it('knows the endpoint of a target from the newest rehearsal of it, or from a forward target', () => {
  const endpoints = [{ id: 1 }, { id: 2 }]
  const url = 'http://127.0.0.1:1/w'
  const of = (earlier: readonly (number | null)[], forward: number) =>
    endpointOfTarget(
      url,
      endpoints,
      earlier.map((endpointId) => ({ url, endpointId })),
      [{ url, endpointId: forward }],
    )?.id
  expect(of([2, 1], 1)).toBe(2)
  expect(of([9, null], 1)).toBe(1)
  expect(endpointOfTarget('http://127.0.0.1:2/', endpoints, [], [])).toBeUndefined()
})

describe('addresses', () => {
  it('presets target and endpoint, and returns them', () => {
    const to = 'http://127.0.0.1:3000/w?a=1&b=2#c'
    expect(rehearsePlaceOf(rehearseAddress(to, 3))).toEqual({ kind: 'start', to, endpointId: 3 })
    expect(rehearseAddress(null, null)).toBe('#/handler/rehearsals')
    expect(rehearsePlaceOf('#/handler/rehearsals')).toEqual({
      kind: 'start',
      to: null,
      endpointId: null,
    })
  })

  it('opens runs, their cases and their matrix, and nothing else', () => {
    const place = { kind: 'run', id: 12, caseId: null, compare: false }
    expect(rehearsePlaceOf(rehearsalAddress(12))).toEqual(place)
    expect(rehearsePlaceOf(rehearsalAddress(12, 'S4'))).toEqual({ ...place, caseId: 'S4' })
    expect(rehearsePlaceOf(rehearsalAddress(12, 'compare'))).toEqual({ ...place, compare: true })
    expect(rehearsePlaceOf('#/handler/rehearsals/12/<b>')).toEqual(place)
    expect(rehearsePlaceOf('#/send/history/12')).toBe(null)
    expect(rehearsePlaceOf('#/handler/rehearsals/0')?.kind).toBe('start')
  })
})

const wrongFields = (errors: Readonly<Record<string, string | null>>): string[] =>
  Object.keys(errors).filter((name) => errors[name] !== null)

describe('the start form', () => {
  const draft = defaultDraft('127.0.0.1:3000/w', null, 7)

  it('starts a complete run with the defaults', () => {
    expect(wrongFields(draftErrors(draft))).toEqual([])
    expect(startInput(draft, [])).toEqual({
      url: 'http://127.0.0.1:3000/w',
      endpointId: null,
      only: [],
      seed: 7,
      accept: [],
      acknowledgesFirst: false,
      load: false,
      requestTimeout: 15_000,
      secretOption: '',
    })
  })

  it('sends the selected cases in their order', () => {
    const cases = new Set(['S4', 'P1'])
    const options = { ...draft, cases, accept: '200, 202', requestTimeout: 500 }
    expect(startInput(options, [])).toMatchObject({
      only: ['P1', 'S4'],
      accept: [200, 202],
      requestTimeout: 500,
    })
  })

  it.for([
    ['url', { url: '' }],
    ['url', { url: 'ftp://a' }],
    ['cases', { cases: new Set<string>() }],
    ['accept', { accept: '99' }],
    ['accept', { accept: 'ok' }],
  ] as const)('rejects a wrong value: %s %o', ([field, change]) => {
    expect(wrongFields(draftErrors({ ...draft, ...change }))).toEqual([field])
  })

  it('selects the requested endpoint, and none that does not exist', () => {
    expect(initialEndpoint([], 3, 4)).toBe(null)
  })
})

function oauthRun(id: number, oauth: Partial<OAuthOptions>): Rehearsal {
  const { options, ...rest } = run(id)
  return { ...rest, options: { ...options, oauth: OAuthOptions.parse(oauth) } }
}

describe('the start form for OAuth clients', () => {
  const draft = defaultOAuthDraft(undefined)

  it('names each error at its field', () => {
    const wrong = {
      ...draft,
      callUrl: 'localhost:3000/call',
      redirectUrl: 'callback',
      port: '70000',
      accessSecret: 'short',
      cases: new Set<string>(),
    }
    expect(wrongFields(oauthErrors(wrong)).toSorted()).toEqual(
      ['callUrl', 'redirectUrl', 'port', 'accessSecret', 'cases'].toSorted(),
    )
    expect(oauthErrors({ ...draft, startUrl: 'ftp://a/' }).startUrl).toMatch(/http/)
  })

  it('takes over the options of an earlier run, without its secret', () => {
    const earlier = oauthRun(1, {
      startUrl: 'http://a/login',
      port: 4790,
      accessId: 'id',
    })
    expect(defaultOAuthDraft(earlier)).toMatchObject({
      startUrl: 'http://a/login',
      callUrl: '',
      port: '4790',
      accessId: 'id',
      accessSecret: '',
    })
  })
})

describe('results', () => {
  it('lists the selected cases before they have a result, and unknown cases with one', () => {
    const results = new Map([
      ['S4', resultOf('S4', 'fail')],
      ['X9', resultOf('X9', 'pass')],
    ])
    const rows = caseRows({ only: ['S*'], skip: ['S1'] }, results)
    expect(rows.map(({ id }) => id)).toEqual([
      ...rehearsalCases.map(({ id }) => id).filter((id) => id.startsWith('S') && id !== 'S1'),
      'X9',
    ])
    expect(rows.find(({ id }) => id === 'S4')?.result?.result).toBe('fail')
    expect(rows.find(({ id }) => id === 'S2')?.result).toBe(null)
  })

  it('summarizes a run, and gives the reason for its grade', () => {
    const counts = { ...noCounts, pass: 1, fail: 2, warn: 1 }
    expect(summaryOf(run(1, { counts, total: 4 }))).toBe(
      '1 of 4 cases passed, 2 failed, 1 warning.',
    )
    expect(gradeReason(run(1, { grade: 'F', cappedBy: 'S4' }))).toMatch(/^Limited by S4: Signed/)
    expect(gradeReason(run(1, { grade: 'C', cappedBy: 'no-secret' }))).toMatch(/missing secret/)
    expect(gradeReason(run(1, { options: { ...run(1).options, only: ['S4'] } }))).toBe(
      'No grade: only selected cases ran.',
    )
  })

  it('compares only results that were judged', () => {
    expect(changeOf('fail', 'pass')).toBe('fixed')
    expect(changeOf('flaky', 'warn')).toBe('fixed')
    expect(changeOf('pass', 'fail')).toBe('regressed')
    expect(changeOf('fail', 'skipped')).toBe(null)
    expect(changeOf('skipped', 'fail')).toBe(null)
    expect(changeOf('fail', 'flaky')).toBe(null)
    expect(changeOf('fail', 'review')).toBe('improved')
    expect(changeOf('review', 'pass')).toBe('improved')
    expect(changeOf('review', 'fail')).toBe('regressed')
    expect(changeOf('pass', 'review')).toBe(null)
    expect(changesText([{ id: 'S4', change: null }])).toBe('Nothing changed since the run before.')
    expect(
      changesText([
        { id: 'S4', change: 'regressed' },
        { id: 'T3', change: 'fixed' },
        { id: 'T9', change: 'fixed' },
        { id: 'I4', change: 'improved' },
      ]),
    ).toBe('Fixed: T3, T9. Improved: I4. Regressed: S4.')
  })

  it('compares a case with the last run that has a result for it', () => {
    const results = new Map([
      [1, new Map([['S4', resultOf('S4', 'fail')]])],
      [2, new Map<string, CaseResult>()],
      [3, new Map([['S4', resultOf('S4', 'pass')]])],
    ])
    expect(lastChange('S4', [run(1), run(2), run(3)], results)).toBe('fixed')
    expect(lastChange('S4', [run(1), run(2)], results)).toBe(null)
  })

  it('shows the last runs of the same target that have results, and always the open one', () => {
    const other = run(2, { options: { ...run(2).options, url: 'http://127.0.0.1:1/other' } })
    const empty = run(3, { counts: noCounts })
    const all = [run(1), other, empty, ...[4, 5, 6, 7, 8, 9].map((id) => run(id))]
    const runs = new Map(all.map((each) => [each.id, each]))
    expect(runsOfTarget(runs, run(9)).map(({ id }) => id)).toEqual([4, 5, 6, 7, 8, 9])
    expect(runsOfTarget(runs, run(1)).map(({ id }) => id)).toEqual([1, 5, 6, 7, 8, 9])
    expect(runsOfTarget(runs, empty).map(({ id }) => id)).toContain(3)
  })

  it('keeps results that were pushed while the others were loaded', () => {
    addResult(1, resultOf('S4', 'fail'))
    addResults(run(1), [resultOf('S1', 'pass')])
    expect([...(useRehearsals.getState().results.get(1)?.keys() ?? [])]).toEqual(['S1', 'S4'])
  })
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the marked part of a body', () => {
  it('is the changed text', () => {
    expect(changedParts(bytes('{"a":9}'), [5, 6])).toEqual({
      before: '{"a":',
      changed: '9',
      after: '}',
    })
  })

  it('never splits a character', () => {
    // é and è differ in their second byte only.
    expect(changedParts(bytes('aèb'), [2, 3])).toEqual({ before: 'a', changed: 'è', after: 'b' })
    expect(changedParts(bytes('a😀b'), [3, 4])).toEqual({ before: 'a', changed: '😀', after: 'b' })
  })

  it('is empty where something was removed, and shows the text around it', () => {
    const body = bytes(`${'x'.repeat(5000)}${'y'.repeat(5000)}`)
    const { before, changed, after } = changedParts(body, [5000, 5000])
    expect([before.length, changed, after.length]).toEqual([4001, '', 4001])
    expect(before.endsWith('x')).toBe(true)
    expect(after.startsWith('y')).toBe(true)
  })
})
