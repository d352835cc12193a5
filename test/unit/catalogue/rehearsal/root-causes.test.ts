import { expect, it } from 'vitest'
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
    '2 cases fail because the secret or the signature header is not required: S2 S11',
    '5 cases fail because the signature is not computed over the raw body: B1 B2 B3 B4 B5',
    '1 case fails because requests are not read as HTTP allows them: G7',
    '1 case fails because an event is not processed exactly once: I1',
    '1 case fails because the result changes when the case is repeated: T1',
    '1 case fails for another reason: X9',
  ])
})

it('takes all cases about the signature for one cause if any signature is accepted', () => {
  const all = ['P1', 'S1', 'S2', 'S3', 'S5']
  const [group, ...others] = groupFailures([...all, 'S14'].map((id) => failed(id, accepted)))
  expect(group).toMatchObject({ cause: 'verify-raw-body', cases: all, fix: 'verify-raw-body' })
  expect(others).toMatchObject([{ cause: 'hide-errors' }])
})

it('knows a cause and a fix for each case of an OAuth client', () => {
  for (const { id } of oauthCases) {
    const [group] = groupFailures([failed(id, 'It is wrong.')])
    expect(group?.cause, id).not.toBe('other')
    expect(group && fixOfGroup(group, null), id).toMatch(/\.$/)
  }
})
