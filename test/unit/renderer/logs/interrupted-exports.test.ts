import { expect, it } from 'vitest'
import { interruptedExports } from '#parts/event-logs/labels.ts'
import { someExport } from '../../../support/sample-logs.ts'

const runs = someExport(50_000)
const ended = someExport(50_000, { id: 2, state: 'done' })

it('reports the exports interrupted by an engine crash, and no others', () => {
  const before = { exports: [runs, ended] }
  expect(interruptedExports(before, { exports: [] })).toEqual([runs])
  // A snapshot can also come from the same engine.
  expect(interruptedExports(before, { exports: [{ ...runs, state: 'done' }] })).toEqual([])
  // A restarted engine assigns the same IDs again.
  expect(interruptedExports(before, { exports: [someExport(90_000)] })).toEqual([runs])
  expect(interruptedExports({ exports: [] }, { exports: [runs] })).toEqual([])
})
