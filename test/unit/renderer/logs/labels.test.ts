import { expect, it } from 'vitest'
import type { RedactionRule } from '#contract/logs.ts'
import { fileName } from '#renderer/features/logs/export/ExportDialog.tsx'
import { logAddress, logOf } from '#renderer/routes/logs.ts'
import { ruleError } from '#renderer/features/logs/rules/RuleRows.tsx'
import { copyMessage } from '#renderer/features/logs/share/ShareMenu.tsx'
import { transferToReport } from '#renderer/state/logs.ts'
import { transferTitle, describeTransfer } from '#renderer/features/logs/transfers.ts'
import { describeImport, sameRule, shareOf, timeSpan } from '#renderer/features/logs/labels.ts'
import { someExport, someImport } from '../../../support/sample-logs.ts'

const now = new Date(2026, 10, 21, 9, 5).getTime()

function at(day: number, hour: number): number {
  return new Date(2026, 10, day, hour, 9).getTime()
}

function header(name: string): RedactionRule {
  return { kind: 'header', name }
}

function path(text: string): RedactionRule {
  return { kind: 'path', path: text }
}

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
  for (const other of ['#/logs', '#/logs/0', '#/logs/x', '#/jobs/3', '']) {
    expect(logOf(other), other).toBeNull()
  }
  expect(logOf(logAddress(12))).toBe(12)
  expect(logOf(logAddress(null))).toBeNull()
})

it('reports running transfers before finished ones, and how many more there are', () => {
  const done = someExport(now, { state: 'done', startedAt: now })
  const going = someImport(now, { startedAt: now - 9000 })
  expect(transferToReport({ exports: [done], imports: [going] })).toEqual({
    first: { way: 'import', of: going },
    more: 1,
  })
  expect(transferToReport({ exports: [done], imports: [] })?.first.of).toBe(done)
  expect(transferToReport({ exports: [], imports: [] })).toBeNull()
})

it('describes the result of each transfer, with its error message', () => {
  const failed = someExport(now, { state: 'failed', error: 'The disk is full.' })
  expect(describeTransfer({ way: 'export', of: failed })).toBe('The disk is full.')
  expect(transferTitle({ way: 'export', of: failed })).toContain('could not be exported')
  const open = someExport(now, { state: 'done', redacted: false })
  expect(describeTransfer({ way: 'export', of: open })).toContain('not redacted')
  expect(describeImport(someImport(now, { state: 'done', known: true }))).toContain('before')
  expect(describeImport(someImport(now, { size: null }))).toMatch(/^29\.6 MiB read/)
  const refused = { code: 'log_too_new', message: 'Update Tabscope.' }
  expect(describeImport(someImport(now, { state: 'failed', error: refused }))).toBe(
    'Update Tabscope.',
  )
})

it('formats a range within one day with the day once', () => {
  expect(timeSpan(at(21, 18), at(21, 21))).toBe('21 Nov, 18:09 to 21:09')
  expect(timeSpan(at(21, 18), at(22, 0))).toBe('21 Nov, 18:09 to 22 Nov, 00:09')
  expect(timeSpan(at(21, 18), at(21, 18))).toBe('21 Nov, 18:09')
  expect(timeSpan(null, null)).toBe('no times')
})

it('returns the progress only if the total is known', () => {
  expect(shareOf(5, 20)).toBe(0.25)
  expect(shareOf(30, 20)).toBe(1)
  expect(shareOf(0, 0)).toBeNull()
  expect(shareOf(5, null)).toBeNull()
})

it('compares header names case-insensitively and rejects invalid rules', () => {
  expect(sameRule(header('X-Venue'), header('x-venue'))).toBe(true)
  expect(sameRule(path('$.a'), path('$.A'))).toBe(false)
  expect(sameRule(header('$.a'), path('$.a'))).toBe(false)
  expect(ruleError(header('X-Venue-Token'))).toBeNull()
  expect(ruleError(path('$..email'))).toBeNull()
  for (const wrong of [header(''), header('X Venue'), header('X-Venue:'), path(''), path('data')]) {
    expect(ruleError(wrong), JSON.stringify(wrong)).not.toBeNull()
  }
})

it('reports what was redacted from a copy, or that nothing was', () => {
  const chat = { format: 'markdown', redact: true, keep: [], removed: 3, cut: false } as const
  expect(copyMessage(chat)).toBe('Copied for a chat, 3 values redacted.')
  expect(copyMessage({ ...chat, removed: 0 })).toContain('no values to redact were found')
  expect(copyMessage({ ...chat, format: 'curl', redact: false })).toBe(
    'Copied as curl, not redacted: it contains all values.',
  )
  expect(copyMessage({ ...chat, keep: ['contacts', 'network'] })).toBe(
    'Copied for a chat, 3 values redacted, kept: Contact details, IP addresses.',
  )
  expect(copyMessage({ ...chat, cut: true })).toContain('Truncated at 1 MiB')
})
