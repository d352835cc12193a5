import { commonHeaders, deliveryHeaders, proxyHeaderMeaning } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { HeaderCheck } from '#contract/deliveries.ts'
import { isProxyHeader } from '#contract/forwarded.ts'
import type { Arrival, Finding, Header, Verdict } from '#contract/models.ts'
import type { ParsedBody } from '../capture/parse-text.ts'
import { configuredValue } from './custom-headers.ts'
import { Departures, shortPlace } from './departures.ts'
import { type CustomHeader, receiveHeaders, saysSame, type Slot } from './received-headers.ts'
import { checkHeaders, compileRules, type EndpointRules } from './rules.ts'
import { echoed } from './header-rules.ts'

export interface HeaderChecksInput {
  /** The brand whose names were looked for when it came. */
  readonly brand: string
  /** The endpoint's settings of now; null: no endpoint had the path, so nothing was held against it. */
  readonly endpoint: {
    readonly applicationId: string
    readonly customHeaders: readonly Header[]
  } | null
  readonly headers: readonly Header[]
  readonly parsed: ParsedBody
  readonly arrival: Arrival
  readonly verdict: Verdict
}

/**
 * Every header that came, in that order, then those that should have come: what each means, and whether it is as expected. It says what the
 * findings say, since it asks the same rules. Never the configured value of a custom header.
 */
export function headerChecks(input: HeaderChecksInput): HeaderCheck[] {
  const { brand, headers } = input
  const settings = input.endpoint ?? { applicationId: '', customHeaders: [] }
  const rules = compileRules({ brand, ...settings })
  const { documented, custom } = rules.headers.plan
  const slots = new Map<string, Slot>(
    [...Object.values(documented), ...custom.map(({ slot }) => slot)].map((slot) => [
      slot.lowerName,
      slot,
    ]),
  )
  const judge = judgeOf(input, rules)
  const came = headers.map(([name, value], index): HeaderCheck => {
    const slot = slots.get(name.toLowerCase())
    const told = slot ? judge.received(slot, value, index) : untold
    return { name, index, value, ...known(name.toLowerCase(), brand, custom), ...told }
  })
  const absent = [...slots.values()].flatMap((slot): HeaderCheck[] => {
    const told = judge.absent(slot)
    if (!told) return []
    const about = known(slot.lowerName, brand, custom)
    return [{ name: slot.name, index: null, value: null, ...about, ...told }]
  })
  return [...came, ...absent]
}

const untold: Told = { expected: null, agrees: null, note: null }

/** Who speaks of a header, and what they say that it means. */
function known(
  lowerName: string,
  brand: string,
  custom: readonly CustomHeader[],
): Pick<HeaderCheck, 'source' | 'meaning'> {
  const own = deliveryHeaders(brand).find((header) => header.lowerName === lowerName)
  if (own) return { source: 'document', meaning: own.description }
  const meaning = Object.hasOwn(commonHeaders, lowerName)
    ? (commonHeaders[lowerName] ?? null)
    : null
  if (lowerName === 'user-agent' || lowerName === 'content-type') {
    return { source: 'document', meaning }
  }
  if (custom.some(({ slot }) => slot.lowerName === lowerName)) {
    return {
      source: 'endpoint',
      meaning:
        'A custom header that is configured on the endpoint (API documentation, "Delivery").',
    }
  }
  if (isProxyHeader(lowerName)) return { source: 'way', meaning: proxyHeaderMeaning(lowerName) }
  return { source: meaning === null ? 'other' : 'common', meaning }
}

interface Judge {
  /** Of a header that came. */
  received(slot: Slot, value: string, index: number): Told
  /** Of one that did not come, or not often enough; null: that is right. */
  absent(slot: Slot): Told | null
}

function judgeOf(input: HeaderChecksInput, rules: EndpointRules): Judge {
  const { headers, verdict, parsed } = input
  const { documented, custom } = rules.headers.plan
  const payload = parsed.kind === 'object' ? parsed.payload : null
  const reason = unjudged(input, parsed.kind === 'empty')
  const lower = headers.map(([name]) => name.toLowerCase())
  const findings = findingsOf(rules, headers, payload)
  const about = (slot: Slot): readonly Finding[] => atSlot(findings, slot)
  /** Alone under its name, so that each of several is judged by its own value. */
  const aboutOne = (slot: Slot, index: number): readonly Finding[] => {
    const others = headers.filter((_, at) => at === index || lower[at] !== slot.lowerName)
    return others.length === headers.length
      ? about(slot)
      : atSlot(findingsOf(rules, others, payload), slot)
  }

  return {
    received(slot, value, index) {
      if (slot === documented.signature) return signatureTold(verdict)
      if (reason !== null) return { expected: null, agrees: null, note: reason }
      const configured = custom.find((one) => one.slot === slot)
      const wrong =
        aboutOne(slot, index).find(({ code }) => code !== 'header.custom_different') ??
        (configured && !configured.values.some((one) => saysSame(value, one))
          ? about(slot).find(({ code }) => code === 'header.custom_different')
          : undefined)
      const expected = expectation(slot, rules, payload)
      if (wrong) return { expected, agrees: false, note: wrong.message }
      const again =
        lower.indexOf(slot.lowerName) < index
          ? about(slot).find(({ code }) => code === 'header.repeated')
          : undefined
      if (again) return { expected, agrees: false, note: again.message }
      return { expected, ...whyNotTold(slot, rules, payload) }
    },
    absent(slot) {
      const came = lower.includes(slot.lowerName)
      if (slot === documented.signature) {
        return verdict === 'missing' && !came ? signatureTold(verdict) : null
      }
      if (reason !== null) return null
      const configured = custom.find((one) => one.slot === slot)
      if (came) {
        const values = headers.filter((_, at) => lower[at] === slot.lowerName)
        const fits = (one: string): boolean => values.some(([, value]) => saysSame(value, one))
        const shown = values.some(
          ([, value]) => !configured?.values.some((one) => saysSame(value, one)),
        )
        return configured === undefined || shown || configured.values.every(fits)
          ? null
          : {
              expected: configuredValue,
              agrees: false,
              note: 'It is configured more than once, and not all of its values were received.',
            }
      }
      const [missing] = about(slot)
      return missing
        ? {
            expected: expectation(slot, rules, payload),
            agrees: false,
            note: missing.message,
          }
        : null
    },
  }
}

