import { describe, expect, it } from 'vitest'
import { describeFindings } from '#catalogue/findings.ts'
import { inspect } from '#engine/payload/inspect.ts'
import { RecordMasker } from '#engine/event-logs/record-masker.ts'
import { findingCases } from '#test/support/finding-cases.ts'
import { exported, maskDelivery, maskedBody } from '#test/support/masking.ts'
import { endpointOf, type SampleDelivery } from '#test/support/sample-delivery.ts'

/** They depend on values that no masked record shows. */
const unseen = new Set([
  'header.application_id_mismatch',
  'header.custom_different',
  'signature.upper_case',
])

type Found = readonly { readonly code: string; readonly location: string }[]

const placesOf = (findings: Found): string[] =>
  findings
    .filter(({ code }) => !unseen.has(code))
    .map(({ code, location }) => `${code} ${location}`)

function maskAndInspect(delivery: SampleDelivery): { stored: Found; again: Found } {
  const { brand } = delivery.settings
  const inspected = inspect(delivery, delivery.endpoint, brand)
  const masker = new RecordMasker()
  const { fields, body } = maskDelivery(
    {
      body: delivery.body,
      headers: delivery.headers,
      fields: {
        ...inspected,
        findings: describeFindings(inspected),
        brand,
        arrival: delivery.arrival,
        method: delivery.method,
      },
    },
    masker,
  )
  const endpoint = masker.item({
    kind: 'endpoint',
    id: 1,
    integrationId: 1,
    name: 'Main',
    slug: 'main',
    applicationId: delivery.settings.applicationId,
    customHeaders: [...delivery.settings.customHeaders],
  })
  const settings = {
    ...delivery.settings,
    secret: null,
    applicationId: endpoint.applicationId,
    customHeaders: endpoint.customHeaders,
  }
  const again = inspect(
    {
      method: fields.method,
      arrival: fields.arrival,
      protocol: delivery.protocol ?? null,
      body,
      rawHeaders: fields.headers.flat(),
    },
    delivery.endpoint === null ? null : endpointOf(settings),
    brand,
  )
  return { stored: fields.findings, again: again.findings }
}

it.each(
  findingCases.flatMap(({ code, what, has, nearly }) => [
    [code, what, has] as const,
    [code, `almost: ${what}`, nearly] as const,
  ]),
)(
  'a masked delivery, inspected again has the findings of the original: %s, %s',
  (_code, _what, delivery) => {
    const { stored, again } = maskAndInspect(delivery)
    expect(placesOf(again)).toEqual(placesOf(stored))
  },
)

const order =
  '{"type":"ORDER_PLACED","targetUuid":"550e8400-e29b-41d4-a716-446655440000","createdAt":"2026-03-14T21:09:00.123Z","data":{"orderName":"Zebulon","total":42.5,"scheduled":false,"itemNames":["Fries"]}}'

/** What stands in place of a part of the order. */
const replaced = [
  ['false', 'False None NaN undefined Infinity tru nul'],
  ['42.5', '042.5 42. .5 +42.5 0x2A 4e 4_2 42,5 --42'],
  ['"Zebulon"', `'Zebulon' Zebulon "Zeb"ulon" “Zebulon”`],
  ['Zebulon', String.raw`Zeb\qulon Zeb\u12ulon Zeb\x41ulon`],
  ['"data":', `data: 'data': "data" "data"= "data"::`],
  [',"data"', '"data" ,,"data" ;"data"'],
  [']}}', ']},} ,]}} }} ]} ]}}} ]}]'],
] as const

const syntaxErrors: readonly string[] = [
  ...replaced.flatMap(([part, by]) => by.split(' ').map((text) => order.replace(part, text))),
  order.replace('false', ''),
  ...['\n', '\t', '\u0000'].map((control) => order.replace('Zebulon', `Zeb${control}ulon`)),
  order.slice(0, 20),
  order.slice(0, 60),
  order.slice(0, 115),
  order.slice(0, 130),
  order.slice(0, -1),
  `${order}${order}`,
  `${order}\n${order}`,
  `${order} Zebulon`,
  `// Zebulon\n${order}`,
  `/* Zebulon */${order}`,
  order.replace('"data"', '/* Zebulon */"data"'),
  order.replaceAll('"', '&quot;'),
  order.replaceAll('"', '\\"'),
  `callback(${order})`,
  `payload=${encodeURIComponent(order)}`,
  '<html><body>Zebulon was here</body></html>',
  'Zebulon was here',
]

function errorOf(text: string): string {
  try {
    JSON.parse(text)
    return 'none'
  } catch (error) {
    // Without the position, the token and the quoted text.
    return String(error)
      .replace(/, (?:\.\.\.)?"[\s\S]*$|at position[\s\S]*$|in JSON[\s\S]*$/, '')
      .replace(/token '[a-z]'/i, 'letter')
  }
}

describe('a masked body that is not JSON', () => {
  it.each(syntaxErrors)('fails in the parser like the original: %s', (text) => {
    const masked = maskedBody(text)
    expect(errorOf(masked)).toBe(errorOf(text))
    expect(errorOf(text)).not.toBe('none')
    expect(masked).not.toMatch(/zeb|ulon/i)
  })

  it('keeps what shows that it is not UTF-8', () => {
    const latin1 = Buffer.from(order.replace('Zebulon', 'Zoë'), 'latin1')
    const { body } = maskDelivery({ body: latin1, fields: { verdict: 'invalid' } })
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow()
  })
})

it('masks what it cannot decode completely', () => {
  const { body, omitted } = exported({ body: Buffer.from([0xff, 1, 2, 3, 0x80]) })
  expect(omitted).toBeNull()
  const masked = maskDelivery({ body })
  expect(masked.body.byteLength).toBe(0)
  expect(masked.omitted).toMatch(/binary/)
})
