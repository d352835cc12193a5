import { createHash, createHmac } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  caseGroups,
  matchesCase,
  rehearsalCaseOf,
  rehearsalCases,
} from '#catalogue/rehearsal/cases.ts'
import {
  bodyWith,
  type DesignedRequest,
  type RehearsalCase,
  type Variant,
} from '#catalogue/rehearsal/define.ts'
import { CaseRequestBuilder } from '#engine/handlers/rehearsal/request-builder.ts'
import type { RehearsalIdentity } from '#engine/handlers/rehearsal/messages.ts'
import { faultOfRequest } from '#engine/sending/wire/request-bytes.ts'

const identity: RehearsalIdentity = {
  secret: 'a secret of tests',
  previousSecret: 'a previous secret',
  accessSecret: 'an access secret',
  brand: 'Acme',
  applicationId: 'tests',
  customHeaders: [['X-Custom', 'value']],
}
const kitOf = (id: string, seed = 7, changes: Partial<RehearsalIdentity> = {}) =>
  new CaseRequestBuilder({ ...identity, ...changes }, seed, id)

function variantsOf(
  each: RehearsalCase | undefined,
  seed?: number,
  changes?: Partial<RehearsalIdentity>,
): readonly Variant[] {
  return each?.variants?.(kitOf(each.id, seed, changes)) ?? []
}

interface Planned {
  readonly id: string
  readonly name: string
  readonly expected: string
  readonly request: DesignedRequest
}

function planned(seed?: number, changes?: Partial<RehearsalIdentity>): Planned[] {
  return rehearsalCases.flatMap((each) =>
    variantsOf(each, seed, changes).flatMap(({ name, steps, expect: expected }) =>
      steps.flatMap((step, index) =>
        [step].flat().map((request: DesignedRequest) => ({
          id: each.id,
          name,
          expected: typeof expected === 'string' ? expected : (expected[index] ?? 'none'),
          request,
        })),
      ),
    ),
  )
}

const hmac = (body: Uint8Array): string =>
  createHmac('sha256', 'a secret of tests').update(body).digest('hex')
const signatures = ({ headers }: DesignedRequest): string[] =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === 'x-acme-signature' ? [value] : []))
const digest = ({ request }: Planned): string =>
  createHash('sha256')
    .update(JSON.stringify({ ...request, body: null, valid: null }))
    .update(request.body)
    .digest('hex')
const firstOf = (variant: Variant | undefined): DesignedRequest => {
  const [request] = [variant?.steps[0] ?? []].flat()
  if (!request) throw new Error('The variant has no requests.')
  return request
}

/** Each request without its times and signatures. */
const shown = () =>
  planned()
    .filter(({ id }) => id !== 'T4')
    .map(({ id, name, request }) => {
      const body = name === 'gzip' ? gunzipSync(request.body) : request.body
      const text = Buffer.from(body).toString('latin1')
      return `${id} ${name} ${text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{64}/g, '')}`
    })

beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 0, 2), toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

it.each(rehearsalCases.map((each) => [each.id, each] as const))('%s is complete', (id, each) => {
  const { group, title, expected, why, level, basis, quote, needsObserver, hostile } = each
  expect(caseGroups.map((known) => known.id)).toContain(group)
  expect(id).toMatch(/^[PGSBIT]\d+$/)
  expect(title).not.toBe('')
  expect(expected).not.toBe('')
  expect(why).toMatch(/\.$/)
  // What is required has a basis, and only a basis can be quoted.
  if (level === 'MUST') expect(basis).not.toBeNull()
  if (basis === null) expect(quote).toBeUndefined()
  if (!each.variants) return
  const planOf = variantsOf(each)
  expect(planOf.length).toBeGreaterThan(0)
  expect(new Set(planOf.map(({ name }) => name)).size).toBe(planOf.length)
  // A rejected method needs no observer.
  if (group !== 'precheck' && id !== 'T9')
    expect(planOf.some(({ effects }) => effects !== undefined)).toBe(needsObserver === true)
  for (const { name, steps, expect: expectation, effects } of planOf) {
    expect(steps.flat().length, name).toBeGreaterThan(0)
    if (typeof expectation !== 'string') expect(expectation).toHaveLength(steps.length)
    if (expectation === 'reject' && group !== 'precheck') expect(hostile, name).toBe(true)
    if (effects && 'asVariant' in effects) {
      const earlier = planOf.slice(
        0,
        planOf.findIndex((each) => each.name === name),
      )
      expect(earlier.find((other) => other.name === effects.asVariant)?.effects).toEqual({
        recorded: true,
      })
    }
  }
})