function atSlot(findings: readonly Finding[], { lowerName }: Slot): readonly Finding[] {
  const at = shortPlace(`header.${lowerName}`)
  return findings.filter(({ place }) => place === at)
}

function findingsOf(
  rules: EndpointRules,
  headers: readonly Header[],
  payload: Payload | null,
): readonly Finding[] {
  // One row for each: none of them may be left out.
  const departures = new Departures(Number.POSITIVE_INFINITY)
  checkHeaders(rules, receiveHeaders(headers.flat(), rules.headers.plan), payload, departures)
  return departures.all()
}

/** Why no header is held against anything; null: they are. */
function unjudged(input: HeaderChecksInput, isEmpty: boolean): string | null {
  if (input.endpoint === null) return 'No endpoint has this path, so it is not compared.'
  if (input.arrival !== 'complete') return 'The request is incomplete, so it is not compared.'
  return isEmpty ? 'There is no body, so this is no delivery to compare with.' : null
}

/** What the breakdown says of one header beside what it is. */
type Told = Pick<HeaderCheck, 'expected' | 'agrees' | 'note'>

/** What should come under a name, in words or as a value; null: nobody can say. Never what is configured for a custom header. */
function expectation(
  slot: Slot,
  { headers: { plan, applicationId, userAgent } }: EndpointRules,
  payload: Payload | null,
): string | null {
  const { documented } = plan
  // What is configured for a header of the document may be a credential like every other.
  if (slot.isCustom) return configuredValue
  switch (slot) {
    case documented['event-type']:
      return repeatedField(payload, payload?.type)
    case documented['target-uuid']:
      return repeatedField(payload, payload?.targetUuid)
    case documented['target-id']:
      return repeatedField(payload, payload?.targetId)
    case documented['application-id']:
      return applicationId === '' ? null : applicationId
    case documented['user-agent']:
      return `starts with ${userAgent}`
    case documented['content-type']:
      return 'application/json'
    default:
      return null
  }
}

function repeatedField(payload: Payload | null, value: unknown): string | null {
  if (payload === null) return null
  const told = echoed(value)
  return told === '' ? 'none' : told === undefined ? null : told.slice(0, 2000).toWellFormed()
}

/** For a header about which nothing was found: it agrees, or there is nothing to compare it with. */
function whyNotTold(
  slot: Slot,
  { headers: { plan, applicationId } }: EndpointRules,
  payload: Payload | null,
): Pick<HeaderCheck, 'agrees' | 'note'> {
  const { documented } = plan
  const fields: Partial<Record<string, unknown>> = {
    [documented['event-type'].lowerName]: payload?.type,
    [documented['target-uuid'].lowerName]: payload?.targetUuid,
    [documented['target-id'].lowerName]: payload?.targetId,
  }
  if (Object.hasOwn(fields, slot.lowerName)) {
    if (payload === null) {
      return {
        agrees: null,
        note: 'The body is no JSON object, so there is nothing to compare with.',
      }
    }
    if (echoed(fields[slot.lowerName]) === undefined) {
      return { agrees: null, note: 'The field of the body is no text, so it cannot be compared.' }
    }
  }
  if (slot === documented['application-id'] && applicationId === '' && !slot.isCustom) {
    return { agrees: null, note: 'Set the application ID on the endpoint to have it compared.' }
  }
  return { agrees: true, note: null }
}

/** The signature has a verdict, and no finding. */
function signatureTold(verdict: Verdict): Told {
  const expected = 'hex HMAC-SHA256 of the body'
  switch (verdict) {
    case 'valid':
      return { expected, agrees: true, note: null }
    case 'invalid':
      return {
        expected,
        agrees: false,
        note: 'It is not the signature of this body under a secret of the endpoint.',
      }
    case 'missing':
      return {
        expected,
        agrees: false,
        note: 'The endpoint has a secret, but the delivery has no signature.',
      }
    case 'unsigned':
    case 'unchecked':
      return {
        expected,
        agrees: null,
        note: 'There was no secret to check it with.',
      }
  }
}
