import { randomBytes } from 'node:crypto'
import type { SizeProbe, SizeStep, TunnelProbe } from '#contract/tunnel.ts'
import { type ProbeRequest, type ProbeResponse, probeUrl, sendProbe } from './send-probe.ts'
import { probeBody, type ProbeBody, randomBody } from './format.ts'
import { failureSentence, isPage, foreignResponseSentence } from './messages.ts'

/** The result of sending one body. */
export interface SizeResult {
  readonly step: SizeStep
  /** The request timed out. */
  readonly timedOut: boolean
}

const KiB = 1024
const MiB = 1024 * KiB

/** The sizes to try in order, in bytes. */
const sizes = [KiB, 16 * KiB, 64 * KiB, 256 * KiB, MiB, 2 * MiB, 5 * MiB, 10 * MiB] as const

/** The search ends when the smallest size that failed is at most this many times the largest that passed. */
const closeEnough = 1.12

/**
 * Searches for the largest body that gets through. Reports each size once. A size that fails is retried before it is reported, so that a
 * temporary failure does not count as a limit. Ends early when `trySize` returns null, which means that the search was cancelled.
 */
export async function searchSizes(
  trySize: (bytes: number) => Promise<SizeResult | null>,
  report: (step: SizeStep) => void,
): Promise<void> {
  let largest = 0
  let failed: SizeResult | null = null
  for (const bytes of sizes) {
    const result = await tryTwice(trySize, bytes, true)
    if (result === null) return
    report(result.step)
    if (result.step.outcome !== 'passed') {
      failed = result
      break
    }
    largest = bytes
  }
  let ownLimit = failed?.step.ownLimit ?? null
  let stopsAt = failed?.step.bytes ?? 0
  for (
    let next = between(largest, stopsAt, ownLimit);
    next !== null;
    next = between(largest, stopsAt, ownLimit)
  ) {
    const result = await tryTwice(trySize, next, false)
    if (result === null) return
    report(result.step)
    if (result.step.outcome === 'passed') largest = next
    else stopsAt = next
    ownLimit = result.step.ownLimit ?? ownLimit
  }
}

/** The next size to try between the largest that passed and the smallest that failed; null if they are close enough. */
function between(largest: number, stopsAt: number, ownLimit: number | null): number | null {
  if (largest === 0 || stopsAt === 0 || ownLimit === largest) return null
  // The exact limit of the Tabscope listener is known, so all that is left to check is whether a body of that size gets through.
  if (ownLimit !== null && ownLimit > largest && ownLimit < stopsAt) return ownLimit
  if (stopsAt <= largest * closeEnough) return null
  const grain = largest < 64 * KiB ? 64 : KiB
  return Math.round(Math.sqrt(largest * stopsAt) / grain) * grain
}

/** Tries a size, and retries it once if it failed. Near the limit a size that timed out is not retried. */
async function tryTwice(
  trySize: (bytes: number) => Promise<SizeResult | null>,
  bytes: number,
  retryTimeouts: boolean,
): Promise<SizeResult | null> {
  const first = await trySize(bytes)
  if (first === null || first.step.outcome === 'passed' || first.step.ownLimit !== null)
    return first
  return first.timedOut && !retryTimeouts ? first : trySize(bytes)
}

/** The verdict on one probe. */
interface Verdict {
  readonly outcome: SizeStep['outcome']
  /** Another program or another Tabscope responded. */
  readonly isOther: boolean
  readonly status: number | null
  /** A sentence; null if the probe passed. */
  readonly reason: string | null
  /** The body limit of the Tabscope listener in bytes, if the listener rejected the body because of it. */
  readonly ownLimit: number | null
}

const mib = 1024 * 1024

