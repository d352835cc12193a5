import { expect, it } from 'vitest'
import { formatDate } from '#shared/text/format.ts'
import { sinceOf } from '#pages/health/differences/ConformancePage.tsx'

const now = new Date(2026, 2, 3, 14, 30).getTime()
const since = (choice: Parameters<typeof sinceOf>[0]['choice'], date = '') =>
  sinceOf({ choice, date }, now)

it('starts at midnight in local time', () => {
  expect(since('today')).toBe(new Date(2026, 2, 3).getTime())
  expect(since('yesterday')).toBe(new Date(2026, 2, 2).getTime())
  expect(since('week')).toBe(new Date(2026, 1, 24).getTime())
  expect(since('date', '2026-02-28')).toBe(new Date(2026, 1, 28).getTime())
  expect(since('all')).toBeNull()
})

it('is null while the date is empty or incomplete', () => {
  for (const date of ['', '2026', '28.02.2026', 'x2026-02-28']) {
    expect(since('date', date), date).toBeNull()
  }
})

it('formats a day like a date field', () => {
  expect(formatDate(new Date(now))).toBe('2026-03-03')
  expect(since('date', formatDate(new Date(now)))).toBe(since('today'))
})
