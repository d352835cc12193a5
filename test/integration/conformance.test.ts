import { describeFindings } from '#catalogue/findings.ts'
import { beforeAll, expect, test } from 'vitest'
import { sharedTestEngine } from '#test/support/engine.ts'
import { findingCases } from '#test/support/finding-cases.ts'
import { rawClient } from '#test/support/raw-client.ts'
import { head } from '#test/support/requests.ts'
import { findingsIn, sampleSettings, type SampleDelivery } from '#test/support/sample-delivery.ts'

const shared = sharedTestEngine()
let endpointId = 0

beforeAll(async () => {
  const { engine } = shared()
  const integration = await engine.call('integrations.create', {
    name: 'Conformance',
    brand: sampleSettings.brand,
    baseUrl: 'https://service.example',
  })
  const endpoint = await engine.call('endpoints.create', {
    integrationId: integration.id,
    name: 'Main',
    slug: 'conformance',
    applicationId: sampleSettings.applicationId,
    customHeaders: [],
    secret: sampleSettings.secret ?? '',
  })
  endpointId = endpoint.id
})

async function deliver(delivery: SampleDelivery) {
  const tab = shared()
  await tab.forget()
  const { applicationId, customHeaders } = delivery.settings
  await tab.engine.call('endpoints.update', {
    id: endpointId,
    applicationId,
    customHeaders: [...customHeaders],
  })
  await using client = await rawClient(tab.port)
  const path = delivery.endpoint ? '/hooks/conformance' : '/hooks/nowhere'
  const lines = delivery.headers.map(([name, value]) => `${name}: ${value}`)
  await client.send(
    Buffer.concat([head(`${delivery.method} ${path} HTTP/1.1`, lines), delivery.body]),
  )
  await client.answer()
  const kept = await tab.one()
  return { kept, checks: await tab.engine.call('deliveries.headers', { id: kept.id }) }
}

const cases = ['header.type_mismatch', 'body.not_json', 'payload.field_type'].flatMap((code) =>
  findingCases.filter((one) => one.code === code).slice(0, 1),
)

test.each(cases.map((one) => [one.code, one] as const))(
  '%s is found and stored, and not found in the negative example',
  async (code, { has, nearly }) => {
    const { kept, checks } = await deliver(has)
    expect(describeFindings(kept)).toEqual(findingsIn(has))
    expect(kept.findings.map((finding) => finding.code)).toContain(code)
    expect(checks.some(({ matches }) => matches === false)).toBe(code.startsWith('header.'))
    expect((await deliver(nearly)).kept.findings).toEqual([])
  },
)