/** Compares a response with what was sent. */
function verdictOf(response: ProbeResponse, sent: ProbeBody, url: URL): Verdict {
  const none = { isOther: false, status: null, ownLimit: null }
  switch (response.kind) {
    case 'ours':
      return verdictOfOurs(response, sent)
    case 'stale':
      return {
        ...none,
        outcome: 'refused',
        status: response.status,
        reason:
          'The response belongs to an earlier probe, so something in between caches responses. Disable caching for /hooks/.',
      }
    case 'tabscope':
      return {
        ...none,
        outcome: 'refused',
        isOther: true,
        status: response.status,
        reason:
          'Another Tabscope responds at this URL, or something in between removes headers. Reopen the tunnel, under another name if necessary.',
      }
    case 'other': {
      const { answer, text } = response
      const isSuccess = answer.status >= 200 && answer.status < 300
      return {
        ...none,
        outcome: 'refused',
        isOther: isSuccess && !isPage(answer, text),
        status: answer.status,
        reason: foreignResponseSentence(url, answer, text),
      }
    }
    case 'failure':
      return { ...none, outcome: 'failed', reason: failureSentence(response.failure, url) }
  }
}

function verdictOfOurs(
  { answer, status }: Extract<ProbeResponse, { kind: 'ours' }>,
  { content, sha256 }: ProbeBody,
): Verdict {
  const sent = content.byteLength
  const none = { isOther: false, status, ownLimit: null }
  switch (answer.outcome) {
    case 'whole':
      return answer.sha256 === sha256 && answer.bytes === sent
        ? { ...none, outcome: 'passed', reason: null }
        : { ...none, outcome: 'changed', reason: changedSentence(sent, answer.bytes) }
    case 'too_large':
      return {
        ...none,
        outcome: 'refused',
        reason: `The request reached Tabscope, whose own body limit is ${+(answer.limit / mib).toFixed(3)} MiB. Raise it under Settings > Listener.`,
        ownLimit: answer.limit,
      }
    case 'busy':
      return {
        ...none,
        outcome: 'refused',
        reason:
          'The request reached Tabscope, which was busy with too many large bodies. Try again later.',
      }
    case 'broken':
      return {
        ...none,
        outcome: 'changed',
        reason: `Only ${answer.bytes} of ${sent} bytes were received: something in between truncates bodies.`,
      }
  }
}

function changedSentence(sent: number, received: number): string {
  const how =
    sent === received
      ? `${received} bytes were received, but not the ones that were sent`
      : `${sent} bytes were sent and ${received} received`
  return `The body was changed in transit: ${how}. Signatures would not match. Something in between rewrites bodies (compresses, filters or decodes them): disable that for /hooks/.`
}

type RequestStyle = Pick<ProbeRequest, 'method' | 'headers'>

/** Headers like those of a webhook sender. The content type gives proxies no reason to change the body, and the response must not be compressed. */
const asSender: RequestStyle = {
  method: 'POST',
  headers: [
    ['User-Agent', 'Tabscope-Probe'],
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'identity'],
    ['Content-Type', 'application/octet-stream'],
  ],
}