describe('requests', () => {
  it('are well formed', () => {
    const faults = planned().map(({ id, name, request }) => {
      const { method = 'POST', query = '', headers, body, transmission } = request
      const url = new URL(`http://127.0.0.1:3000/webhooks?${query}`)
      const fault = faultOfRequest({
        method,
        url,
        headers: [['Host', url.host], ...headers],
        body,
        trailers: [],
        ...(transmission ? { transmission } : {}),
      })
      return fault === null ? null : `${id} ${name}: ${fault}`
    })
    expect(faults.filter((fault) => fault !== null)).toEqual([])
  })

  it('have the custom headers of the endpoint', () => {
    for (const { id, name, request } of planned()) {
      const names = request.headers.map(([header]) => header.toLowerCase())
      expect(names, `${id} ${name}`).toContain('x-custom')
    }
  })

  it('are the same for the same seed, and different for another', () => {
    const first = planned().map(digest)
    expect(planned().map(digest)).toEqual(first)
    const other = planned(8)
    // Bodies that are not an event have no identifiers, but the headers of one.
    expect(other.map(digest).filter((each) => first.includes(each))).toEqual([])
  })

  it('differ between two times in nothing but times and signatures', () => {
    const first = shown()
    vi.setSystemTime(Date.UTC(2027, 5, 6, 7, 8, 9))
    expect(shown()).toEqual(first)
  })

  it('have the valid signature exactly if they must be accepted', () => {
    for (const { id, name, expected, request } of planned()) {
      const isValid =
        signatures(request).length === 1 && signatures(request)[0] === hmac(request.body)
      // Bodies that are signed, but not events.
      if (id === 'B7') expect(isValid, `${id} ${name}`).toBe(true)
      else if (expected === 'accept') expect(isValid, `${id} ${name}`).toBe(true)
      else if (expected === 'reject' || expected === 'refuse')
        expect(isValid, `${id} ${name}`).toBe(false)
    }
  })

  it('have no signature without a secret', () => {
    const unsigned = planned(7, { secret: null, previousSecret: null, accessSecret: null })
    const optional = new Set(
      rehearsalCases.filter(({ needsSecret }) => !needsSecret).map(({ id }) => id),
    )
    for (const { id, name, request } of unsigned) {
      if (optional.has(id)) expect(signatures(request), `${id} ${name}`).toEqual([])
    }
  })

  it('that must be accepted are events', () => {
    for (const { id, name, expected, request } of planned()) {
      if (expected !== 'accept') continue
      const event: unknown = JSON.parse(Buffer.from(request.body).toString())
      expect(event, `${id} ${name}`).toMatchObject({ type: expect.any(String) })
    }
  })
})

it('T3 has bodies of exactly these sizes, of which the largest are only recorded', () => {
  const sizes = variantsOf(rehearsalCaseOf('T3')).map((variant) => [
    firstOf(variant).body.byteLength,
    variant.level ?? 'SHOULD',
  ])
  const KiB = 1024
  expect(sizes).toEqual([
    [128 * KiB, 'SHOULD'],
    [256 * KiB, 'SHOULD'],
    [1024 * KiB, 'INFO'],
    [10_240 * KiB, 'INFO'],
  ])
})

it('S3 signs with the access secret, and S12 with the previous one, if they are known', () => {
  const [s3, s12] = [rehearsalCaseOf('S3'), rehearsalCaseOf('S12')]
  expect(variantsOf(s3)).toHaveLength(2)
  expect(variantsOf(s3, 7, { accessSecret: null })).toHaveLength(1)
  expect(variantsOf(s12)).toHaveLength(1)
  expect(variantsOf(s12, 7, { previousSecret: null })).toHaveLength(0)
})

it('S1 changes one byte, or appends one', () => {
  const changes = variantsOf(rehearsalCaseOf('S1')).map((variant) => {
    const { body, valid } = firstOf(variant)
    const differing = valid.body.filter((byte, index) => byte !== body[index]).length
    return [differing, body.byteLength - valid.body.byteLength]
  })
  expect(changes).toEqual([
    [1, 0],
    [0, 1],
  ])
})

it('bodyWith writes members as given, and adds those that are new', () => {
  const event = { type: 'X', data: { total: 12.5, name: 'é' } }
  expect(bodyWith(event, { total: '12.50', '2': '1' })).toBe(
    '{"type":"X","data":{"total":12.50,"name":"é","2":1}}',
  )
})

it.each([
  ['S4', ['S4']],
  ['s4', ['S4']],
  ['S1', ['S1']],
  ['B*', ['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8']],
  ['S1*', ['S1', 'S10', 'S11', 'S12', 'S13', 'S14']],
  ['X*', []],
])('the pattern %s selects %j', (pattern, ids) => {
  const selected = rehearsalCases.filter(({ id }) => matchesCase(id, pattern))
  expect(selected.map(({ id }) => id)).toEqual(ids)
})
