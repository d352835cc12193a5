import { expect, it } from 'vitest'
import { fileName } from '#parts/event-logs/export/ExportDialog.tsx'
import { logAddress, logOf } from '#client/addresses/pages.ts'
import { transferToReport } from '#client/state/logs.ts'
import { redactionDetails, shareOf } from '#parts/event-logs/labels.ts'
import { someExport, someImport, someLog } from '../../../support/sample-logs.ts'

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

it('parses the log ID from a URL', () => {
  expect(logOf('#/logs/3')).toBe(3)
  expect(logOf('#/logs/3?filter=type%3AOPEN_TAB')).toBe(3)
  for (const other of ['#/logs', '#/logs/0', '#/logs/x', '#/send/history/3', '']) {
    expect(logOf(other), other).toBeNull()
  }
  expect(logOf(logAddress(12))).toBe(12)
  expect(logOf(logAddress(null))).toBeNull()
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

it('returns the progress only if the total is known', () => {
  expect(shareOf(5, 20)).toBe(0.25)
  expect(shareOf(30, 20)).toBe(1)
  expect(shareOf(0, 0)).toBeNull()
  expect(shareOf(5, null)).toBeNull()
})

it('describes how a log was redacted', () => {
  const { redaction } = someLog(now)
  expect(redactionDetails({ redaction: null })).toBe('')
  expect(redactionDetails({ redaction })).toBe(
    'Redacted with list 1: 412 aliases, 96 masked values. Kept: data.loyaltyTier.',
  )
})
