import { expect, it } from 'vitest'
import { JobPace } from '#contract/sending.ts'
import { paceErrors, paceOf, defaultPace } from '#renderer/features/jobs/JobDialog.tsx'

const rate = (perSecond: string) => paceErrors({ ...defaultPace, how: 'rate', perSecond })
const concurrency = (text: string) =>
  paceErrors({ ...defaultPace, how: 'concurrent', concurrency: text })

it('converts each default pace to a valid input of the contract', () => {
  for (const how of ['one_by_one', 'rate', 'spacing', 'concurrent'] as const) {
    const draft = { ...defaultPace, how }
    expect(paceErrors(draft), how).toEqual({})
    expect(JobPace.parse(paceOf(draft)), how).toEqual(paceOf(draft))
  }
})

it('parses numbers with either decimal separator, and gaps in seconds', () => {
  expect(paceOf({ ...defaultPace, how: 'rate', perSecond: ' 0,5 ' })).toEqual({
    how: 'rate',
    perSecond: 0.5,
  })
  expect(paceOf({ ...defaultPace, how: 'spacing', speed: '2', longestGap: '1.5' })).toEqual({
    how: 'spacing',
    speed: 2,
    longestGap: 1500,
  })
})

it('rejects the same values as the contract', () => {
  for (const wrong of ['', ' ', 'ten', '0', '0.05', '1001', '-1', 'NaN']) {
    expect(rate(wrong), wrong).toHaveProperty('perSecond')
  }
  expect(rate('0.1')).toEqual({})
  expect(rate('1000')).toEqual({})
  expect(concurrency('1.5')).toHaveProperty('concurrency')
  expect(concurrency('65')).toHaveProperty('concurrency')
  expect(concurrency('64')).toEqual({})
  expect(
    paceErrors({ ...defaultPace, how: 'spacing', speed: '0', longestGap: '86401' }),
  ).toMatchObject({ speed: expect.any(String), longestGap: expect.any(String) })
  // Fields of another pace are not checked.
  expect(paceErrors({ ...defaultPace, perSecond: '', concurrency: '' })).toEqual({})
})
