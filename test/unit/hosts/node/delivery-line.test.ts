import { describe, expect, it, vi } from 'vitest'
import type { DeliverySummary } from '#contract/models.ts'
import type * as Output from '#hosts/node/output.ts'
import { deliveryEvent, deliveryLine } from '#hosts/node/delivery-line.ts'

// The terminal that runs the tests must not colour them.
vi.mock('#hosts/node/output.ts', async (original) => ({
  ...(await original<typeof Output>()),
  coloured: (_: unknown, text: string) => text,
}))

const row: DeliverySummary = {
  id: 42,
  receivedAt: Date.parse('2026-03-14T21:00:00.123Z') + 0.456,
  method: 'POST',
  path: '/hooks/sandbox',
  endpointId: 1,
  type: 'OPEN_TAB',
  title: 'Tab T4 opened',
  target: 'tab-1',
  locationName: 'Bar',
  createdAt: null,
  verdict: 'valid',
  findings: [],
  status: 200,
  answeredIn: 1.5,
  bytes: 31,
  sha256: 'ab'.repeat(32),
  arrival: 'complete',
  pinned: false,
  tags: [],
  noted: false,
  repeats: null,
  own: null,
  answeredBy: null,
  sent: null,
}
const finding = { code: 'body.empty', severity: 'error', place: 'body', message: 'm' } as const

describe('deliveryLine', () => {
  it('says what came, in one line', () => {
    expect(deliveryLine(row)).toBe(
      '    42  21:00:00.123  ✓ valid      OPEN_TAB            Tab T4 opened  200, 31 bytes',
    )
  })

  it('tells each verdict in a word, at the same width', () => {
    const words = (['valid', 'invalid', 'missing', 'unsigned', 'unchecked'] as const).map(
      (verdict) => deliveryLine({ ...row, verdict }).slice(22, 33),
    )
    expect(words).toEqual([
      '✓ valid    ',
      '✗ invalid  ',
      '! missing  ',
      '– unsigned ',
      '? unchecked',
    ])
  })

  it('names findings, and what came where there is no type and no answer', () => {
    const line = deliveryLine({ ...row, type: null, status: null, findings: [finding, finding] })
    expect(line).toContain('POST /hooks/sandbox')
    expect(line).toMatch(/no answer, 31 bytes {2}body\.empty body\.empty$/)
  })

  it.each([
    [{ status: 500, answeredBy: 'rule' }, '500 by a response rule, 31 bytes'],
    [{ status: null, answeredBy: 'rule' }, 'dropped by a response rule, 31 bytes'],
    [{ status: 502, answeredBy: 'target' }, '502 by the target, 31 bytes'],
    [{ own: 'forward' }, '200, 31 bytes, from Tabscope itself (forward)'],
    [{ own: 'send', status: null }, 'no answer, 31 bytes, from Tabscope itself (send)'],
  ] as const)('says what answered, and that it came from ourselves: %o', (told, end) => {
    expect(deliveryLine({ ...row, ...told }).endsWith(`  ${end}`)).toBe(true)
  })

  it('stays one line that drives no terminal, whatever is in it', () => {
    const evil = 'x\n\u001b[2J\u009b\u202e\u2028'
    const line = deliveryLine({ ...row, type: evil, title: evil, path: evil, method: evil })
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/)
    expect(line).toContain('x\\u000a\\u001b[2J\\u009b\\u202e\\u2028')
    expect(deliveryLine({ ...row, type: null, path: evil })).not.toMatch(/[\n\u001b]/)
  })
})

it('tells scripts what came, under keys that stay', () => {
  expect(deliveryEvent({ ...row, findings: [finding] })).toEqual({
    event: 'delivery',
    id: 42,
    receivedAt: Date.parse('2026-03-14T21:00:00.123Z'),
    method: 'POST',
    path: '/hooks/sandbox',
    type: 'OPEN_TAB',
    target: 'tab-1',
    verdict: 'valid',
    findings: ['body.empty'],
    bytes: 31,
    sha256: 'ab'.repeat(32),
    status: 200,
  })
  expect(deliveryEvent({ ...row, answeredBy: 'target', own: 'send' })).toMatchObject({
    answeredBy: 'target',
    own: 'send',
  })
})
