import { expect, it } from 'vitest'
import { rehearsalCases } from '#catalogue/rehearsal/cases.ts'
import { oauthCases } from '#catalogue/rehearsal/oauth-cases.ts'
import { fixOfGroup, groupFailures } from '#catalogue/rehearsal/root-causes.ts'
import type { CaseResult } from '#contract/rehearsal.ts'

const rejected = 'It responded with 401 to a valid delivery.'
const accepted = 'It accepted the request with 204.'

function failed(
  id: string,
  reason: string,
  names: readonly string[] = ['one', 'two'],
  result: CaseResult['result'] = 'fail',
): CaseResult {
  return {
    id,
    level: 'MUST',
    result,
    sent: '',
    expected: '',
    received: '',
    reason,
    repeat: '',
    variants: names.map((name) => ({ name, result, received: '', reason })),
    durationMs: 1,
  }
}

// The handlers of `test/integration/rehearsal/matrix.test.ts` show each cause. These are mixtures.
it('names what several cases have in common once, the most serious group first, the rest last', () => {
  const groups = groupFailures([
    failed('G7', rejected),
    failed('S2', accepted),
    ...['B1', 'B2', 'B3', 'B4', 'B5'].map((id) => failed(id, rejected)),
    failed('S11', accepted),
    failed('I1', 'The observer went from 1 to 3: 2 effects instead of 1.'),
    failed('X9', 'A case of a later version.'),
    failed('S14', '', [], 'pass'),
    failed('T1', rejected, ['chunked'], 'flaky'),
  ])
  expect(groups.map(({ title, cases }) => `${title}: ${cases.join(' ')}`)).toEqual([
    '2 cases fail because a request without a signature is accepted: S2 S11',
    '5 cases fail because the body is re-serialized: B1 B2 B3 B4 B5',
    '1 case fails because header names are compared with their case or order: G7',
    '1 case fails because a repeated event is not processed exactly once: I1',
    '1 case fails because the result changes when the case is repeated: T1',
    '1 case fails for another reason: X9',
  ])
})

it('takes all forged deliveries that are accepted for one cause if any signature is', () => {
  const all = ['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S8', 'S9', 'S11', 'I5']
  const results = all.map((id) => failed(id, accepted, ['another secret']))
  expect(groupFailures(results)).toMatchObject([{ cause: 'unverified', cases: all }])
})

it('does not take a strict schema for a re-serialized body', () => {
  expect(
    groupFailures([
      failed('G5', rejected, ['extra fields']),
      failed('B5', rejected, ['keys that look like integers']),
    ]),
  ).toMatchObject([{ cause: 'strict_schema', cases: ['G5', 'B5'] }])
})

it('knows a cause for each case of a handler that rejects, fails or does not respond, and for each of an OAuth client', () => {
  for (const reason of [rejected, 'It failed with 500.', 'There was no response: closed.']) {
    for (const { id, level, needsSecret } of rehearsalCases) {
      // A signature must be rejected.
      const applies = level !== 'INFO' && !(needsSecret && reason === rejected) && id !== 'P1'
      if (applies) expect(groupFailures([failed(id, reason)]), id).not.toMatchObject(other)
    }
  }
  for (const { id } of oauthCases) {
    const [group] = groupFailures([failed(id, 'It is wrong.')])
    expect(group?.cause, id).not.toBe('other')
    expect(group && fixOfGroup(group, null), id).toMatch(/\.$/)
  }
})

const other = [{ cause: 'other' }]
