import { describeFindings } from '#catalogue/findings.ts'
import { commonHeaders, deliveryHeaders, proxyHeaderMeaning } from '#catalogue/headers.ts'
import type { HeaderCheck } from '#contract/deliveries.ts'
import { isProxyHeader } from '#contract/proxy-headers.ts'
import type { Arrival, FindingData, Header, Verdict } from '#contract/models.ts'
import { shortLocation } from './finding-collector.ts'

export interface HeaderChecksInput {
  /** Its header names were expected when the delivery was received. */
  readonly brand: string
  /** The current settings; null: no endpoint had the path, so nothing was compared. */
  readonly endpoint: {
    readonly applicationId: string
    readonly customHeaders: readonly Header[]
  } | null
  readonly headers: readonly Header[]
  /** As stored. */
  readonly findings: readonly FindingData[]
  /** Of the body; null: it has none, so no header can repeat its fields. */
  readonly type: string | null
  readonly arrival: Arrival
  readonly verdict: Verdict
}

type CheckResult = Pick<HeaderCheck, 'expected' | 'matches' | 'note'>

const noResult: CheckResult = { expected: null, matches: null, note: null }

/** Every received header in order, then the missing ones: what each means, and what the findings of the delivery say about it. */
export function headerChecks(input: HeaderChecksInput): HeaderCheck[] {
  const { brand, headers, verdict } = input
  const own = deliveryHeaders(brand)
  const custom = input.endpoint?.customHeaders.map(([name]) => name.trim()) ?? []
  const names = new Map(
    [...custom, ...own.map(({ name }) => name), 'User-Agent', 'Content-Type'].map((name) => [
      name.toLowerCase(),
      name,
    ]),
  )
  const signature = own.find(({ id }) => id === 'signature')?.lowerName
  const findings = describeFindings(input).filter(({ location }) => location.startsWith('header.'))
  const customNames = new Set(custom.map((name) => name.toLowerCase()))
  const check = (name: string, index: number | null, value: string | null): HeaderCheck => {
    const lowerName = name.toLowerCase()
    const description = describeHeader(lowerName, brand, customNames)
    const head = { name, index, value, ...description }
    if (lowerName === signature) return { ...head, ...signatureResult(verdict) }
    const at = shortLocation(`header.${lowerName}`)
    const finding = findings.find(({ location }) => location === at)
    if (finding) {
      return { ...head, expected: finding.expected ?? null, matches: false, note: finding.message }
    }
    return {
      ...head,
      ...(names.has(lowerName) ? resultWithoutFinding(input, lowerName) : noResult),
    }
  }
  const received = new Set(headers.map(([name]) => shortLocation(`header.${name.toLowerCase()}`)))
  const missing = findings
    .filter(({ location }) => !received.has(location))
    .map(({ location }) => location.slice('header.'.length))
    .filter((lowerName) => lowerName !== signature)
  if (verdict === 'missing' && signature !== undefined) missing.push(signature)
  return [
    ...headers.map(([name, value], index) => check(name, index, value)),
    ...missing.map((lowerName) => check(names.get(lowerName) ?? lowerName, null, null)),
  ]
}

function describeHeader(
  lowerName: string,
  brand: string,
  customNames: ReadonlySet<string>,
): Pick<HeaderCheck, 'source' | 'meaning'> {
  const own = deliveryHeaders(brand).find((header) => header.lowerName === lowerName)
  if (own) return { source: 'document', meaning: own.description }
  const meaning = Object.hasOwn(commonHeaders, lowerName)
    ? (commonHeaders[lowerName] ?? null)
    : null
  if (lowerName === 'user-agent' || lowerName === 'content-type') {
    return { source: 'document', meaning }
  }
  if (customNames.has(lowerName)) {
    return {
      source: 'endpoint',
      meaning: 'A custom header configured on the endpoint (API documentation, "Delivery").',
    }
  }
  if (isProxyHeader(lowerName)) return { source: 'proxy', meaning: proxyHeaderMeaning(lowerName) }
  return { source: meaning === null ? 'other' : 'common', meaning }
}

/** A header without findings matches, unless there was nothing to compare it with. */
function resultWithoutFinding(
  { brand, endpoint, arrival, findings, type }: HeaderChecksInput,
  lowerName: string,
): CheckResult {
  const id = deliveryHeaders(brand).find((header) => header.lowerName === lowerName)?.id
  const repeats = id === 'event-type' || id === 'target-uuid' || id === 'target-id'
  const reason =
    endpoint === null
      ? 'No endpoint has this path, so it is not compared.'
      : arrival !== 'complete'
        ? 'The request is incomplete, so it is not compared.'
        : findings.some(({ code }) => code === 'body.empty')
          ? 'There is no body, so there is nothing to compare with.'
          : repeats && type === null
            ? 'The body has no type, so there is nothing to compare with.'
            : id === 'application-id' && endpoint.applicationId === ''
              ? 'Set the application ID on the endpoint to compare it.'
              : null
  return { expected: null, matches: reason === null ? true : null, note: reason }
}

const noSecret = { matches: null, note: 'There was no secret to check it with.' }

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
