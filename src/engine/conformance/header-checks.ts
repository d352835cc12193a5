import { describeFindings } from '#catalogue/findings.ts'
import { commonHeaders, deliveryHeaders, proxyHeaderMeaning } from '#catalogue/headers.ts'
import type { Payload } from '#catalogue/payload.ts'
import type { HeaderCheck } from '#contract/deliveries.ts'
import { isProxyHeader } from '#contract/proxy-headers.ts'
import type { Arrival, Finding, Header, Verdict } from '#contract/models.ts'
import type { ParsedBody } from '../capture/parse-text.ts'
import { configuredValue, echoed } from './header-rules.ts'
import { FindingCollector, shortLocation } from './finding-collector.ts'
import { type CustomHeader, receiveHeaders, type Slot } from './received-headers.ts'
import { checkHeaders, compileRules, type EndpointRules } from './rules.ts'

export interface HeaderChecksInput {
  /** Its header names were expected when the delivery was received. */
  readonly brand: string
  /** The current settings; null: no endpoint had the path, so nothing is compared. */
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
 * Every received header in order, then the missing ones: what each means, and whether it is as expected. Uses the same rules as the findings. Never
 * contains the configured value of a custom header.
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
  const checker = createChecker(input, rules)
  const received = headers.map(([name, value], index): HeaderCheck => {
    const slot = slots.get(name.toLowerCase())
    const result = slot ? checker.received(slot) : noResult
    return { name, index, value, ...describeHeader(name.toLowerCase(), brand, custom), ...result }
  })
  const missing = [...slots.values()].flatMap((slot): HeaderCheck[] => {
    const result = checker.missing(slot)
    if (!result) return []
    const description = describeHeader(slot.lowerName, brand, custom)
    return [{ name: slot.name, index: null, value: null, ...description, ...result }]
  })
  return [...received, ...missing]
}

const noResult: CheckResult = { expected: null, matches: null, note: null }

function describeHeader(
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
      meaning: 'A custom header configured on the endpoint (API documentation, "Delivery").',
    }
  }
  if (isProxyHeader(lowerName)) return { source: 'proxy', meaning: proxyHeaderMeaning(lowerName) }
  return { source: meaning === null ? 'other' : 'common', meaning }
}

interface HeaderChecker {
  /** Of several headers with the same name, each gets the finding. */
  received(slot: Slot): CheckResult
  /** Null: nothing is missing. */
  missing(slot: Slot): CheckResult | null
}

function createChecker(input: HeaderChecksInput, rules: EndpointRules): HeaderChecker {
  const { headers, verdict, parsed } = input
  const { signature } = rules.headers.plan.documented
  const payload = parsed.kind === 'object' ? parsed.payload : null
  const reason = reasonNotCompared(input, parsed.kind === 'empty')
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const findings = findingsOf(rules, headers, payload)
  const wrong = (slot: Slot): CheckResult | null => {
    const [finding] = atSlot(findings, slot)
    if (!finding) return null
    return { expected: expectation(slot, rules, payload), matches: false, note: finding.message }
  }
  return {
    received(slot) {
      if (slot === signature) return signatureResult(verdict)
      if (reason !== null) return { expected: null, matches: null, note: reason }
      return (
        wrong(slot) ?? {
          expected: expectation(slot, rules, payload),
          ...resultWithoutFinding(slot, rules, payload),
        }
      )
    },
    missing(slot) {
      if (names.has(slot.lowerName)) return null
      if (slot === signature) return verdict === 'missing' ? signatureResult(verdict) : null
      return reason === null ? wrong(slot) : null
    },
  }
}

function atSlot(findings: readonly Finding[], { lowerName }: Slot): readonly Finding[] {
  const at = shortLocation(`header.${lowerName}`)
  return findings.filter(({ location }) => location === at)
}

function findingsOf(
  rules: EndpointRules,
  headers: readonly Header[],
  payload: Payload | null,
): readonly Finding[] {
  // One row for each finding: none may be omitted.
  const findings = new FindingCollector(Number.POSITIVE_INFINITY)
  checkHeaders(rules, receiveHeaders(headers.flat(), rules.headers.plan), payload, findings)
  const type = typeof payload?.type === 'string' ? payload.type : null
  return describeFindings({ findings: findings.all(), type })
}

/** Why headers are not compared; null if they are. */
function reasonNotCompared(input: HeaderChecksInput, isEmpty: boolean): string | null {
  if (input.endpoint === null) return 'No endpoint has this path, so it is not compared.'
  if (input.arrival !== 'complete') return 'The request is incomplete, so it is not compared.'
  return isEmpty ? 'There is no body, so there is nothing to compare with.' : null
}

type CheckResult = Pick<HeaderCheck, 'expected' | 'matches' | 'note'>

/** The expected value or a description; null: unknown. Never the configured value of a custom header. */
function expectation(
  slot: Slot,
  { headers: { plan, applicationId, userAgent } }: EndpointRules,
  payload: Payload | null,
): string | null {
  const { documented } = plan
  // The configured value of a documented header may be a credential, too.
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
  const text = echoed(value)
  return text === '' ? 'none' : text === undefined ? null : text.slice(0, 2000).toWellFormed()
}

/** A header without findings matches, or there is nothing to compare it with. */
function resultWithoutFinding(
  slot: Slot,
  { headers: { plan, applicationId } }: EndpointRules,
  payload: Payload | null,
): Pick<HeaderCheck, 'matches' | 'note'> {
  const { documented } = plan
  const fields: Partial<Record<string, unknown>> = {
    [documented['event-type'].lowerName]: payload?.type,
    [documented['target-uuid'].lowerName]: payload?.targetUuid,
    [documented['target-id'].lowerName]: payload?.targetId,
  }
  if (Object.hasOwn(fields, slot.lowerName)) {
    if (payload === null) {
      return {
        matches: null,
        note: 'The body is not a JSON object, so there is nothing to compare with.',
      }
    }
    if (echoed(fields[slot.lowerName]) === undefined) {
      return { matches: null, note: 'The field of the body is not text, so it cannot be compared.' }
    }
  }
  if (slot === documented['application-id'] && applicationId === '' && !slot.isCustom) {
    return { matches: null, note: 'Set the application ID on the endpoint to compare it.' }
  }
  return { matches: true, note: null }
}

const noSecret = { matches: null, note: 'There was no secret to check it with.' }

/** The signature has a verdict instead of findings. */
const signatureResults: Readonly<Record<Verdict, Pick<HeaderCheck, 'matches' | 'note'>>> = {
  valid: { matches: true, note: null },
  invalid: {
    matches: false,
    note: 'This is not the signature of this body with any secret of the endpoint.',
  },
  missing: {
    matches: false,
    note: 'The endpoint has a secret, but the delivery has no signature.',
  },
  unsigned: noSecret,
  unchecked: noSecret,
}

function signatureResult(verdict: Verdict): CheckResult {
  return { expected: 'hex HMAC-SHA256 of the body', ...signatureResults[verdict] }
}
