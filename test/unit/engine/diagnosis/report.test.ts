import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureReport, type SignatureReportInput } from '#engine/diagnosis/report.ts'

const body = Buffer.from('x'.repeat(1234))
const hmac = (secret: string) => createHmac('sha256', secret).update(body).digest('hex')
const secrets = [
  { name: 'current', secret: 'now' },
  { name: 'previous', secret: 'before' },
]
const report = (changes: Partial<SignatureReportInput> = {}) =>
  signatureReport({
    body,
    headerName: 'X-Acme-Signature',
    received: [hmac('now')],
    secrets,
    recorded: 'valid',
    bodyWhole: true,
    ...changes,
  })
const outcomes = (changes: Partial<SignatureReportInput>) =>
  report(changes).steps.map(({ outcome }) => outcome)

describe('signatureReport', () => {
  it('lists the steps in the order of the API documentation', () => {
    expect(report().steps.map(({ label }) => label)).toEqual([
      'Read the raw body',
      'Read the header X-Acme-Signature',
      'Compute HMAC-SHA256 of the body',
      'Compare, in constant time',
    ])
  })

  it('explains each verdict', () => {
    expect(outcomes({})).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(outcomes({ received: [hmac('other')] })).toEqual(['ok', 'ok', 'ok', 'failed'])
    expect(outcomes({ received: [] })).toEqual(['ok', 'failed', 'ok', 'skipped'])
    expect(outcomes({ secrets: [] })).toEqual(['ok', 'ok', 'skipped', 'skipped'])
    expect(outcomes({ secrets: [], received: [] })).toEqual(['ok', 'failed', 'skipped', 'skipped'])
    expect(outcomes({ bodyWhole: false, received: [hmac('other')] })).toEqual([
      'failed',
      'ok',
      'ok',
      'failed',
    ])
  })

  it('returns the received values and the signature computed with each secret', () => {
    const received = ['nonsense', hmac('before').toUpperCase()]
    expect(report({ received })).toMatchObject({
      verdict: 'valid',
      headerName: 'X-Acme-Signature',
      received,
      computed: [
        { secretName: 'current', signature: hmac('now'), matches: false },
        { secretName: 'previous', signature: hmac('before'), matches: true },
      ],
      bytes: 1234,
    })
    const details = report({ received }).steps.map(({ detail }) => detail)
    expect(details[0]).toContain('1,234 bytes')
    expect(details[1]).toContain('2 times')
    expect(details[2]).toContain('the current secret, then the previous secret')
    expect(details[3]).toBe(
      'Equal with the previous secret, although the received value is upper case.',
    )
  })

  it('reports if the current secrets result in a different verdict than at arrival', () => {
    expect(report().changedSince).toBe(false)
    expect(report({ recorded: 'missing' }).changedSince).toBe(true)
    expect(report({ secrets: [], recorded: 'valid' }).changedSince).toBe(true)
  })

  it('never contains a secret', () => {
    const text = JSON.stringify(report({ secrets: [{ name: 'current', secret: 'whsec-9f3a' }] }))
    expect(text).not.toContain('whsec-9f3a')
  })
})
