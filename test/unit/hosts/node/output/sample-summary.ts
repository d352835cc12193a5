import { summary as sampleSummary } from '#test/support/sample-summary.ts'

export const summary = sampleSummary(42, {
  receivedAt: Date.parse('2026-03-14T21:00:00.123Z'),
  path: '/hooks/sandbox',
  title: 'Tab T4 opened',
  target: 'tab-1',
  locationName: 'Bar',
  responseMs: 1.5,
  sha256: 'ab'.repeat(32),
})
