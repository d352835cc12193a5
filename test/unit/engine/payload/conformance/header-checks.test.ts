import { describe, expect, it } from 'vitest'
import type { HeaderCheck } from '#contract/deliveries.ts'
import type { Header } from '#contract/models.ts'
import { inspect } from '#engine/payload/inspect.ts'
import { configuredValue } from '#engine/payload/conformance/header-rules.ts'
import { headerChecks } from '#engine/payload/conformance/header-checks.ts'
import { findingCases } from '#test/support/finding-cases.ts'
import {
  added,
  changed,
  customValue,
  findingsIn,
  sampleDelivery,
  without,
  type SampleDelivery,
} from '#test/support/sample-delivery.ts'

function checksOf(delivery: SampleDelivery): HeaderCheck[] {
  const { settings, endpoint, headers, arrival } = delivery
  const { brand } = settings
  const { verdict, type, findings } = inspect(delivery, endpoint, brand)
  return headerChecks({
    brand,
    endpoint: endpoint && settings,
    headers,
    findings,
    type,
    arrival,
    verdict,
  })
}

const isSignature = (name: string) => name.toLowerCase() === 'x-acme-signature'

/** Compares the headers with problems according to the findings and to the breakdown. The signature has a verdict instead. */
function compare(delivery: SampleDelivery): void {
  const found = findingsIn(delivery)
    .map(({ location }) => location)
    .filter((place) => place.startsWith('header.') && !isSignature(place.slice(7)))
  const broken = checksOf(delivery)
    .filter(({ name, matches }) => matches === false && !isSignature(name))
    .map(({ name }) => `header.${name.toLowerCase()}`)
  expect([...new Set(broken)].sort()).toEqual([...new Set(found)].sort())
}

const row = (checks: readonly HeaderCheck[], name: string) =>
  checks.filter((check) => check.name.toLowerCase() === name)

function noteFor(delivery: SampleDelivery, name: string): string | null {
  const [{ matches, note } = { matches: true, note: null }] = row(checksOf(delivery), name)
  expect(matches).toBeNull()
  return note
}

const signature = (delivery: SampleDelivery) => row(checksOf(delivery), 'x-acme-signature')

