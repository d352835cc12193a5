import { expect, it } from 'vitest'
import { fileName } from '#parts/event-logs/export/ExportDialog.tsx'
import { transferToReport } from '#client/state/logs.ts'
import { someExport, someImport } from '../../../support/sample-logs.ts'

const now = new Date(2026, 10, 21, 9, 5).getTime()

it('names a file by date and time, format and redaction', () => {
  const date = new Date(now)
  const naming = { extension: 'ndjson', gzip: false, redacted: true }
  expect(fileName(date, naming)).toBe('tabscope-2026-11-21-0905.ndjson')
  expect(fileName(date, { ...naming, gzip: true })).toBe('tabscope-2026-11-21-0905.ndjson.gz')
  expect(fileName(date, { ...naming, redacted: false })).toBe(
    'tabscope-2026-11-21-0905-not-redacted.ndjson',
  )
})

it('reports running transfers before finished ones, and how many more there are', () => {
  const done = someExport(now, { state: 'done', startedAt: now })
  const going = someImport(now, { startedAt: now - 9000 })
  expect(transferToReport({ exports: [done], imports: [going] })).toEqual({
    first: { direction: 'import', of: going },
    more: 1,
  })
  expect(transferToReport({ exports: [done], imports: [] })?.first.of).toBe(done)
  expect(transferToReport({ exports: [], imports: [] })).toBeNull()
})