/** Headers of a browser that opens a page: tunnel servers use them to decide whether to show a page of their own. */
const asBrowser: RequestStyle = {
  method: 'GET',
  headers: [
    [
      'User-Agent',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ],
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['Accept-Language', 'en-US,en;q=0.9'],
    ['Accept-Encoding', 'identity'],
    ['Upgrade-Insecure-Requests', '1'],
    ['Sec-Fetch-Dest', 'document'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Site', 'none'],
  ],
}

/** The timeout for one body: `base` milliseconds plus the time that its bytes need at `bytesPerSecond`, at most `most` milliseconds. */
interface SizeTimeout {
  readonly base: number
  readonly bytesPerSecond: number
  readonly most: number
}

const defaultSizeTimeout: SizeTimeout = { base: 15_000, bytesPerSecond: 64 * 1024, most: 90_000 }

/** Tests which body sizes get through, and reports each. Never rejects. When aborted, resolves to the results so far. */
async function probeSizes(
  key: Uint8Array,
  origin: string,
  sizeTimeout: SizeTimeout,
  report: (probe: SizeProbe) => void,
  signal: AbortSignal,
): Promise<SizeProbe> {
  const url = probeUrl(origin)
  const steps: SizeStep[] = []
  const at = Date.now()
  const publish = (running: boolean): SizeProbe => {
    const probe = { at, running, url: origin, steps: [...steps], ...boundsOf(steps) }
    report(probe)
    return probe
  }
  publish(true)
  if (url !== null) {
    await searchSizes(
      (bytes) => trySize(key, url, bytes, sizeTimeout, signal),
      (step) => {
        steps.push(step)
        publish(true)
      },
    )
  }
  return publish(false)
}

async function trySize(
  key: Uint8Array,
  url: URL,
  bytes: number,
  { base, bytesPerSecond, most }: SizeTimeout,
  signal: AbortSignal,
): Promise<SizeResult | null> {
  const body = await randomBody(bytes)
  const timeout = Math.min(most, base + Math.round(bytes / bytesPerSecond) * 1000)
  const response = await sendProbe({ key, url, ...asSender, body, timeout, signal })
  const code = response.kind === 'failure' ? response.failure.code : null
  if (code === 'aborted') return null
  const { outcome, status, reason, ownLimit } = verdictOf(response, body, url)
  return {
    step: { bytes, outcome, status, ms: response.ms, reason, ownLimit },
    timedOut: code === 'timeout',
  }
}

function boundsOf(steps: readonly SizeStep[]): Pick<SizeProbe, 'largest' | 'stopsAt'> {
  let largest: number | null = null
  let stopsAt: number | null = null
  for (const { bytes, outcome } of steps) {
    if (outcome === 'passed') largest = Math.max(largest ?? 0, bytes)
    else stopsAt = Math.min(stopsAt ?? bytes, bytes)
  }
  return { largest, stopsAt }
}

/** The result of a self-probe, including whether something other than this Tabscope responded. */
export interface ProbeResult extends TunnelProbe {
  readonly code: 'probe_ok' | 'probe_failed' | 'other_answer'
}

/** Sends requests to the public URL as a sender would, and tells responses of this Tabscope from any other. No method rejects. */
export interface Prober {
  /** Sends one signed request with a nonce to `<origin>/hooks/_probe` over a new connection. Times out after `timeoutMs`. */
  probe(origin: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult>
  /** What a browser receives at the URL; null if unknown. */
  browser(origin: string, signal: AbortSignal): Promise<'ours' | 'interstitial' | null>
  /** Tests bodies from 1 KiB to 10 MiB and reports each step. When aborted, resolves to the results so far. */
  sizes(origin: string, report: (probe: SizeProbe) => void, signal: AbortSignal): Promise<SizeProbe>
}

const bodyBytes = 200

/** Milliseconds. */
const browserMs = 10_000

/** `key`: the same key that the capture thread uses. */
export function createProber(
  key: Uint8Array,
  sizeTimeout: SizeTimeout = defaultSizeTimeout,
): Prober {
  const probe: Prober['probe'] = async (origin, timeout, signal) => {
    const at = Date.now()
    const url = probeUrl(origin)
    if (url === null) {
      const reason = 'The public URL is invalid. Check it.'
      return { at, ok: false, ms: 0, reason, code: 'probe_failed' }
    }
    const body = probeBody(randomBytes(bodyBytes))
    const response = await sendProbe({ key, url, ...asSender, body, timeout, signal })
    const { outcome, reason, isOther } = verdictOf(response, body, url)
    const ok = outcome === 'passed'
    const code = ok ? 'probe_ok' : isOther ? 'other_answer' : 'probe_failed'
    return { at, ok, ms: response.ms, reason, code }
  }

  const browser: Prober['browser'] = async (origin, signal) => {
    const url = probeUrl(origin)
    if (url === null) return null
    const response = await sendProbe({
      key,
      url,
      ...asBrowser,
      body: null,
      timeout: browserMs,
      signal,
    })
    if (response.kind === 'ours') return 'ours'
    if (response.kind !== 'other' || !isInterstitial(response)) return null
    // Only if a sender gets through is the page shown to browsers alone.
    return (await probe(origin, browserMs, signal)).ok ? 'interstitial' : null
  }

  return {
    probe,
    browser,
    sizes: (origin, report, signal) => probeSizes(key, origin, sizeTimeout, report, signal),
  }
}

/** Some servers redirect a browser to a page of their own, others return it as the response. */
function isInterstitial({ answer, text }: Extract<ProbeResponse, { kind: 'other' }>): boolean {
  return (answer.status >= 300 && answer.status < 400) || isPage(answer, text)
}
