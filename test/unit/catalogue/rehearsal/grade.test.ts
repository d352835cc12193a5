import { expect, it } from 'vitest'
import { gradeOf } from '#catalogue/rehearsal/grade.ts'
import type { CaseResult, RehearsalLevel, RehearsalResult } from '#contract/rehearsal.ts'

function of(id: string, level: RehearsalLevel, result: RehearsalResult): CaseResult {
  const texts = { sent: '', expected: '', received: '', reason: null, repeat: '' }
  return { id, level, result, ...texts, variants: [], durationMs: 0 }
}
const complete = { only: [], skip: [], hasSecret: true }

it.each([
  [[of('S4', 'MUST', 'pass'), of('T4', 'SHOULD', 'skipped')], 'A', null],
  [[of('G1', 'MUST', 'pass'), of('I1', 'SHOULD', 'review')], 'B', 'I1'],
  [[of('T8', 'SHOULD', 'warn')], 'B', 'T8'],
  [[of('T8', 'SHOULD', 'warn'), of('B7', 'SHOULD', 'fail')], 'C', 'B7'],
  [[of('I2', 'SHOULD', 'flaky')], 'C', 'I2'],
  [[of('B1', 'MUST', 'fail'), of('B7', 'SHOULD', 'fail')], 'D', 'B1'],
  [[of('S4', 'MUST', 'flaky')], 'D', 'S4'],
  [[of('B1', 'MUST', 'fail'), of('S4', 'MUST', 'fail'), of('S5', 'MUST', 'fail')], 'F', 'S4'],
  [[of('S7', 'INFO', 'warn')], 'A', null],
] as const)('%j', (results, grade, cappedBy) => {
  expect(gradeOf(results, complete)).toEqual({ grade, cappedBy })
})

it('is at most C without a secret', () => {
  const results = [of('G1', 'MUST', 'pass')]
  expect(gradeOf(results, { ...complete, hasSecret: false })).toEqual({
    grade: 'C',
    cappedBy: 'no-secret',
  })
})

it('is not given for a selection', () => {
  const results = [of('S4', 'MUST', 'fail')]
  expect(gradeOf(results, { ...complete, only: ['S4'] })).toBeNull()
  expect(gradeOf(results, { ...complete, skip: ['T*'] })).toBeNull()
})
