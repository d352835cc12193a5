import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { DeliverySummary } from '#contract/models.ts'
import type * as Output from '#hosts/node/output/output.ts'
import { globals } from '#hosts/node/command-line/globals.ts'
import { deliveryLine } from '#hosts/node/output/delivery-line.ts'
import { summary } from './sample-summary.ts'

// The terminal that runs the tests must not add colors.
vi.mock('#hosts/node/output/output.ts', async (original) => ({
  ...(await original<typeof Output>()),
  colored: (_: unknown, text: string) => text,
}))

const row: DeliverySummary = { ...summary, receivedAt: summary.receivedAt + 0.456, bytes: 31 }
const finding = { code: 'body.empty', severity: 'error', location: 'body', message: 'm' } as const

beforeAll(() => {
  globals.utc = true
})

/** Cells are separated by at least two spaces. */
const cells = (line: string): string[] => line.trim().split(/ {2,}/)

describe('deliveryLine', () => {
  it('shows a delivery on one line', () => {
    expect(cells(deliveryLine(row))).toEqual([
      '42',
      '2026-03-14 21:00:00Z',
      '✓ valid',
      'OPEN_TAB',
      '200',
      '31 B',
      'Tab T4 opened',
    ])
  })

  it('shows each verdict with a mark, at the same width', () => {
    const verdicts = ['valid', 'invalid', 'missing', 'unsigned', 'unchecked'] as const
    const lines = verdicts.map((verdict) => deliveryLine({ ...row, verdict }))
    expect(lines.map((line) => cells(line)[2])).toEqual([
      '✓ valid',
      '✗ invalid',
      '! missing',
      '– unsigned',
      '? unchecked',
    ])
    expect(new Set(lines.map((line) => line.indexOf('OPEN_TAB'))).size).toBe(1)
  })

  it('counts repeated findings, and shows the request line if there is no type', () => {
    const other = { ...finding, code: 'request.method' }
    const line = deliveryLine({
      ...row,
      type: null,
      status: null,
      findings: [finding, other, finding],
    })
    expect(cells(line).slice(3)).toEqual([
      'POST /hooks/sandbox',
      'none',
      '31 B',
      'Tab T4 opened',
      'body.empty ×2 request.method',
    ])
  })

  it.each([
    [{ status: 500, respondedBy: 'rule' }, 4, 'rule 500'],
    [{ status: null, respondedBy: 'rule' }, 4, 'dropped'],
    [{ status: 502, respondedBy: 'target' }, 4, 'target 502'],
    [{ status: null, respondedBy: 'target' }, 4, 'target none'],
    [{ status: 422, respondedBy: 'hold' }, 4, 'hold 422'],
    [{ sentBy: 'forward' }, 7, '(forward by Tabscope)'],
    [{ recheck: { at: 1, verdictAtArrival: 'unchecked' } }, 7, '(unchecked at arrival)'],
    [{ recheck: { at: 1, verdictAtArrival: 'valid' } }, 7, undefined],
    [{ pinned: true, noted: true, tags: ['bug', 'a b'] }, 7, '(pinned) (note) #bug #a b'],
  ] as const)('shows what is unusual: %o', (given, cell, text) => {
    const tags = 'tags' in given ? [...given.tags] : []
    expect(cells(deliveryLine({ ...row, ...given, tags }))[cell]).toBe(text)
  })

  it('is always one line, with control characters escaped', () => {
    const evil = 'x\n\u001b[2J\u009b\u202e\u2028'
    const tags = [evil]
    const line = deliveryLine({ ...row, type: evil, title: evil, path: evil, method: evil, tags })
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
    expect(line).toContain('x\\n\\u001b[2J\\u009b\\u202e\\u2028')
    expect(deliveryLine({ ...row, type: null, path: evil })).not.toMatch(/[\n\u001b]/)
  })
})
