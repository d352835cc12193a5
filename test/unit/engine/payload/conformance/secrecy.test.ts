import { expect, it } from 'vitest'
import { headerChecks } from '#engine/payload/conformance/header-checks.ts'
import type { Header } from '#contract/models.ts'
import {
  added,
  changed,
  customValue,
  findingsIn,
  sampleDelivery,
  without,
  type Edits,
} from '#test/support/sample-delivery.ts'

const other = 'credential-4711-that-was-received'
/** Headers that may be configured on the dashboard, including documented ones. */
const names = [
  'X-Key',
  'Authorization',
  'User-Agent',
  'Content-Type',
  'X-Acme-Event-Type',
  'X-Acme-Event-Target-UUID',
  'X-Acme-Event-Target-ID',
  'X-Acme-Application-ID',
  'X-Acme-Signature',
]

it.each(names)(
  'the value of the custom header %s is in no finding and in no expectation',
  (name) => {
    const customHeaders: Header[] = [[name, customValue]]
    const settings = { customHeaders, applicationId: 'app-1' }
    const lower = name.toLowerCase()
    const alterations: Edits['headers'][] = [
      without(lower),
      changed(lower, other),
      added(name, other),
      added(name.toUpperCase(), `${customValue} `),
      changed(lower, `${customValue}, ${other}`),
    ]
    let found = 0
    for (const type of ['ITEM_ADDED', 'CATEGORY_UPDATED']) {
      for (const headers of alterations) {
        const sent = sampleDelivery(type, { settings, ...(headers ? { headers } : {}) })
        const findings = findingsIn(sent)
        found += findings.filter(({ location }) => location === `header.${lower}`).length
        expect(JSON.stringify(findings)).not.toContain('credential-4711')
        const checks = headerChecks({
          brand: 'Acme',
          endpoint: settings,
          headers: sent.headers,
          findings,
          type,
          arrival: 'complete',
          verdict: 'valid',
        })
        for (const { expected, note, meaning } of checks)
          expect(`${expected} ${note} ${meaning}`).not.toContain('credential-4711')
      }
    }
    expect(found).toBeGreaterThan(5)
  },
)