describe('headerChecks', () => {
  it.each(findingCases.map((one) => [one.code, one.what, one] as const))(
    'agrees with the findings: %s, %s',
    (_, _what, { has, nearly }) => {
      compare(has)
      compare(nearly)
    },
  )

  it('describes a delivery that matches the API documentation: every header in order, each with its meaning', () => {
    const sent = sampleDelivery('CATEGORY_UPDATED', {
      settings: { customHeaders: [['X-Key', customValue]] },
    })
    const checks = checksOf(sent)
    expect(checks.map(({ name, index, value }) => [name, value, index])).toEqual(
      sent.headers.map(([name, value], index) => [name, value, index]),
    )
    expect(checks.map(({ name, source, matches }) => [name, source, matches])).toEqual([
      ['Host', 'common', null],
      ['User-Agent', 'document', true],
      ['Content-Type', 'document', true],
      ['Content-Length', 'common', null],
      ['X-Acme-Event-Type', 'document', true],
      ['X-Acme-Event-Target-ID', 'document', true],
      ['X-Acme-Application-ID', 'document', true],
      ['X-Acme-Signature', 'document', true],
      ['X-Key', 'endpoint', true],
    ])
    expect(row(checks, 'x-acme-event-type')).toMatchObject([
      { meaning: 'The event `type`.', note: null },
    ])
    expect(row(checks, 'x-acme-signature')).toMatchObject([
      { expected: 'hex HMAC-SHA256 of the body' },
    ])
  })

  it('accepts what a tunnel changes in the headers: lower-case names, another host, proxy headers', () => {
    const claims: Header[] = [
      ['x-forwarded-for', '203.0.113.9'],
      ['x-forwarded-proto', 'https'],
      ['cf-ray', '8f0-FRA'],
    ]
    const through = sampleDelivery('ITEM_ADDED', {
      settings: { customHeaders: [['X-Key', customValue]] },
      headers: (headers) => [
        ...headers.map(([name, value]): Header =>
          name === 'Host' ? ['host', 'pier9.loca.lt'] : [name.toLowerCase(), value],
        ),
        ...claims,
      ],
    })
    expect(findingsIn(through)).toEqual([])
    const checks = checksOf(through)
    expect(checks.filter(({ matches }) => matches === false)).toEqual([])
    expect(checks.filter(({ source }) => source === 'proxy')).toMatchObject(
      claims.map(([name, value]) => ({ name, value, expected: null, matches: null, note: null })),
    )
    expect(checks.filter(({ source }) => source === 'other')).toEqual([])
  })

  it('treats a header configured on the endpoint as custom, even if it is a common one', () => {
    const checks = checksOf(
      sampleDelivery('ITEM_ADDED', { settings: { customHeaders: [['Via', customValue]] } }),
    )
    expect(row(checks, 'via')).toMatchObject([{ source: 'endpoint', matches: true }])
  })

  it('lists missing headers at the end, as written in the API documentation or on the endpoint', () => {
    const checks = checksOf(
      sampleDelivery('ITEM_ADDED', {
        settings: { customHeaders: [['X-Key', customValue]] },
        headers: without('x-acme-event-type', 'x-acme-signature', 'x-key', 'user-agent'),
      }),
    )
    const at = (name: string) => row(checks, name)
    expect(at('x-acme-event-type')).toMatchObject([
      {
        name: 'X-Acme-Event-Type',
        index: null,
        value: null,
        expected: 'ITEM_ADDED',
        matches: false,
      },
    ])
    expect(at('x-acme-signature')).toMatchObject([{ index: null, matches: false }])
    expect(at('user-agent')).toMatchObject([{ name: 'User-Agent', index: null, matches: false }])
    expect(at('x-key')).toMatchObject([
      { name: 'X-Key', index: null, source: 'endpoint', expected: configuredValue, matches: false },
    ])
    expect(checks.filter(({ index }) => index === null)).toHaveLength(4)
  })

  it('shows a finding at each of several headers with the same name', () => {
    const twice = checksOf(
      sampleDelivery('ITEM_ADDED', { headers: added('x-acme-event-type', 'ITEM_REMOVED') }),
    )
    expect(row(twice, 'x-acme-event-type').map(({ matches }) => matches)).toEqual([false, false])
  })

  it('shows the verdict for the signature', () => {
    const headers = changed('x-acme-signature', 'f'.repeat(64))
    expect(signature(sampleDelivery('ITEM_ADDED', { headers }))).toMatchObject([{ matches: false }])
    expect(signature(sampleDelivery('ITEM_ADDED'))).toMatchObject([{ matches: true }])
    expect(signature(sampleDelivery('ITEM_ADDED', { settings: { secret: null } }))).toEqual([])
  })

  it('reports headers that cannot be checked', () => {
    expect(noteFor(sampleDelivery('ITEM_ADDED', { lost: true }), 'user-agent')).toMatch(
      /No endpoint/,
    )
    expect(
      noteFor(sampleDelivery('ITEM_ADDED', { arrival: 'cut_off' }), 'x-acme-event-type'),
    ).toMatch(/incomplete/)
    expect(noteFor(sampleDelivery('ITEM_ADDED', { body: () => '' }), 'content-type')).toMatch(
      /no body/,
    )
    expect(
      noteFor(sampleDelivery('ITEM_ADDED', { body: () => '[]' }), 'x-acme-event-type'),
    ).toMatch(/nothing to compare with/)
    expect(
      noteFor(
        sampleDelivery('ITEM_ADDED', { settings: { applicationId: '' } }),
        'x-acme-application-id',
      ),
    ).toMatch(/Set the application ID/)
  })

  it('does not use inherited properties as meanings', () => {
    const checks = checksOf(
      sampleDelivery('ITEM_ADDED', {
        headers: (headers) => [...headers, ['constructor', 'x'], ['__proto__', 'y']],
      }),
    )
    expect(checks.slice(-2)).toMatchObject([
      { source: 'other', meaning: null, expected: null, matches: null },
      { source: 'other', meaning: null, expected: null, matches: null },
    ])
  })
})
