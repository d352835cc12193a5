import { expect, it } from 'vitest'
import { cutOff } from '#renderer/features/logs/cut-off.ts'
import { someExport } from '../../../support/made-up-logs.ts'

const runs = someExport(50_000)
const ended = someExport(50_000, { id: 2, state: 'done' })

it('reports the exports interrupted by an engine crash, and no others', () => {
  const before = { exports: [runs, ended] }
  expect(cutOff(before, { exports: [] })).toEqual([runs])
  // A picture is taken anew from the same engine as well.
  expect(cutOff(before, { exports: [{ ...runs, state: 'done' }] })).toEqual([])
  // The next engine counts from the beginning.
  expect(cutOff(before, { exports: [someExport(90_000)] })).toEqual([runs])
  expect(cutOff({ exports: [] }, { exports: [runs] })).toEqual([])
})
